import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ForeproofError } from '../../../src/contract/error.js'
import { verifyHistory } from '../../../src/history/verify.js'
import { openSqlite } from '../../../src/store/sqlite/driver.js'
import { samples } from '../../history/samples.js'
import {
  addRows,
  alter,
  FILLING,
  historyOf,
  hourlyRows,
  inBatches,
  leaveUnfinished,
  opened,
  PRODUCER_DDL,
  writeOld,
  writeProducer,
} from '../../history/support.js'
import { temporaryFolder } from '../../support/folder.js'

const freshPath = () => join(temporaryFolder(), 'history.sqlite')
const ROWS = hourlyRows(0, 200, ['alpha'], [2])

async function faultOf(path: string): Promise<ForeproofError> {
  const reader = opened(path, { busyTimeoutMs: 20 })
  try {
    await reader.latest()
  } catch (error) {
    if (error instanceof ForeproofError) return error
    throw error
  }
  throw new Error('no fault')
}

describe('files that are no readable history', () => {
  const made =
    (...sql: readonly string[]) =>
    (path: string) =>
      alter(path, sql.join(';'))
  /** A history of a producer, and what is done to its file. */
  const filled = (change: (path: string) => void) => (path: string) => {
    writeProducer(path, ROWS)
    change(path)
  }
  const NO_ROW_IDS = [
    PRODUCER_DDL,
    `CREATE TABLE another (origin_at, model_name, horizon_hours, target_at, predicted_price_usd, predicted_change_pct,
       q10_usd, q50_usd, q90_usd, model_agreement, PRIMARY KEY (origin_at, model_name, horizon_hours)) WITHOUT ROWID`,
    'DROP TABLE forecast_predictions',
    'ALTER TABLE another RENAME TO forecast_predictions',
  ]
  const NEWER =
    "CREATE TABLE foreproof_meta (key TEXT, value TEXT); INSERT INTO foreproof_meta VALUES ('layout_version', '9')"
  const FOREIGN = 'ALTER TABLE forecast_predictions RENAME COLUMN target_at TO target'
  const ORIGINS = 'CREATE TABLE forecast_origins (origin_at, source_price_usd)'
  const VIEW = 'CREATE VIEW forecast_predictions AS SELECT * FROM forecast_origins'
  const cut = (path: string) => truncateSync(path, 8192)
  const damage = (path: string) => writeFileSync(path, readFileSync(path).fill(0xa5, 4096))
  it.each<[name: string, make: (path: string) => void, says: RegExp, code?: string]>([
    ['a missing file', () => {}, /no such file/, 'not-found'],
    ['a folder', (path) => mkdirSync(path), /folder/, 'not-found'],
    ['an empty file', (path) => writeFileSync(path, ''), /empty/],
    ['a text', (path) => writeFileSync(path, 'x'.repeat(5000)), /not an SQLite/],
    ['a short text', (path) => writeFileSync(path, 'SQLite'), /not an SQLite/],
    ['a database without tables', made('CREATE TABLE t (a)'), /origins is missing/],
    ['no predictions', made(ORIGINS), /the table forecast_predictions is missing/],
    ['a foreign layout', made(PRODUCER_DDL, FOREIGN), /_predictions has no column target_at/],
    ['a table without row ids', made(...NO_ROW_IDS), /forecast_predictions has no row ids/],
    ["a newer foreproof's file", made(PRODUCER_DDL, NEWER), /newer foreproof \(layout 9/],
    ['a view', made(ORIGINS, VIEW), /forecast_predictions is a view, where a table is needed/],
    ['a truncated file', filled(cut), /truncated: 8192 of \d+ bytes/],
    ['a damaged file', filled(damage), /damaged/],
  ])('%s', async (_name, make, says, code = 'invalid-input') => {
    const path = freshPath()
    make(path)
    const fault = await faultOf(path)
    expect(fault.message).toMatch(says)
    expect(fault.message.startsWith(path)).toBe(true)
    expect(fault.code).toBe(code)
    expect(fault.help).toBeTruthy()
  })

  it('are none for a number that is too large: the row is the fault, and others are read', async () => {
    const path = freshPath()
    filled(
      made('UPDATE forecast_predictions SET horizon_hours = 9007199254740993 WHERE rowid = 1'),
    )(path)
    const read = await inBatches(opened(path).pairingRows())
    const horizons = read.map(({ horizon }) => horizon)
    expect(horizons).toEqual([Number.NaN, ...ROWS.slice(1).map(() => 2)])
  })

  const lockedBy = (path: string, sql: string) => {
    const other = openSqlite(path)
    other.pragma('cache_size = 2')
    other.exec(sql)
    return other
  }
  const killed = (path: string, sql: string): undefined => {
    const from = freshPath()
    if (sql !== FILLING) writeProducer(from, ROWS)
    leaveUnfinished(from, path, sql)
  }
  const HOT = "UPDATE forecast_predictions SET target_at = target_at || ' '"
  it.each<[name: string, make: (path: string) => { close(): void } | undefined, says: RegExp]>([
    ['a first writer that is at work', (path) => lockedBy(path, `BEGIN; ${FILLING}`), /locked/],
    [
      'a first writer that was killed before its first page',
      (path) => killed(path, FILLING),
      /killed/,
    ],
    ['a writer that was killed: the journal is hot', (path) => killed(path, HOT), /killed/],
  ])('%s', async (_name, make, says) => {
    const path = freshPath()
    const other = make(path)
    const fault = await faultOf(path)
    expect(fault.code).toBe('unavailable')
    expect(fault.message).toMatch(says)
    other?.close()
  })
})

describe('a file that changes while it is open', () => {
  it('follows replacement by rename, loss, damage and recovery', async () => {
    const path = freshPath()
    writeProducer(path, ROWS.slice(0, 5))
    const reader = opened(path, { busyTimeoutMs: 20 })
    expect(await reader.page({ limit: 50 })).toHaveLength(5)
    const first = await reader.version()
    expect(await reader.version()).toEqual(first)

    writeProducer(`${path}.new`, ROWS.slice(0, 9))
    renameSync(`${path}.new`, path)
    expect(await reader.page({ limit: 50 })).toHaveLength(9)
    const second = await reader.version()
    expect(second.generation).toBeGreaterThan(first.generation)

    copyFileSync(path, `${path}.copy`)
    unlinkSync(path)
    await expect(reader.latest()).rejects.toThrow(/no such file/)
    await expect(reader.version()).rejects.toThrow(/no such file/)
    renameSync(`${path}.copy`, path)
    expect(await reader.page({ limit: 50 })).toHaveLength(9)

    truncateSync(path, statSync(path).size - 4096)
    await expect(reader.latest()).rejects.toThrow(/truncated/)
    unlinkSync(path)
    writeProducer(path, ROWS.slice(0, 3))
    expect(await reader.page({ limit: 50 })).toHaveLength(3)

    const other = openSqlite(path)
    other.exec('BEGIN EXCLUSIVE')
    await expect(reader.latest()).rejects.toThrow(/locked/)
    other.exec('COMMIT')
    expect(await reader.page({ limit: 50 })).toHaveLength(3)
    addRows(other, ROWS)
    expect(await reader.page({ limit: 500 })).toHaveLength(200)
    other.close()
  })

  it('notices tables that foreproof adds to an open file', async () => {
    const path = freshPath()
    writeProducer(path, ROWS.slice(0, 2))
    const reader = opened(path)
    expect((await reader.latest())?.provenance).toBeUndefined()
    alter(
      path,
      `CREATE TABLE foreproof_provenance (origin_at TEXT, model_name TEXT, horizon_hours INTEGER,
        input_available_at TEXT, selection_data_through TEXT, vintage_id TEXT, vintage_sha256 TEXT);
      INSERT INTO foreproof_provenance
        SELECT origin_at, model_name, horizon_hours, origin_at, NULL, 'v1', NULL FROM forecast_predictions`,
    )
    expect((await reader.latest())?.provenance?.vintageId).toBe('v1')
  })
})

describe('what reading leaves behind', () => {
  it('is nothing, also for a quiet WAL database, which is followed all the same', async () => {
    const path = freshPath()
    writeProducer(path, ROWS.slice(0, 4))
    const wal = opened(path)
    for (const mode of ['DELETE', 'WAL']) {
      alter(path, `PRAGMA journal_mode = ${mode}`)
      const before = readFileSync(path)
      const reader = mode === 'WAL' ? wal : opened(path)
      expect(await reader.page({ limit: 9, filters: { model: 'alpha' } })).toHaveLength(4)
      expect(await inBatches(reader.pairingRows())).toHaveLength(4)
      expect(readdirSync(join(path, '..'))).toEqual(['history.sqlite'])
      expect(readFileSync(path).equals(before)).toBe(true)
    }
    const again = openSqlite(path)
    addRows(again, ROWS.slice(0, 7))
    expect(await wal.page({ limit: 9 })).toHaveLength(7)
    again.close()
    expect(await wal.page({ limit: 9 })).toHaveLength(7)
  })
})

describe('old and new column sets', () => {
  it('reads what a file lacks as absent', async () => {
    const path = freshPath()
    writeOld(path)
    const reader = opened(path)
    expect(await reader.latest()).toMatchObject({
      priceUsd: 50500,
      q10Usd: null,
      modelAgreement: null,
      origin: { runId: null, manifestJson: null, sourceName: null, sourcePriceUsd: 50000 },
    })
    expect(await reader.page({ limit: 2, filters: { runId: 'r' } })).toEqual([])
    const key = { model: 'a', horizon: 2, level: 0.8, attempt: null }
    expect(await inBatches(reader.pairingRows())).toMatchObject([
      { ...key, forecast: 50500, sourcePrice: 50000, quantiles: [null, null, null] },
    ])
  })

  it('ignores columns, tables and indices that a producer adds', async () => {
    const path = freshPath()
    writeProducer(
      path,
      ROWS.slice(0, 9),
      `ALTER TABLE forecast_predictions ADD COLUMN later TEXT GENERATED ALWAYS AS (model_name || '!') VIRTUAL;
       CREATE INDEX by_model ON forecast_predictions (model_name);
       CREATE TABLE other (a);`,
    )
    alter(path, 'ANALYZE')
    const reader = opened(path)
    expect(await reader.page({ limit: 20, filters: { model: 'alpha' } })).toHaveLength(9)
  })
})

it('a page that was overwritten is said to be damaged, whichever it is', async () => {
  const path = await historyOf(samples(0, 60))
  const bytes = readFileSync(path)
  const pageSize = bytes.readUInt16BE(16)
  // The first page is that of the header.
  for (let start = pageSize; start < bytes.length; start += pageSize) {
    const copy = freshPath()
    writeFileSync(copy, Buffer.from(bytes).fill(0xff, start, start + pageSize))
    const verified = verifyHistory(copy).then(({ findings }) => findings.map(({ code }) => code))
    const damaged = { code: 'invalid-input', message: expect.stringContaining('damaged') }
    expect(await verified.catch((fault) => fault), `page at ${start}`).toMatchObject(damaged)
  }
})
