import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { createAuthority } from '../../src/cli/demo/authority.js'
import { MICROS_PER_SECOND } from '../../src/contract/instant.js'
import { type Anchor, readAnchors } from '../../src/time/rfc3161/anchors.js'
import { verifyToken } from '../../src/time/rfc3161/verify-token.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { serveHttp } from '../support/servers.js'
import { put } from '../support/text-file.js'
import { BROKEN, GOOD } from '../time/cases.js'
import { GEN_TIME, type MadeOptions, makeStamp } from '../time/made.js'
import { makeCrl, pem } from '../time/made-certificates.js'
import { entryOf, frozenFolder } from '../time/stamped-folder.js'
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
    openssl('ts', '-query', '-data', join(folder, 'data'), `-${digest}`, '-cert', '-out', out)
  }
  const keys = ['RSA-2048', 'RSA-3072', 'P-256', 'P-384'] as const
  for (const key of keys) {
    for (const depth of [0, 1] as const) {
      for (const day of [undefined, OLD]) {
        const name = [key, depth, day].join('-').replace(/\W+/g, '-')
        makeAll({ folder: join(folder, name), key, depth, day })
      }
    }
  }
  const stranger = new OpensslAuthority({ folder: join(folder, 'other'), key: 'P-256', depth: 0 })
  strangers = { root: stranger.root, anchors: anchorsOf(stranger) }
}, 300_000)

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
  let old = 0
  for (const each of made) {
    const right = await ours(each, DATA, each.anchors)
    expect(right, each.what).toMatchObject({ ok: true, findings: [] })
    const seconds = right.ok ? Math.floor(right.stamp.genTime / MICROS_PER_SECOND) : 0
    // Stamps whose certificates are over today count at the time that they state.
    if (each.authority.options.day === OLD) {
      old++
      const now = Math.floor(Date.now() / 1000)
      expect([each.what, new Date(seconds * 1000).getUTCFullYear()]).toEqual([each.what, 2019])
      expect(opensslVerifies(folder, each.reply, DATA, each.authority.root, now)).toBe(false)
    }
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
  expect(old).toBeGreaterThanOrEqual(50)
})

const ours = ({ reply, query }: Made, data: Uint8Array, anchors: readonly Anchor[]) =>
  verifyToken(reply, data, anchors, { file: 'reply.tsr', query })

// The made stamps of test/time, right ones and those with one check broken, before `openssl ts -verify`.

/** What openssl takes and we do not, by why. */
const STRICTER: readonly string[] = [
  // SHA-1 and short keys: openssl leaves them to its security level.
  ...['an imprint by SHA-1', 'an imprint by SHA-224', 'SHA-1', 'RSA of 1024 bits'],
  ...['a signer certified by SHA-1', 'a link certified by SHA-1'],
  ...['a link of 1024 bits', 'a root of 1024 bits', 'P-521'],
  // What is stated: it reads the time and its accuracy for show alone, and no extension.
  ...['a critical extension of the stamp', 'a time without its zone', 'a day that there is not'],
  ...['a fraction with a zero at its end', 'an accuracy of 1000 thousandths'],
  ...['an accuracy below zero', 'an accuracy that is no small number'],
  // The form of signed attributes: it looks at the first digest, and at no content type.
  ...['no content type', 'another content type', 'a message digest twice'],
  'a message digest of two values',
  // A signer that may be an authority as well, and a purpose above it.
  ...['an authority', 'a link for other purposes'],
]

const revoked = BROKEN.filter(({ check }) => check === '5, revocation')
const others = BROKEN.filter((each) => !revoked.includes(each))

async function verdicts(options: MadeOptions) {
  const { token, data, anchor } = makeStamp(options)
  const root = join(folder, 'root.pem')
  const lists = anchor.crls.map(({ der }) => pem('X509 CRL', der))
  writeFileSync(root, [pem('CERTIFICATE', anchor.certificate.der), ...lists].join(''))
  const { ok } = await verifyToken(token, data, [anchor], { file: 'made.tsr' })
  const time = GEN_TIME.replace(/(....)(..)(..)(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z')
  const more = lists.length > 0 ? ' -crl_check' : ''
  const seconds = Date.parse(time) / 1000
  return { ok, openssl: opensslVerifies(folder, token, data, root, seconds, more) }
}

// RFC 5280, 4.1.2.5: a certificate is valid through the second of notAfter. Openssl ends before it.
const LAST_SECOND = 'a certificate that ends in that second'

test.each(GOOD.filter(([, { scheme }]) => scheme !== 'pss'))(
  'openssl takes it, too: %s',
  async (what, options) => {
    expect(await verdicts(options)).toEqual({ ok: true, openssl: what !== LAST_SECOND })
  },
)

test.each(others)('a broken stamp: $what', async ({ what, options }) => {
  expect(await verdicts(options)).toEqual({ ok: false, openssl: STRICTER.includes(what) })
})

// Openssl looks at the signer alone, and at the first list alone.
const ofSigner = revoked.filter(({ what }) => !/between|two lists/.test(what))

test.each(ofSigner)('openssl, too, finds the signer revoked $what', async ({ options }) => {
  expect(await verdicts(options)).toEqual({ ok: false, openssl: false })
})

test('a list that names no certificate is good for openssl, too', async () => {
  const crls: MadeOptions['crls'] = (rootKey) => [makeCrl({ key: rootKey })]
  expect(await verdicts({ crls })).toEqual({ ok: true, openssl: true })
})

function openssl(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}

test('a sceptic verifies with openssl alone what stamp wrote', async () => {
  const ledger = frozenFolder(2)
  const now = () => Date.now() * 1000
  const authority = await createAuthority({ name: 'alpha', now })
  const anchor = join(ledger, 'anchors', 'alpha.pem')
  put(anchor, authority.anchorPem)
  const url = await serveHttp(async (request, response) => {
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' })
    response.end(await authority.reply(await buffer(request)))
  })
  const ran = await inProcess(['stamp', '--dir', ledger, '--tsa', url, '--format', 'json'])
  const { entry, stamps } = JSON.parse(ran.stdout)
  const verify = (digest: string) =>
    openssl('ts', '-verify', '-digest', digest, '-in', stamps[0].file, '-CAfile', anchor)
  const ok = { status: 0, said: expect.stringContaining('Verification: OK') }
  expect(verify(entry.entry_sha256)).toMatchObject(ok)
  expect(verify(entryOf(ledger, 1).entry_sha256).status).not.toBe(0)
  // The fingerprint that a registration pins is the one that openssl prints.
  const { said } = openssl('x509', '-in', anchor, '-noout', '-fingerprint', '-sha256')
  expect(said.trim().split('=')[1]?.replaceAll(':', '').toLowerCase()).toBe(stamps[0].anchor_sha256)
})

test('an authority of openssl stamps what it is asked, with a certificate in between', async () => {
  const ledger = frozenFolder(1)
  const authority = new OpensslAuthority({
    folder: join(ledger, 'authority'),
    key: 'RSA-3072',
    depth: 1,
  })
  put(join(ledger, 'anchors', 'openssl.pem'), readFileSync(authority.root))
  const url = await serveHttp(async (request, response) => {
    put(join(ledger, 'authority', 'query.tsq'), await buffer(request))
    const answer = authority.reply('query.tsq', 'accuracy=secs:2\ness_cert_id_alg=sha256')
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(answer)
  })
  const ran = await inProcess(['stamp', '--dir', ledger, '--tsa', url])
  expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: '' })
  expect((await inProcess(['verify', ledger])).stdout).toMatch(
    /stamped by 1 of 1 \(openssl [0-9a-f]{32}…\), \S+ ± 2 s; anchors chosen by the writer/,
  )
})

test('a request that is written without network is, but for its nonce, what openssl writes', async () => {
  const ledger = frozenFolder(1)
  const [ours, theirs] = ['ours.tsq', 'theirs.tsq'].map((name) => join(ledger, name)) as [
    string,
    string,
  ]
  expect((await inProcess(['stamp', '--dir', ledger, '--query', ours])).code).toBe(0)
  const { entry_sha256 } = entryOf(ledger, 1)
  openssl('ts', '-query', '-digest', entry_sha256, '-sha256', '-cert', '-out', theirs)
  const shown = (query: string) => openssl('ts', '-query', '-in', query, '-text').said
  const nonce = /Nonce: 0x[0-9A-F]{10,16}\n/
  expect(shown(ours)).toMatch(nonce)
  expect(shown(ours).replace(nonce, '')).toBe(shown(theirs).replace(nonce, ''))
  expect(shown(ours)).toContain('Certificate required: yes')
})
