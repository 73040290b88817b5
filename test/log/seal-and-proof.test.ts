import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createAuthority } from '../../src/cli/demo/authority.js'
import { ForeproofError } from '../../src/contract/error.js'
import { checkedInstant } from '../../src/contract/instant.js'
import { importResources } from '../../src/history/import/import.js'
import { createEntryProof } from '../../src/history/prove.js'
import { sealHistory } from '../../src/history/seal.js'
import { verifyHistory } from '../../src/history/verify.js'
import { type LogProof, type VerifyProofOptions, verifyProof } from '../../src/log/check-proof.js'
import { parseCheckpoint } from '../../src/log/checkpoint.js'
import { cosign } from '../../src/log/cosignature.js'
import { computeRoot, leafHash } from '../../src/log/merkle.js'
import { parseNote, signNote } from '../../src/log/note.js'
import { parsePolicy } from '../../src/log/policy.js'
import { KEY_TYPE, toVerifierKey } from '../../src/log/verifier-key.js'
import { toAnchor } from '../../src/time/rfc3161/anchors.js'
import { parseCertificate } from '../../src/time/rfc3161/certificate.js'
import { sample, samples } from '../history/samples.js'
import {
  addRows,
  allOf,
  alter,
  historyOf,
  inBatches,
  leaveUnfinished,
  opened,
  writeOld,
  writeProducer,
} from '../history/support.js'
import { freshPaths, temporaryFolder } from '../support/folder.js'
import { LOG, tokenOver } from './sealed.js'

const folder = temporaryFolder()
const fresh = freshPaths(folder)

const attempt = {
  origin_at: '2026-01-01T05:00:00Z',
  model_name: 'alpha',
  horizon_hours: 2,
  status: 'failed',
  reason: 'no data',
  recorded_at: '2026-01-01T05:01:00Z',
}
const imported = () => historyOf([...samples(0, 4), attempt])

async function read(path: string) {
  const reader = opened(path)
  const entries = await inBatches(reader.logEntries(0, 1e9))
  const checkpoints = await allOf(reader.checkpoints())
  const roots = await Promise.all(
    checkpoints.map(({ size }) =>
      computeRoot(size, (level, index) => reader.logHash(level, index)),
    ),
  )
  return { entries, checkpoints, roots }
}

describe('the entries of an import', () => {
  it('are those of a row that is read back, also where the tables cannot say all of it', async () => {
    const origin_at = '2026-01-01T03:00:00Z'
    const { lineage } = sample()
    const values = [
      ...samples(0, 3),
      {
        ...sample({ hour: 3 }),
        later: { b: 1, a: [1.5, -0, 1e21] },
        origin_at,
        forecast_id: `${origin_at}:alpha:2`,
        lineage: {
          ...lineage,
          history_key: { ...lineage.history_key, origin_at },
          provenance: { vintage_id: 'v', input_available_at: '2026-01-01T02:00:00.5Z' },
        },
      },
      {
        ...sample({ hour: 4 }),
        interval: { level: 0.9, lower_usd: null, median_usd: null, upper_usd: null },
      },
      attempt,
      {
        ...attempt,
        model_name: 'é\u2028',
        recorded_at: undefined,
        provenance: { vintage_id: 'w' },
      },
    ]
    const path = fresh()
    const { findings } = await importResources(path, JSON.parse(JSON.stringify(values)), { now: 0 })
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    // It holds each row, as it is read, against its entry.
    expect((await verifyHistory(path)).findings).toEqual([])
    const { entries } = await read(path)
    expect(entries).toHaveLength(values.length)
    const again = await importResources(path, JSON.parse(JSON.stringify(values)), { now: 0 })
    expect(again.written).toBe(0)
    expect((await read(path)).entries).toEqual(entries)
  })

  it('are the canonical text of the resource, without its freshness', async () => {
    const { entries } = await read(await historyOf([attempt]))
    const text =
      '{"horizon_hours":2,"model_name":"alpha","origin_at":"2026-01-01T05:00:00+00:00","reason":"no data","recorded_at":"2026-01-01T05:01:00+00:00","status":"failed"}'
    expect(entries.map(({ leaf }) => Buffer.from(leaf))).toEqual([leafHash(text)])
  })

  it('are none for what is refused or in conflict', async () => {
    const path = await historyOf([sample()])
    const other = { ...sample(), target_at: 'never' }
    await importResources(path, [sample({ hour: 7 }), other], { now: 0 })
    const conflict = { ...sample(), estimate: { price_usd: 50_000, change_pct: 0 } }
    await importResources(path, [conflict], { now: 0 })
    expect((await read(path)).entries).toHaveLength(1)
  })
})

describe('sealing', () => {
  it('writes a checkpoint over all entries, and none where nothing is new', async () => {
    const path = await imported()
    const first = { log: LOG, size: 5, appended: 0, left: 0, sealed: 5, checkpoint: 5 }
    expect(await sealHistory(path, { log: LOG })).toMatchObject(first)
    expect(await sealHistory(path)).toMatchObject({ size: 5, sealed: 0, checkpoint: 5 })
    await importResources(path, samples(6, 8), { now: 0 })
    expect(await sealHistory(path)).toMatchObject({ size: 7, sealed: 2, checkpoint: 7 })
    const { checkpoints, roots } = await read(path)
    expect(checkpoints.map(({ note }) => parseCheckpoint(note))).toEqual(
      [5, 7].map((size, at) => expect.objectContaining({ origin: LOG, size, root: roots[at] })),
    )
  })

  it('goes on where a seal was killed while it wrote', async () => {
    const [whole, path] = [await historyOf(samples(0, 200)), fresh()]
    leaveUnfinished(whole, path, "UPDATE foreproof_log_entries SET model_name = 'other'")
    expect(await sealHistory(path, { log: LOG })).toMatchObject({ size: 200, sealed: 200 })
    expect((await verifyHistory(path)).findings).toEqual([])
  })

  it('keeps the first name; without one or with one that no key can have it writes nothing', async () => {
    const path = await imported()
    for (const log of [undefined, 'two words']) {
      await expect(sealHistory(path, { log })).rejects.toMatchObject({ code: 'usage' })
    }
    expect((await read(path)).checkpoints).toEqual([])
    await sealHistory(path, { log: LOG })
    await expect(sealHistory(path, { log: 'other' })).rejects.toMatchObject({ code: 'refused' })
    const absent = sealHistory(join(folder, 'absent'), { log: LOG })
    await expect(absent).rejects.toMatchObject({ code: 'not-found' })
  })

  it("appends the rows of a producer's program, also of an old layout, but for an origin in another form", async () => {
    const path = fresh()
    writeProducer(
      path,
      [0, 2, 1].map((hour) => ({ hour, model: 'm', horizon: 2 })),
    )
    expect(await sealHistory(path, { log: LOG })).toMatchObject({ appended: 3, sealed: 3 })
    addRows(path, [{ hour: 3, model: 'm', horizon: 2 }])
    const spelt = "SET origin_at = replace(origin_at, '+00:00', 'Z')"
    alter(
      path,
      `PRAGMA foreign_keys = OFF; UPDATE forecast_predictions ${spelt}; UPDATE forecast_origins ${spelt}`,
    )
    expect(await sealHistory(path)).toMatchObject({ appended: 0, left: 4, sealed: 0 })
    const old = fresh()
    writeOld(old, ", ('2026-01-01T00:00:00+00:00', 'a', 3, 'never', 6, 1)")
    expect(await sealHistory(old, { log: LOG })).toMatchObject({ appended: 1, left: 1, sealed: 1 })
    expect(await sealHistory(old)).toMatchObject({ appended: 0, left: 1, sealed: 0 })
  })

  it('does not go on from a log that is another than what was sealed', async () => {
    const path = await imported()
    await sealHistory(path, { log: LOG })
    const change = 'UPDATE foreproof_log_entries SET leaf_hash = ? WHERE leaf_index = 2'
    alter(path, change, leafHash('other'))
    await importResources(path, samples(4, 5), { now: 0 })
    await expect(sealHistory(path)).rejects.toMatchObject({ code: 'invalid-input' })
    expect((await read(path)).checkpoints).toHaveLength(1)
  })

  it('has the newest checkpoint stamped by each authority that is named, once', async () => {
    const path = await imported()
    const asked: string[] = []
    const down = new Set<string>(['b'])
    const stamp = async (url: string, body: Uint8Array) => {
      asked.push(url)
      if (down.has(url)) throw new ForeproofError('io', `${url}: no answer`)
      return { authority: url.toUpperCase(), token: body }
    }
    const seal = async (...authorities: string[]) => {
      const sealed = await sealHistory(path, { log: LOG, authorities, stamp })
      return [sealed.sealed, sealed.stamps, sealed.failures.length]
    }
    expect(await seal('a', 'b')).toEqual([5, ['A'], 1])
    down.add('a').delete('b')
    expect(await seal('a', 'b')).toEqual([0, ['A', 'B'], 0])
    expect(await seal('c')).toEqual([0, ['A', 'B', 'C'], 0])
    expect(await seal('c', 'a', 'b')).toEqual([0, ['A', 'B', 'C'], 0])
    expect(asked).toEqual(['a', 'b', 'b', 'c'])
    const [checkpoint] = (await read(path)).checkpoints
    const [bytes] = checkpoint?.stamps ?? []
    expect(Buffer.from(bytes?.token ?? []).toString()).toBe(checkpoint?.note)
  })
})

describe('the registrations of a ledger', () => {
  const [first, second] = ['1', '2'].map((digit) => digit.repeat(64)) as [string, string]

  it('are entries of the log, each once, also before there is any row', async () => {
    const path = fresh()
    await expect(sealHistory(path, { log: LOG })).rejects.toThrow(/no such file/)
    const one = await sealHistory(path, { log: LOG, registrations: [first] })
    expect(one).toMatchObject({ size: 1, sealed: 1 })
    expect(await sealHistory(path, { registrations: [first] })).toMatchObject({ sealed: 0 })
    await importResources(path, samples(0, 2), { now: 0 })
    expect(await sealHistory(path, { registrations: [first, second] })).toMatchObject({ size: 4 })
    const { entries, checkpoints } = await read(path)
    // SHA-256 of a zero byte and the canonical form.
    const leaf = leafHash(`{"entry_sha256":"${first}"}`)
    expect(entries[0]).toMatchObject({ index: 0, key: undefined })
    expect(Buffer.from(entries[0]!.leaf)).toEqual(Buffer.from(leaf))
    expect(checkpoints.map(({ size }) => size)).toEqual([1, 4])
    expect(await verifyHistory(path)).toMatchObject({ findings: [] })
    // One that is not said to be one belongs to no row.
    alter(path, "DELETE FROM foreproof_meta WHERE key LIKE 'registrations%'")
    const { findings } = await verifyHistory(path)
    expect(findings.map(({ code }) => code)).toEqual(['log-rewritten'])
  })
})

const KEY = '2026-01-01T02:00:00Z:alpha:2'
const keys = generateKeyPairSync('ed25519')
const now = () => checkedInstant('2026-01-01T06:00:00Z')
let path = ''
let proof: LogProof
let sha256 = ''

const prove = (key = KEY) => createEntryProof(opened(path), key)

const check = (value: unknown, options: Partial<VerifyProofOptions> = {}) =>
  verifyProof(Buffer.from(JSON.stringify(value)), {
    file: 'proof.json',
    now: 1_800_000_000,
    ...options,
  })
const codes = async (value: unknown, options: Partial<VerifyProofOptions> = {}) =>
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
      const { text } = toVerifierKey(name, privateKey, KEY_TYPE.cosignature)
      const { line } = cosign(parseNote(checkpoint)!.body, name, privateKey, 1_700_000_000 + at)
      return { line, witness: `witness ${name} ${text}\n` }
    })
    const own = `log ${toVerifierKey('example.org/log', keys.privateKey).text}\n`
    const strange = `log ${toVerifierKey('example.org/other', keys.privateKey).text}\n`
    const both = `${made.map(({ witness }) => witness).join('')}group g all a b\nquorum g\n`
    const cosigned = { ...proof, checkpoint: checkpoint + made.map(({ line }) => line).join('') }
    const one = { ...proof, checkpoint: checkpoint + made[0]!.line }
    const trusting = (text: string) => ({ pinned: [sha256], policy: parsePolicy(text, 'policy') })
    expect(await check(cosigned, trusting(own + both))).toMatchObject({
      findings: [],
      witnessedAt: 1_700_000_001,
    })
    expect(await codes(cosigned, trusting(both))).toEqual([])
    expect(await codes(cosigned, trusting(strange + both))).toEqual(['proof-unwitnessed'])
    // The key of the log that is trusted has signed this one too, under the other name.
    const name = 'example.org/other'
    const line = signNote(parseNote(checkpoint)!.body, name, keys.privateKey).split('\n\n')[1]!
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
    const certificate = parseCertificate(new X509Certificate(other.anchorPem).raw)
    const foreign = toAnchor('test', 'test.pem', certificate)
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
