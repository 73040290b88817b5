import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sample } from '../history/samples.js'
import { temporaryFolder } from '../support/folder.js'
import { BIN, foreproof, wordsOf } from '../support/run.js'
import { unprivileged } from '../support/unprivileged.js'

const IMPORT = 'history import rows.ndjson --history'

function folderWithRows(): string {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'rows.ndjson'), `${JSON.stringify(sample())}\n`)
  return cwd
}

it('a history may have a name that SQLite would not take for a file', async () => {
  const cwd = folderWithRows()
  const made = await foreproof(`${IMPORT} :memory:`, { cwd })
  expect(made.code, made.stderr).toBe(0)
  expect(existsSync(join(cwd, ':memory:'))).toBe(true)
  const read = await foreproof('history export --history :memory:', { cwd })
  expect(read.stdout.trimEnd().split('\n')).toHaveLength(1)
})

it('the file without permission is named', async () => {
  const cwd = folderWithRows()
  const history = join(cwd, 'history.sqlite')
  const run = (line: string) => {
    const [command = '', ...args] = unprivileged([process.execPath, BIN, ...wordsOf(line)])
    return spawnSync(command, args, { cwd, encoding: 'utf8' })
  }
  await foreproof(`${IMPORT} ${history}`, { cwd })
  chmodSync(cwd, 0o555)
  chmodSync(history, 0o444)
  const verify = `history verify --history ${history}`
  expect(run(verify).status).toBe(0)
  const write = run(`${IMPORT} ${history}`)
  expect(write).toMatchObject({ status: 3, stderr: expect.stringContaining(history) })
  const made = join(cwd, 'new.sqlite')
  const make = run(`${IMPORT} ${made}`)
  expect(make.stderr).toContain(`${made}: the file or its folder cannot be written`)
  expect([make.status, make.stderr.includes('WAL')]).toEqual([3, false])
  chmodSync(history, 0)
  expect(run(verify)).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(/permission denied/),
  })
  chmodSync(cwd, 0o755)
})

it('a vintage goes below the folder of the run unless a place is given', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'XBTUSD_60.csv'), '1704067200,42288.58,42543.64,42261.58,42452.66,3,12\n')
  const { stdout } = await foreproof('outcomes import XBTUSD_60.csv --format json', { cwd })
  const [made] = readdirSync(join(cwd, 'vintages'))
  expect(made).toMatch(/^kraken-btcusd-1h-20240101T01Z-20240101T01Z-[0-9a-f]{8}$/)
  expect(JSON.parse(stdout)).toMatchObject({ written: true, folder: `vintages/${made}` })
})
