import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { handedRows } from '../../src/history/store/handed-rows.js'

describe('a query that hands its rows over', () => {
  const db = new Database(':memory:')
  db.exec(`
    CREATE TABLE t (a, b);
    INSERT INTO t VALUES (3, 'three'), (1, NULL), (2, x'00ff'), (4, 0.1), (5, 9007199254740993);
  `)
  const prepare = handedRows(db)

  it('gives the values of its columns in the order asked for, also where SQLite has to sort', () => {
    const sorted = prepare<{ limit: number }>('a, b', 'FROM t ORDER BY a LIMIT :limit')
    const first = [
      [1, null],
      [2, Buffer.from([0, 255])],
      [3, 'three'],
    ]
    expect(sorted({ limit: 3 })).toEqual(first)
    expect(sorted({ limit: 2 })).toEqual(first.slice(0, 2))
    expect(sorted({ limit: 9 })).toEqual(
      db.prepare<[], unknown[]>('SELECT a, b FROM t ORDER BY a').raw().all(),
    )
    expect(sorted({ limit: 0 })).toEqual([])
  })

  it('starts afresh after a query that failed half way', () => {
    const failing = prepare<Record<string, never>>(
      `a, CASE a WHEN 2 THEN abs(-9223372036854775807 - 1) END`,
      'FROM t',
    )
    expect(() => failing({})).toThrow(/integer overflow/)
    const all = prepare<Record<string, never>>('a', 'FROM t ORDER BY rowid')
    expect(all({})).toEqual([[3], [1], [2], [4], [5]])
  })
})
