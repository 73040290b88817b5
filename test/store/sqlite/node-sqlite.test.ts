import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/store/sqlite/driver.js'
import { alter } from '../../history/support.js'
import { temporaryFolder } from '../../support/folder.js'

// What a history needs of its driver, and what keeps `node:sqlite` from taking its place (docs/internals/decisions.md). Where
// the last tests fail, Node has mended that: say so there.

interface Connection {
  exec(sql: string): unknown
  prepare(sql: string): { run(value: string): unknown; get(): object | undefined }
  close(): void
}

/** Node 20 has none, and the types that are there say nothing of it. */
const builtIn = process.getBuiltinModule('node:sqlite') as unknown as
  | {
      readonly DatabaseSync: new (file: string) => Connection
      backup(source: object, file: string): Promise<unknown>
    }
  | undefined
const MAJOR = Number.parseInt(process.versions.node, 10)

/** Copies 9,000 rows in a WAL file over 500 in a file of mode delete, whose reader ends after a while; how many it sees then. */
async function copied<C extends Connection>(
  open: (path: string) => C,
  copy: (source: C, to: string) => Promise<unknown>,
) {
  const [from, to] = ['from', 'to'].map((name) => join(temporaryFolder(), name)) as [string, string]
  const make = (path: string, mode: string, rows: number) =>
    alter(
      path,
      `PRAGMA journal_mode = ${mode}; CREATE TABLE t (a); WITH RECURSIVE c (n) AS (SELECT 1
       UNION ALL SELECT n + 1 FROM c WHERE n < ${rows}) INSERT INTO t SELECT n || ' and more' FROM c`,
    )
  make(from, 'wal', 9000)
  make(to, 'delete', 500)
  const [source, reader] = [open(from), open(to)]
  const count = () => reader.prepare('SELECT count(*) AS n FROM t').get()
  reader.exec('BEGIN')
  expect(count()).toEqual({ n: 500 })
  const ended = pause(100).then(() => reader.exec('COMMIT'))
  try {
    await copy(source, to)
    await ended
    return count()
  } finally {
    await ended
    for (const each of [source, reader]) each.close()
  }
}

describe('the driver', () => {
  it('copies over a file that is read, once its reader has ended', async () => {
    const rows = await copied(openSqlite, (source, to) => source.backup(to))
    expect(rows).toEqual({ n: 9000 })
  })
})

describe.runIf(builtIn !== undefined)('node:sqlite', () => {
  const open = (path: string) => new builtIn!.DatabaseSync(path)

  it('fails to copy over a file that is read', async () => {
    const copying = copied(open, (source, to) => builtIn!.backup(source, to))
    await expect(copying).rejects.toThrow('not an error')
  })

  it.runIf(MAJOR === 22)('cuts a text at U+0000', () => {
    const memory = open(':memory:')
    memory.exec('CREATE TABLE t (a TEXT)')
    memory.prepare('INSERT INTO t VALUES (?)').run('a\0b')
    expect(memory.prepare('SELECT a FROM t').get()).toEqual({ a: 'a' })
  })
})
