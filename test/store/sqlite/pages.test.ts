import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareText } from '../../../src/contract/order.js'
import { type HistoryRow, type RowKey, rowKey } from '../../../src/forecast/row.js'
import { openSqlite } from '../../../src/store/sqlite/driver.js'
import { FILTER_INDEXES } from '../../../src/store/sqlite/tables.js'
import type { HistoryReader, PageFilters } from '../../../src/store/types.js'
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
    after = rowKey(last)
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

  it('sees rows that another connection adds, old and new, through every filter', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(rowArb, { maxLength: 40 }).map(withRuns), { minLength: 2, maxLength: 5 }),
        filtersArb,
        limitsArb,
        async (batches, filters, limits) => {
          const path = freshPath()
          writeProducer(path, batches[0] ?? [])
          const writer = openSqlite(path)
          writer.pragma('synchronous = OFF')
          const reader = opened(path)
          const { generation } = await reader.version()
          const all = [...(batches[0] ?? [])]
          expect(await walk(reader, filters, limits)).toEqual(expected(all, filters))
          for (const batch of batches.slice(1)) {
            addRows(writer, batch)
            all.push(...batch)
            expect(await walk(reader, filters, limits)).toEqual(expected(all, filters))
          }
          expect((await reader.version()).generation).toBe(generation)
          writer.close()
        },
      ),
      { numRuns: 40 },
    )
  })

  it('is not disturbed by newer rows that come during the walk', async () => {
    const path = freshPath()
    const rows = hourlyRows(0, 5, MODELS, [2])
    writeProducer(path, withRuns(rows))
    const writer = openSqlite(path)
    const reader = opened(path)
    let hour = 10
    const grow = () => {
      rows.push({ hour: ++hour, model: 'alpha', horizon: 2 })
      addRows(writer, withRuns(rows.slice(-1)))
    }
    for (const filters of [{}, { model: 'alpha' }, { runId: 'r1' }]) {
      const before = expected(withRuns(rows), filters)
      expect(await walk(reader, filters, [2], grow)).toEqual(before)
    }
    writer.close()
  })
})

describe('spellings of timestamps', () => {
  it('orders by instant, shows a key of two spellings once, and garbage last', async () => {
    const path = freshPath()
    writeProducer(path, hourlyRows(0, 3, ['alpha'], [2]))
    const db = openSqlite(path)
    const add = db.prepare(
      "INSERT INTO forecast_predictions VALUES (?, ?, 2, '2026-01-01T05:00:00+00:00', 1, 0, NULL, NULL, NULL, NULL)",
    )
    db.pragma('foreign_keys = OFF')
    add.run('2026-01-01T06:30:00+05:00', 'alpha')
    add.run('2026-01-01T01:00:00Z', 'alpha')
    add.run('yesterday', 'alpha')
    const reader = opened(path)
    const shown = [
      '2026-01-01T02:00:00+00:00',
      '2026-01-01T06:30:00+05:00',
      '2026-01-01T01:00:00+00:00',
      '2026-01-01T00:00:00+00:00',
      'yesterday',
    ]
    expect((await reader.page({ limit: 10 })).map((row) => row.originAt)).toEqual(shown)
    let after: RowKey | undefined
    for (const origin of shown) {
      const [row] = await reader.page({ limit: 1, after })
      expect(row?.originAt).toBe(origin)
      after = rowKey(row as HistoryRow)
    }
    expect(await reader.extent()).toEqual({ firstOrigin: instant(0), lastOrigin: instant(2) })
    expect((await inBatches(reader.pairingRows())).map((row) => row.originAt)).toEqual([
      'yesterday',
      '2026-01-01T00:00:00+00:00',
      '2026-01-01T01:00:00+00:00',
      '2026-01-01T01:00:00Z',
      '2026-01-01T06:30:00+05:00',
      '2026-01-01T02:00:00+00:00',
    ])
    // A spelling that comes later is noticed as well.
    add.run('2026-01-01T10:00:00+09:00', 'beta')
    expect((await reader.page({ limit: 10 })).map((row) => row.model)).toContain('beta')
    db.close()
  })
})

describe('columns of another collation', () => {
  it('are filtered and ordered by code point all the same', async () => {
    const path = freshPath()
    alter(
      path,
      PRODUCER_DDL.replace('model_name TEXT', 'model_name TEXT COLLATE NOCASE').replace(
        'experiment_run_id TEXT',
        'experiment_run_id TEXT COLLATE NOCASE',
      ),
    )
    const models = ['Zeta', 'alpha', 'beta']
    addRows(
      path,
      models.map((model) => ({ hour: 0, model, horizon: 2, run: 'Run-1' })),
    )
    const reader = opened(path)
    const shown = async (filters: PageFilters, after?: RowKey) =>
      (await reader.page({ filters, after, limit: 10 })).map((row) => row.model)
    expect(await shown({})).toEqual(models)
    expect(await shown({}, { origin: instant(0), horizonHours: 2, model: 'Zeta' })).toEqual([
      'alpha',
      'beta',
    ])
    expect(await shown({ model: 'zeta' })).toEqual([])
    expect(await shown({ runId: 'run-1' })).toEqual([])
    expect(await shown({ model: 'Zeta', runId: 'Run-1' })).toEqual(['Zeta'])
  })
})
