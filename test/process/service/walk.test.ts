import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { HORIZONS, HOUR, idsOf, MODELS, thisHour } from './history.js'
import { type Served, serve } from './serve.js'

const WRITER = fileURLToPath(new URL('writer.mjs', import.meta.url))

let served: Served
afterEach(() => served.remove())

interface Filter {
  readonly query: string
  readonly where: string
}

const filter: fc.Arbitrary<Filter> = fc
  .record({
    model: fc.option(fc.constantFrom(...MODELS, 'nobody')),
    horizon: fc.option(fc.constantFrom(...HORIZONS, 3)),
    run: fc.option(fc.integer({ min: 0, max: 5 })),
    from: fc.option(fc.integer({ min: 0, max: 45 })),
    to: fc.option(fc.integer({ min: 0, max: 45 })),
  })
  .map(({ model, horizon, run, from, to }) => {
    const parts: [string, string][] = []
    const origin = (back: number) => new Date(thisHour() - back * HOUR).toISOString().slice(0, 19)
    if (model !== null) parts.push([`model=${model}`, `model_name = '${model}'`])
    if (horizon !== null) parts.push([`horizon_hours=${horizon}`, `horizon_hours = ${horizon}`])
    if (run !== null) {
      const id = `run-${Math.floor(thisHour() / HOUR / 10) - run}`
      parts.push([`run_id=${id}`, `experiment_run_id = '${id}'`])
    }
    if (from !== null) {
      parts.push([`origin_from=${origin(from)}Z`, `p.origin_at >= '${origin(from)}+00:00'`])
    }
    if (to !== null) {
      parts.push([`origin_to=${origin(to)}Z`, `p.origin_at <= '${origin(to)}+00:00'`])
    }
    return {
      query: parts.map(([query]) => `&${query}`).join(''),
      where: ['1', ...parts.map(([, where]) => where)].join(' AND '),
    }
  })

async function walk(query: string, limits: readonly number[]): Promise<string[]> {
  const ids: string[] = []
  for (let turn = 0, cursor = ''; ; turn++) {
    const limit = limits[turn % limits.length]
    const got = await served.get(`/v1/forecasts?limit=${limit}${query}${cursor}`)
    expect(got.status, got.text).toBe(200)
    expect(got.json.data.length).toBeLessThanOrEqual(limit ?? 0)
    ids.push(...got.json.data.map((each: { forecast_id: string }) => each.forecast_id))
    const next = got.json.pagination.next_cursor
    if (next === null) return ids
    cursor = `&cursor=${next}`
  }
}

const limits = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 4 })

describe('walking', () => {
  it.each([true, false])('gives every match once and in order (plain file: %s)', async (plain) => {
    served = await serve({ made: { plain } })
    await fc.assert(
      fc.asyncProperty(filter, limits, async ({ query, where }, sizes) => {
        expect(await walk(query, sizes)).toEqual(idsOf(served.historyPath, where))
      }),
      { numRuns: 60 },
    )
  })

  it.each(['delete', 'wal'] as const)(
    'does so while another process writes newer rows (%s journal)',
    async (journal) => {
      served = await serve({ made: { journal } })
      const writer = spawn(process.execPath, [WRITER, served.historyPath, String(thisHour())], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      await new Promise((resolve) => writer.stdout.once('data', resolve))
      try {
        await fc.assert(
          fc.asyncProperty(filter, limits, async ({ query, where }, sizes) => {
            const before = idsOf(served.historyPath, where)
            const walked = await walk(query, sizes)
            // Rows that came after the walk had begun may lead; what was there follows, whole and in order.
            const known = new Set(before)
            expect(walked.filter((id) => known.has(id))).toEqual(before)
            expect(new Set(walked).size).toBe(walked.length)
            const after = new Set(idsOf(served.historyPath, where))
            expect(walked.every((id) => after.has(id))).toBe(true)
          }),
          { numRuns: 40 },
        )
      } finally {
        writer.stdin.end()
        await new Promise((resolve) => writer.once('exit', resolve))
      }
    },
  )
})
