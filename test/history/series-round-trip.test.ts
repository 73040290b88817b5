import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalize } from '../../src/document/canonical.js'
import type { SeriesRow } from '../../src/forecast/series-row.js'
import { copyHistory } from '../../src/history/copy.js'
import { seriesAsTable, seriesLines } from '../../src/history/export-series.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { verifyHistory } from '../../src/history/verify.js'
import { temporaryFolder } from '../support/folder.js'
import { anyText, oneLine, written } from '../table/made.js'
import { taskOf, WEEKS } from './series-support.js'
import { allOf, alter, EPOCH } from './support.js'

const folder = temporaryFolder()
const at = (name: string) => join(folder, name)
const TASK = taskOf()

const number = fc.oneof(
  fc.constantFrom(0, -0, 5e-324, 1 / 3, -123456.789, 9007199254740991, 1e-7),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }),
)
const key = {
  series: fc.constantFrom('US', '06'),
  origin: fc.constantFrom(...WEEKS.slice(1, -2).map(({ label }) => label)),
  horizon: fc.integer({ min: -1, max: 2 }),
  model: oneLine,
}
const time = fc.constantFrom('2025-11-16T06:00:00+00:00', '2025-11-16T06:00:00.123456+00:00')
const said = {
  provenance: fc.record(
    { input_available_at: time, vintage_id: anyText },
    { requiredKeys: ['vintage_id'] },
  ),
}
const forecast = fc
  .record(
    {
      ...key,
      ...said,
      value: number,
      quantiles: fc.dictionary(fc.constantFrom('0.025', '0.1', '0.25', '0.9', '0.975'), number, {
        noNullPrototype: true,
      }),
      generated_at: time,
    },
    { requiredKeys: ['series', 'origin', 'horizon', 'model', 'value', 'quantiles'] },
  )
  .map((row) => ({ ...row, quantiles: { ...row.quantiles, '0.5': row.value } }))
const attempt = fc.record(
  {
    ...key,
    ...said,
    status: fc.constantFrom('failed', 'abstained'),
    reason: anyText,
    recorded_at: time,
  },
  { requiredKeys: ['series', 'origin', 'horizon', 'model', 'status', 'reason'] },
)
const rows = fc.uniqueArray(fc.oneof(forecast, attempt), {
  maxLength: 20,
  minLength: 1,
  selector: (row) => JSON.stringify([row.series, row.origin, row.horizon, row.model]),
})

const importing = (file: string, history: string) =>
  importFiles(at(history), [at(file)], { now: EPOCH, series: TASK })

const linesOf = async (history: string) => (await allOf(seriesLines(at(history)))).join('')

it('what was exported is imported as it was, from entries and from tables of any format', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (made) => {
      for (const file of ['a', 'b', 'c']) rmSync(at(file), { force: true })
      const entries = (made as SeriesRow[]).map((row) => canonicalize(row))
      writeFileSync(at('rows'), `${entries.join('\n')}\n`)
      const result = await importing('rows', 'a')
      expect(result.findings).toEqual([])
      const lines = await linesOf('a')
      expect(lines.split('\n').filter(Boolean).sort()).toEqual([...entries].sort())
      expect((await verifyHistory(at('a'))).findings).toEqual([])
      for (const format of ['csv', 'ndjson', 'parquet'] as const) {
        writeFileSync(at('table'), await written(await seriesAsTable(at('a')), format))
        const again = await importing('table', 'a')
        const counts = [again.forecasts, again.attempts]
        expect(again.findings, format).toEqual([])
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
