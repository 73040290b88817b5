import type { Code } from '../../src/contract/findings/finding.js'
import { explicit, implicit, int, name, octets, oid, seq, yes } from './der-writer.js'
import { ATTRIBUTE, attribute, DATA, type MadeOptions } from './made.js'
import { digestOf } from './made-certificates.js'

const changed = (bytes: Uint8Array, at = -1): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  const place = at < 0 ? copy.length + at : at
  copy[place] = copy[place]! ^ 1
  return copy
}

/** What is wrong with a stamp, and the finding that says so. */
export type BrokenCase = readonly [Code, string, MadeOptions]

/** Cases by the finding that names them. */
export const casesOf = (
  byCode: Readonly<Partial<Record<Code, Readonly<Record<string, MadeOptions>>>>>,
): BrokenCase[] =>
  Object.entries(byCode).flatMap(([code, cases]) =>
    Object.entries(cases).map(([what, options]): BrokenCase => [code as Code, what, options]),
  )

/** Checks 1 and 2: what a token states, and how it is signed. */
export const BROKEN_TOKENS: Readonly<Record<string, readonly BrokenCase[]>> = {
  '1, what is stated': casesOf({
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
  }),
  '2, the signature': casesOf({
    'stamp-signature': {
      'another signature': { signature: (made) => changed(made) },
      'no signature': { signature: () => new Uint8Array() },
      'no signed attributes': { without: 'attributes' },
      'no content type': { attributes: ([, b, c]) => [b!, c!] },
      'another content type': {
        attributes: ([, b, c]) => [
          attribute(ATTRIBUTE.contentType, oid('1.2.840.113549.1.7.1')),
          b!,
          c!,
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
        attributes: ([a, b]) => [
          a!,
          b!,
          attribute(
            ATTRIBUTE.signingCertificateV2,
            seq(seq(seq(octets(digestOf('SHA-256', DATA))))),
          ),
        ],
      },
      'the right certificate with another serial number': {
        attributes: ([a, b], _, signer) => {
          const serial = seq(seq(explicit(4, name('Root'))), int(9))
          const named = seq(octets(digestOf('SHA-256', signer)), serial)
          return [a!, b!, attribute(ATTRIBUTE.signingCertificateV2, seq(seq(named)))]
        },
      },
      'a first version that names another certificate beside a right second one': {
        attributes: ([a, b, c]) => [
          a!,
          b!,
          attribute(ATTRIBUTE.signingCertificate, seq(seq(seq(octets(digestOf('SHA-1', DATA)))))),
          c!,
        ],
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
  }),
}
