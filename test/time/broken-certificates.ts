import { type BrokenCase, casesOf } from './broken-tokens.js'
import type { MadeOptions } from './made.js'
import { EXTENSION, keyFor, makeCrl, TIME_STAMPING } from './made-certificates.js'

/** A list of the root in which one certificate is revoked. */
const revoking =
  (serial: number, at: string, reason?: number): NonNullable<MadeOptions['crls']> =>
  ({ rootKey }) => [
    makeCrl({ key: rootKey, revoked: [{ serial, at, ...(reason !== undefined && { reason }) }] }),
  ]

const TSA = EXTENSION.purposes(true, TIME_STAMPING)

/** Checks 3 to 5: the certificates that a token rests on. */
export const BROKEN_CERTIFICATES: Readonly<Record<string, readonly BrokenCase[]>> = {
  '3, the signer': casesOf({
    'stamp-signer': {
      'no purpose': { signer: { extensions: [] } },
      'a purpose that is not critical': {
        signer: { extensions: [EXTENSION.purposes(false, TIME_STAMPING)] },
      },
      'a second purpose': {
        signer: { extensions: [EXTENSION.purposes(true, TIME_STAMPING, '1.3.6.1.5.5.7.3.3')] },
      },
      'any purpose': { signer: { extensions: [EXTENSION.purposes(true, '2.5.29.37.0')] } },
      'an authority': { signer: { extensions: [TSA, EXTENSION.authority()] } },
      'a key for certificates': { signer: { extensions: [TSA, EXTENSION.usage(0x84, 2)] } },
      'a key for encryption': { signer: { extensions: [TSA, EXTENSION.usage(0x20, 5)] } },
      'an unknown critical extension': { signer: { extensions: [TSA, EXTENSION.unknown(true)] } },
    },
    'stamp-malformed': {
      'its purpose twice': { signer: { extensions: [TSA, TSA] } },
    },
  }),
  '4, the chain': casesOf({
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
      'a link that is no authority': { depth: 1, middle: { extensions: [EXTENSION.noAuthority] } },
      'a link without constraints': { depth: 1, middle: { extensions: [] } },
      'a link whose key may not certify': {
        depth: 1,
        middle: { extensions: [EXTENSION.authority(), EXTENSION.usage(0x80, 7)] },
      },
      'a root that allows no link': { depth: 1, root: { extensions: [EXTENSION.authority(0)] } },
      'a link for other purposes': {
        depth: 1,
        middle: {
          extensions: [EXTENSION.authority(), EXTENSION.purposes(false, '1.3.6.1.5.5.7.3.3')],
        },
      },
      'an unknown critical extension of a link': {
        depth: 1,
        middle: { extensions: [EXTENSION.authority(), EXTENSION.unknown(true)] },
      },
    },
    'stamp-weak': {
      'a signer certified by SHA-1': { signer: { hash: 'SHA-1' } },
      'a link certified by SHA-1': { depth: 1, middle: { hash: 'SHA-1' } },
      'a link of 1024 bits': { depth: 1, keys: { middle: 'RSA-1024' } },
      'a root of 1024 bits': { keys: { root: 'RSA-1024' } },
    },
  }),
  '5, revocation': casesOf({
    'stamp-revoked': {
      'before the stamp': { crls: revoking(3, '20261122100002Z', 4) },
      'after the stamp, for a lost key': { crls: revoking(3, '20261201000000Z', 1) },
      'after the stamp, for no reason': { crls: revoking(3, '20261201000000Z') },
      'a link between': { depth: 1, crls: revoking(2, '20261101000000Z', 1) },
      'in one of two lists': {
        crls: ({ rootKey }) => [
          makeCrl({ key: rootKey, to: '20261122120000Z' }),
          makeCrl({ key: rootKey, revoked: [{ serial: 3, at: '20261122100002Z', reason: 1 }] }),
        ],
      },
    },
  }),
}
