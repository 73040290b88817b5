import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { makeFixtures } from '../../fixtures/make.mjs'
import { readAnchors } from '../../src/time/rfc3161/anchors.js'
import { host } from '../conformance/mutants/host.js'
import { temporaryFolder } from '../support/folder.js'
import { ROOT } from '../support/run.js'
import {
  blockWith,
  exchange,
  exchangeAll,
  guide,
  putProgram,
  runLines,
  startAuthority,
} from './snippets.js'

const { text: page, snippets: all } = guide('time.md')
/** One part repeats the commands of the others in order: test/slow/time-whole-way.test.ts follows it. */
const [whole = ''] = /^## The whole way, with witnesses$.*?^(?=## )/ms.exec(page) ?? []
const snippets = all.filter(({ text }) => !whole.includes(text))
const AUTHORITIES = {
  freetsa: 'https://freetsa.org/tsr',
  digicert: 'http://timestamp.digicert.com',
}

const home = temporaryFolder()
/** The working folder of the guide, in a home that has the reader's own anchors. */
const folder = join(home, 'forecasts')
/** What the guide has an example for, and what it is here. */
const here = new Map<string, string>()

/** The hourly command, as it is before there are witnesses. */
const SEAL = 'history import forecasts.ndjson'

const block = (words: string) => blockWith(words, snippets)
const run = (lines: string) => runLines(exchangeAll(lines, here), folder, home)

/** A plan for hours that lie ahead, which asks for both authorities. */
function writePlan(): void {
  const plan = JSON.parse(readFileSync(join(ROOT, 'fixtures', 'plan.json'), 'utf8'))
  const day = 24 * 3_600_000
  const first = Math.ceil((performance.timeOrigin + performance.now()) / day + 2) * day
  const hour = (at: number) => `${new Date(at).toISOString().slice(0, 13)}:00:00Z`
  const window = { from: hour(first), to: hour(first + 90 * day - 3_600_000) }
  const pinned = readAnchors(join(folder, 'protocols', 'anchors'))
  const time = {
    at_least: 2,
    authorities: pinned.map(({ name, sha256 }) => ({ name, anchor_sha256: sha256 })),
  }
  const planned = { ...plan, mode: 'prospective', window, time, commitment: 'stamped' }
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(planned, null, 2))
}

beforeAll(async () => {
  for (const path of ['anchors', 'forecasts/downloads']) {
    mkdirSync(join(home, path), { recursive: true })
  }
  putProgram(join(home, 'bin'))
  cpSync(join(ROOT, 'protocols'), join(folder, 'protocols'), { recursive: true })
  makeFixtures(join(folder, 'made'), 2)
  cpSync(join(folder, 'made', 'forecasts.ndjson'), join(folder, 'forecasts.ndjson'))
  for (const [name, address] of Object.entries(AUTHORITIES)) {
    const { url, anchorPem } = await startAuthority(name)
    here.set(address, url)
    writeFileSync(join(folder, 'downloads', `${name}.pem`), anchorPem)
    writeFileSync(join(home, 'anchors', `${name}.pem`), anchorPem)
  }
  cpSync(join(folder, 'downloads', 'freetsa.pem'), join(folder, 'downloads', 'cacert.pem'))
  here.set('https://forecasts.example.org', (await host(() => join(folder, 'site'))).url)
})

it('pins an anchor by the digest that OpenSSL prints', async () => {
  const said = await run(block('-fingerprint -sha256'))
  const anchors = join(folder, 'protocols', 'anchors')
  const [{ sha256 } = { sha256: '' }] = readAnchors(anchors)
  expect(said.replaceAll(':', '').toLowerCase()).toContain(sha256)
  expect(await run(block('-outform DER | sha256sum'))).toContain(sha256)
  cpSync(join(folder, 'downloads', 'digicert.pem'), join(anchors, 'digicert.pem'))
})

it('has a registration stamped, with network and without', async () => {
  writePlan()
  const said = await run(block('foreproof register'))
  expect(said).toMatch(/stamped by 2 of 2 \(((freetsa|digicert) [0-9a-f]{32}…(, )?){2}\)/)
  expect(await run(block('stamp --tsa'))).toContain('was there already')
  expect(await run(block('--query request.tsq'))).toContain('freetsa')
})

it('seals, publishes and is mirrored', async () => {
  const hourly = await run(block(SEAL))
  expect(hourly).toMatch(/stamped by ((freetsa|digicert)(, )?){2}/)
  await run(block('history pull'))
})

it('is checked with OpenSSL, sha256sum and head alone', async () => {
  const registration = await run(block('jq -jcS'))
  const entry = JSON.parse(
    readFileSync(join(folder, 'protocols', 'ledger.jsonl'), 'utf8').split('\n')[3] ?? '',
  ).entry_sha256
  expect(registration).toContain(`${entry}  -`)
  expect(registration).toContain('Verification: OK')
  const checkpoint = block('head -n 3')
  expect(await run(checkpoint)).toContain('Verification: OK')
  const forged = exchange(checkpoint, ' > body', ' | sed 2s/.$/7/ > body')
  await expect(run(forged)).rejects.toThrow(/Verification: FAILED/)
})

it('proves a single forecast by one file', async () => {
  expect(await run(block('history prove'))).toMatch(/freetsa/)
})

it('has units that systemd takes, and a line of cron that runs', async () => {
  const text = (language: string) => snippets.find((each) => each.language === language)?.text ?? ''
  const units = snippets.filter(({ language }) => language === 'ini').map((each) => each.text)
  const names = ['seal.service', 'witness.service']
  for (const [at, name] of names.entries()) {
    const unit = units[at]?.replaceAll('/usr/bin/foreproof', join(home, 'bin', 'foreproof')) ?? ''
    expect(unit).toContain(`foreproof ${name === 'seal.service' ? 'history seal' : 'witness'}`)
    writeFileSync(join(home, name), unit)
  }
  writeFileSync(join(home, 'seal.timer'), text('systemd'))
  const files = [...names, 'seal.timer'].map((name) => join(home, name)).join(' ')
  expect(await run(`systemd-analyze verify --man=no ${files}`)).toBe('')
  expect(await run("systemd-analyze calendar '*:07:30'")).toContain('Next elapse')
  const [minute, , , , , ...line] = text('crontab').trim().split(' ')
  expect(Number(minute)).toBeLessThan(60)
  expect(await run(exchange(line.join(' '), '/srv/forecasts', folder))).toContain('nothing new')
})

it('has no snippet that is not run here', () => {
  const others = snippets.filter(({ language }) => language !== 'bash')
  expect(others.map(({ language }) => language).sort()).toEqual([
    'crontab',
    'ini',
    'ini',
    'systemd',
    'text',
    'text',
  ])
  const covered = [
    ...['-fingerprint -sha256', '-outform DER | sha256sum', 'foreproof register', 'stamp --tsa'],
    ...['--query request.tsq', SEAL, 'history pull', 'jq -jcS', 'head -n 3', 'history prove'],
    // These are run in witness-guide.test.ts.
    ...['openssl genpkey', '--witnesses witnesses.policy', 'cat logs.txt'],
    ...['foreproof witness --init', 'curl https://w1'],
  ]
  expect(snippets.filter(({ language }) => language === 'bash')).toHaveLength(covered.length)
  for (const words of covered) expect(block(words)).not.toBe('')
})
