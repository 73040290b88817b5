import { BROKEN_CERTIFICATES } from './broken-certificates.js'
import { BROKEN_TOKENS } from './broken-tokens.js'
import { int, octets, seq } from './der-writer.js'
import { ATTRIBUTE, attribute, type MadeOptions } from './made.js'
import { digestOf, EXTENSION, TIME_STAMPING } from './made-certificates.js'

const TSA = EXTENSION.purposes(true, TIME_STAMPING)

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
  ['no key usage', { signer: { extensions: [TSA] } }],
  [
    'an unknown extension that is not critical',
    { signer: { extensions: [TSA, EXTENSION.unknown(false)] } },
  ],
  [
    'a certificate that has ended by now',
    { signer: { from: '20261101000000Z', to: '20261201000000Z' } },
  ],
  ['a root that signed itself by SHA-1, since it is pinned', { root: { hash: 'SHA-1' } }],
  [
    'the first version of signingCertificate',
    {
      attributes: ([type, digest], _, signer) => [
        type!,
        digest!,
        attribute(ATTRIBUTE.signingCertificate, seq(seq(seq(octets(digestOf('SHA-1', signer)))))),
      ],
    },
  ],
]

/** Each check broken once, alone. */
export const BROKEN = { ...BROKEN_TOKENS, ...BROKEN_CERTIFICATES }
