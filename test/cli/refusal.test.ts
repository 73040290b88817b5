import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sample } from '../history/samples.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const folder = temporaryFolder()

const foreproof = (...argv: string[]) => inProcess(argv)

function notADatabase(): string {
  const path = join(folder, 'not-a-database.sqlite')
  writeFileSync(path, 'hello\n')
  return path
}

describe('an input that cannot be judged at all', () => {
  it('is a finding where a machine asked for a format', async () => {
    const path = notADatabase()
    const ran = await foreproof('history', 'verify', '--history', path, '--format', 'json')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toBe('')
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ok: false,
      findings: [{ severity: 'error', file: path, message: 'not an SQLite database' }],
    })
  })

  it('has a place in it', async () => {
    const path = join(folder, 'after-the-array.ndjson')
    writeFileSync(path, '[1,2]\n\n  null\n')
    const history = join(folder, 'none.sqlite')
    const args = ['history', 'import', path, '--history', history, '--format', 'json']
    const ran = await foreproof(...args)
    expect(ran.code).toBe(1)
    expect(JSON.parse(ran.stdout).findings).toMatchObject([{ file: path, line: 3, column: 3 }])
    expect(existsSync(history)).toBe(false)
  })

  it('is shown on standard error to a person, and when it could not be looked at', async () => {
    const ran = await foreproof('history', 'verify', '--history', notADatabase())
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    const gone = ['--history', join(folder, 'gone'), '--format', 'json']
    expect(await foreproof('history', 'verify', ...gone)).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('freeze', () => {
  it('says that a file is no folder to freeze into', async () => {
    const draft = fileURLToPath(new URL('../../protocols/btcusd-hourly-1.json', import.meta.url))
    const ran = await foreproof('freeze', draft, '--dir', notADatabase())
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain('is a file, not a folder')
  })
})

describe('history export', () => {
  it('never takes the name of the history that it reads', async () => {
    const history = join(folder, 'kept.sqlite')
    const rows = join(folder, 'rows.ndjson')
    writeFileSync(rows, `${JSON.stringify(sample({ hour: 1 }))}\n`)
    expect(await foreproof('history', 'import', rows, '--history', history)).toMatchObject({
      code: 0,
    })
    const before = readFileSync(history)
    const ran = await foreproof('history', 'export', '--history', history, '--out', history)
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain('would replace an input')
    expect(readFileSync(history).equals(before)).toBe(true)
    const whole = await foreproof('history', 'export', '--history', history, '--out', '-')
    expect(whole.code).toBe(0)
    expect(whole.stdout.split('\n')).toHaveLength(2)
  })

  it('refuses a window that ends before it begins', async () => {
    const window = ['--from', '2026-01-02T00:00:00Z', '--to', '2026-01-01T00:00:00Z']
    const ran = await foreproof('history', 'export', '--history', 'any.sqlite', ...window)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
  })
})
