import { createHash, generateKeyPairSync } from 'node:crypto'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importResources } from '../../src/history/import/import.js'
import { verifyCosignatures } from '../../src/log/cosignature.js'
import { parseNote } from '../../src/log/note.js'
import { KEY_TYPE, parseVerifierKey, toVerifierKey } from '../../src/log/verifier-key.js'
import { samples } from '../history/samples.js'
import { allOf, opened } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'
import { RunningWitness } from '../witness/running.js'
import { TestLog } from '../witness/test-log.js'

const folder = temporaryFolder()
const log = new TestLog('example.org/log')
const LOG = 'example.org/forecasts'
const keyFile = join(folder, 'log.pem')
const history = join(folder, 'history.sqlite')
const policyFile = join(folder, 'witnesses.policy')
const witnesses: RunningWitness[] = []

beforeAll(async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const own = toVerifierKey(LOG, privateKey).text
  writeFileSync(join(folder, 'logs.txt'), `logs/v0\nvkey ${log.vkey}\nvkey ${own}\n`)
  for (const name of ['w0', 'w1', 'w2']) {
    const witness = await new RunningWitness(name, folder).init()
    await witness.start()
    witnesses.push(witness)
  }
  const lines = witnesses.map(({ name, vkey, url }) => `witness ${name} ${vkey} ${url}\n`)
  writeFileSync(policyFile, `log ${own}\n${lines.join('')}group q 2 w0 w1 w2\nquorum q\n`)
})

afterAll(async () => {
  for (const witness of witnesses) await witness.stop('SIGKILL')
})

const seal = () =>
  foreproof([
    ...['history', 'seal', '--history', history, '--log', LOG],
    ...['--key', keyFile, '--witnesses', policyFile, '--format', 'json'],
  ])

const cosigners = async () => {
  const note = parseNote((await allOf(opened(history).checkpoints())).at(-1)!.note)!
  return witnesses
    .filter(({ vkey }) => {
      const key = parseVerifierKey(vkey, KEY_TYPE.cosignature)!
      return verifyCosignatures(note, key, Date.now() / 1000).sound.length > 0
    })
    .map(({ name }) => name)
}

it('is made once, with a key for its owner alone', async () => {
  expect(statSync(join(folder, 'w0.key')).mode & 0o777).toBe(0o600)
  const [first] = witnesses as [RunningWitness]
  const { vkey } = first
  expect((await new RunningWitness('w0', folder).init()).vkey).toBe(vkey)
  await expect(new RunningWitness('w9', folder).start()).rejects.toThrow(/no such file/)
})

it('cosigns what history seal asks of it, and goes on without one that is down', async () => {
  await importResources(history, samples(0, 3), { now: 0 })
  const first = await seal()
  expect([first.code, first.stderr]).toEqual([0, ''])
  expect(JSON.parse(first.stdout)).toMatchObject({ cosigned_by: ['w0', 'w1', 'w2'] })
  await witnesses[1]!.stop()
  await importResources(history, samples(3, 5), { now: 0 })
  const second = await seal()
  expect(second.code).toBe(0)
  expect(JSON.parse(second.stdout)).toMatchObject({
    cosigned_by: ['w0', 'w2'],
    findings: [{ code: 'witness-silent', severity: 'warning' }],
  })
  expect(await cosigners()).toEqual(['w0', 'w2'])
  // It comes back where it was, and is asked for what it missed.
  const said = await witnesses[1]!.start(Number(new URL(witnesses[1]!.url).port))
  expect(said).toContain(`${LOG}: vouches from size 3 on`)
  expect(said).toContain(`${log.origin}: vouches from the first size that it cosigns on`)
  expect((await seal()).code).toBe(0)
  expect(await cosigners()).toEqual(['w0', 'w1', 'w2'])
})

it('shows its newest checkpoint to anyone', async () => {
  const digest = createHash('sha256').update(LOG).digest('hex')
  const answer = await fetch(`${witnesses[2]!.url}/${digest}/checkpoint`)
  expect(
    parseNote(await answer.text())
      ?.body.split('\n')
      .slice(0, 2),
  ).toEqual([LOG, '5'])
  const status = async (path: string, method = 'GET') =>
    (await fetch(witnesses[2]!.url + path, { method })).status
  expect(await status(`/${'0'.repeat(64)}/checkpoint`)).toBe(404)
  expect([await status('/'), await status('/add-checkpoint')]).toEqual([404, 405])
  expect(await status(`/${digest}/checkpoint`, 'POST')).toBe(405)
})

// What it answers to which checkpoint is tried in test/witness/witness.test.ts.
it('answers over HTTP, and takes no body that is large, slow or no text', async () => {
  const [, , witness] = witnesses as [unknown, unknown, RunningWitness]
  expect((await witness.ask(await log.request(0, 5)))?.status).toBe(200)
  expect(await witness.ask(await log.request(0, 5))).toEqual({ status: 409, body: '5\n' })
  expect((await witness.ask('x'.repeat(131_073)))?.status).toBe(413)
  const posted = { method: 'POST', body: Buffer.of(255) }
  const bytes = await fetch(`${witness.url}/add-checkpoint`, posted)
  expect(bytes.status).toBe(400)
  const began = performance.now()
  const slow = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(witness.url).port), '127.0.0.1')
    let got = ''
    socket.on('data', (chunk) => (got += chunk)).on('close', () => resolve(got))
    socket.on('error', () => undefined)
    socket.write('POST /add-checkpoint HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nold')
  })
  expect(slow).toMatch(/^(?:HTTP\/1.1 408 |$)/)
  expect(performance.now() - began).toBeLessThan(20_000)
})

it('ends with what is under way answered, and does not begin without its state', async () => {
  const [, , witness] = witnesses as [unknown, unknown, RunningWitness]
  expect(await witness.stop()).toBe(0)
  rmSync(join(folder, 'w2.state'))
  await expect(witness.start()).rejects.toThrow(/no such state/)
})
