import { generateKeyPairSync } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { WitnessOptions } from '../../src/history/ask-witnesses.js'
import { importResources } from '../../src/history/import/import.js'
import { sealHistory } from '../../src/history/seal.js'
import { type AddCheckpoint, parseAddCheckpoint } from '../../src/log/add-checkpoint.js'
import { parseCheckpoint } from '../../src/log/checkpoint.js'
import { cosign, verifyCosignatures } from '../../src/log/cosignature.js'
import { emptyRoot, verifyConsistency } from '../../src/log/merkle.js'
import { isSignedBy, parseNote } from '../../src/log/note.js'
import { parsePolicy } from '../../src/log/policy.js'
import { KEY_TYPE, toVerifierKey } from '../../src/log/verifier-key.js'
import { samples } from '../history/samples.js'
import { allOf, historyOf, opened } from '../history/support.js'
import { serveHttp } from '../support/servers.js'
import { LOG } from './sealed.js'

const NOW = 1_800_000_000
const logKey = generateKeyPairSync('ed25519')

interface Answer {
  readonly status: number
  readonly body?: string
  readonly headers?: Record<string, string>
}
type Answering = (asked: AddCheckpoint, witness: TestWitness) => Answer | 'nothing'

/** A witness that says what a test wants it to; what it is asked is read as the protocol says. */
class TestWitness {
  readonly keys = generateKeyPairSync('ed25519')
  readonly asked: AddCheckpoint[] = []
  /** What it has cosigned. */
  size = 0
  root = emptyRoot()
  now = NOW
  answering: Answering = honest
  url = ''

  constructor(readonly name: string) {}

  /** The sizes that it was asked to go on from, and by how many hashes. */
  askedFor() {
    return this.asked.map(({ old, proof }) => `${old} by ${proof.length}`)
  }

  get line() {
    const key = toVerifierKey(`${this.name}.example`, this.keys.publicKey, KEY_TYPE.cosignature)
    return `witness ${this.name} ${key.text} ${this.url}\n`
  }

  cosign(note: string, time = this.now): string {
    return cosign(parseNote(note)!.body, `${this.name}.example`, this.keys.privateKey, time).line
  }

  async start(): Promise<this> {
    this.url = await serveHttp(async (request, response) => {
      expect([request.method, request.url]).toEqual(['POST', '/add-checkpoint'])
      const asked = parseAddCheckpoint(await text(request))!
      this.asked.push(asked)
      const answer = this.answering(asked, this)
      if (answer !== 'nothing') response.writeHead(answer.status, answer.headers).end(answer.body)
    })
    return this
  }
}

const conflict = (size: number): Answer => ({
  status: 409,
  body: `${size}\n`,
  headers: { 'content-type': 'text/x.tlog.size' },
})

const honest: Answering = ({ old, proof, note }, witness) => {
  const checkpoint = parseCheckpoint(note)!
  expect(isSignedBy(checkpoint, LOG, logKey.publicKey)).toBe(true)
  if (old !== witness.size) return conflict(witness.size)
  const { size, root } = checkpoint
  if (!verifyConsistency(old, size, proof, witness.root, root)) return { status: 422 }
  witness.size = size
  witness.root = root
  return { status: 200, body: witness.cosign(note) }
}

async function world(count: number, quorum: string) {
  const path = await historyOf(samples(0, 5))
  const witnesses = await Promise.all(
    Array.from({ length: count }, (_, at) => new TestWitness(`w${at}`).start()),
  )
  const names = witnesses.map(({ name }) => name).join(' ')
  const policy = () =>
    parsePolicy(
      `log ${toVerifierKey(LOG, logKey.publicKey).text}\n${witnesses.map(({ line }) => line).join('')}group q ${quorum} ${names}\nquorum q\n`,
      'policy',
    )
  const seal = (over: Partial<WitnessOptions> = {}) =>
    sealHistory(path, {
      log: LOG,
      key: logKey.privateKey,
      witnesses: { policy: policy(), now: () => NOW, timeoutMs: 400, ...over },
    })
  const grow = (to: number) => importResources(path, samples(5, to), { now: 0 })
  const checkpoints = () => allOf(opened(path).checkpoints())
  /** How often each witness's cosignatures of a checkpoint hold. */
  const held = async (at = -1) => {
    const note = parseNote((await checkpoints()).at(at)!.note)!
    const found = policy().witnesses.map(({ key }) => verifyCosignatures(note, key, NOW + 1e6))
    return found.map(({ sound }) => sound.map(({ time }) => time - NOW))
  }
  return { path, witnesses, policy, seal, grow, checkpoints, held }
}

const codes = ({ witnessFindings }: Awaited<ReturnType<typeof sealHistory>>) =>
  witnessFindings.map(({ code, severity }) => `${severity} ${code}`)

describe('a seal with witnesses', () => {
  it('keeps their cosignatures, and goes on from what each has cosigned', async () => {
    const { witnesses, seal, grow, held, checkpoints } = await world(3, '2')
    expect(await seal()).toMatchObject({ size: 5, sealed: 5, witnesses: ['w0', 'w1', 'w2'] })
    await grow(300)
    expect(await seal()).toMatchObject({ size: 300, sealed: 295, witnessFindings: [] })
    for (const at of [0, 1]) expect(await held(at)).toEqual([[0], [0], [0]])
    // 6 right halves from 300 down to 8, the first 4 entries, and 3 hashes down to the fifth.
    expect(witnesses[0]!.askedFor()).toEqual(['0 by 0', '5 by 10'])
    const [, { note }] = (await checkpoints()) as [unknown, { note: string }]
    expect(isSignedBy(parseNote(note)!, LOG, logKey.publicKey)).toBe(true)
  })

  it('asks again at an unchanged size: the earliest and the latest are kept', async () => {
    const { witnesses, seal, held } = await world(2, 'all')
    await seal()
    for (const later of [100, 200]) {
      for (const witness of witnesses) witness.now = NOW + later
      const result = await seal({ now: () => NOW + later })
      expect(result).toMatchObject({ sealed: 0, witnesses: ['w0', 'w1'] })
    }
    expect((await held()).map(String)).toEqual(['0,200', '0,200'])
    expect(witnesses[0]!.askedFor()).toEqual(['0 by 0', '5 by 0', '5 by 0'])
  })

  it('signs a checkpoint that was sealed before it had a key', async () => {
    const { path, seal, checkpoints, held } = await world(1, '1')
    await sealHistory(path, { log: LOG })
    expect((await checkpoints())[0]?.note).not.toContain('—')
    await seal()
    expect(isSignedBy(parseNote((await checkpoints())[0]!.note)!, LOG, logKey.publicKey)).toBe(true)
    expect(await held()).toEqual([[0]])
  })

  it('asks once more from the size that a witness names', async () => {
    const { witnesses, seal, grow, held } = await world(1, '1')
    await seal()
    await grow(20)
    await seal()
    // The history forgot what the witness had cosigned: so asks a copy that was made before.
    const [witness] = witnesses as [TestWitness]
    witness.asked.length = 0
    await grow(40)
    let first = true
    witness.answering = (asked, self) => {
      if (!first) return honest(asked, self)
      first = false
      return conflict(20)
    }
    expect(codes(await seal())).toEqual([])
    expect(witness.asked.map(({ old }) => old)).toEqual([20, 20])
    witness.answering = () => conflict(40)
    expect(codes(await seal())).toEqual(['warning witness-refused'])
    expect(witness.asked).toHaveLength(4)
    expect(await held()).toEqual([[0]])
  })

  it.each<[string, Answering]>([
    ['429', () => ({ status: 429 })],
    ['500', () => ({ status: 500 })],
    ['503', () => ({ status: 503, headers: { 'retry-after': '600' } })],
    ['a redirection', (_, { url }) => ({ status: 307, headers: { location: `${url}/elsewhere` } })],
    ['no answer', () => 'nothing'],
  ])('goes on without one that gives %s, and says so', async (_what, answering) => {
    const { witnesses, seal, held } = await world(3, '2')
    witnesses[1]!.answering = answering
    const began = performance.now()
    const result = await seal()
    expect(performance.now() - began).toBeLessThan(5000)
    expect(codes(result)).toEqual(['warning witness-silent'])
    expect(result).toMatchObject({ sealed: 5, witnesses: ['w0', 'w2'] })
    expect(witnesses[1]!.asked).toHaveLength(1)
    expect(await held()).toEqual([[0], [], [0]])
    // Two that are silent: the quorum is missing, and nothing else is wrong.
    witnesses[2]!.answering = answering
    witnesses[0]!.now = NOW + 10
    expect(codes(await seal())).toEqual(['warning witness-silent', 'warning witness-silent'])
    expect(await held()).toEqual([[0, 10], [], [0]])
  })

  it('warns of a quorum that is missing for witnesses that did not answer', async () => {
    const { witnesses, seal } = await world(2, 'all')
    witnesses[1]!.answering = () => ({ status: 502 })
    const result = await seal()
    expect(codes(result)).toEqual(['warning witness-silent', 'warning witness-quorum-missing'])
    expect(result.sealed).toBe(5)
  })

  const [other, body] = [generateKeyPairSync('ed25519'), 'example.org/log\n1\nx\n']
  const byOther = (note: string, name: string) =>
    cosign(parseNote(note)!.body, name, other.privateKey, NOW).line
  const signs =
    (lines: (note: string, self: TestWitness) => string): Answering =>
    ({ note }, self) => ({ status: 200, body: lines(note, self) })
  it.each<[string, Answering]>([
    ...[400, 403, 404, 422, 418].map((status): [string, Answering] => [
      `${status}`,
      () => ({ status }),
    ]),
    ['409 without a size', () => ({ status: 409, body: '5\n' })],
    ['409 with a size that is none', () => ({ ...conflict(5), body: '05\n' })],
    ['nothing to read', signs(() => '')],
    ['a page', signs(() => '<html>\n')],
    ['a cosignature of another key', signs((note, { name }) => byOther(note, `${name}.example`))],
    ['a cosignature of something else', signs((_, self) => self.cosign(body))],
    ['time 0', signs((note, self) => self.cosign(note, 0))],
    ['a time to come', signs((note, self) => self.cosign(note, NOW + 301))],
    [
      'one that holds and one that does not',
      signs((note, self) => self.cosign(note) + self.cosign(body)),
    ],
  ])('takes nothing from a witness that answers with %s', async (_what, answering) => {
    const { witnesses, seal, held } = await world(2, 'any')
    witnesses[1]!.answering = answering
    expect(codes(await seal())).toEqual(['warning witness-refused'])
    expect(await held()).toEqual([[0], []])
    witnesses[0]!.answering = answering
    expect(codes(await seal())).not.toContain('error witness-refused')
    const alone = await world(1, '1')
    alone.witnesses[0]!.answering = answering
    const result = await alone.seal()
    expect(codes(result)).toEqual(['error witness-refused', 'error witness-quorum-missing'])
    expect(result.sealed).toBe(5)
  })

  it('ignores lines of unknown keys', async () => {
    const { witnesses, seal, held } = await world(1, '1')
    witnesses[0]!.answering = signs((note, self) => byOther(note, 'stranger') + self.cosign(note))
    expect(codes(await seal())).toEqual([])
    expect(await held()).toEqual([[0]])
  })

  it('stops at a witness whose state was set back', async () => {
    const { witnesses, seal, grow } = await world(3, '2')
    await seal()
    await grow(10)
    witnesses[0]!.answering = () => conflict(3)
    expect(codes(await seal())).toEqual(['warning witness-rolled-back'])
    expect(witnesses[0]!.asked).toHaveLength(2)
  })

  it.each([
    [10, 'seals nothing'],
    // What they cosigned before they saw more does not count.
    [5, 'says so, where nothing is new,'],
  ])('of %i entries: %s where the witnesses that it needs know a longer log', async (size) => {
    const { witnesses, seal, grow, checkpoints } = await world(3, '2')
    await seal()
    await grow(size)
    for (const witness of witnesses) witness.answering = () => conflict(400)
    const result = await seal()
    expect(new Set(codes(result))).toEqual(
      new Set(['error log-behind-witness', 'error witness-quorum-missing']),
    )
    expect(result).toMatchObject({ size, sealed: 0, checkpoint: 5 })
    expect(await checkpoints()).toHaveLength(1)
    // One that says so alone may lie.
    for (const witness of witnesses.slice(1)) witness.answering = honest
    expect(codes(await seal())).toEqual(['warning log-behind-witness'])
    expect(await checkpoints()).toHaveLength(size > 5 ? 2 : 1)
  })

  it('asks for a key, and for the policy of this log', async () => {
    const { path, policy } = await world(1, '1')
    const witnesses = { policy: policy() }
    await expect(sealHistory(path, { log: LOG, witnesses })).rejects.toThrow(/needs --key/)
    const elsewhere = sealHistory(path, { log: LOG, key: other.privateKey, witnesses })
    await expect(elsewhere).rejects.toThrow(/another log/)
  })
})
