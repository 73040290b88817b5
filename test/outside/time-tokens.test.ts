import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { MICROS_PER_SECOND } from '../../src/contract/instant.js'
import { type Anchor, readAnchors } from '../../src/time/rfc3161/anchors.js'
import { timeStampQuery } from '../../src/time/rfc3161/structures.js'
import { verifyToken } from '../../src/time/rfc3161/verify-token.js'
import { temporaryFolder } from '../support/folder.js'
import {
  type Digest,
  OpensslAuthority,
  type OpensslAuthorityOptions,
  opensslCmsVerifies,
  opensslVerifies,
} from './openssl-authority.js'

// Stamps of authorities made with openssl: its verdict on each of them is ours, whether the data is right,
// wrong, or the root is that of another.

const folder = temporaryFolder()

const DATA = Buffer.from('{"kind":"registration","seq":3}')
const OTHER_DATA = Buffer.from('{"kind":"registration","seq":4}')
const OLD = '2019-05-01'
const DIGESTS: readonly Digest[] = ['sha256', 'sha384', 'sha512']
const ACCURACIES = ['', 'accuracy=secs:1,millisecs:500,microsecs:100']
const DETAILS = [
  'ess_cert_id_alg=sha1\nordering=yes',
  'tsa_name=yes\ness_cert_id_chain=yes\nclock_precision_digits=6',
]

interface Made {
  readonly what: string
  readonly authority: OpensslAuthority
  readonly reply: Buffer
  readonly query: Buffer
  readonly anchors: readonly Anchor[]
  readonly byPss: boolean
}

const made: Made[] = []
let strangers: { root: string; anchors: readonly Anchor[] }

function anchorsOf(authority: OpensslAuthority): Anchor[] {
  const anchors = join(authority.options.folder, 'anchors')
  mkdirSync(anchors)
  copyFileSync(authority.root, join(anchors, 'example.pem'))
  return readAnchors(anchors)
}

beforeAll(() => {
  writeFileSync(join(folder, 'data'), DATA)
  for (const digest of DIGESTS) {
    const out = join(folder, `${digest}.tsq`)
    execFileSync('openssl', ['ts', '-query', '-data', 'data', `-${digest}`, '-cert', '-out', out], {
      cwd: folder,
      stdio: 'pipe',
    })
  }
  const keys = ['RSA-2048', 'RSA-3072', 'P-256', 'P-384'] as const
  for (const key of keys) {
    for (const depth of [0, 1] as const) {
      for (const day of [undefined, OLD])
        makeAll({ folder: nameOf(key, depth, day), key, depth, day })
    }
  }
  const stranger = new OpensslAuthority({ folder: join(folder, 'other'), key: 'P-256', depth: 0 })
  strangers = { root: stranger.root, anchors: anchorsOf(stranger) }
}, 300_000)

const nameOf = (...parts: readonly unknown[]) => join(folder, parts.join('-').replace(/\W+/g, '-'))

function makeAll(options: OpensslAuthorityOptions): void {
  const isRsa = options.key.startsWith('RSA')
  const authority = new OpensslAuthority({ ...options, padding: isRsa ? 'pss' : 'pkcs1' })
  const anchors = anchorsOf(authority)
  const add = (digest: Digest, config: string, byPss: boolean) => {
    const file = join(folder, `${digest}.tsq`)
    const reply = byPss ? authority.replyByPss(file, config, digest) : authority.reply(file, config)
    const what = `${options.key}${byPss ? ' by PSS' : ''}, ${digest}, ${options.depth} between, ${options.day ?? 'now'}, ${config || 'no accuracy'}`
    made.push({ what, authority, reply, query: readFileSync(file), anchors, byPss })
  }
  for (const digest of DIGESTS) {
    for (const accuracy of ACCURACIES) {
      add(digest, accuracy, false)
      if (isRsa && options.day === undefined) add(digest, accuracy, true)
    }
  }
  for (const detail of DETAILS) add('sha256', detail, false)
}

test('each verdict is that of openssl', async () => {
  expect(made.length).toBeGreaterThanOrEqual(120)
  const verdicts = { accepted: 0, refused: 0 }
  for (const each of made) {
    const right = await ours(each, DATA, each.anchors)
    expect(right.findings, each.what).toEqual([])
    expect(right.ok, each.what).toBe(true)
    const seconds = right.ok ? Math.floor(right.stamp.genTime / MICROS_PER_SECOND) : 0
    for (const [data, root, anchors] of [
      [DATA, each.authority.root, each.anchors],
      [OTHER_DATA, each.authority.root, each.anchors],
      [DATA, strangers.root, strangers.anchors],
    ] as const) {
      const { ok } = await ours(each, data, anchors)
      verdicts[ok ? 'accepted' : 'refused'] += 1
      const expected = each.byPss
        ? opensslCmsVerifies(folder, each.reply, root, seconds) && data === DATA
        : opensslVerifies(folder, each.reply, data, root, seconds)
      expect({ what: each.what, ok }).toEqual({ what: each.what, ok: expected })
    }
  }
  expect(verdicts).toEqual({ accepted: made.length, refused: 2 * made.length })
})

const ours = ({ reply, query }: Made, data: Uint8Array, anchors: readonly Anchor[]) =>
  verifyToken(reply, data, anchors, { file: 'reply.tsr', query })

test('stamps whose certificates are over today count at the time that they state', async () => {
  const old = made.filter(({ authority }) => authority.options.day === OLD)
  expect(old.length).toBeGreaterThanOrEqual(50)
  for (const each of old) {
    const result = await ours(each, DATA, each.anchors)
    const year = result.ok && new Date(result.stamp.genTime / 1000).getUTCFullYear()
    expect({ what: each.what, year }).toEqual({ what: each.what, year: 2019 })
    const now = Math.floor(Date.now() / 1000)
    expect(opensslVerifies(folder, each.reply, DATA, each.authority.root, now)).toBe(false)
  }
})

test('a request is, but for its nonce, what openssl writes', () => {
  const file = join(folder, 'ours.tsq')
  const nonce = Uint8Array.of(0x80, 1, 2, 3, 4, 5, 6, 7)
  writeFileSync(file, timeStampQuery(DATA, nonce))
  const shown = (query: string) =>
    execFileSync('openssl', ['ts', '-query', '-in', query, '-text'], { stdio: 'pipe' })
      .toString()
      .replace(/Nonce: 0x[0-9A-F]+/, 'Nonce')
  expect(shown(file)).toBe(shown(join(folder, 'sha256.tsq')))
})
