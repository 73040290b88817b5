import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  alter,
  hourlyRows,
  ORDERING_INDEX_DDL,
  opened,
  writeProducer,
} from '../../history/support.js'
import { temporaryFolder } from '../../support/folder.js'

const folder = temporaryFolder()
const ROWS = hourlyRows(0, 150, ['alpha', 'beta'], [2])

it.each([
  ['without an index in reading order', ''],
  ['with one', ORDERING_INDEX_DDL],
])('a row has its own origin, or none, %s', async (name, extra) => {
  const path = join(folder, `${name}.sqlite`)
  writeProducer(path, ROWS, extra)
  alter(path, 'PRAGMA foreign_keys = OFF; DELETE FROM forecast_origins WHERE rowid % 3 = 0')
  const rows = await opened(path).page({ limit: 300 })
  expect(rows.filter(({ origin }) => origin === undefined).length).toBe(100)
  for (const { origin, originAt } of rows) if (origin) expect(origin.originAt).toBe(originAt)
})

it('an origin is the first one where a file without a key has it twice', async () => {
  const path = join(folder, 'twice.sqlite')
  writeProducer(path, ROWS)
  alter(
    path,
    `CREATE TABLE keyless AS SELECT * FROM forecast_origins ORDER BY origin_at;
    INSERT INTO keyless SELECT * FROM keyless;
    UPDATE keyless SET source_name = 'second' WHERE rowid > 150;
    PRAGMA foreign_keys = OFF; DROP TABLE forecast_origins;
    ALTER TABLE keyless RENAME TO forecast_origins;
    CREATE INDEX by_origin ON forecast_origins (origin_at);`,
  )
  const rows = await opened(path).page({ limit: 300 })
  expect(new Set(rows.map(({ origin }) => origin?.sourceName))).toEqual(new Set(['made']))
})
