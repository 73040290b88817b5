import { spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importResources } from '../../src/history/import/import.js'
import { sealHistory } from '../../src/history/seal.js'
import { verifyHistory } from '../../src/history/verify.js'
import { parseNote } from '../../src/log/note.js'
import { parsePolicy, witnessedAt } from '../../src/log/policy.js'
import { toVerifierKey } from '../../src/log/verifier-key.js'
import { sample } from '../history/samples.js'
import { allOf, opened } from '../history/support.js'
import { MEMORY, temporaryFolder } from '../support/folder.js'
import { RunningWitness } from '../witness/running.js'
import { selfSigned, startHaproxy } from './servers.js'
import { exchange, guide } from './snippets.js'

const SEALS = 1000
const LOG = 'example.org/forecasts'
const NAMES = ['w0', 'w1', 'w2'] as const
const folder = temporaryFolder('foreproof-', MEMORY)
const history = join(folder, 'history.sqlite')
const { privateKey: key } = generateKeyPairSync('ed25519')
const witnesses = NAMES.map((name) => new RunningWitness(name, folder))
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }
const { snippet } = guide('witnesses.md')
let urls: string[] = []

beforeAll(async () => {
  const vkey = toVerifierKey(LOG, key).text
  writeFileSync(join(folder, 'logs.txt'), `logs/v0\nvkey ${vkey}\nqpd ${5 * SEALS}\n`)
  for (const witness of witnesses) {
    await witness.init()
    await witness.start()
  }
  const [defaults = '', ...rest] = snippet('haproxy').split(/^(?=frontend )/m)
  const { port } = await startHaproxy((port) => {
    // As each of the three has it, on a machine of its own; a certificate for a public name cannot be had here.
    const own = witnesses.map(({ url }, at) => {
      const here = `127.0.0.1:${port + at}`
      const plain = exchange(rest.join(''), ':443 ssl crt /etc/haproxy/witness.pem', here)
      const named = exchange(plain, ' witness\n', ` witness${at}\n`)
      return exchange(named, '127.0.0.1:8090', new URL(url).host)
    })
    return defaults + own.join('\n')
  }, NAMES.length)
  urls = NAMES.map((_, at) => `http://127.0.0.1:${port + at}`)
})

afterAll(async () => {
  for (const witness of witnesses) await witness.stop('SIGKILL')
})

it('has a configuration that HAProxy takes as it is', () => {
  const file = join(folder, 'public.cfg')
  const { both } = selfSigned('w1.example.org')
  writeFileSync(file, exchange(snippet('haproxy'), '/etc/haproxy/witness.pem', both))
  const checked = spawnSync('haproxy', ['-c', '-f', file], { env, encoding: 'utf8' })
  expect([checked.status, checked.stderr]).toEqual([0, ''])
})

it(`has ${SEALS} checkpoints of one log cosigned by three witnesses, each`, async () => {
  const lines = witnesses.map(({ name, vkey }, at) => `witness ${name} ${vkey} ${urls[at]}\n`)
  const policy = parsePolicy(`${lines.join('')}group all all ${NAMES.join(' ')}\nquorum all\n`, 'p')
  const seals: number[] = []
  for (let hour = 0; hour < SEALS; hour++) {
    await importResources(history, [sample({ hour })], { now: 0 })
    const began = performance.now()
    const sealed = await sealHistory(history, { log: LOG, key, witnesses: { policy } })
    seals.push(performance.now() - began)
    expect(sealed).toMatchObject({ sealed: 1, witnesses: NAMES, witnessFindings: [] })
  }
  const notes = await allOf(opened(history).checkpoints())
  expect(notes).toHaveLength(SEALS)
  const now = Date.now() / 1000
  const late = notes.filter(({ note }) => witnessedAt(policy, parseNote(note)!, now) > now)
  expect(late).toEqual([])
  expect((await verifyHistory(history)).findings).toEqual([])
  const digest = createHash('sha256').update(LOG).digest('hex')
  for (const url of urls) {
    const newest = await (await fetch(`${url}/${digest}/checkpoint`)).text()
    expect(newest.split('\n').slice(0, 2)).toEqual([LOG, String(SEALS)])
  }
  // None waited for anything to time out.
  expect(Math.max(...seals)).toBeLessThan(2000)
})

it('passes nothing else on', async () => {
  for (const path of ['/', '/metrics', '/add-checkpoint/', '/checkpoint']) {
    expect((await fetch(urls[0] + path)).status, path).toBe(404)
  }
})
