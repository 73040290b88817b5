import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ContractBreach } from '../../../src/contract/breach.js'
import { compareText } from '../../../src/contract/order.js'
import { type HistoryRow, parseRowKey, type RowKey } from '../../../src/forecast/row.js'
import { forecastSerializer } from '../../../src/forecast/serialize.js'
import { importResources } from '../../../src/history/import/import.js'
import type { HistoryReader, PageFilters } from '../../../src/store/history-reader.js'
import { openSqlite } from '../../../src/store/sqlite/driver.js'
import { FILTER_INDEXES } from '../../../src/store/sqlite/tables.js'
import { sample } from '../../history/samples.js'
import {
  addRows,
  alter,
  EPOCH,
  HOUR,
  hourlyRows,
  inBatches,
  type MadeRow,
  ORDERING_INDEX_DDL,
  opened,
  PRODUCER_DDL,
  writeProducer,
} from '../../history/support.js'
import { freshPaths } from '../../support/folder.js'
import { instant } from '../store-rows.js'

const freshPath = freshPaths()

const MODELS = ['alpha', 'beta', 'Zeta', 'é', '\u{1f600}', '\uffee']
const HORIZONS = [1, 2, 4, 16]
const RUNS = ['r1', 'r2', 'r3', null]

const rowArb: fc.Arbitrary<MadeRow> = fc.record({
  hour: fc.integer({ min: 0, max: 40 }),
  model: fc.constantFrom(...MODELS),
  horizon: fc.constantFrom(...HORIZONS),
})
// The run belongs to the origin, whichever row comes first.
const withRuns = (rows: readonly MadeRow[]) =>
  rows.map((row) => ({ ...row, run: RUNS[(row.hour * 7) % RUNS.length] ?? null }))

const filtersArb: fc.Arbitrary<PageFilters> = fc.record(
  {
    originFrom: fc.integer({ min: -1, max: 41 }).map(instant),
    originTo: fc.integer({ min: -1, max: 41 }).map(instant),
    horizonHours: fc.constantFrom(...HORIZONS, 99),
    model: fc.constantFrom(...MODELS, 'absent'),
    runId: fc.constantFrom('r1', 'r2', 'r3', 'absent'),
  },
  { requiredKeys: [] },
)

/** What the specification says the walk must give: filtered, ordered, each key once. */
function expected(rows: readonly MadeRow[], filters: PageFilters): string[] {
  const keys = new Map(rows.map((row) => [`${row.hour} ${row.horizon} ${row.model}`, row]))
  return [...keys.values()]
    .filter(
      ({ hour, model, horizon, run }) =>
        instant(hour) >= (filters.originFrom ?? -Infinity) &&
        instant(hour) <= (filters.originTo ?? Infinity) &&
        horizon === (filters.horizonHours ?? horizon) &&
        model === (filters.model ?? model) &&
        run === (filters.runId ?? run),
    )
    .sort((a, b) => b.hour - a.hour || a.horizon - b.horizon || compareText(a.model, b.model))
    .map(({ hour, model, horizon }) => `${hour} ${horizon} ${model}`)
}

const nameOf = (row: HistoryRow) =>
  `${(Date.parse(String(row.originAt)) - EPOCH) / HOUR} ${row.horizonHours} ${row.model}`

async function walk(
  reader: HistoryReader,
  filters: PageFilters,
  limits: readonly number[],
  between = () => {},
) {
  const names: string[] = []
  let after: RowKey | undefined
  for (let page = 0; page < 2000; page++) {
    const limit = limits[page % limits.length] ?? 1
    const rows = await reader.page({ filters, after, limit })
    expect(rows.length).toBeLessThanOrEqual(limit)
    names.push(...rows.map(nameOf))
    const last = rows.at(-1)
    if (rows.length < limit || last === undefined) return names
    after = parseRowKey(last)
    between()
  }
  throw new Error('the walk does not end')
}

/** As a producer's file has none, one that was made to, and one that foreproof has made. */
const INDEXES = ['', ORDERING_INDEX_DDL, `${ORDERING_INDEX_DDL};${FILTER_INDEXES}`]

const limitsArb = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 })

describe('walking a history', () => {
  it('returns every matching row exactly once in order, with any filter and any limits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowArb, { maxLength: 120 }).map(withRuns),
        fc.array(filtersArb, { minLength: 1, maxLength: 4 }),
        limitsArb,
        fc.constantFrom(...INDEXES),
        async (rows, filters, limits, indexes) => {
          const path = freshPath()
          writeProducer(path, rows, indexes)
          const reader = opened(path)
          for (const one of filters) {
            const names = expected(rows, one)
            expect(await walk(reader, one, limits)).toEqual(names)
            const newest = await reader.newestOrigin(one)
            expect(newest).toBe(
              names[0] === undefined ? undefined : instant(Number.parseInt(names[0], 10)),
            )
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is not disturbed by newer rows that come during the walk', async () => {
    const path = freshPath()
    const rows = hourlyRows(0, 5, MODELS, [2])
    writeProducer(path, withRuns(rows))
    const writer = openSqlite(path)
    const reader = opened(path)
    const { generation } = await reader.version()
    let hour = 10
    const grow = () => {
      rows.push({ hour: ++hour, model: 'alpha', horizon: 2 })
      addRows(writer, withRuns(rows.slice(-1)))
    }
    for (const filters of [{}, { model: 'alpha' }, { runId: 'r1' }]) {
      const before = expected(withRuns(rows), filters)
      expect(await walk(reader, filters, [2], grow)).toEqual(before)
      expect(await walk(reader, filters, [9])).toEqual(expected(withRuns(rows), filters))
    }
    expect((await reader.version()).generation).toBe(generation)
    writer.close()
  })
})

const respelt = (origin: string) =>
  `PRAGMA foreign_keys = OFF; UPDATE forecast_predictions SET origin_at = '${origin}' WHERE rowid = 2`

describe('an origin that is not in the stored form', () => {
  it.each([
    '2026-01-01T01:30:00Z',
    '2026-01-01T03:30:00+02:00',
    '2026-01-01T01:00:00.000000+00:00',
  ])('is refused by its name: %s', async (origin) => {
    const path = freshPath()
    writeProducer(path, hourlyRows(0, 9, ['alpha'], [2]))
    const reader = opened(path)
    expect(await reader.page({ limit: 9 })).toHaveLength(9)
    alter(path, respelt(origin))
    const refused = { code: 'invalid-input', message: expect.stringContaining(origin) }
    await expect(reader.page({ limit: 9 })).rejects.toMatchObject(refused)
    const window = { from: instant(6), to: instant(7) }
    for (const read of [() => reader.pairingRows(window), () => reader.entries()]) {
      await expect(inBatches<unknown>(read())).rejects.toMatchObject(refused)
    }
    const after = { origin: instant(8), horizonHours: 2, model: 'alpha' }
    expect(await reader.page({ limit: 1, after })).toHaveLength(1)
  })
})

it.each(['yesterday', '2026-02-30T00:00:00+00:00'])(
  'a row whose origin is no time is one that cannot be shown: %s',
  async (origin) => {
    const path = freshPath()
    writeProducer(path, hourlyRows(0, 9, ['alpha'], [2]))
    alter(path, respelt(origin))
    const reader = opened(path)
    const [first] = await reader.page({ limit: 9 })
    expect(() => forecastSerializer()(first as HistoryRow)).toThrow(ContractBreach)
    expect(await reader.page({ filters: { originTo: instant(8) }, limit: 9 })).toHaveLength(8)
  },
)

describe('columns of another collation', () => {
  it('are filtered and ordered by code point all the same', async () => {
    const path = freshPath()
    const names = /(model_name|experiment_run_id) TEXT/g
    alter(path, PRODUCER_DDL.replaceAll(names, '$& COLLATE NOCASE'))
    const models = ['Zeta', 'alpha', 'beta']
    addRows(
      path,
      models.map((model) => ({ hour: 0, model, horizon: 2, run: 'Run-1' })),
    )
    const reader = opened(path)
    const shown = async (filters: PageFilters, after?: RowKey) =>
      (await reader.page({ filters, after, limit: 10 })).map((row) => row.model)
    expect(await shown({})).toEqual(models)
    const zeta = { origin: instant(0), horizonHours: 2, model: 'Zeta' }
    expect(await shown({}, zeta)).toEqual(['alpha', 'beta'])
    expect(await shown({ model: 'zeta' })).toEqual([])
    expect(await shown({ runId: 'run-1' })).toEqual([])
    expect(await shown({ model: 'Zeta', runId: 'Run-1' })).toEqual(['Zeta'])
  })
})

it.each([
  ['not made in the tables of a producer', true, []],
  ['in a file that foreproof makes', false, ['by_horizon', 'by_model', 'by_run', 'reading_order']],
])('the indexes of filters are %s', async (_where, isOfProducer, indexes) => {
  const path = freshPath()
  if (isOfProducer) writeProducer(path, hourlyRows(0, 1, ['alpha'], [2]))
  await importResources(path, [sample({ hour: 1 })], { now: 0 })
  const db = openSqlite(path, { readonly: true })
  const names = db.prepare<[], string>(
    `SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL
     AND tbl_name IN ('forecast_origins', 'forecast_predictions')`,
  )
  const found = names.pluck().all()
  expect(found.map((name) => name.replace(/^forecast_[a-z]+?_/, '')).sort()).toEqual(indexes)
  db.close()
})

it.each(['', ORDERING_INDEX_DDL])('a row has its own origin, or none (%s)', async (index) => {
  const path = freshPath()
  writeProducer(path, hourlyRows(0, 150, ['alpha', 'beta'], [2]), index)
  alter(path, 'PRAGMA foreign_keys = OFF; DELETE FROM forecast_origins WHERE rowid % 3 = 0')
  const rows = await opened(path).page({ limit: 300 })
  expect(rows.filter(({ origin }) => origin === undefined).length).toBe(100)
  for (const { origin, originAt } of rows) if (origin) expect(origin.originAt).toBe(originAt)
})
