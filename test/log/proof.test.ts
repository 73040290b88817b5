import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createAuthority } from '../../src/cli/demo/authority.js'
import { checkedInstant } from '../../src/contract/instant.js'
import { importResources } from '../../src/history/import/import.js'
import { proveEntry } from '../../src/history/prove.js'
import { sealHistory } from '../../src/history/seal.js'
import { type CheckProofOptions, checkProof, type LogProof } from '../../src/log/check-proof.js'
import { cosign } from '../../src/log/cosignature.js'
import { readNote, signNote } from '../../src/log/note.js'
import { readPolicy } from '../../src/log/policy.js'
import { KEY_TYPE, verifierKey } from '../../src/log/verifier-key.js'
import { anchorOf } from '../../src/time/rfc3161/anchors.js'
import { readCertificate } from '../../src/time/rfc3161/certificate.js'
import { sample, samples } from '../history/samples.js'
import { alter, historyOf, opened } from '../history/support.js'
import { tokenOver } from './sealed.js'

const KEY = '2026-01-01T02:00:00Z:alpha:2'
const keys = generateKeyPairSync('ed25519')
const now = () => checkedInstant('2026-01-01T06:00:00Z')
let path = ''
let proof: LogProof
let sha256 = ''

const prove = (key = KEY) => proveEntry(opened(path), key)

const check = (value: unknown, options: Partial<CheckProofOptions> = {}) =>
  checkProof(Buffer.from(JSON.stringify(value)), {
    file: 'proof.json',
    now: 1_800_000_000,
    ...options,
  })
const codes = async (value: unknown, options: Partial<CheckProofOptions> = {}) =>
  (await check(value, options)).findings.map(({ code }) => code)

beforeAll(async () => {
  const authority = await createAuthority({ name: 'Test', now })
  const certificate = new X509Certificate(authority.anchorPem)
  sha256 = certificate.fingerprint256.replaceAll(':', '').toLowerCase()
  path = await historyOf(samples(0, 5))
  await sealHistory(path, {
    log: 'example.org/log',
    key: keys.privateKey,
    authorities: ['a'],
    stamp: async (_url, body) => ({ authority: 'test', token: await tokenOver(authority, body) }),
  })
  const der = Buffer.from(certificate.raw).toString('base64')
  proof = { ...(await prove()), anchors: [{ name: 'test', sha256, der }] }
})

describe('a proof out of a log', () => {
  it('shows when the witnesses had cosigned that the checker trusts', async () => {
    const { checkpoint } = proof
    const made = ['a', 'b'].map((name, at) => {
      const { privateKey } = generateKeyPairSync('ed25519')
      const { text } = verifierKey(name, privateKey, KEY_TYPE.cosignature)
      const { line } = cosign(readNote(checkpoint)!.body, name, privateKey, 1_700_000_000 + at)
      return { line, witness: `witness ${name} ${text}\n` }
    })
    const own = `log ${verifierKey('example.org/log', keys.privateKey).text}\n`
    const strange = `log ${verifierKey('example.org/other', keys.privateKey).text}\n`
    const both = `${made.map(({ witness }) => witness).join('')}group g all a b\nquorum g\n`
    const cosigned = { ...proof, checkpoint: checkpoint + made.map(({ line }) => line).join('') }
    const one = { ...proof, checkpoint: checkpoint + made[0]!.line }
    const trusting = (text: string) => ({ pinned: [sha256], policy: readPolicy(text, 'policy') })
    expect(await check(cosigned, trusting(own + both))).toMatchObject({
      findings: [],
      witnessedAt: 1_700_000_001,
    })
    expect(await codes(cosigned, trusting(both))).toEqual([])
    expect(await codes(cosigned, trusting(strange + both))).toEqual(['proof-unwitnessed'])
    // The key of the log that is trusted has signed this one too, under the other name.
    const name = 'example.org/other'
    const line = signNote(readNote(checkpoint)!.body, name, keys.privateKey).split('\n\n')[1]!
    const crossed = { ...cosigned, checkpoint: cosigned.checkpoint + line }
    expect(await codes(crossed, trusting(strange + both))).toEqual(['proof-unwitnessed'])
    expect(await codes(one, trusting(own + both))).toEqual(['proof-unwitnessed'])
    expect(await check(cosigned, { pinned: [sha256] })).toMatchObject({ witnessedAt: null })
  })

  it('shows the entry, its log and when it was there', async () => {
    const checked = await check(proof, { pinned: [sha256], key: createPublicKey(keys.privateKey) })
    expect(checked).toMatchObject({ log: 'example.org/log', index: 2, size: 5, findings: [] })
    const entry = { model: { name: 'alpha' }, horizon_hours: 2 }
    expect(JSON.parse(checked.entry ?? '')).toMatchObject(entry)
    expect(checked.stamps).toMatchObject([{ authority: 'test', pinned: true }])
  })

  it('says what is not pinned, and what has no stamp; a token that is there twice counts once', async () => {
    const { stamps, findings } = await check({
      ...proof,
      stamps: [...proof.stamps, ...proof.stamps],
    })
    expect(stamps.map(({ authority }) => authority)).toEqual(['test'])
    expect(findings.map(({ code }) => code)).toEqual(['proof-unpinned'])
    expect(await codes({ ...proof, anchors: [] })).toEqual(['stamp-untrusted'])
    expect(await codes({ ...proof, stamps: [] })).toEqual(['proof-unstamped'])
  })

  it('does not hold where none of those whom the checker trusts has stamped it', async () => {
    const other = await createAuthority({ name: 'Other', now })
    const certificate = readCertificate(new X509Certificate(other.anchorPem).raw)
    const foreign = anchorOf('test', 'test.pem', certificate)
    for (const trust of [{ anchors: [foreign] }, { anchors: [] }, { pinned: ['a'.repeat(64)] }]) {
      const unstamped = await codes({ ...proof, stamps: [] }, trust)
      expect(unstamped).toEqual(['proof-unstamped', 'proof-untrusted'])
      const { findings } = await check(proof, trust)
      expect(findings.map(({ code }) => code)).toEqual(['proof-unpinned', 'proof-untrusted'])
      expect(findings.at(-1)?.severity).toBe('error')
    }
  })

  it('does not hold with another key, entry, place, path or checkpoint', async () => {
    const other = createPublicKey(generateKeyPairSync('ed25519').privateKey)
    expect(await codes(proof, { key: other })).toEqual(['proof-signature'])
    const [first = '', ...rest] = proof.path
    for (const changed of [
      { entry: proof.entry.replace('alpha', 'beta') },
      { index: 3 },
      { index: 5 },
      { path: rest },
      { path: [...rest, first] },
      { checkpoint: proof.checkpoint.replace('\n5\n', '\n4\n') },
    ]) {
      expect(await codes({ ...proof, ...changed })).toEqual(['proof-root'])
    }
    const renamed = { ...proof, checkpoint: proof.checkpoint.replace('example.org/log', 'other') }
    expect(await codes(renamed, { pinned: [sha256] })).toEqual(['stamp-imprint'])
  })

  it.each([
    { proof_version: 2 },
    { index: -1 },
    { index: '2' },
    ...[1, 'no', '{"a": 1}', '{"a":1,"a":2}'].map((entry) => ({ entry })),
    ...[['00'], Array(65).fill('0'.repeat(64))].map((path) => ({ path })),
    { checkpoint: 'no' },
    ...[{}, { authority: 'a', token: '!' }].map((one) => ({ stamps: [one] })),
    ...[[{ name: 'a', der: 'AAAA' }], 'a'].map((anchors) => ({ anchors })),
  ])('is refused where it is none: %j', async (changed) => {
    expect(await codes({ ...proof, ...changed })).toEqual(['proof-malformed'])
  })

  it('is none where it is no object of these members', async () => {
    for (const none of [null, [], {}]) expect(await codes(none)).toEqual(['proof-malformed'])
  })

  it('is not made of what is no key, not there, not sealed, or another row now', async () => {
    await expect(prove('alpha')).rejects.toMatchObject({ code: 'usage' })
    await expect(prove(KEY.replace('alpha', 'beta'))).rejects.toMatchObject({ code: 'not-found' })
    await importResources(path, [sample({ hour: 9 })], { now: 0 })
    const late = KEY.replace('T02', 'T09')
    await expect(prove(late)).rejects.toMatchObject({ code: 'refused' })
    alter(path, 'UPDATE forecast_predictions SET predicted_price_usd = 1')
    await expect(prove()).rejects.toMatchObject({ code: 'refused' })
  })
})
