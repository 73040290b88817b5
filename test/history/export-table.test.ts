import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Attempt, ForecastResource } from '../../src/contract/types.js'
import { confidenceOf } from '../../src/forecast/resource.js'
import { historyAsTable } from '../../src/history/export-table.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { sample, sampleAttempt } from './samples.js'
import { EPOCH, historyOf, inBatches, stamp } from './support.js'

const folder = temporaryFolder()

/** A sample of which the columns say all. */
function plain(over: Partial<ForecastResource> = {}, hour = 0): ForecastResource {
  const { lineage, ...rest } = sample({ hour })
  const { manifest, ...without } = lineage
  return {
    ...rest,
    lineage: { ...without, manifest: null, manifest_reason: 'not_recorded' },
    ...over,
  }
}

async function exported(path: string) {
  const left: (readonly string[])[] = []
  const table = historyAsTable(path, { onLeftOut: (parts) => left.push(parts) })
  const names = table.columns.map(({ name }) => name)
  const rows = (await inBatches(table.rows)).map((row) =>
    Object.fromEntries(names.map((name, at) => [name, row[at]])),
  )
  return { rows, left }
}

describe('a history as a table', () => {
  it('has the columns that an import takes', async () => {
    const provenance = { vintage_id: 'v', input_available_at: stamp(EPOCH) }
    const { lineage } = plain()
    const attempt: Attempt = { ...sampleAttempt({ hour: 1 }), status: 'abstained', provenance }
    const path = await historyOf([plain({ lineage: { ...lineage, provenance } }), attempt])
    const { rows, left } = await exported(path)
    expect(rows).toEqual([
      {
        origin_at: stamp(EPOCH),
        horizon_hours: 2,
        model: 'alpha',
        price_usd: 50_500.25,
        q10_usd: 49_000,
        q50_usd: 50_400.5,
        q90_usd: 51_800,
        change_pct: 1.0005,
        generated_at: stamp(EPOCH + 90_000),
        run_id: 'run-1',
        configuration_id: 'c-1',
        source_price_usd: 50_000,
        source_name: 'made',
        model_agreement: 0.75,
        input_available_at: stamp(EPOCH),
        selection_data_through: null,
        vintage_id: 'v',
        vintage_sha256: null,
        status: null,
        reason: null,
      },
      expect.objectContaining({
        origin_at: stamp(EPOCH + 3_600_000),
        price_usd: null,
        generated_at: stamp(EPOCH + 3_660_000),
        run_id: null,
        input_available_at: stamp(EPOCH),
        status: 'abstained',
        reason: 'no data',
      }),
    ])
    expect(left).toEqual([])
  })

  it.each([
    ['a manifest', sample(), ['/lineage/manifest']],
    ['a level', plain({ interval: { ...plain().interval, level: 0.9 } }), ['/interval/level']],
    [
      'a reason for the confidence',
      plain({ confidence: { score: 0, label: 'unknown', evidence: { reason: 'one model only' } } }),
      ['/confidence/evidence/reason'],
    ],
    ['a member of its own', { ...plain(), note: 'mine' }, ['/note']],
    ['an empty text', plain({ run: { id: '', generated_at: null } }), ['/run/id']],
    [
      'a word that says nothing in a table',
      plain({ run: { id: 'NA', generated_at: null } }),
      ['/run/id'],
    ],
  ])('says that %s is left out', async (_, resource, parts) => {
    expect((await exported(await historyOf([resource]))).left).toEqual([parts])
  })

  it('says nothing of what was not recorded', async () => {
    const { lineage, run } = plain()
    const bare = plain({
      run: { ...run, id: null, generated_at: null },
      interval: { level: 0.8, lower_usd: null, median_usd: null, upper_usd: null },
      confidence: confidenceOf(null),
      lineage: {
        ...lineage,
        source: { ...lineage.source, name: 'unknown' },
        source_reason: 'not_recorded',
      },
    })
    const { rows, left } = await exported(await historyOf([bare]))
    expect(rows[0]).toMatchObject({ source_name: null, model_agreement: null, q10_usd: null })
    expect(left).toEqual([])
  })
})

describe('history export', () => {
  it('counts on standard error what the columns do not say', async () => {
    const history = await historyOf([sample(), sample({ hour: 1 }), plain({}, 2)])
    const run = await inProcess(['history', 'export', '--history', history, '--format', 'csv'])
    expect(run.code).toBe(0)
    expect(run.stdout.split('\n')).toHaveLength(5)
    expect(run.stderr).toMatch(/2 rows say more.*: lineage \(2\)\n/)
    const whole = await inProcess(['history', 'export', '--history', history])
    expect(whole.stderr).toBe('')
  })

  it('leaves no file behind where it cannot read', async () => {
    const out = join(folder, 'none.csv')
    const run = await inProcess(['history', 'export', '--history', 'nowhere', '--out', out])
    expect(run.code).toBe(2)
    expect(existsSync(out)).toBe(false)
  })
})
