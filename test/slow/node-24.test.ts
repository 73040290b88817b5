import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../process/run.js'

const KEPT = /^(HOME|USER|TMPDIR|LANG|CI|SSL_.*|NODE_EXTRA_CA_CERTS|https?_proxy|npm_config_.*)$/i
const NOT_COPIED = new Set(['node_modules', 'dist', '.git'])

/** What the runner inside says of its first failures: all of it would hide them. */
function firstFailures(output: string): string {
  return output.slice(output.search(/Failed (?:Suites|Tests)/)).slice(0, 8000)
}

// The two commands of the README, from nothing, on the newest Node that is supported: SQLite's
// binding is compiled for it, against the headers that come with it.
describe('on Node 24', () => {
  const folder = mkdtempSync(join(tmpdir(), 'foreproof-node-24-'))
  const clone = join(folder, 'foreproof')
  const node = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`)

  function npm(cwd: string, ...args: string[]) {
    // What this test runner sets for its own children is not for the one inside.
    const kept = Object.entries(process.env).filter(([name]) => KEPT.test(name))
    const ran = spawnSync('npm', args, {
      cwd,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
      env: {
        ...Object.fromEntries(kept),
        NO_COLOR: '1',
        PATH: [join(node, 'bin'), process.env.PATH].join(delimiter),
        npm_config_nodedir: node,
      },
    })
    return { status: ran.status, output: `${ran.stdout}\n${ran.stderr}` }
  }

  beforeAll(() => {
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const got = npm(folder, 'install', '--no-audit', '--no-fund', `${basename(node)}@24`)
    expect(got.status, got.output).toBe(0)
    mkdirSync(clone)
    cpSync(ROOT, clone, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) })
    const installed = npm(clone, 'ci', '--no-audit', '--no-fund')
    expect(installed.status, installed.output).toBe(0)
  }, 900_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('npm run demo goes the whole way', () => {
    const ran = npm(clone, 'run', 'demo')
    expect(ran.status, ran.output).toBe(0)
  })

  it('npm test passes', () => {
    const ran = npm(clone, 'test')
    expect(ran.status, firstFailures(ran.output)).toBe(0)
    expect(ran.output).toContain('passed')
  })
})
