import { createHash, generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeFixtures } from '../../fixtures/make.mjs'
import { prospectiveForecasts } from '../../src/cli/demo/synthetic-data.js'
import {
  checkedInstant,
  type Instant,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
} from '../../src/contract/instant.js'
import { KEY_TYPE, parseVerifierKey } from '../../src/log/verifier-key.js'
import { readAnchors } from '../../src/time/rfc3161/anchors.js'
import { host } from '../conformance/mutants/host.js'
import { LogWitnesses } from '../evaluation/stamped-world.js'
import { exchangeAll, guide, startAuthority } from '../outside/snippets.js'
import { MEMORY, temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'

/** About as few as the protocol takes: 550 origins. */
const DAYS = 23
const HOURS = DAYS * 24
/** From then on the forecasts of two hours are committed at once, which the lag of the plan allows. */
const HOURLY = 2 * 24
const COMMITTED = HOURLY + (HOURS - HOURLY) / 2
const FIRST = checkedInstant('2026-06-01T00:00:00Z')
const LOG = 'forecasts.example.org/btcusd'
const AUTHORITIES = {
  freetsa: 'https://freetsa.org/tsr',
  digicert: 'http://timestamp.digicert.com',
}
/** What the guide calls its witnesses. */
const WITNESSES = {
  w1: 'w1.example.org',
  w2: 'w2.example.net',
  w3: 'w3.example.com',
  w4: 'w4.example.edu',
}
const SITE = 'https://forecasts.example.org'

const home = temporaryFolder('foreproof-', MEMORY)
const writer = join(home, 'writer')
const reader = join(home, 'reader')
const { text: page } = guide('time.md')
const [, whole = ''] = /^## The whole way, with witnesses$(.*?)^## /ms.exec(page) ?? []
const steps = whole.split(/^(?=\*\*\d\. )/m).slice(1)

/** What all go by: commands, authorities and witnesses. */
let now: Instant = checkedInstant('2026-05-25T09:00:00Z')
/** What the guide has an example for, and what it is here. */
const here = new Map<string, string>()
const before = process.cwd()

/** The blocks of a step, in a language. */
const blocks = (step: number, language: string): string[] =>
  [...steps[step - 1]!.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, of, code = '']) =>
    of === language ? [code] : [],
  )

const exchanged = (words: string) => exchangeAll(words, here)

async function run(line: string) {
  const argv = line.split(/\s+/).slice(1)
  const clock = () => now
  const ran = await inProcess(argv, {}, new PassThrough(), process.stdin, clock)
  return { code: ran.code, said: `${ran.stdout}${ran.stderr}` }
}

/** Runs the commands of a step as they are, but for the addresses; in this process, by the clock of the week. */
async function follow(step: number, lines = /^foreproof /): Promise<string> {
  const all = blocks(step, 'bash').join('').replaceAll('\\\n', ' ').trim().split('\n')
  let output = ''
  for (const line of all.filter((one) => lines.test(one))) {
    const { code, said } = await run(exchanged(line))
    expect(code, `${line}\n${said}`).toBe(0)
    output += said
  }
  return output
}

/** Forecasts from before the window, and those of one hour of it. */
let hourly: { origin: Instant; lines: string }[] = []

beforeAll(async () => {
  for (const folder of [writer, reader]) mkdirSync(folder)
  mkdirSync(join(writer, 'protocols', 'anchors'), { recursive: true })
  mkdirSync(join(reader, 'anchors'))
  for (const [name, address] of Object.entries(AUTHORITIES)) {
    const { url, anchorPem } = await startAuthority(name, () => now)
    here.set(address, url)
    writeFileSync(join(writer, 'protocols', 'anchors', `${name}.pem`), anchorPem)
    // The reader looked for them, too, and calls them otherwise.
    writeFileSync(join(reader, 'anchors', `root-of-${name}.pem`), anchorPem)
  }
  here.set(`${SITE} `, `${(await host(() => join(writer, 'site'))).url} `)
  here.set('~/anchors', join(reader, 'anchors'))
  makeFixtures(join(home, 'data'), DAYS)
  cpSync(join(home, 'data', 'closes.csv'), join(writer, 'closes.csv'))
  hourly = (await prospectiveForecasts()).filter(
    ({ origin }) => origin >= FIRST && origin < FIRST + HOURS * MICROS_PER_HOUR,
  )
  process.chdir(writer)
})

afterAll(() => {
  process.chdir(before)
})

it('begins with a key, a first checkpoint, and four witnesses that know the log', async () => {
  const shipped = join(ROOT, 'protocols', 'btcusd-hourly-4.json')
  expect((await run(`foreproof freeze ${shipped} --dir protocols`)).code).toBe(0)
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync('log.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
  // A forecast from some days before the window.
  const early = JSON.parse(hourly[0]!.lines.split('\n')[0]!)
  const back = (at: string) => new Date(Date.parse(at) - 8 * 24 * 3_600_000).toISOString()
  const texts = JSON.stringify(early).replaceAll(/2026-06-[\dT:]+\+00:00/g, (at) =>
    back(at).replace('.000Z', '+00:00'),
  )
  writeFileSync('forecasts.ndjson', `${texts}\n`)
  const said = await follow(1)
  const [, vkey = ''] = /verifier key: (\S+)/.exec(said) ?? []
  expect(vkey).toMatch(new RegExp(`^${LOG}\\+[0-9a-f]{8}\\+\\S{44}$`))
  here.set(`${LOG}+KEYID+KEY`, vkey)
  const log = parseVerifierKey(vkey, KEY_TYPE.note)!
  const witnesses = new LogWitnesses(log, Object.keys(WITNESSES), 3)
  await witnesses.start(home, () => Math.floor(now / MICROS_PER_SECOND))
  for (const [name, full] of Object.entries(WITNESSES)) {
    here.set(`https://${full}`, witnesses.urls.get(name)!)
    here.set(`${full}+KEYID+KEY`, witnesses.keys.get(name)!)
  }
  const [, policy = ''] = /^```text\n(log [^`]*)```$/ms.exec(page) ?? []
  writeFileSync('witnesses.policy', exchanged(policy))
})

it('registers what it promises, and seals that before the window', async () => {
  const plan = JSON.parse(readFileSync(join(ROOT, 'fixtures', 'plan-prospective.json'), 'utf8'))
  const [asked = ''] = blocks(2, 'json')
  const believed = JSON.parse(exchanged(asked))
  const anchors = readAnchors(join('protocols', 'anchors'))
  expect(anchors.map(({ name }) => name)).toEqual(['digicert', 'freetsa'])
  believed.time.authorities = anchors.map(({ name, sha256 }) => ({ name, anchor_sha256: sha256 }))
  const window = { from: '2026-06-01T00:00:00Z', to: '2026-06-23T23:00:00Z' }
  const lag = { due_minutes: 90, commitment_log: null }
  const named = { ...plan, name: 'Three weeks', window, ...lag, ...believed }
  writeFileSync('plan.json', JSON.stringify(named))
  now = checkedInstant('2026-05-30T12:00:00Z')
  const said = await follow(3)
  expect(said).toMatch(/stamped by 2 of 2/)
  expect(said).toContain('cosigned by w1, w2, w3, w4')
  expect(said).toContain('2 witnesses would have to lie')
})

it('commits three weeks of forecasts, hour by hour', async () => {
  expect(hourly).toHaveLength(HOURS)
  let waiting = ''
  for (const [hour, { origin, lines }] of hourly.entries()) {
    waiting += lines
    if (hour >= HOURLY && hour % 2 === 0) continue
    now = origin + 7 * MICROS_PER_MINUTE
    writeFileSync('forecasts.ndjson', waiting)
    waiting = ''
    // A site takes longer than the rest: here it is built after a day, after another one, and at the end.
    const said = await follow(4, hour < HOURLY && hour % 24 === 23 ? /./ : /history/)
    expect(said).toContain('cosigned by w1, w2, w3, w4')
  }
  now = FIRST + (HOURS + 17) * MICROS_PER_HOUR
  expect(await follow(4, /history seal/)).toContain('cosigned by w1, w2, w3, w4')
  await follow(4, /publish/)
}, 600_000)

it('is scored once, by what was committed', async () => {
  now += MICROS_PER_HOUR
  const said = await follow(5)
  expect(said).toContain('clear_signal: Eligible for human review')
  const cosigned = `witnesses  ${COMMITTED + 1} checkpoints cosigned by the quorum; 2 witnesses would`
  expect(said).toContain(`\n${cosigned}`)
  expect(said).toMatch(/^committed {2}clear_signal: 2208 of 2208 forecasts within the lag$/m)
})

it('is audited by another person, who chose the anchors and the witnesses', async () => {
  for (const path of ['evidence', 'protocols', 'registration.json', 'vintage']) {
    cpSync(join(writer, path), join(reader, path), { recursive: true })
  }
  process.chdir(reader)
  const { said: help } = await run('foreproof audit --help')
  if (!help.includes('--witnesses')) here.set(' --witnesses ~/witnesses.policy', '')
  here.set('~/witnesses.policy', join(writer, 'witnesses.policy'))
  const said = await follow(6)
  expect(said).toContain('2210 sealed, 2210 of them new')
  expect(said).toContain(`2210 entries and ${COMMITTED + 2} checkpoints of `)
  expect(said).toMatch(/^time .*stamped by 2 of 2 .*; your anchors$/m)
  expect(said).toContain('committed     clear_signal: 2208 of 2208 forecasts within the lag')
  expect(said).toContain('Three weeks recomputes: no problems found')
  const digest = createHash('sha256').update(LOG).digest('hex')
  const newest = await fetch(`${here.get('https://w1.example.org')}/${digest}/checkpoint`)
  expect((await newest.text()).split('\n').slice(0, 2)).toEqual([LOG, '2210'])
})
