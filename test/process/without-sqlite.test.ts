import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GIT_ENVIRONMENT } from './history-script.js'
import { ROOT } from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'foreproof-without-sqlite-'))
const installed = join(folder, 'node_modules', 'foreproof')
const work = join(folder, 'work')
const PROTOCOL = 'protocols/btcusd-hourly-1.json'

/** The package as npm leaves it where the optional dependency could be neither fetched nor built. */
function install(): void {
  mkdirSync(installed, { recursive: true })
  for (const name of ['package.json', 'bin', 'dist', 'protocols', 'fixtures']) {
    cpSync(join(ROOT, name), join(installed, name), { recursive: true })
  }
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), link)
  }
}

/** One that does not end by itself, as a service that has started, is stopped after this time. */
const LONGEST_MS = 50_000

function run(program: string, ...args: string[]) {
  const keys = { BTC_FORECAST_API_KEYS: 'a-key-of-this-test' }
  const env = { ...GIT_ENVIRONMENT, ...keys, NO_COLOR: '1', FORCE_COLOR: undefined }
  const options = { cwd: work, env, encoding: 'utf8', timeout: LONGEST_MS } as const
  const { status, stdout, stderr } = spawnSync(program, args, options)
  return { code: status, stdout, stderr }
}

const foreproof = (...args: string[]) =>
  run(process.execPath, join(installed, 'bin', 'foreproof.js'), ...args)

beforeAll(() => {
  install()
  mkdirSync(work)
  cpSync(join(ROOT, 'protocols'), join(work, 'protocols'), { recursive: true })
  run('git', 'init', '-q', '-b', 'main')
  run('git', 'add', '.')
  run('git', 'commit', '-q', '-m', 'first')
  run('git', 'commit', '-q', '--allow-empty', '-m', 'second')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('where better-sqlite3 is not installed', () => {
  it.each([
    ['--help'],
    ['validate', PROTOCOL],
    ['verify', 'protocols'],
    ['digest', PROTOCOL],
    ['canonicalize', PROTOCOL],
    ['lint', PROTOCOL],
    ['compare', PROTOCOL, PROTOCOL],
    ['gate', '--base', 'HEAD~1'],
    ['schema', 'openapi'],
  ])('%s %s runs', (...args) => {
    expect(foreproof(...args)).toMatchObject({ code: 0, stderr: '' })
  })

  it('freeze freezes', () => {
    const { protocol_sha256: _, ...draft } = JSON.parse(readFileSync(join(work, PROTOCOL), 'utf8'))
    writeFileSync(
      join(work, 'draft.json'),
      JSON.stringify({ ...draft, protocol_version: 'second' }),
    )
    expect(foreproof('freeze', 'draft.json')).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(join(work, 'protocols'))).toContain('second.json')
    expect(foreproof('verify', 'protocols').code).toBe(0)
  })

  it('conformance judges a built site', () => {
    mkdirSync(join(work, 'site'))
    const ran = foreproof('conformance', 'site', '--format', 'json')
    expect(ran.code).toBe(1)
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: false })
  })

  it.each([
    ['history', 'stats'],
    ['history', 'verify'],
    ['publish', '--out', 'out'],
  ])('%s %s says what to install', (...args) => {
    writeFileSync(join(work, 'history.sqlite'), 'SQLite format 3\0'.padEnd(4096, '\0'))
    const ran = foreproof(...args, '--history', 'history.sqlite')
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.stderr).toContain('a history needs SQLite, which is not installed')
    expect(ran.stderr).toContain('npm install better-sqlite3')
  })

  it('history import says so too', () => {
    writeFileSync(join(work, 'lines.ndjson'), '{}\n')
    const ran = foreproof('history', 'import', 'lines.ndjson', '--history', 'new.sqlite')
    expect(ran.code).toBe(3)
    expect(ran.stderr).toContain('npm install better-sqlite3')
  })

  it.each([
    ['serve', '--port', '0'],
    ['serve', '--check'],
    ['serve', '--demo', '--port', '0'],
  ])('%s %s does not start', (...args) => {
    const ran = foreproof(...args)
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.stderr).toContain('a history needs SQLite, which is not installed')
    expect(ran.stderr).toContain('npm install better-sqlite3')
  })

  it('startService refuses before it listens', () => {
    const script = `
      import { startService } from 'foreproof/service'
      const paths = { historyPath: 'h.sqlite', healthPath: 'h.json', auditPath: 'reads.jsonl' }
      const started = startService({ ...paths, keys: ['a-key'], port: 0, drainSeconds: 0 })
      await started.then((service) => service.close(), (error) => console.log(error.code))`
    writeFileSync(join(work, 'start.mjs'), script)
    expect(run(process.execPath, 'start.mjs')).toMatchObject({ code: 0, stdout: 'unavailable\n' })
  })

  it('demo leaves no folder behind', () => {
    const ran = foreproof('demo')
    expect(ran).toMatchObject({ code: 3, stdout: '' })
    expect(ran.stderr).toContain('npm install better-sqlite3')
    expect(existsSync(join(work, 'demo-out'))).toBe(false)
  })
})
