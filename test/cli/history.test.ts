import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/history/store/sqlite/driver.js'
import { sample, sampleAttempt } from '../history/samples.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'
import { unprivileged } from '../support/unprivileged.js'

const EXECUTABLE = fileURLToPath(new URL('../../bin/foreproof.js', import.meta.url))
const folder = temporaryFolder()
let files = 0
const inside = (name: string) => {
  const own = join(folder, String(++files))
  mkdirSync(own)
  return join(own, name)
}
const ROWS = [0, 1, 2].map((hour) => sample({ hour }))
const lines = (values: readonly unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')
const put = (values: readonly unknown[]) => {
  const path = inside('rows.ndjson')
  writeFileSync(path, lines(values))
  return path
}

describe('foreproof history', () => {
  it('imports, verifies, counts and exports a history; the export imports to the same bytes', async () => {
    const history = inside('history.sqlite')
    const first = await foreproof([
      'history',
      'import',
      put([...ROWS, sampleAttempt({ hour: 7 })]),
      '--history',
      history,
    ])
    expect(first.stderr).toBe('')
    expect(first.stdout).toContain('3 new')
    expect(first.code).toBe(0)
    const verified = await foreproof([
      'history',
      'verify',
      '--history',
      history,
      '--format',
      'json',
    ])
    expect(JSON.parse(verified.stdout)).toMatchObject({
      ok: true,
      forecasts: 3,
      attempts: 1,
      findings: [],
    })
    const stats = await foreproof(['history', 'stats', '--history', history, '--format', 'json'])
    expect(JSON.parse(stats.stdout)).toMatchObject({ forecasts: 3, attempts: { failed: 1 } })
    const exported = await foreproof(['history', 'export', '--history', history])
    expect(exported.code).toBe(0)
    const out = inside('out.ndjson')
    writeFileSync(out, exported.stdout)
    const copy = inside('copy.sqlite')
    expect((await foreproof(['history', 'import', out, '--history', copy])).code).toBe(0)
    expect((await foreproof(['history', 'export', '--history', copy])).stdout).toBe(exported.stdout)
    expect(readdirSync(join(history, '..'))).toEqual(['history.sqlite'])
  })

  it('exits 1 and writes nothing when a line is rejected, and names the line', async () => {
    const history = inside('history.sqlite')
    const file = put([ROWS[0], { ...ROWS[1], horizon_hours: 0 }])
    const { code, stdout } = await foreproof(['history', 'import', file, '--history', history])
    expect(code).toBe(1)
    expect(stdout).toContain(`${file}:2:`)
    expect(stdout).toContain('nothing was written')
    expect(existsSync(history)).toBe(false)
  })

  it('exits 1 and lists every conflict in every format', async () => {
    const history = inside('history.sqlite')
    await foreproof(['history', 'import', put(ROWS), '--history', history])
    const changed = put(
      ROWS.map((row) => ({ ...row, estimate: { ...row.estimate, change_pct: 1.005 } })),
    )
    for (const format of ['text', 'json', 'sarif', 'junit', 'github']) {
      const { code, stdout } = await foreproof([
        'history',
        'import',
        changed,
        '--history',
        history,
        '--format',
        format,
      ])
      expect(code).toBe(1)
      expect(stdout.split('2026-01-01T02:00:00+00:00, alpha, 2 h').length).toBeGreaterThan(1)
    }
  })

  it('says what stands in the way, with the exit code of its kind', async () => {
    const history = inside('history.sqlite')
    await foreproof(['history', 'import', put(ROWS), '--history', history])
    const other = openSqlite(history)
    other.exec('BEGIN EXCLUSIVE')
    const locked = await foreproof(['history', 'stats', '--history', history])
    expect([locked.code, locked.stderr]).toEqual([3, expect.stringContaining('locked')])
    other.exec('ROLLBACK')
    other.close()
    const cases: [string[], number, string][] = [
      [['history', 'import', '/no/such', '--history', history], 2, 'no such file'],
      [['history', 'import', folder, '--history', history], 2, 'folder'],
      [['history', 'import', put(ROWS), '--history', folder], 2, 'folder'],
      [['history', 'import', put(ROWS), '--history', put(ROWS)], 1, 'not an SQLite database'],
      [
        ['history', 'import', put(ROWS), '--history', join(folder, 'a/b/c.sqlite')],
        2,
        'no such file',
      ],
      [['history', 'verify', '--history', '/no/such'], 2, 'no such file'],
      [['history', 'verify', '--history', put(ROWS)], 1, 'not an SQLite database'],
      [['history', 'import', put(ROWS), '--batch', '0'], 2, 'positive'],
      [['history', 'export', '--history', history, '--from', 'noon'], 2, 'RFC 3339'],
      [
        ['history', 'export', '--history', history, '--out', '/no/such/folder/x'],
        2,
        'no such file',
      ],
    ]
    for (const [args, code, says] of cases) {
      const result = await foreproof(args)
      expect([args.join(' '), result.code]).toEqual([args.join(' '), code])
      expect(result.stderr).toContain(says)
      expect(result.stderr).not.toMatch(/\n\s+at /)
    }
  })

  it('takes a name that SQLite would not take for a file', async () => {
    const here = { cwd: join(inside('x'), '..') }
    const made = await foreproof(['history', 'import', put(ROWS), '--history', ':memory:'], here)
    expect(made.code, made.stderr).toBe(0)
    expect(existsSync(join(here.cwd, ':memory:'))).toBe(true)
    const read = await foreproof(['history', 'export', '--history', ':memory:'], here)
    expect(read.stdout.trimEnd().split('\n')).toHaveLength(ROWS.length)
  })

  const withoutOverride = (args: readonly string[]) => {
    const [command = '', ...rest] = unprivileged([process.execPath, EXECUTABLE, ...args])
    return spawnSync(command, rest, { encoding: 'utf8' })
  }
  it('names the file it has no permission for', async () => {
    const history = inside('history.sqlite')
    await foreproof(['history', 'import', put(ROWS), '--history', history])
    const rows = put(ROWS)
    chmodSync(join(history, '..'), 0o555)
    chmodSync(history, 0o444)
    expect(withoutOverride(['history', 'verify', '--history', history]).status).toBe(0)
    const write = withoutOverride(['history', 'import', rows, '--history', history])
    expect(write.status).toBe(3)
    expect(write.stderr).toContain(history)
    const made = join(history, '..', 'new.sqlite')
    const make = withoutOverride(['history', 'import', rows, '--history', made])
    expect([make.status, make.stderr]).toEqual([
      3,
      expect.stringContaining(`${made}: the file or its folder cannot be written`),
    ])
    expect(make.stderr).not.toContain('WAL')
    chmodSync(history, 0)
    const read = withoutOverride(['history', 'verify', '--history', history])
    expect([read.status, read.stderr]).toEqual([3, expect.stringMatching(/permission denied/)])
    chmodSync(join(history, '..'), 0o755)
  })
})
