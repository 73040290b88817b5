import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Finding, hasNoErrors } from '../../src/contract/findings/finding.js'
import { checkedInstant, formatStored, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { canonicalize } from '../../src/document/canonical.js'
import { readManifest, shownAs, toAttempt, unjudged } from '../../src/forecast/resource.js'
import type { ProvenanceRow } from '../../src/forecast/row.js'
import type { SeriesRow } from '../../src/forecast/series-row.js'
import { copyHistory } from '../../src/history/copy.js'
import { seriesAsTable, seriesLines } from '../../src/history/export-series.js'
import { importResources } from '../../src/history/import/import.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { verifyHistory } from '../../src/history/verify.js'
import { freshPaths, temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { anyText, oneLine, written } from '../table/made.js'
import { taskOf, WEEKS } from '../truth/sample.js'
import { allOf, alter, EPOCH } from './support.js'

const fresh = freshPaths()
const now = EPOCH * 1000

const DENORMAL = 2.2250738585072014e-308
const number = fc.oneof(
  fc.constantFrom(5e-324, 1e-300, DENORMAL, 0.1, 1 / 3, 123456.789, 9007199254740991, 1e15),
  fc.double({ min: 1e-12, max: 1e15, noNaN: true }),
)
/** In percent; a price that is the source price changes by either zero. */
const changeOf = (price: number, before: number) =>
  price === before ? -0 : (price / before - 1) * 100
const micros = fc.integer({ min: 0, max: 999_999 })
const later = micros.map((some) => formatStored(now + some))
const earlier = micros.map((some) => formatStored(now - MICROS_PER_HOUR + some))
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })

const provenance: fc.Arbitrary<ProvenanceRow | undefined> = fc.option(
  fc.record({
    inputAvailableAt: orNull(later),
    selectionDataThrough: orNull(earlier),
    vintageId: anyText,
    vintageSha256: orNull(fc.constant('ab'.repeat(32))),
  }),
  { nil: undefined },
)
const key = { originAt: later, horizonHours: fc.integer({ min: 1, max: 720 }), model: oneLine }

const forecast = fc
  .record({
    ...key,
    priceUsd: number,
    quantiles: orNull(fc.tuple(number, number, number)),
    modelAgreement: orNull(fc.double({ min: 0, max: 1, noNaN: true })),
    origin: fc.record({
      generatedAt: orNull(later),
      sourceName: orNull(oneLine),
      pair: fc.constant(null),
      sourcePriceUsd: number,
      runId: orNull(oneLine),
      configurationId: orNull(oneLine),
      manifestJson: fc.constant(null),
    }),
    provenance,
  })
  .map(({ quantiles, ...made }) => {
    const { originAt, horizonHours, priceUsd, origin } = made
    const [q10Usd = null, q50Usd = null, q90Usd = null] = [...(quantiles ?? [])].sort(
      (a, b) => a - b,
    )
    return {
      ...made,
      targetAt: formatStored(checkedInstant(originAt) + horizonHours * MICROS_PER_HOUR),
      changePct: changeOf(priceUsd, origin.sourcePriceUsd),
      ...{ q10Usd, q50Usd, q90Usd, whole: null, origin: { originAt, ...origin } },
    }
  })
  .filter(({ changePct }) => Math.abs(changePct) <= Number.MAX_SAFE_INTEGER)
  .map((row) => unjudged(shownAs(row, readManifest(null))))

const attempt = fc
  .record({
    ...key,
    status: fc.constantFrom('failed', 'abstained'),
    reason: anyText,
    recordedAt: orNull(later),
    provenance,
  })
  .map(toAttempt)

async function exported(history: string, format: string) {
  const out = fresh(format)
  const run = await inProcess(['history', 'export', '--history', history, '--out', out])
  expect(run).toMatchObject({ code: 0, stderr: '' })
  return { out, bytes: readFileSync(out) }
}

describe.each(['csv', 'parquet'])('export, import, export as %s', (format) => {
  it('gives the same bytes, and the same history', async () => {
    const rows = fc.array(fc.oneof({ weight: 3, arbitrary: forecast }, attempt), {
      minLength: 1,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(rows, async (resources) => {
        const first = fresh('sqlite')
        await importResources(first, resources, { now })
        const table = await exported(first, format)
        expect(table.bytes.toString('latin1', 0, 4) === 'PAR1').toBe(format === 'parquet')
        const second = fresh('sqlite')
        const imported = await importFiles(second, [table.out], { now })
        expect(hasNoErrors(imported.findings)).toBe(true)
        expect((await exported(second, format)).bytes.equals(table.bytes)).toBe(true)
        const [whole, again] = [await exported(first, 'ndjson'), await exported(second, 'ndjson')]
        expect(again.bytes.toString()).toBe(whole.bytes.toString())
      }),
      { numRuns: 16, seed: 20_261_122 },
    )
  })
})

const folder = temporaryFolder()
const at = (name: string) => join(folder, name)
const TASK = taskOf()

const value = fc.oneof(
  fc.constantFrom(0, -0, 5e-324, 1 / 3, -123456.789, 9007199254740991, 1e-7),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }),
)
const seriesKey = {
  series: fc.constantFrom('US', '06'),
  origin: fc.constantFrom(...WEEKS.slice(1, -2).map(({ label }) => label)),
  horizon: fc.integer({ min: -1, max: 2 }),
  model: oneLine,
}
const KEYS = ['series', 'origin', 'horizon', 'model'] as const
const time = fc.constantFrom('2025-11-16T06:00:00+00:00', '2025-11-16T06:00:00.123456+00:00')
const said = {
  provenance: fc.record(
    { input_available_at: time, vintage_id: anyText },
    { requiredKeys: ['vintage_id'] },
  ),
}
const seriesForecast = fc
  .record(
    {
      ...seriesKey,
      ...said,
      value,
      quantiles: fc.dictionary(fc.constantFrom('0.025', '0.1', '0.25', '0.9', '0.975'), value, {
        noNullPrototype: true,
      }),
      generated_at: time,
    },
    { requiredKeys: [...KEYS, 'value', 'quantiles'] },
  )
  .map((row) => ({ ...row, quantiles: { ...row.quantiles, '0.5': row.value } }))
const seriesAttempt = fc.record(
  {
    ...seriesKey,
    ...said,
    status: fc.constantFrom('failed', 'abstained'),
    reason: anyText,
    recorded_at: time,
  },
  { requiredKeys: [...KEYS, 'status', 'reason'] },
)
const seriesRows = fc.uniqueArray(fc.oneof(seriesForecast, seriesAttempt), {
  maxLength: 20,
  minLength: 1,
  selector: (row) => JSON.stringify([row.series, row.origin, row.horizon, row.model]),
})

const importing = (file: string, history: string) =>
  importFiles(at(history), [at(file)], { now: EPOCH, series: TASK, asIs: true })

/** Any row is taken over here, whether it can be scored or not. */
const otherwise = ({ findings }: { readonly findings: readonly Finding[] }) =>
  findings.filter(({ code }) => code !== 'forecast-unscorable')

const linesOf = async (history: string) => (await allOf(seriesLines(at(history)))).join('')

it('what was exported is imported as it was, from entries and from tables of any format', async () => {
  await fc.assert(
    fc.asyncProperty(seriesRows, async (made) => {
      for (const file of ['a', 'b', 'c']) rmSync(at(file), { force: true })
      const entries = (made as SeriesRow[]).map((row) => canonicalize(row))
      writeFileSync(at('rows'), `${entries.join('\n')}\n`)
      const result = await importing('rows', 'a')
      expect(otherwise(result)).toEqual([])
      const lines = await linesOf('a')
      expect(lines.split('\n').filter(Boolean).sort()).toEqual([...entries].sort())
      expect((await verifyHistory(at('a'))).findings).toEqual([])
      for (const format of ['csv', 'ndjson', 'parquet'] as const) {
        writeFileSync(at('table'), await written(await seriesAsTable(at('a')), format))
        const again = await importing('table', 'a')
        const counts = [again.forecasts, again.attempts]
        expect(otherwise(again), format).toEqual([])
        expect(counts, format).toMatchObject([{ added: 0 }, { added: 0 }])
        rmSync(at('b'), { force: true })
        await importing('table', 'b')
        expect(await linesOf('b')).toBe(lines)
      }
      await copyHistory(at('a'), at('c'), { now: EPOCH })
      expect(await linesOf('c')).toBe(lines)
    }),
    { numRuns: 10 },
  )
})

it('rows that were changed or taken out by hand are named', async () => {
  const row = { series: 'US', origin: '2025-W46', horizon: 1, model: 'seer', value: 1 }
  const made = ['a', 'b', 'c', 'd'].map((model) => ({ ...row, model, quantiles: { '0.5': 1 } }))
  writeFileSync(at('rows'), made.map((each) => `${JSON.stringify(each)}\n`).join(''))
  rmSync(at('h'), { force: true })
  await importing('rows', 'h')
  alter(
    at('h'),
    `UPDATE foreproof_series_forecasts SET entry = replace(entry, '"value":1', '"value":2') WHERE model = 'a';
    DELETE FROM foreproof_series_forecasts WHERE model = 'b';
    UPDATE foreproof_series_forecasts SET horizon = 2 WHERE model = 'c';
    UPDATE foreproof_series_forecasts SET entry = '{' WHERE model = 'd'`,
  )
  const { findings } = await verifyHistory(at('h'))
  const codes = findings.map(({ code }) => code)
  expect(codes.filter((code) => code === 'history-resource').length).toBe(2)
  expect(codes).toContain('log-row-without-entry')
  expect(codes).toContain('log-entry-unsealed')
})
