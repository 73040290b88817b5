import { spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ForeproofError } from '../../../src/contract/error.js'
import { importResources } from '../../../src/history/import/import.js'
import type { HistoryReader } from '../../../src/store/history-reader.js'
import { backupHistory } from '../../../src/store/open.js'
import { openSqlite } from '../../../src/store/sqlite/driver.js'
import { samples } from '../../history/samples.js'
import {
  alter,
  EPOCH,
  historyOf,
  hourlyRows,
  inBatches,
  opened,
  writeProducer,
} from '../../history/support.js'
import { seal } from '../../log/sealed.js'
import { temporaryFolder } from '../../support/folder.js'

const freshPath = () => join(temporaryFolder(), 'history.sqlite')

type Journal = 'delete' | 'wal'

/** A history whose rows have this model, made in one go: as often as any other, so that SQLite's counter is the same. */
function makeHistory(path: string, model: string, rows: number, journal: Journal): void {
  writeProducer(path, hourlyRows(0, rows, [model], [2]))
  alter(path, `PRAGMA journal_mode = ${journal}`)
}

/** The models of all rows, or what stood in the way. */
async function modelsOf(reader: HistoryReader): Promise<string[] | string> {
  try {
    const rows = await reader.page({ limit: 10_000 })
    return [...new Set(rows.map(({ model }) => String(model)))].concat(String(rows.length))
  } catch (cause) {
    if (cause instanceof ForeproofError) return cause.code
    throw cause
  }
}

/** A history that is read, and another one that is to take its place. */
async function oldAndNew(journal: Journal, before: number, after: number) {
  const [path, other] = [freshPath(), freshPath()]
  makeHistory(path, 'old', before, journal)
  makeHistory(other, 'new', after, journal)
  const reader = opened(path)
  expect(await modelsOf(reader)).toEqual(['old', String(before)])
  return { path, other, reader }
}

/** Waits until the reader gives an answer again. */
async function settled(reader: HistoryReader): Promise<string[] | string> {
  for (let left = 100; left > 0; left--) {
    const models = await modelsOf(reader)
    if (typeof models !== 'string') return models
    await sleep(20)
  }
  return 'never'
}

function copyWithTime(from: string, to: string): void {
  const { atime, mtime } = statSync(to)
  copyFileSync(from, to)
  utimesSync(to, atime, mtime)
}

const KINDS: [string, number, (from: string, to: string) => void][] = [
  ['of the same size', 300, copyFileSync],
  ['that is smaller', 40, copyFileSync],
  ['that is larger', 2000, copyFileSync],
  ['of the same size and time', 300, copyWithTime],
  ['that is larger, of the same time', 2000, copyWithTime],
]

describe.each<Journal>(['delete', 'wal'])('a served history in journal mode %s', (journal) => {
  it.each(KINDS)('is read anew where a file is laid over it %s', async (_, rows, lay) => {
    const { path, other, reader } = await oldAndNew(journal, 300, rows)
    lay(other, path)
    expect([['new', String(rows)], 'unavailable']).toContainEqual(await modelsOf(reader))
    expect(await settled(reader)).toEqual(['new', String(rows)])
  })

  it.each([1, 2, 7])('is right or not there while it is overwritten, time %i', async (round) => {
    const { path, other, reader } = await oldAndNew(journal, 300, 2000)
    // As cp and scp do: cut off, then written from its beginning.
    const bytes = readFileSync(other)
    writeFileSync(path, '')
    const descriptor = openSync(path, 'r+')
    const piece = 4096 * 3 * round + 1000
    for (let at = 0; at < bytes.length; at += piece) {
      expect(typeof (await modelsOf(reader))).toBe('string')
      writeSync(descriptor, bytes, at, Math.min(piece, bytes.length - at), at)
      if (at % 3 === 0) await sleep(15)
    }
    closeSync(descriptor)
    expect(await settled(reader)).toEqual(['new', '2000'])
  })
})

describe('a history that is overwritten page by page', () => {
  it.each([0, 5, 40])('is of one file or not there, with %i ms between', async (gap) => {
    const { path, other, reader } = await oldAndNew('delete', 300, 300)
    const bytes = readFileSync(other)
    const descriptor = openSync(path, 'r+')
    for (let at = 0; at < bytes.length; at += 4096) {
      const began = Date.now()
      writeSync(descriptor, bytes, at, Math.min(4096, bytes.length - at), at)
      await sleep(gap)
      // The first page alone may say nothing yet of its rows: they are the old ones, whole.
      const models = await modelsOf(reader)
      // A file that did not change for a quarter of a second, as on a busy machine, is taken as it is.
      if (at > 0 && Date.now() - began < 250) {
        expect(['unavailable', 'invalid-input']).toContain(models)
      }
    }
    closeSync(descriptor)
    expect(await settled(reader)).toEqual(['new', '300'])
  })

  it('ends a long read that had begun, rather than mix two files', async () => {
    const { path, other, reader } = await oldAndNew('delete', 4000, 4000)
    const batches = reader.pairingRows()[Symbol.asyncIterator]()
    expect((await batches.next()).value).toHaveLength(1000)
    copyFileSync(other, path)
    await expect(batches.next()).rejects.toThrow(/overwritten in place/)
    expect(await inBatches(reader.pairingRows())).toHaveLength(4000)
  })
})

describe('a backup', () => {
  it.each<[Journal, Journal]>([
    ['delete', 'delete'],
    ['wal', 'delete'],
    ['delete', 'wal'],
  ])(
    'of journal mode %s over an open history of mode %s: it is the old one or the new one',
    async (from, to) => {
      const [path, other] = [freshPath(), freshPath()]
      makeHistory(path, 'old', 300, to)
      makeHistory(other, 'new', 4000, from)
      const reader = opened(path)
      let ended = false
      const copied = backupHistory(other, path).finally(() => {
        ended = true
      })
      while (!ended) {
        const models = await modelsOf(reader)
        expect([['old', '300'], ['new', '4000'], 'unavailable']).toContainEqual(models)
        await sleep(1)
      }
      expect(await copied).toBeGreaterThan(100_000)
      expect(await modelsOf(reader)).toEqual(['new', '4000'])
    },
  )

  it('makes a new file, and none where it fails', async () => {
    const [path, other] = [freshPath(), freshPath()]
    makeHistory(other, 'new', 40, 'delete')
    await backupHistory(other, path)
    const reader = opened(path)
    expect(await modelsOf(reader)).toEqual(['new', '40'])
    await expect(backupHistory(freshPath(), `${path}.2`)).rejects.toThrow(/no such file/)
    expect(existsSync(`${path}.2`)).toBe(false)
  })

  it('replaces the history of another log only when it is asked to', async () => {
    const [first, second] = [await historyOf(samples(0, 3)), await historyOf(samples(3, 6))]
    const copy = freshPath()
    await backupHistory(first, copy)
    // Of the same log, a copy and a restore replace what is there.
    await backupHistory(first, copy)
    await backupHistory(copy, first)
    for (const from of [first, await historyOf([])]) {
      await expect(backupHistory(from, second)).rejects.toMatchObject({
        code: 'usage',
        help: expect.stringContaining('--replace'),
      })
    }
    expect(await opened(second).count()).toBe(3)
    await backupHistory(first, second, { replace: true })
    expect(await opened(second).logHash(0, 0)).toEqual(await opened(first).logHash(0, 0))
  })

  it('takes a fork, the same log with other entries, for another log', async () => {
    const [first, fork] = [await historyOf(samples(0, 3)), await historyOf(samples(0, 3))]
    for (const path of [first, fork]) await seal(path)
    const early = freshPath()
    await backupHistory(first, early)
    for (const [path, from, to] of [
      [first, 3, 5],
      [fork, 5, 8],
    ] as const) {
      await importResources(path, samples(from, to), { now: EPOCH * 1000 })
      await seal(path)
    }
    for (const [from, to] of [
      [first, fork],
      [fork, first],
    ] as const) {
      await expect(backupHistory(from, to)).rejects.toMatchObject({ code: 'usage' })
    }
    // Both go on from the copy that was made before they parted.
    await backupHistory(first, early)
    expect(await opened(early).logSize()).toBe(await opened(first).logSize())
  })

  it('refuses what is no history, and PostgreSQL', async () => {
    const [path, other] = [freshPath(), freshPath()]
    makeHistory(other, 'new', 40, 'delete')
    alter(path, 'CREATE TABLE precious (a)')
    await expect(backupHistory(other, path)).rejects.toThrow(/not a forecast history/)
    writeFileSync(path, 'a letter')
    await expect(backupHistory(other, path)).rejects.toThrow(/not an SQLite database/)
    expect(readFileSync(path, 'utf8')).toBe('a letter')
    const pipe = `${path}.pipe`
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    await expect(backupHistory(other, pipe)).rejects.toThrow(/is a named pipe/)
    expect(statSync(pipe).isFIFO()).toBe(true)
    await expect(backupHistory('postgres://db.example.org/btc', path)).rejects.toMatchObject({
      code: 'usage',
      help: expect.stringContaining('pg_dump'),
    })
  })
})

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
