import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkPayload } from '../../src/contract/check-payload.js'
import type { ForecastResource } from '../../src/contract/types.js'
import { toConfidence } from '../../src/forecast/resource.js'
import { exportLines } from '../../src/history/export.js'
import { historyAsTable } from '../../src/history/export-table.js'
import { importResources } from '../../src/history/import/import.js'
import { historyStats } from '../../src/history/stats.js'
import { LOG, seal } from '../log/sealed.js'
import { freshPaths } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { sample, sampleAttempt } from './samples.js'
import {
  allOf,
  alter,
  EPOCH,
  HOUR,
  historyOf,
  inBatches,
  opened,
  stamp,
  writeOld,
  writeProducer,
} from './support.js'

const freshPath = freshPaths()
const options = { now: EPOCH * 1000 }
const exported = async (path: string) => (await allOf(exportLines(path))).join('')
const values = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const provenance = { vintage_id: 'v', input_available_at: stamp(EPOCH) }

describe('export', () => {
  it('gives the same bytes for any order of import, and after a round trip', async () => {
    const resources = [0, 1, 2].flatMap((hour) =>
      ['alpha', 'beta'].map((model) => {
        const base = sample({ hour, model })
        const run = model === 'beta' ? { ...base.run, id: 'run-2' } : base.run
        const lineage = hour === 1 ? { ...base.lineage, provenance } : base.lineage
        // Another order of members is the same resource.
        return hour === 2 && model === 'beta'
          ? Object.fromEntries(Object.entries({ ...base, run, lineage }).reverse())
          : { ...base, run, lineage }
      }),
    )
    const all = [
      ...resources,
      sampleAttempt({ hour: 1, model: 'gamma' }),
      { ...sampleAttempt({ hour: 9 }), status: 'abstained', recorded_at: null, provenance },
    ]
    const path = await historyOf(all)
    const text = await exported(path)
    expect(values(text)).toHaveLength(8)
    for (const value of values(text)) {
      expect(
        'status' in value ? checkPayload('attempt', value) : checkPayload('forecast', value),
      ).toEqual([])
    }
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(all, { minLength: all.length }), async (shuffled) => {
        const other = freshPath()
        await importResources(other, shuffled, { now: 1 })
        expect(await exported(other)).toBe(text)
        const again = await historyOf(values(text))
        expect(await exported(again)).toBe(text)
      }),
      { numRuns: 10 },
    )
  })

  it('chooses by kind and window', async () => {
    const path = await historyOf([sample(), sample({ hour: 5 }), sampleAttempt({ hour: 3 })])
    const count = async (given: Parameters<typeof exportLines>[1]) =>
      (await allOf(exportLines(path, given))).length
    expect(await count({ only: 'attempts' })).toBe(1)
    expect(await count({ only: 'forecasts' })).toBe(2)
    expect(await count({ from: EPOCH * 1000, to: (EPOCH + 3 * HOUR) * 1000 })).toBe(2)
  })

  it('exports an old file, mends spellings of other times, and stops at a row that no forecast can say', async () => {
    const path = freshPath()
    writeOld(path)
    const [value] = values(await exported(path))
    expect(checkPayload('forecast', value)).toEqual([])
    expect(value).toMatchObject({
      forecast_id: '2026-01-01T00:00:00+00:00:a:2',
      target_at: '2026-01-01T02:00:00+00:00',
      run: { id: null, generated_at: '2026-01-01T00:01:00+00:00' },
      confidence: { score: 0, label: 'unknown' },
      lineage: {
        manifest: null,
        manifest_reason: 'not_recorded',
        source: { name: 'unknown', pair: 'BTC/USD', price_usd: 50000 },
        source_reason: 'not_recorded',
        pair_reason: 'not_recorded',
      },
    })
    const other = freshPath()
    expect((await importResources(other, [value], options)).findings).toEqual([])
    expect(values(await exported(other))).toEqual([value])
    alter(path, "UPDATE forecast_predictions SET predicted_price_usd = 'much'")
    await expect(exported(path)).rejects.toThrow(/2026-01-01T00:00:00\+00:00, a, 2 h/)
    const skipped: unknown[] = []
    const rest = await allOf(
      exportLines(path, { onFaultyRow: (row) => skipped.push('priceUsd' in row && row.priceUsd) }),
    )
    expect([rest, skipped]).toEqual([[], ['much']])
  })

  it('says what the contract finds where no column is wrong by itself', async () => {
    const path = await historyOf([{ ...sample(), later: 1 }])
    const score = `json_set(resource_json, '$.confidence.score', 'high')`
    alter(path, `UPDATE foreproof_resources SET resource_json = ${score}`)
    const error = await exported(path).catch((cause) => cause)
    expect(error).toMatchObject({ code: 'invalid-input' })
    expect(error.findings).toContainEqual(expect.objectContaining({ pointer: '/confidence/score' }))
  })
})

describe('pairing rows', () => {
  it('come in order with attempts, provenance and what a whole resource says', async () => {
    const path = freshPath()
    const base = sample({ hour: 1, model: 'beta' })
    const source = { ...base.lineage.source, price_usd: 50_007 }
    const other = {
      ...base,
      interval: { ...base.interval, level: 0.9 },
      run: { id: 'late', generated_at: stamp(EPOCH + 9e7) },
      lineage: { ...base.lineage, provenance, source },
    }
    const attempts = [sampleAttempt({ hour: 1, model: 'gamma' }), sampleAttempt({ horizon: 4 })]
    await importResources(path, [sample({ hour: 1 }), other, sample(), ...attempts], options)
    alter(
      path,
      `INSERT INTO foreproof_attempts VALUES ('${stamp(EPOCH)}', 'alpha', 2, 'abstained', 'r', NULL);
      UPDATE forecast_predictions SET q10_usd = 'low' WHERE model_name = 'beta'`,
    )
    const reader = opened(path)
    const rows = await inBatches(reader.pairingRows())
    const named = rows.map((row) =>
      [row.originAt.slice(11, 13), row.horizon, row.model, row.attempt].join(' '),
    )
    expect(named.join(', ')).toBe(
      '00 2 alpha abstained, 00 4 alpha failed, 01 2 alpha , 01 2 beta , 01 2 gamma failed',
    )
    expect(rows[3]).toMatchObject({
      level: 0.9,
      sourcePrice: 50_007,
      generatedAt: stamp(EPOCH + 9e7),
      quantiles: [Number.NaN, expect.anything(), expect.anything()],
      vintageId: 'v',
    })
    const window = { from: (EPOCH + HOUR) * 1000 }
    expect(await inBatches(reader.pairingRows(window))).toHaveLength(3)
    expect(await reader.models()).toEqual(['alpha', 'beta', 'gamma'])
  })
})

describe('stats', () => {
  it('counts by model and horizon, origins, gaps and what foreproof keeps', async () => {
    const whole = { ...sample({ hour: 3 }), later: 1 }
    const all = [sample(), sample({ hour: 3, horizon: 4 }), whole, sampleAttempt({ hour: 1 })]
    const path = await historyOf(all)
    expect(await historyStats(path)).toMatchObject({
      forecasts: 3,
      attempts: { failed: 1, abstained: 0 },
      origins: 2,
      first_origin: '2026-01-01T00:00:00Z',
      last_origin: '2026-01-01T03:00:00Z',
      hours_without_origin: 2,
      runs: 1,
      kept_whole: 1,
      with_provenance: 0,
      ordering_index: true,
      journal_mode: 'delete',
      models: [{ model: 'alpha', horizons: { '2': 2, '4': 1 }, forecasts: 3, failed: 1 }],
    })
    const empty = freshPath()
    writeProducer(empty, [])
    const nothing = { forecasts: 0, first_origin: null, models: [] }
    expect(await historyStats(empty)).toMatchObject(nothing)
  })

  it('says how far each log is sealed, and by whom the newest checkpoint is stamped', async () => {
    const none = freshPath()
    writeProducer(none, [])
    expect((await historyStats(none)).log).toBeNull()
    const path = await historyOf([sample(), sampleAttempt({ hour: 1 })])
    const unsealed = { name: null, entries: 2, checkpoint: null, stamped_by: [] }
    expect((await historyStats(path)).log).toEqual(unsealed)
    const statsText = async () => (await inProcess(['history', 'stats', '--history', path])).stdout
    expect(await statsText()).toMatch(/^log +no name yet, 2 entries, not sealed$/m)

    const token = Uint8Array.of(1)
    const stamps = ['swiss', 'free'].map((authority) => () => ({ authority, token }))
    await seal(path, stamps)
    await importResources(path, [sample({ hour: 2 })], options)
    const sealed = { name: LOG, entries: 3, checkpoint: 2 }
    expect((await historyStats(path)).log).toEqual({ ...sealed, stamped_by: ['free', 'swiss'] })
    expect((await statsText()).replaceAll(/ +/g, ' ')).toContain(
      'log example.org/log, 3 entries, sealed to 2, stamped by free, swiss\n',
    )
  })
})

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

async function asTable(path: string) {
  const left: (readonly string[])[] = []
  const table = historyAsTable(path, { onLeftOut: (parts) => left.push(parts) })
  const names = table.columns.map(({ name }) => name)
  const rows = (await inBatches(table.rows)).map((row) =>
    Object.fromEntries(names.map((name, at) => [name, row[at]])),
  )
  return { names, rows, left }
}

describe('a history as a table', () => {
  it('has the columns that an import takes', async () => {
    const { lineage } = plain()
    const attempt = { ...sampleAttempt({ hour: 1 }), status: 'abstained', provenance }
    const path = await historyOf([plain({ lineage: { ...lineage, provenance } }), attempt])
    const { names, rows, left } = await asTable(path)
    expect(names.join(' ')).toBe(
      'origin_at horizon_hours model price_usd q10_usd q50_usd q90_usd change_pct generated_at run_id ' +
        'configuration_id source_price_usd source_name model_agreement input_available_at ' +
        'selection_data_through vintage_id vintage_sha256 status reason',
    )
    expect(rows.map((row) => JSON.stringify(Object.values(row)))).toEqual([
      '["2026-01-01T00:00:00+00:00",2,"alpha",50500.25,49000,50400.5,51800,1.0005,"2026-01-01T00:01:30+00:00","run-1","c-1",50000,"made",0.75,"2026-01-01T00:00:00+00:00",null,"v",null,null,null]',
      '["2026-01-01T01:00:00+00:00",2,"alpha",null,null,null,null,null,"2026-01-01T01:01:00+00:00",null,null,null,null,null,"2026-01-01T00:00:00+00:00",null,"v",null,"abstained","no data"]',
    ])
    expect(left).toEqual([])
  })

  const UNKNOWN = { score: 0, label: 'unknown', evidence: { reason: 'one model only' } }
  it.each([
    ['a manifest', sample(), ['/lineage/manifest']],
    ['a level', plain({ interval: { ...plain().interval, level: 0.9 } }), ['/interval/level']],
    ['a reason', plain({ confidence: UNKNOWN }), ['/confidence/evidence/reason']],
    ['a member of its own', { ...plain(), note: 'mine' }, ['/note']],
    ['an empty text', plain({ run: { id: '', generated_at: null } }), ['/run/id']],
    ['a word for nothing', plain({ run: { id: 'NA', generated_at: null } }), ['/run/id']],
  ])('says that %s is left out', async (_, resource, parts) => {
    expect((await asTable(await historyOf([resource]))).left).toEqual([parts])
  })

  it('says nothing of what was not recorded', async () => {
    const { lineage, run } = plain()
    const source = { ...lineage.source, name: 'unknown' }
    const bare = plain({
      run: { ...run, id: null, generated_at: null },
      interval: { level: 0.8, lower_usd: null, median_usd: null, upper_usd: null },
      confidence: toConfidence(null),
      lineage: { ...lineage, source, source_reason: 'not_recorded' },
    })
    const { rows, left } = await asTable(await historyOf([bare]))
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
})
