import { describe, expect, it } from 'vitest'
import {
  collectsUnsafely,
  keeping,
  openSqlite,
} from '../../../../src/history/store/sqlite/driver.js'

describe('what is kept from collection', () => {
  it.each([
    ['20.19.0', false],
    ['22.23.2', false],
    ['24.18.0', false],
    ['24.19.0', true],
    ['24.21.0', true],
    ['26.0.0', true],
  ])('on Node %s: %s', (version, kept) => {
    expect(collectsUnsafely(version)).toBe(kept)
  })

  it('holds the database, its statements and its cursors, and changes no answer', () => {
    const kept = new Set<object>()
    const plain = openSqlite(':memory:')
    const db = keeping(openSqlite(':memory:'), kept)
    expect(kept.has(db)).toBe(true)
    for (const one of [plain, db]) {
      one.exec('CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2)')
      const rows = one.prepare('SELECT a FROM t ORDER BY a')
      expect(kept.has(rows)).toBe(one === db)
      expect([...rows.raw().iterate()]).toEqual([[1], [2]])
      one.pragma('user_version = 7')
      expect(one.pragma('user_version', { simple: true })).toBe(7)
      expect(one.pragma('user_version')).toEqual([{ user_version: 7 }])
      expect(one.pragma('user_version', { simple: true })).toBe(7)
      expect(one.transaction(() => rows.all().length)()).toBe(2)
    }
    const before = kept.size
    for (let time = 0; time < 100; time++) db.pragma('user_version')
    expect(kept.size).toBe(before)
    plain.close()
    db.close()
  })
})
