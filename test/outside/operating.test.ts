import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { BIN, ROOT } from '../support/run.js'
import { healthReport, makeHistory } from '../support/service/history.js'
import { get } from '../support/service/http.js'
import { eventually, type Served, serve } from '../support/service/serve.js'
import { exchange, guide } from './snippets.js'

const { text: GUIDE, snippets: SNIPPETS, snippet } = guide('operating.md')
const folder = temporaryFolder()
const file = (name: string) => join(folder, name)
beforeAll(() => {
  makeHistory(file('history.sqlite'))
  writeFileSync(file('pipeline_health.json'), healthReport())
})

/** A text with its files in a folder of this test. */
const here = (text: string) =>
  text.replaceAll(
    /\/(?:[\w-]+\/)*(history\.sqlite|pipeline_health\.json|reads\.jsonl|keys\.json)/g,
    (_, name) => file(name),
  )

/** What a program says, and with which exit code. */
const run = (program: string, ...args: string[]) => runWith('', program, ...args)
function runWith(input: string, program: string, ...args: string[]) {
  const ran = spawnSync(program, args, { input, encoding: 'utf8', cwd: folder })
  if (ran.error) throw ran.error
  return { code: ran.status, said: ran.stdout + ran.stderr }
}

it('has no snippet that is checked neither here nor in front of a service', () => {
  const languages = SNIPPETS.map(({ language }) => language).sort()
  expect(languages).toEqual(
    ['caddyfile', 'haproxy', 'ini', 'nginx', 'sh', 'sh', 'sh', 'sh', 'yaml', 'yaml'].sort(),
  )
})

it('starts the service with the lines it shows', () => {
  const program = `'${process.execPath}' '${BIN}'`
  const [start = '', keys = ''] = SNIPPETS.filter(({ language }) => language === 'sh').map(
    ({ text }) =>
      here(text)
        .replaceAll('foreproof keys', `${program} keys`)
        .replaceAll('foreproof serve', `${program} serve --check`),
  )
  const started = run('sh', '-euc', start)
  expect(started).toMatchObject({ code: 0, said: expect.stringMatching(/KEYS +\(1 accepted/) })
  const listed = run('sh', '-euc', keys)
  expect(listed.code, listed.said).toBe(0)
  expect(listed.said).toMatch(/^alice +- +- .*^carol +- +- .*^bob +- +600 +\S+ +2030-01-01T/ms)
  expect(JSON.parse(readFileSync(file('keys.json'), 'utf8')).keys).toHaveLength(2)
  expect(started.said).toMatch(/AUDIT_LOG +\S+\/reads.jsonl +--audit-log$/m)
})

describe('the unit', () => {
  const unit = file('foreproof.service')
  // The program need not be installed for its unit to be checked.
  writeFileSync(unit, exchange(snippet('ini'), '/usr/bin/foreproof', process.execPath))

  it('is one that systemd takes without a word', () => {
    expect(run('systemd-analyze', 'verify', '--man=no', unit)).toEqual({ code: 0, said: '' })
  })

  it('is exposed little: its score is below 2 of 10', () => {
    const args = ['security', '--offline=true', '--no-pager', '--threshold=20', unit]
    const { code, said } = run('systemd-analyze', ...args)
    expect(said).toMatch(/Overall exposure level/)
    expect(code, said).toBe(0)
  })

  it('names variables that the service knows', () => {
    const found = [...snippet('ini').matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name)
    expect(found).toHaveLength(6)
    for (const name of found) {
      expect(GUIDE).toMatch(new RegExp(`\\| \`${name.replace(/_FILE$/, '(?:_FILE)?')}\` \\|`))
    }
  })

  it('allows every system call that the service makes', async () => {
    const trace = file('trace')
    // Refused as the unit refuses them, and then done without: Node asks for more open files than it has
    // and for a key to protect memory with.
    const refused = ['pkey_alloc', 'prlimit64', 'setrlimit']
    const inject = `inject=${refused.join(',')}:error=EPERM`
    const through = ['strace', '-f', '-qq', '-o', trace, '-e', inject]
    const served = await serve({ through })
    for (const path of ['/v1/health', '/v1/forecasts?limit=100', '/v1/forecasts/latest']) {
      expect((await served.get(path)).status).toBe(200)
    }
    expect((await get(served.port, '/metrics')).status).toBe(200)
    await eventually(() => served.audit().length === 3)
    serviceOf(served, 'SIGHUP')
    await served.logged('reloaded')
    serviceOf(served, 'SIGTERM')
    expect(await served.exited).toBe(0)
    const lines = readFileSync(trace, 'utf8').split('\n')
    const made = new Set(lines.map((line) => /^\d+ +(\w+)\(/.exec(line)?.[1]))
    made.delete(undefined)
    expect(made.size).toBeGreaterThan(30)
    const allowed = allowedCalls()
    const others = [...made].filter((name) => !allowed.has(name!) && !refused.includes(name!))
    expect(others).toEqual([])
  })
})

/** The service runs below strace, which keeps signals to itself. */
function serviceOf(served: Served, signal: NodeJS.Signals): void {
  const { pid } = served.child
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  process.kill(Number(children.trim().split(' ')[0]), signal)
}

/** The calls that the filters of the unit let through, as systemd itself knows its groups. */
function allowedCalls(): Set<string> {
  const allowed = new Set<string>()
  for (const [, refused, groups = ''] of snippet('ini').matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
    for (const name of groups.split(' ').flatMap(callsOf)) {
      if (refused === '~') allowed.delete(name)
      else allowed.add(name)
    }
  }
  return allowed
}

function callsOf(group: string): string[] {
  const { code, said } = run('systemd-analyze', 'syscall-filter', '--no-pager', group)
  expect(code, said).toBe(0)
  const names = said
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => /^@?[\w-]+$/.test(line))
  return names.flatMap((name) => (name.startsWith('@') ? callsOf(name) : [name]))
}

const promtool = (...args: string[]) => run('promtool', ...args)

describe('for Kubernetes and Prometheus', () => {
  const blocks = SNIPPETS.filter(({ language }) => language === 'yaml').map(({ text }) => text)
  const [probes = '', scrape = ''] = blocks

  it('names probes that answer', async () => {
    const served = await serve()
    const paths = [...probes.matchAll(/path: ([^,]+),\s+port: 8080/g)].map(([, path]) => path)
    expect(paths).toEqual(['/livez', '/livez'])
    for (const path of paths) expect((await get(served.port, path ?? '')).status).toBe(200)
    const names = 'import sys, yaml; print(sorted(yaml.safe_load(sys.argv[1])))'
    const parsed = run('/usr/bin/python3', '-c', names, probes)
    expect(parsed.said).toContain("'livenessProbe', 'readinessProbe'")
  })

  it('has a configuration that promtool takes', () => {
    writeFileSync(file('prometheus.yml'), scrape)
    const { code, said } = promtool('check', 'config', file('prometheus.yml'))
    expect([code, said]).toEqual([0, expect.stringContaining('SUCCESS')])
  })
})

describe('promtool', () => {
  it('accepts the metrics page, before the first request and after many', async () => {
    const served = await serve()
    const page = async () => (await get(served.port, '/metrics')).text
    const check = (text: string) => runWith(text, 'promtool', 'check', 'metrics')
    expect(check(await page())).toEqual({ code: 0, said: '' })
    for (const path of ['/v1/health', '/v1/forecasts?limit=0', '/nowhere']) await served.get(path)
    await get(served.port, '/v1/health')
    expect(check(await page())).toEqual({ code: 0, said: '' })
  })

  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

  it('takes the alert rules, each of which fires in its test and none for a sound service', () => {
    const checked = promtool('check', 'rules', join(ROOT, 'docs/operating/alerts.yml'))
    expect(checked, checked.said).toMatchObject({ code: 0 })
    const tested = promtool('test', 'rules', join(ROOT, 'test/outside/alerts.test.yml'))
    expect(tested, tested.said).toMatchObject({ code: 0 })
    const names = (path: string, name: RegExp) =>
      [...read(path).matchAll(name)].map(([, found]) => found).sort()
    const fired = names('test/outside/alerts.test.yml', /alertname="(\w+)"/g)
    expect(fired).toEqual(names('docs/operating/alerts.yml', /alert: (\w+)/g))
  })

  it('takes every expression of the dashboard', () => {
    type Panel = { targets: { expr: string }[] }
    const { panels } = JSON.parse(read('docs/operating/dashboard.json')) as { panels: Panel[] }
    const found = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    expect(found.length).toBeGreaterThan(15)
    const rules = found.map((expr, index) => {
      return { record: `panel:${index}`, expr: expr.replaceAll('$__rate_interval', '5m') }
    })
    // JSON is YAML.
    writeFileSync(file('rules.yml'), JSON.stringify({ groups: [{ name: 'panels', rules }] }))
    expect(promtool('check', 'rules', file('rules.yml'))).toMatchObject({ code: 0 })
  })
})

it('gives one figure for the lines that wait for the audit log', () => {
  const sentences = GUIDE.replaceAll(/\s+/g, ' ').split(/[.;|]/)
  const figures = sentences
    .filter((sentence) => /\baudit|\blines\b/.test(sentence))
    .flatMap((sentence) => [...sentence.matchAll(/(\d+) MiB/g)].map(([, figure]) => figure))
  expect([...new Set(figures)]).toEqual(['8'])
})
