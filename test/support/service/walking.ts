import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect } from 'vitest'
import { HORIZONS, HOUR, idsOf, MODELS, thisHour } from './history.js'
import type { Served } from './serve.js'

export interface Filter {
  readonly query: string
  readonly where: string
}

/** Filters that match many rows, few and none; `where` says the same to SQL. */
export const filter: fc.Arbitrary<Filter> = fc
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

/** Sizes of the pages of a walk, in turn. */
export const limits = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 4 })

/** The ids of all pages, by the cursors of the service. */
export async function walk(
  served: Pick<Served, 'get'>,
  query: string,
  limits: readonly number[],
): Promise<string[]> {
  const ids: string[] = []
  for (let turn = 0, cursor = ''; ; turn++) {
    const limit = limits[turn % limits.length]
    const got = await served.get(`/v1/forecasts?limit=${limit}${query}${cursor}`)
    expect(got.status, got.text).toBe(200)
    expect(got.json.data.length).toBeLessThanOrEqual(limit ?? 0)
    expect(got.json.pagination.limit).toBe(limit)
    ids.push(...got.json.data.map((each: { forecast_id: string }) => each.forecast_id))
    const next = got.json.pagination.next_cursor
    if (next === null) return ids
    cursor = `&cursor=${next}`
  }
}

/**
 * Walks by any filters, in pages of any sizes: each gives every match once and in order.
 * @param history - a SQLite file with what is served; it may be written to all the while.
 * @param write - where rows are written to another place, writes some, once for each walk.
 */
export async function expectWalks(served: Served, history: string, write?: () => void) {
  await fc.assert(
    fc.asyncProperty(filter, limits, async ({ query, where }, sizes) => {
      const before = idsOf(history, where)
      const walking = walk(served, query, sizes)
      write?.()
      const walked = await walking
      // Rows that came after the walk had begun may lead; what was there follows, whole and in order.
      const known = new Set(before)
      expect(walked.filter((id) => known.has(id))).toEqual(before)
      expect(new Set(walked).size).toBe(walked.length)
      if (write !== undefined) return
      const after = new Set(idsOf(history, where))
      expect(walked.every((id) => after.has(id))).toBe(true)
    }),
    { numRuns: 40 },
  )
}

const WRITER = fileURLToPath(new URL('writer.mjs', import.meta.url))

/**
 * Writes to a SQLite history from a process of its own: whole origins that are still to come, or so many new and late
 * rows a second. @returns what ends it.
 */
export async function writeTo(history: string, rowsPerSecond?: number) {
  const every = rowsPerSecond === undefined ? [] : [String(1000 / rowsPerSecond)]
  const args = [WRITER, history, String(thisHour()), ...every]
  const writer = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  await new Promise((resolve) => writer.stdout.once('data', resolve))
  return async (): Promise<void> => {
    writer.stdin.end()
    await new Promise((resolve) => writer.once('exit', resolve))
  }
}
