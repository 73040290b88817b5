import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importResources } from '../../../src/history/import/import.js'
import { openSqlite } from '../../../src/store/sqlite/driver.js'
import {
  alter,
  EPOCH,
  hourlyRows,
  inBatches,
  opened,
  writeProducer,
} from '../../history/support.js'
import { temporaryFolder } from '../../support/folder.js'

const ROWS = 40
const DRIVER = JSON.stringify(
  String(new URL('../../../dist/store/sqlite/driver.js', import.meta.url)),
)

/** A history in WAL mode, without its log: no writer has it open. */
function walHistory(): string {
  const path = join(temporaryFolder(), 'history.sqlite')
  writeProducer(path, hourlyRows(0, ROWS, ['alpha'], [2]))
  alter(path, 'PRAGMA journal_mode = WAL')
  expect(existsSync(`${path}-wal`)).toBe(false)
  return path
}

/** What a producer does with a connection of its own, in another process. */
const writing = (path: string, sql: string) => [
  '--input-type=module',
  '-e',
  `import { openSqlite } from ${DRIVER}
   const db = openSqlite(${JSON.stringify(path)})
   ${sql}
   db.close()`,
]

describe('a history in WAL mode', () => {
  it('is answered for beside a writer that opens it, truncates its log and closes it', async () => {
    const path = walHistory()
    const reader = opened(path)
    const writer = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { openSqlite } from ${DRIVER}
       const until = Date.now() + 1500
       for (let round = 0; Date.now() < until; round++) {
         const db = openSqlite(${JSON.stringify(path)})
         db.exec("UPDATE forecast_origins SET regime = 'r" + round + "'")
         if (round % 3 === 0) db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
         db.close()
         await new Promise((resolve) => setTimeout(resolve, 10))
       }`,
    ])
    const ended = new Promise((resolve) => writer.once('close', resolve))
    let answers = 0
    while (writer.exitCode === null) {
      expect(await reader.page({ limit: 100 })).toHaveLength(ROWS)
      answers++
      await new Promise(setImmediate)
    }
    expect(await ended).toBe(0)
    expect(answers).toBeGreaterThan(20)
  })

  it('keeps its log while a reader has it open, though another one of this process ended', async () => {
    const path = walHistory()
    const other = openSqlite(path)
    other.exec("UPDATE forecast_origins SET regime = 'up'")
    const [first, second] = [opened(path), opened(path)]
    expect(await first.page({ limit: 100 })).toHaveLength(ROWS)
    expect(await second.page({ limit: 100 })).toHaveLength(ROWS)
    await second.close()
    expect(await inBatches(first.pairingRows())).toHaveLength(ROWS)
    other.close()
    const ran = spawnSync(process.execPath, writing(path, "db.exec('PRAGMA user_version = 3')"))
    expect([ran.status, String(ran.stderr)]).toEqual([0, ''])
    expect(existsSync(`${path}-wal`)).toBe(true)
    expect(await first.page({ limit: 100 })).toHaveLength(ROWS)
  })

  it('keeps its log for a reader that came after another one of this process had ended', async () => {
    const path = walHistory()
    const killed = "db.exec('PRAGMA user_version = 3'); process.kill(process.pid, 'SIGKILL')"
    spawnSync(process.execPath, writing(path, killed))
    expect(existsSync(`${path}-wal`)).toBe(true)
    const first = opened(path)
    expect(await first.page({ limit: 100 })).toHaveLength(ROWS)
    await first.close()
    const second = opened(path)
    expect(await second.page({ limit: 100 })).toHaveLength(ROWS)
    // SQLite looks at one more lock before it deletes the log from 3.51 on; this asks for the lock of every release.
    const alone = writing(`file:${path}?vfs=unix-excl`, "db.exec('SELECT 1 FROM sqlite_master')")
    expect(String(spawnSync(process.execPath, alone).stderr)).toMatch(/database is locked/)
    expect(await second.page({ limit: 100 })).toHaveLength(ROWS)
  })

  it('is called damaged only when nobody has written to it for two seconds', async () => {
    const path = walHistory()
    writeFileSync(path, readFileSync(path).fill(0xa5, 4096))
    const reader = opened(path)
    const began = performance.now()
    await expect(reader.page({ limit: 100 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.not.stringContaining('damaged'),
    })
    expect(performance.now() - began).toBeGreaterThan(900)
    await new Promise((resolve) => setTimeout(resolve, 1200))
    await expect(reader.page({ limit: 100 })).rejects.toThrow(/damaged/)
  })

  it('is in that mode for the statistics, too, when no writer has it open', async () => {
    expect(await opened(walHistory()).stats()).toMatchObject({ journal_mode: 'wal' })
  })
})

it.each(['UTF-16le', 'UTF-16be'])(
  'a history in %s is refused: its order is another',
  async (encoding) => {
    const path = join(temporaryFolder(), 'history.sqlite')
    alter(path, `PRAGMA encoding = '${encoding}'; CREATE TABLE first (a)`)
    writeProducer(path, hourlyRows(0, 2, ['alpha'], [2]))
    const refusal = {
      code: 'invalid-input',
      message: expect.stringContaining(`${path}: its texts are stored as ${encoding}`),
      help: expect.stringContaining('.dump'),
    }
    const reader = opened(path)
    await expect(reader.page({ limit: 1 })).rejects.toMatchObject(refusal)
    await expect(inBatches(reader.pairingRows())).rejects.toMatchObject(refusal)
    await expect(reader.verify(() => {})).rejects.toMatchObject(refusal)
    await expect(importResources(path, [], { now: EPOCH * 1000 })).rejects.toMatchObject(refusal)
    // Counts need no order.
    expect(await reader.stats()).toMatchObject({ forecasts: 2 })
  },
)
