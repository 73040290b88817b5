import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/store/sqlite/driver.js'
import { temporaryFolder } from '../../support/folder.js'

const folder = temporaryFolder()

const TABLE = `CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'one')`

describe('what the package does otherwise', () => {
  it('no text with U+0000 is cut: none is stored, and none is found', () => {
    const db = openSqlite(':memory:').exec(TABLE)
    expect(() => db.prepare('INSERT INTO t VALUES (4, ?)').run('one\0')).toThrow(/U\+0000/)
    expect(db.prepare('SELECT a FROM t WHERE b = ?').all('one\0')).toEqual([])
    db.close()
  })

  it('a number next to 0 stays what it is', () => {
    const db = openSqlite(':memory:').exec('CREATE TABLE t (a REAL)')
    const tiny = [5e-324, 1e-300, 2 ** -1022, 1e-20, Number.EPSILON * (1 - Number.EPSILON / 2)]
    const insert = db.prepare<[number]>('INSERT INTO t VALUES (?)')
    for (const number of tiny) insert.run(number)
    expect(db.prepare('SELECT a FROM t').pluck().all()).toEqual(tiny)
    db.close()
  })

  it('a closed database holds no lock, though its transaction had begun and read', () => {
    const path = join(folder, 'locks.sqlite')
    const writer = openSqlite(path, { timeout: 50 }).exec(TABLE)
    const reader = openSqlite(path, { readonly: true }).exec('BEGIN')
    const cursor = reader.prepare('SELECT a FROM t').iterate()
    cursor.next()
    cursor.return()
    expect(() => writer.exec('BEGIN EXCLUSIVE')).toThrow('database is locked')
    reader.close()
    writer.exec('BEGIN EXCLUSIVE; COMMIT')
    writer.close()
  })

  // What is collected too early is read after it was freed: only a process of its own can be lost to it.
  it('statements and cursors keep alive what they need', () => {
    const driver = new URL('../../../dist/store/sqlite/driver.js', import.meta.url)
    const script = `
      import { openSqlite } from ${JSON.stringify(String(driver))}
      const open = () => openSqlite(':memory:').exec('CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)')
      const made = Array.from({ length: 50 }, () => {
        const cursor = open().prepare('SELECT a FROM t').pluck().iterate()
        return { count: open().prepare('SELECT count(*) FROM t').pluck(), cursor, first: cursor.next().value }
      })
      for (let round = 0; round < 3; round++) {
        gc()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      console.log(made.every(({ count, cursor, first }) => count.get() === 2 && first === 1 && cursor.next().value === 2))`
    const ran = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script])
    expect([ran.status, String(ran.stdout), String(ran.stderr)]).toEqual([0, 'true\n', ''])
  })
})
