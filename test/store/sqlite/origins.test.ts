import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type HistoryRow, type RowKey, rowKey } from '../../../src/forecast/row.js'
import { openSqlite } from '../../../src/store/sqlite/driver.js'
import type { HistoryReader } from '../../../src/store/types.js'
import {
  alter,
  EPOCH,
  HOUR,
  ORDERING_INDEX_DDL,
  opened,
  stamp,
  writeProducer,
} from '../../history/support.js'
import { temporaryFolder } from '../../support/folder.js'

const folder = temporaryFolder()

async function inPagesOf(reader: HistoryReader, limit: number): Promise<HistoryRow[]> {
  const rows: HistoryRow[] = []
  for (let after: RowKey | undefined; ; ) {
    const page = await reader.page({ after, limit })
    rows.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return rows
    after = rowKey(last)
  }
}

/** Every third origin lacks its row, and between any two lie some that nothing was forecast from. */
function gappy(path: string, extra: string) {
  const rows = Array.from({ length: 3000 }, (_, at) => ({
    hour: Math.floor(at / 2) * 3,
    model: at % 2 === 0 ? 'alpha' : 'beta',
    horizon: 2,
  }))
  writeProducer(path, rows, extra)
  const db = openSqlite(path)
  db.pragma('foreign_keys = OFF')
  const add = db.prepare(
    `INSERT INTO forecast_origins (origin_at, generated_at, source_price_usd, market_features_json,
       first_seen_at, last_seen_at) VALUES (?, ?, 1, '{}', ?, ?)`,
  )
  const drop = db.prepare('DELETE FROM forecast_origins WHERE origin_at = ?')
  db.exec('BEGIN')
  for (let hour = 0; hour < 4500; hour++) {
    const at = stamp(EPOCH + hour * HOUR)
    if (hour % 3 !== 0) add.run(at, at, at, at)
    else if (hour % 9 === 0) drop.run(at)
  }
  db.exec('COMMIT')
  db.close()
}

describe('the origins of many rows', () => {
  it.each([
    ['without an index in reading order', ''],
    ['with one', ORDERING_INDEX_DDL],
  ])('are those of few, %s', async (name, extra) => {
    const path = join(folder, `${name}.sqlite`)
    gappy(path, extra)
    const reader = opened(path)
    const few = await inPagesOf(reader, 7)
    for (const limit of [255, 256, 257, 2000, 3000]) {
      expect(await inPagesOf(reader, limit)).toEqual(few)
    }
    expect(few.length).toBe(3000)
    const orphans = few.filter(({ origin }) => origin === undefined)
    expect(orphans.length).toBe(1000)
    for (const { origin, originAt } of few) if (origin) expect(origin.originAt).toBe(originAt)
  })

  it('are the first ones where a file without a key has them twice', async () => {
    const path = join(folder, 'twice.sqlite')
    const rows = Array.from({ length: 1500 }, (_, hour) => ({ hour, model: 'alpha', horizon: 2 }))
    writeProducer(path, rows)
    alter(
      path,
      `CREATE TABLE keyless AS SELECT * FROM forecast_origins ORDER BY origin_at;
      INSERT INTO keyless SELECT * FROM keyless;
      UPDATE keyless SET source_name = 'second' WHERE rowid > 1500;
      PRAGMA foreign_keys = OFF; DROP TABLE forecast_origins;
      ALTER TABLE keyless RENAME TO forecast_origins;
      CREATE INDEX by_origin ON forecast_origins (origin_at);`,
    )
    const reader = opened(path)
    for (const limit of [7, 300, 1000]) {
      const sources = (await inPagesOf(reader, limit)).map(({ origin }) => origin?.sourceName)
      expect(sources).toEqual(rows.map(() => 'made'))
    }
  })
})
