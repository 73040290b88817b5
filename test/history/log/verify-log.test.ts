import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importResources } from '../../../src/history/import/import.js'
import { leafHash } from '../../../src/history/log/merkle.js'
import { sealHistory } from '../../../src/history/log/seal.js'
import { openSqlite } from '../../../src/history/store/sqlite/driver.js'
import { verifyHistory } from '../../../src/history/verify.js'
import { sample } from '../samples.js'
import { temporaryFolder } from '../support.js'

const folder = temporaryFolder()
const HOUR_2 = "origin_at = '2026-01-01T02:00:00+00:00'"
const ROW = '2026-01-01T02:00:00+00:00, alpha, 2 h'
const CHANGE = `UPDATE forecast_predictions SET predicted_price_usd = 1 WHERE ${HOUR_2}`
const REMOVE = `DELETE FROM forecast_predictions WHERE ${HOUR_2}`
let files = 0

/** Five rows, of which the first so many are sealed, and then a change by somebody else. */
async function foundAfter(sealed: number, sql: string) {
  const path = join(folder, `${++files}.sqlite`)
  const rows = [0, 1, 2, 3, 4].map((hour) => sample({ hour }))
  if (sealed > 0) {
    await importResources(path, rows.slice(0, sealed), { now: 0 })
    await sealHistory(path, { log: 'example.org/log' })
  }
  await importResources(path, rows.slice(sealed), { now: 0 })
  const db = openSqlite(path)
  db.exec(sql)
  db.close()
  const { findings } = await verifyHistory(path)
  return findings.map(({ code, args, severity }) => ({ code, args, severity }))
}

describe('a history and its log', () => {
  const other = `x'${Buffer.from(leafHash('other')).toString('hex')}'`
  it.each([
    ['agree', 5, 'SELECT 1', []],
    ['agree before anything is sealed', 0, 'SELECT 1', []],
    [
      'differ by a sealed row that is another',
      4,
      CHANGE,
      [
        {
          code: 'log-rewritten',
          severity: 'error',
          args: { entry: 2, row: ROW, change: 'changed' },
        },
      ],
    ],
    [
      'differ by a sealed row that is gone, the first of two',
      5,
      `${REMOVE}; DELETE FROM forecast_predictions WHERE origin_at > '2026-01-01T03'`,
      [{ code: 'log-rewritten', severity: 'error', args: { entry: 2, row: ROW, change: 'gone' } }],
    ],
    [
      'differ by a row that was not sealed yet',
      1,
      CHANGE,
      [{ code: 'log-entry-unsealed', severity: 'warning', args: { entry: 2, row: ROW } }],
    ],
    [
      'differ by a row that has no entry',
      0,
      'DELETE FROM foreproof_log_entries WHERE leaf_index > 2',
      [
        {
          code: 'log-row-without-entry',
          severity: 'note',
          args: { row: '2026-01-01T03:00:00+00:00, alpha, 2 h', count: 2 },
        },
      ],
    ],
    [
      'differ by an entry that was changed after it was sealed',
      4,
      `UPDATE foreproof_log_entries SET leaf_hash = ${other} WHERE leaf_index = 2`,
      [
        {
          code: 'log-rewritten',
          severity: 'error',
          args: { entry: 2, row: ROW, change: 'changed' },
        },
        { code: 'log-root', severity: 'error', args: { size: 4 } },
      ],
    ],
    [
      'differ by a log that was emptied under its checkpoint',
      5,
      'DELETE FROM foreproof_log_entries',
      [
        {
          code: 'log-row-without-entry',
          severity: 'note',
          args: { row: '2026-01-01T00:00:00+00:00, alpha, 2 h', count: 5 },
        },
        { code: 'log-root', severity: 'error', args: { size: 5 } },
      ],
    ],
    [
      'differ by a checkpoint of another log',
      5,
      "UPDATE foreproof_log_checkpoints SET note = replace(note, 'example.org', 'other.org')",
      [{ code: 'log-checkpoint-unreadable', severity: 'error', args: { size: 5 } }],
    ],
    [
      'differ by a checkpoint that says another size',
      5,
      "UPDATE foreproof_log_checkpoints SET note = replace(note, char(10) || '5' || char(10), char(10) || '4' || char(10))",
      [{ code: 'log-checkpoint-unreadable', severity: 'error', args: { size: 5 } }],
    ],
  ])('%s', async (_what, sealed, sql, expected) => {
    expect(await foundAfter(sealed, sql)).toEqual(expected)
  })
})
