import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { contentsOf, EVERY_KIND } from '../evaluation/every-kind.js'
import { temporaryFolder } from '../support/folder.js'
import { ROOT } from '../support/run.js'

const KEPT = /^(HOME|USER|TMPDIR|LANG|CI|SSL_.*|NODE_EXTRA_CA_CERTS|https?_proxy|npm_config_.*)$/i
const COMPILES =
  /(^|-)(cc|c\+\+|gcc|g\+\+|cpp|clang(\+\+)?|g?make|ninja|cmake|python[\d.]*|c\d\d)(-[\d.]+)?$/
/** Another engine, JavaScriptCore, with what Node has. */
const BUN = '1.4.5'
const SCORE_AND_AUDIT = join(import.meta.dirname, 'score-and-audit.mjs')
/** What this version writes, in folders of every kind. */
const HERE = 'here'
const worlds: string[] = []
const NOT_COPIED = new Set(['node_modules', '.git'])

/**
 * Tests of what uses a part of Node that differs from version to version. The rooms that they leave out compute, or
 * reach Node through these (`log` and `mirror` among them); evaluations of every kind and the demo go through them, and
 * CI runs everything on each version by itself.
 */
const UNITS = [
  'contract/findings', // Intl, in the figures of messages
  'periods/make', // Intl, the clocks of zones
  'periods/named',
  'document', // TextDecoder, crypto
  'files', // fs: locks, renames, full disks
  'table', // zlib, streams, a process of its own
  'remote', // http, https, zlib
  'time', // crypto: certificates and signatures
  'store', // SQLite, its native part
  'service', // http, net, dns, timers
  'site/writer', // fs: links and folders that change places
]

/** What the runner inside reports of each file. */
interface Report {
  readonly testResults: readonly { readonly name: string; readonly status: string }[]
}

/** The versions that CI names. The one that runs this test is left out: CI runs all else on it. */
function otherVersions(): string[] {
  const workflow = readFileSync(join(ROOT, '.github', 'workflows', 'ci.yml'), 'utf8')
  const named = /^ +node: \[([\d, ]+)\]$/m.exec(workflow)?.[1]?.split(', ') ?? []
  return named.filter((version) => !process.version.startsWith(`v${version}.`))
}

/** What the runner inside says of its first failures, for all of it would hide them; its last words where it was ended. */
function firstFailures(output: string): string {
  const from = output.search(/Failed (?:Suites|Tests)/)
  return from < 0 ? output.slice(-8000) : output.slice(from, from + 8000)
}

/** What the test runner sets for its own children is not for a program of another version. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => KEPT.test(name)),
)

const versions = otherVersions()

it('CI names at least three versions beside this one', () => {
  expect(versions.length).toBeGreaterThanOrEqual(3)
})

/** All programs of this machine but those that compile. */
function withoutCompilers(folder: string): void {
  mkdirSync(folder)
  const programs = new Map<string, string>()
  for (const from of process.env.PATH?.split(delimiter).reverse() ?? []) {
    for (const name of existsSync(from) ? readdirSync(from) : []) {
      if (!COMPILES.test(name)) programs.set(name, join(from, name))
    }
  }
  for (const [name, path] of programs) symlinkSync(path, join(folder, name))
}

const folder = temporaryFolder()
/** What npm installs into. */
const clone = join(folder, 'foreproof')
const home = join(folder, 'home')
const programs = join(folder, 'programs')

/** Runs a program with another Node, or with this one. npm keeps its settings and what it has fetched, though the home is empty. */
function run(node: string, program: string, args: readonly string[], cwd: string) {
  const ran = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    env: {
      ...environment,
      NO_COLOR: '1',
      PATH: [join(node, 'bin'), programs].join(delimiter),
      HOME: home,
      npm_config_userconfig: join(homedir(), '.npmrc'),
      npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
    },
  })
  return { status: ran.status, stdout: ran.stdout, output: `${ran.stdout}\n${ran.stderr}` }
}

/** Scores every kind on an engine, after an audit of what this one wrote. */
function scoreOn(engine: string, out: string, audited = ''): void {
  const args = [SCORE_AND_AUDIT, out === HERE ? ROOT : clone, out, audited, ...worlds]
  const ran = run('', engine, args, folder)
  expect([ran.status, ran.stdout], ran.output).toEqual([0, '[]\n'])
}

/** What could differ between engines, logarithms above all, is in every figure. */
function expectSameEvidence(engine: string, name: string): void {
  scoreOn(engine, name, HERE)
  for (const world of worlds) {
    const [here, there] = [HERE, name].map((each) => contentsOf(join(world, each)))
    expect(there).toEqual(here)
  }
}

beforeAll(async () => {
  for (const make of Object.values(EVERY_KIND)) worlds.push((await make()).folder)
  scoreOn(process.execPath, HERE)
}, 300_000)

beforeAll(() => {
  withoutCompilers(programs)
  mkdirSync(home)
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const { platform, arch } = process
  const nodes = versions.map((version) => `node-${version}@npm:node-${platform}-${arch}@${version}`)
  const bun = `bun@npm:@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}@${BUN}`
  const got = run('', 'npm', ['install', '--no-audit', '--no-fund', ...nodes, bun], folder)
  expect(got.status, got.output).toBe(0)
  cpSync(ROOT, clone, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) })
  // What is built is the same on each version, and tsc takes longer than all else that is installed.
  expect(run('', 'npm', ['pkg', 'delete', 'scripts.prepare'], clone).status).toBe(0)
}, 900_000)

// One version after the other.
describe.each(versions)('on Node %s', (version) => {
  const node = join(folder, 'node_modules', `node-${version}`)

  beforeAll(() => {
    // All that is locked may be installed on this version; what only the tests need is not fetched once more.
    const ci = ['ci', '--no-audit', '--no-fund']
    for (const how of ['--dry-run', '--omit=dev']) {
      const installed = run(node, 'npm', [...ci, how], clone)
      expect(installed.status, installed.output).toBe(0)
    }
  }, 900_000)

  it('it is that version, and nothing that compiles is to be found', () => {
    const ran = run(node, 'node', ['-p', 'process.version'], clone)
    expect(ran.stdout, ran.output).toMatch(new RegExp(`^v${version}\\.`))
    const found = run(node, 'sh', ['-c', 'command -v cc c++ gcc g++ clang make python3'], clone)
    expect(found.stdout).toBe('')
  })

  it('evidence of every kind has the same bytes, and that of another engine is audited whole', () => {
    expectSameEvidence(join(node, 'bin', 'node'), `node-${version}`)
  })

  it('the tests of units pass that use what differs', () => {
    const report = join(folder, `${version}.json`)
    const ran = run(
      node,
      'npx',
      [
        ...['vitest', 'run', '--config', '.ci/vitest.config.ts'],
        // Each worker would load all modules anew.
        ...['--project', 'unit', '--project', 'mocked', '--maxWorkers=1'],
        ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
        ...UNITS.map((room) => `test/${room}`),
      ],
      ROOT,
    )
    expect(existsSync(report), firstFailures(ran.output)).toBe(true)
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    const filesOf = (status: string) =>
      testResults.filter((file) => file.status === status).map(({ name }) => relative(ROOT, name))
    expect(filesOf('failed'), firstFailures(ran.output)).toEqual([])
    expect(ran.status, firstFailures(ran.output)).toBe(0)
    for (const room of UNITS) {
      expect(filesOf('passed')).toContainEqual(expect.stringContaining(`test/${room}`))
    }
  })
})

// The oldest version is that of CI: what both have, those in between have.
it('npm run demo goes the whole way on the newest Node', () => {
  const node = join(folder, 'node_modules', `node-${versions.at(-1)}`)
  const ran = run(node, 'npm', ['run', 'demo'], clone)
  expect(ran.status, ran.output).toBe(0)
})

it('evidence has the same bytes on the engine of Bun, which audits that of Node whole', () => {
  expectSameEvidence(join(folder, 'node_modules/bun/bin/bun'), 'bun')
})
