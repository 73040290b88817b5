import type { BrokenCase } from './broken-tokens.js'
import { EXTENSION, keyFor, makeCrl, TIME_STAMPING } from './made-certificates.js'

const TSA = EXTENSION.purposes(true, TIME_STAMPING)

/** Checks 3 to 5: the certificates that a token rests on. */
export const BROKEN_CERTIFICATES: Readonly<Record<string, readonly BrokenCase[]>> = {
  '3, the signer': [
    ['stamp-signer', 'no purpose', { signer: { extensions: [] } }],
    [
      'stamp-signer',
      'a purpose that is not critical',
      { signer: { extensions: [EXTENSION.purposes(false, TIME_STAMPING)] } },
    ],
    [
      'stamp-signer',
      'a second purpose',
      { signer: { extensions: [EXTENSION.purposes(true, TIME_STAMPING, '1.3.6.1.5.5.7.3.3')] } },
    ],
    [
      'stamp-signer',
      'any purpose',
      { signer: { extensions: [EXTENSION.purposes(true, '2.5.29.37.0')] } },
    ],
    ['stamp-signer', 'an authority', { signer: { extensions: [TSA, EXTENSION.authority()] } }],
    [
      'stamp-signer',
      'a key for certificates',
      { signer: { extensions: [TSA, EXTENSION.usage(0x84, 2)] } },
    ],
    [
      'stamp-signer',
      'a key for encryption',
      { signer: { extensions: [TSA, EXTENSION.usage(0x20, 5)] } },
    ],
    [
      'stamp-signer',
      'an unknown critical extension',
      { signer: { extensions: [TSA, EXTENSION.unknown(true)] } },
    ],
    ['stamp-malformed', 'its purpose twice', { signer: { extensions: [TSA, TSA] } }],
  ],
  '4, the chain': [
    ['stamp-untrusted', 'a signer of another authority', { signer: { issuer: 'Nobody' } }],
    [
      'stamp-untrusted',
      'the name of the root under a key of somebody else',
      { signer: { issuerKey: keyFor('somebody else', 'P-256') } },
    ],
    [
      'stamp-untrusted',
      'a link that is missing',
      { depth: 1, certificates: ([signer]) => [signer!] },
    ],
    ['stamp-certificate', 'a signer that was over', { signer: { to: '20261122100002Z' } }],
    ['stamp-certificate', 'a signer that was to come', { signer: { from: '20261122100004Z' } }],
    ['stamp-certificate', 'a root that was over', { root: { to: '20261122100002Z' } }],
    [
      'stamp-certificate',
      'a link between that was over',
      { depth: 1, middle: { to: '20261122100002Z' } },
    ],
    [
      'stamp-certificate',
      'a link that is no authority',
      { depth: 1, middle: { extensions: [EXTENSION.noAuthority] } },
    ],
    ['stamp-certificate', 'a link without constraints', { depth: 1, middle: { extensions: [] } }],
    [
      'stamp-certificate',
      'a link whose key may not certify',
      { depth: 1, middle: { extensions: [EXTENSION.authority(), EXTENSION.usage(0x80, 7)] } },
    ],
    [
      'stamp-certificate',
      'a root that allows no link',
      { depth: 1, root: { extensions: [EXTENSION.authority(0)] } },
    ],
    [
      'stamp-certificate',
      'a link for other purposes',
      {
        depth: 1,
        middle: {
          extensions: [EXTENSION.authority(), EXTENSION.purposes(false, '1.3.6.1.5.5.7.3.3')],
        },
      },
    ],
    [
      'stamp-certificate',
      'an unknown critical extension of a link',
      { depth: 1, middle: { extensions: [EXTENSION.authority(), EXTENSION.unknown(true)] } },
    ],
    ['stamp-weak', 'a signer certified by SHA-1', { signer: { hash: 'SHA-1' } }],
    ['stamp-weak', 'a link certified by SHA-1', { depth: 1, middle: { hash: 'SHA-1' } }],
    ['stamp-weak', 'a link of 1024 bits', { depth: 1, keys: { middle: 'RSA-1024' } }],
    ['stamp-weak', 'a root of 1024 bits', { keys: { root: 'RSA-1024' } }],
  ],
  '5, revocation': [
    [
      'stamp-revoked',
      'before the stamp',
      {
        crls: ({ rootKey }) => [
          makeCrl({ key: rootKey, revoked: [{ serial: 3, at: '20261122100002Z', reason: 4 }] }),
        ],
      },
    ],
    [
      'stamp-revoked',
      'after the stamp, for a lost key',
      {
        crls: ({ rootKey }) => [
          makeCrl({ key: rootKey, revoked: [{ serial: 3, at: '20261201000000Z', reason: 1 }] }),
        ],
      },
    ],
    [
      'stamp-revoked',
      'after the stamp, for no reason',
      {
        crls: ({ rootKey }) => [
          makeCrl({ key: rootKey, revoked: [{ serial: 3, at: '20261201000000Z' }] }),
        ],
      },
    ],
    [
      'stamp-revoked',
      'a link between',
      {
        depth: 1,
        crls: ({ rootKey }) => [
          makeCrl({ key: rootKey, revoked: [{ serial: 2, at: '20261101000000Z', reason: 1 }] }),
        ],
      },
    ],
    [
      'stamp-revoked',
      'in one of two lists',
      {
        crls: ({ rootKey }) => [
          makeCrl({ key: rootKey, to: '20261122120000Z' }),
          makeCrl({ key: rootKey, revoked: [{ serial: 3, at: '20261122100002Z', reason: 1 }] }),
        ],
      },
    ],
  ],
}
