import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Repositories } from '../gate/repositories.js'
import { sample } from '../history/samples.js'
import { draftText } from '../protocol/sample.js'
import { afterUse } from '../support/at-end.js'
import { temporaryFolder } from '../support/folder.js'
import { doneInProcess, inProcess } from '../support/in-process.js'
import { BIN, foreproof, ROOT, wordsOf } from '../support/run.js'
import { unprivileged } from '../support/unprivileged.js'
import { frozenAt, WEEKS } from '../truth/sample.js'

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

it('every one of many that freeze at once gets a place in the chain', async () => {
  const cwd = temporaryFolder()
  const versions = Array.from({ length: 8 }, (_, i) => `v${i}`)
  const ends = await Promise.all(
    versions.map((version) => foreproof('freeze -', { cwd, input: draftText(version) })),
  )
  expect(ends.map(({ code }) => code)).toEqual(versions.map(() => 0))
  const { code, stdout } = await foreproof('verify protocols --format json', { cwd })
  expect([code, JSON.parse(stdout).ledgers[0].entries]).toEqual([0, 8])
  expect(readdirSync(join(cwd, 'protocols'))).toHaveLength(9)
})

it('a gate with nothing to compare exits with 3 in CI alone, and says how to give a base', async () => {
  const all = new Repositories()
  const env = { ...process.env, CI: '', GITLAB_CI: '', GITHUB_ACTIONS: '' }
  const local = await foreproof(['gate'], { cwd: all.root, env })
  expect(local).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing was compared') })
  // Who stands in the folder itself, as in a submodule that is one, need not name it.
  const inside = join(all.root, 'protocols')
  const ci = await foreproof(['gate'], { cwd: inside, env: { ...env, GITLAB_CI: 'true' } })
  expect(ci).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/nothing was compared[\s\S]*--base/),
  })
})

it('a gate outside of a repository cannot be held', async () => {
  expect((await foreproof('gate', { cwd: temporaryFolder() })).code).toBe(3)
})

const TABLE = `series,origin,horizon,model,value,q0.1,q0.9,status,reason
US,2025-W46,-1,seer,10,8.5,12,,
US,2025-W46,0,seer,11,9,14,,
06,2025-11-22,1,owl,,,,failed,no data
`

// Imports, seals, copies and exports of such histories are compared in test/outside/postgres-store.test.ts.
it('a history of any series is counted, proved, saved and imported again, and no service reads it', async () => {
  const cwd = temporaryFolder()
  const before = process.cwd()
  process.chdir(cwd)
  afterUse(() => process.chdir(before))
  frozenAt(cwd, ['0.1', '0.9'], ['US', '06'], WEEKS)
  writeFileSync('rows.csv', TABLE)
  const run = (line: string) => inProcess(line, { BTC_FORECAST_API_KEYS: 'k'.repeat(40) })
  const done = (line: string) => doneInProcess(line)
  const of = (name: string) => `--history ${name}.sqlite`
  await done(`history import rows.csv --protocol p.json ${of('h')}`)
  await done(`history seal ${of('h')} --log example.org/weekly`)
  const stats = await done(`history stats ${of('h')}`)
  expect(stats).toMatch(/series +2\norigins +1\n/)
  expect(stats).toMatch(/model +step -1 +step 0 +failed/)
  expect(stats).toContain('example.org/weekly, 3 entries, sealed to 3')
  writeFileSync('proof.json', await done(`history prove US,2025-W46,-1,seer ${of('h')}`))
  expect(await done('history check-proof proof.json')).toContain(
    '{"horizon":-1,"model":"seer","origin":"2025-W46","quantiles":{"0.1":8.5,"0.9":12},"series":"US","value":10}',
  )
  await done(`history backup --out backup.sqlite ${of('h')}`)
  expect(await done(`history stats --format json ${of('backup')}`)).toContain('"checkpoint": 3')
  const lines = await done(`history export ${of('h')}`)
  expect(await done(`history export ${of('backup')}`)).toBe(lines)
  writeFileSync('lines.ndjson', lines)
  await done(`history import lines.ndjson --protocol p.json ${of('again')}`)
  expect(await done(`history export ${of('again')}`)).toBe(lines)
  for (const [line, what] of [
    [`publish --out site ${of('h')}`, 'publish is of the API of version 1'],
    [`history pull site ${of('h')}`, 'pull is of the API of version 1'],
    [`serve --check --no-pipeline ${of('h')}`, 'it holds forecasts of any series'],
    [`serve --no-pipeline ${of('h')}`, 'serve is of the API of version 1'],
    ['conformance h.sqlite', 'the API of version 1, which has hourly forecasts only'],
    ['conformance p.json', 'the API of version 1, which has hourly forecasts only'],
    [`history import lines.ndjson ${of('h')}`, 'it holds forecasts of any series'],
    [`history prove seer ${of('h')}`, 'A key is SERIES,ORIGIN,HORIZON,MODEL'],
    [`history export --from 2026-01-01 ${of('h')}`, '--from is for hourly forecasts only'],
    [`history import rows.csv --label end ${of('h')}`, '--label needs --protocol'],
    ['history import rows.csv --history other.sqlite', 'Then name their protocol: --protocol FILE'],
    [`history import rows.csv --protocol p.json --melt ${of('h')}`, '--melt cannot be used with'],
  ] as const) {
    const { code, stdout, stderr } = await run(line)
    expect([line, code === 0]).toEqual([line, false])
    expect(stdout + stderr).toContain(what)
  }
})

const DATA = join(ROOT, '../shared/data/temperature')
const [file = ''] = existsSync(DATA) ? readdirSync(DATA) : []
const page = readFileSync(join(ROOT, 'docs/any-series.md'), 'utf8')
const tutorial = page.slice(page.indexOf('## Ten minutes'), page.indexOf('## Lists of periods'))
const block = (language: string) =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(tutorial)?.[1] ?? ''

// The ten minutes of docs/any-series.md, as they are written there.
it.runIf(file !== '')(
  'a public series is registered with twenty lines of Python',
  async () => {
    const cwd = temporaryFolder()
    const path = (name: string) => join(cwd, name)
    writeFileSync(path('melbourne.csv'), readFileSync(join(DATA, file)))
    const lines = [...tutorial.matchAll(/^ {4}npx foreproof (.*)$/gm)].map(([, line = '']) => line)
    const before: Record<string, () => void> = {
      'lint draft.json': () => {
        const draft = JSON.parse(readFileSync(path('draft.json'), 'utf8'))
        const changes = JSON.parse(block('json'))
        writeFileSync(path('draft.json'), JSON.stringify({ ...draft, ...changes }))
      },
      'history import': () => {
        expect(block('python').split('\n').filter(Boolean).length).toBeLessThanOrEqual(20)
        execFileSync('python3', ['-c', block('python')], { cwd })
      },
      'power --plan': () => {
        const plan = readFileSync(path('plan.json'), 'utf8')
          .replace('<name of this evaluation>', 'Melbourne')
          .replace('<name of your model in the history>', 'mine')
        writeFileSync(path('plan.json'), plan)
      },
    }
    for (const line of lines) {
      for (const [start, change] of Object.entries(before)) if (line.startsWith(start)) change()
      const [command = '', to] = line.split(' > ')
      const { code, stdout, stderr } = await foreproof(command, { cwd })
      expect([line, code, code === 0 ? '' : stdout + stderr]).toEqual([line, 0, ''])
      if (to !== undefined) writeFileSync(path(to), stdout)
    }
    const registration = JSON.parse(readFileSync(path('registration.json'), 'utf8'))
    // Seven comparators: three, and two for each of week and year; at three steps and overall. 306 days of 1982, 8 years
    // with 2 leap days, less the last 3 days.
    expect(registration).toMatchObject({
      family: { size: 7 * 4 },
      window: { origins: 306 + 2922 - 3 },
    })
    const inputs = '--registration registration.json --history history.sqlite --protocol protocols'
    const { stdout } = await foreproof(`pair ${inputs} --outcomes vintages/melbourne`, { cwd })
    expect(stdout).toContain('1982-03-01 to 1990-12-28, 3225 origins')
    expect(stdout).toContain('as of         1991-02-01T13:00:00Z, backtest')
    // Each of the two days that are missing is the target of three forecasts.
    expect(stdout).toContain('outcome_missing 6, scored 9669')
    expect(stdout).toMatch(/ {2}mine, step 3 +3225 +3223 /)
    expect((await foreproof('audit evidence/melbourne', { cwd })).code).toBe(0)
  },
  120_000,
)
