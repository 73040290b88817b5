import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, type World } from '../evaluation/world.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'

const KEPT = /^(HOME|USER|TMPDIR|LANG|CI|SSL_.*|NODE_EXTRA_CA_CERTS|https?_proxy|npm_config_.*)$/i
const COMPILES =
  /(^|-)(cc|c\+\+|gcc|g\+\+|cpp|clang(\+\+)?|g?make|ninja|cmake|python[\d.]*|c\d\d)(-[\d.]+)?$/
const NOT_COPIED = new Set(['node_modules', '.git'])
const RESULTS = ['result.json', 'report.html', 'report.md', 'pairs.ndjson']

/**
 * Tests of what uses a part of Node that differs from version to version. The rooms that they leave out compute, or
 * reach Node through these (`log` and `mirror` among them); the demo and an evaluation go through them, and CI runs
 * everything on each version by itself.
 */
const UNITS = [
  'contract/findings', // Intl, in the figures of messages
  'periods', // Intl, the clocks of zones
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

/** An evaluation of built-in models, and what it gives on the version that runs this test. */
let world: World
const expected = new Map<string, string>()
const score = (out: string) => [
  'score',
  ...['--registration', 'registration.json'],
  ...['--outcomes', 'vintage'],
  ...['--out', out],
]

beforeAll(async () => {
  world = await makeWorld({
    candidate: { source: 'built_in', name: 'ar1' },
    comparators: ['persistence', 'seasonal_naive_24h', 'drift_24h', 'ema_return_24h'],
    mode: 'backtest',
  })
  const ran = await foreproof(score('here'), { cwd: world.folder })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  for (const name of RESULTS) {
    expected.set(name, readFileSync(join(world.folder, 'here', name), 'utf8'))
  }
})

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
/** What npm installs into, and what runs the tests of units with the modules that are here. */
const [clone, units] = ['foreproof', 'units'].map((name) => join(folder, name)) as [string, string]
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

beforeAll(() => {
  withoutCompilers(programs)
  mkdirSync(home)
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const built = `node-${process.platform}-${process.arch}`
  const nodes = versions.map((version) => `node-${version}@npm:${built}@${version}`)
  const got = run('', 'npm', ['install', '--no-audit', '--no-fund', ...nodes], folder)
  expect(got.status, got.output).toBe(0)
  for (const to of [clone, units]) {
    cpSync(ROOT, to, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(units, 'node_modules'))
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

  it('npm run demo goes the whole way', () => {
    const ran = run(node, 'npm', ['run', 'demo'], clone)
    expect(ran.status, ran.output).toBe(0)
  })

  // What could differ between versions, logarithms above all, is in every figure.
  it('an evaluation gives the same bytes', () => {
    rmSync(join(world.folder, 'protocols', 'access'), { recursive: true })
    const out = `node-${version}`
    const ran = run(node, 'node', [join(clone, 'bin', 'foreproof.js'), ...score(out)], world.folder)
    expect([ran.status, ran.stdout], ran.output).toEqual([0, expect.stringContaining('scored')])
    for (const name of RESULTS) {
      const same = readFileSync(join(world.folder, out, name), 'utf8') === expected.get(name)
      expect([name, same]).toEqual([name, true])
    }
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
      units,
    )
    expect(existsSync(report), firstFailures(ran.output)).toBe(true)
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    const filesOf = (status: string) =>
      testResults.filter((file) => file.status === status).map(({ name }) => relative(units, name))
    expect(filesOf('failed'), firstFailures(ran.output)).toEqual([])
    expect(ran.status, firstFailures(ran.output)).toBe(0)
    for (const room of UNITS) {
      expect(filesOf('passed')).toContainEqual(expect.stringContaining(`test/${room}`))
    }
  })
})
