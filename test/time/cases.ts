import type { Code } from '../../src/contract/findings/finding.js'
import { explicit, implicit, int, name, octets, oid, seq, yes } from './der-writer.js'
import { ATTRIBUTE, attribute, certificateNamed, DATA, GEN_TIME, type MadeOptions } from './made.js'
import {
  digestOf,
  EXTENSION,
  keyFor,
  type MadeExtension,
  makeCrl,
  TIME_STAMPING,
} from './made-certificates.js'

const TSA = EXTENSION.purposes(true, TIME_STAMPING)
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3'
/** A signer, or a link above it, with these extensions alone. */
const signer = (...extensions: MadeExtension[]): MadeOptions => ({ signer: { extensions } })
const link = (...extensions: MadeExtension[]): MadeOptions => ({ depth: 1, middle: { extensions } })

/** Stamps that hold. */
export const GOOD: readonly (readonly [string, MadeOptions])[] = [
  ['as usual', {}],
  ['a signer below another authority', { depth: 1 }],
  ['RSA of 2048 bits', { keys: { root: 'RSA-2048', signer: 'RSA-2048' } }],
  ['PSS', { keys: { signer: 'RSA-2048' }, scheme: 'pss', hash: 'SHA-512' }],
  ['P-384', { keys: { root: 'P-384', signer: 'P-384' }, hash: 'SHA-384' }],
  ['an imprint by SHA-384', { imprintHash: 'SHA-384' }],
  ['an imprint by SHA-512', { imprintHash: 'SHA-512' }],
  ['granted with changes', { status: seq(int(1)) }],
  ['no key usage', signer(TSA)],
  ['an unknown extension that is not critical', signer(TSA, EXTENSION.unknown(false))],
  [
    'a certificate that has ended by now',
    { signer: { from: '20261101000000Z', to: '20261201000000Z' } },
  ],
  ['a certificate that ends in that second', { signer: { to: GEN_TIME } }],
  ['a certificate that begins in that second', { signer: { from: GEN_TIME } }],
  ['a root that signed itself by SHA-1, since it is pinned', { root: { hash: 'SHA-1' } }],
  [
    'the first version of signingCertificate',
    {
      attributes: ([a, b], _, signer) => [a!, b!, certificateNamed('SHA-1', signer)],
    },
  ],
]

const changed = (bytes: Uint8Array, at = -1): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  const place = at < 0 ? copy.length + at : at
  copy[place] = copy[place]! ^ 1
  return copy
}

/** A list of the root in which one certificate is revoked. */
export const revoking =
  (serial: number, at: string, reason?: number): NonNullable<MadeOptions['crls']> =>
  (rootKey) => [
    makeCrl({ key: rootKey, revoked: [{ serial, at, ...(reason !== undefined && { reason }) }] }),
  ]

/** What is wrong with a stamp: by the check that finds it and the finding that says so. */
const CASES: Record<string, Partial<Record<Code, Record<string, MadeOptions>>>> = {
  '1, what is stated': {
    'stamp-refused': {
      'a rejection': { without: 'token', status: seq(int(2)) },
      'a rejection with a token': { status: seq(int(2)) },
      'granted, and no token': { without: 'token' },
    },
    'stamp-content': {
      'another content': { contentType: '1.2.840.113549.1.7.1' },
      'version 2': { version: 2 },
      'a version of nine octets': { version: 2 ** 50 },
      'two signers': { signers: (info) => [info, info] },
      'no signer': { signers: () => [] },
      'a critical extension of the stamp': {
        extensions: explicit(1, seq(oid('1.2.3'), yes(), octets(int(1)))),
      },
      'a time without its zone': { genTime: '20261122100003' },
      'a day that there is not': { genTime: '20261131100003Z' },
      'a fraction with a zero at its end': { genTime: '20261122100003.10Z' },
      'an accuracy of 1000 thousandths': { accuracy: seq(implicit(0, Uint8Array.of(3, 232))) },
      'an accuracy below zero': { accuracy: seq(Uint8Array.of(2, 1, 0xff)) },
      'an accuracy that is no small number': { accuracy: seq(int(new Uint8Array(9).fill(1))) },
    },
    'stamp-weak': {
      'an imprint by SHA-1': { imprintHash: 'SHA-1' },
      'an imprint by SHA-224': { imprintHash: 'SHA-224' },
    },
  },
  '2, the signature': {
    'stamp-signature': {
      'another signature': { signature: (made) => changed(made) },
      'no signature': { signature: () => new Uint8Array() },
      'no signed attributes': { without: 'attributes' },
      'no content type': { attributes: ([, b, c]) => [b!, c!] },
      'another content type': {
        attributes: ([, b, c]) => [
          attribute(ATTRIBUTE.contentType, oid('1.2.840.113549.1.7.1')),
          ...[b!, c!],
        ],
      },
      'no message digest': { attributes: ([a, , c]) => [a!, c!] },
      'the digest of another content': {
        attributes: ([a, , c]) => [
          a!,
          attribute(ATTRIBUTE.messageDigest, octets(digestOf('SHA-256', DATA))),
          c!,
        ],
      },
      'a message digest twice': { attributes: ([a, b, c]) => [a!, b!, b!, c!] },
      'a message digest of two values': {
        attributes: ([a, , c], content) => {
          const digest = octets(digestOf('SHA-256', content))
          return [a!, attribute(ATTRIBUTE.messageDigest, digest, digest), c!]
        },
      },
      'no signing certificate': { attributes: ([a, b]) => [a!, b!] },
      'the name of another certificate': {
        attributes: ([a, b]) => [a!, b!, certificateNamed('SHA-256', DATA)],
      },
      'the right certificate with another serial number': {
        attributes: ([a, b], _, signer) => {
          const serial = seq(seq(explicit(4, name('Root'))), int(9))
          const named = seq(octets(digestOf('SHA-256', signer)), serial)
          return [a!, b!, attribute(ATTRIBUTE.signingCertificateV2, seq(seq(named)))]
        },
      },
      'a first version that names another certificate beside a right second one': {
        attributes: ([a, b, c]) => [a!, b!, certificateNamed('SHA-1', DATA), c!],
      },
    },
    'stamp-weak': {
      'SHA-1': { hash: 'SHA-1' },
      'SHA-1 in the signature alone': { signatureHash: 'SHA-1' },
      'two different hashes': { signatureHash: 'SHA-384' },
      'SHA-1 in PSS': { keys: { signer: 'RSA-2048' }, hash: 'SHA-1', scheme: 'pss' },
      'RSA of 1024 bits': { keys: { signer: 'RSA-1024' } },
      'P-521': { keys: { signer: 'P-521' } },
      Ed25519: { keys: { signer: 'Ed25519' } },
    },
    'stamp-signer-missing': {
      'no certificate': { certificates: () => [] },
    },
  },
  '3, the signer': {
    'stamp-signer': {
      'no purpose': signer(),
      'a purpose that is not critical': signer(EXTENSION.purposes(false, TIME_STAMPING)),
      'a second purpose': signer(EXTENSION.purposes(true, TIME_STAMPING, CODE_SIGNING)),
      'any purpose': signer(EXTENSION.purposes(true, '2.5.29.37.0')),
      'an authority': signer(TSA, EXTENSION.authority()),
      'a key for certificates': signer(TSA, EXTENSION.usage(0x84, 2)),
      'a key for encryption': signer(TSA, EXTENSION.usage(0x20, 5)),
      'an unknown critical extension': signer(TSA, EXTENSION.unknown(true)),
    },
    'stamp-malformed': { 'its purpose twice': signer(TSA, TSA) },
  },
  '4, the chain': {
    'stamp-untrusted': {
      'a signer of another authority': { signer: { issuer: 'Nobody' } },
      'the name of the root under another key': {
        signer: { issuerKey: keyFor('somebody else', 'P-256') },
      },
      'a link that is missing': { depth: 1, certificates: ([signer]) => [signer!] },
    },
    'stamp-certificate': {
      'a signer that was over': { signer: { to: '20261122100002Z' } },
      'a signer that was to come': { signer: { from: '20261122100004Z' } },
      'a root that was over': { root: { to: '20261122100002Z' } },
      'a link between that was over': { depth: 1, middle: { to: '20261122100002Z' } },
      'a link that is no authority': link(EXTENSION.noAuthority),
      'a link without constraints': link(),
      'a link whose key may not certify': link(EXTENSION.authority(), EXTENSION.usage(0x80, 7)),
      'a root that allows no link': { depth: 1, root: { extensions: [EXTENSION.authority(0)] } },
      'a link for other purposes': link(
        EXTENSION.authority(),
        EXTENSION.purposes(false, CODE_SIGNING),
      ),
      'an unknown critical extension of a link': link(
        EXTENSION.authority(),
        EXTENSION.unknown(true),
      ),
    },
    'stamp-weak': {
      'a signer certified by SHA-1': { signer: { hash: 'SHA-1' } },
      'a link certified by SHA-1': { depth: 1, middle: { hash: 'SHA-1' } },
      'a link of 1024 bits': { depth: 1, keys: { middle: 'RSA-1024' } },
      'a root of 1024 bits': { keys: { root: 'RSA-1024' } },
    },
  },
  '5, revocation': {
    'stamp-revoked': {
      'before the stamp': { crls: revoking(3, '20261122100002Z', 4) },
      'after the stamp, for a lost key': { crls: revoking(3, '20261201000000Z', 1) },
      'after the stamp, for no reason': { crls: revoking(3, '20261201000000Z') },
      'a link between': { depth: 1, crls: revoking(2, '20261101000000Z', 1) },
      'in one of two lists': {
        crls: (rootKey) => [
          makeCrl({ key: rootKey, to: '20261122120000Z' }),
          makeCrl({ key: rootKey, revoked: [{ serial: 3, at: '20261122100002Z', reason: 1 }] }),
        ],
      },
    },
  },
}

/** Each check broken once, alone. */
export const BROKEN = Object.entries(CASES).flatMap(([check, byCode]) =>
  Object.entries(byCode).flatMap(([code, cases]) =>
    Object.entries(cases).map(([what, options]) => ({ check, code, what, options })),
  ),
)
