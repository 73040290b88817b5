import type { KeyObject } from 'node:crypto'
import { type Anchor, toAnchor as trusted } from '../../src/time/rfc3161/anchors.js'
import { parseCertificate } from '../../src/time/rfc3161/certificate.js'
import { parseRevocationList } from '../../src/time/rfc3161/revocation.js'
import {
  type Bytes,
  explicit,
  generalized,
  implicit,
  int,
  name,
  octets,
  oid,
  seq,
  set,
} from './der-writer.js'
import {
  type CertificateOptions,
  digestOf,
  EXTENSION,
  type HashName,
  hashAlgorithm,
  type KeyKind,
  keyFor,
  makeCertificate,
  type SchemeName,
  signatureAlgorithm,
  signed,
  TIME_STAMPING,
} from './made-certificates.js'

export const ATTRIBUTE = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
}
export const TST_INFO = '1.2.840.113549.1.9.16.1.4'

/** What can be made otherwise than right in a chain of certificates and the stamp at its end. */
export interface MadeOptions {
  readonly data?: Bytes
  readonly keys?: { readonly root?: KeyKind; readonly middle?: KeyKind; readonly signer?: KeyKind }
  /** Certificates between the root and the signer. */
  readonly depth?: 0 | 1
  readonly root?: Partial<CertificateOptions>
  readonly middle?: Partial<CertificateOptions>
  readonly signer?: Partial<CertificateOptions>
  /** The certificates that the stamp holds; undefined for the signer and what is above it. */
  readonly certificates?: (made: readonly Bytes[]) => Bytes[]

  readonly version?: number
  readonly imprintHash?: HashName
  readonly genTime?: string
  readonly accuracy?: Bytes | undefined
  readonly nonce?: Bytes
  readonly policy?: string
  readonly extensions?: Bytes
  readonly contentType?: string

  readonly hash?: HashName
  readonly scheme?: SchemeName
  readonly signatureHash?: HashName
  readonly attributes?: (made: readonly Bytes[], content: Bytes, signer: Bytes) => Bytes[]
  readonly signature?: (made: Bytes) => Bytes
  readonly signers?: (made: Bytes) => Bytes[]
  readonly status?: Bytes
  readonly without?: 'token' | 'attributes'
  readonly crls?: (rootKey: KeyObject) => Bytes[]
}

export const DATA = Buffer.from('{"kind":"registration","seq":3}')
export const GEN_TIME = '20261122100003Z'
export const ACCURACY = seq(int(1), implicit(0, Uint8Array.of(0x01, 0xf4)))

/** A stamp by an authority of its own (TimeStampResp), right but for what the options say. */
export function makeStamp(options: MadeOptions = {}) {
  const { data = DATA, depth = 0 } = options
  const rootKey = keyFor('root', options.keys?.root ?? 'P-256')
  const middleKey = keyFor('middle', options.keys?.middle ?? 'P-256')
  const signerKey = keyFor('signer', options.keys?.signer ?? 'P-256')
  const root = makeCertificate({
    ...{ subject: 'Root', issuer: 'Root', key: rootKey, issuerKey: rootKey, serial: 1 },
    extensions: [EXTENSION.authority()],
    ...options.root,
  })
  const middle = makeCertificate({
    ...{ subject: 'Middle', issuer: 'Root', key: middleKey, issuerKey: rootKey, serial: 2 },
    extensions: [EXTENSION.authority(0)],
    ...options.middle,
  })
  const signer = makeCertificate({
    ...{ subject: 'Signer', issuer: depth === 0 ? 'Root' : 'Middle', key: signerKey, serial: 3 },
    issuerKey: depth === 0 ? rootKey : middleKey,
    extensions: [EXTENSION.purposes(true, TIME_STAMPING), EXTENSION.usage(0x80, 7)],
    ...options.signer,
  })
  const chain = depth === 0 ? [signer] : [signer, middle]
  const content = makeContent(options, data)
  const issuer = options.signer?.issuer ?? (depth === 0 ? 'Root' : 'Middle')
  const info = makeSignerInfo(options, content, signer, issuer, signerKey)
  const response = [options.status ?? seq(int(0))]
  if (options.without !== 'token') {
    response.push(makeToken(options, content, options.certificates?.(chain) ?? chain, info))
  }
  const crls = options.crls?.(rootKey) ?? []
  const anchor = anchorOf('example', root, crls)
  return { token: seq(...response), data, anchor, certificates: chain }
}

function makeContent(options: MadeOptions, data: Bytes): Bytes {
  const { imprintHash = 'SHA-256', genTime = GEN_TIME, nonce } = options
  const accuracy = 'accuracy' in options ? options.accuracy : ACCURACY
  return seq(
    int(options.version ?? 1),
    oid(options.policy ?? '1.2.3.4.1'),
    seq(hashAlgorithm(imprintHash), octets(digestOf(imprintHash, data))),
    int(77),
    generalized(genTime),
    ...(accuracy === undefined ? [] : [accuracy]),
    ...(nonce === undefined ? [] : [int(nonce)]),
    ...(options.extensions === undefined ? [] : [options.extensions]),
  )
}

export const attribute = (type: string, ...values: Bytes[]): Bytes => seq(oid(type), set(...values))

/** The attribute that names the signer by a digest, in the first version by SHA-1. */
export const certificateNamed = (hash: 'SHA-1' | 'SHA-256', signer: Bytes): Bytes =>
  attribute(
    hash === 'SHA-1' ? ATTRIBUTE.signingCertificate : ATTRIBUTE.signingCertificateV2,
    seq(seq(seq(octets(digestOf(hash, signer))))),
  )

function makeSignerInfo(
  options: MadeOptions,
  content: Bytes,
  signer: Bytes,
  issuer: string,
  key: KeyObject,
): Bytes {
  const { hash = 'SHA-256', scheme = 'plain', contentType = TST_INFO } = options
  const right = [
    attribute(ATTRIBUTE.contentType, oid(contentType)),
    attribute(ATTRIBUTE.messageDigest, octets(digestOf(hash, content))),
    certificateNamed('SHA-256', signer),
  ]
  const attributes = options.attributes?.(right, content, signer) ?? right
  const withAttributes = options.without !== 'attributes'
  const toSign = withAttributes ? set(...attributes) : content
  const signatureHash = options.signatureHash ?? hash
  const signature = signed(key, signatureHash, scheme, toSign)
  return seq(
    int(1),
    seq(name(issuer), int(options.signer?.serial ?? 3)),
    hashAlgorithm(hash),
    ...(withAttributes ? [explicit(0, ...attributes)] : []),
    signatureAlgorithm(key, signatureHash, scheme),
    octets(options.signature?.(signature) ?? signature),
  )
}

function makeToken(
  options: MadeOptions,
  content: Bytes,
  certificates: readonly Bytes[],
  info: Bytes,
): Bytes {
  const { hash = 'SHA-256', contentType = TST_INFO } = options
  return seq(
    oid('1.2.840.113549.1.7.2'),
    explicit(
      0,
      seq(
        int(3),
        set(hashAlgorithm(hash)),
        seq(oid(contentType), explicit(0, octets(content))),
        ...(certificates.length > 0 ? [explicit(0, ...certificates)] : []),
        set(...(options.signers?.(info) ?? [info])),
      ),
    ),
  )
}

export function anchorOf(anchorName: string, der: Bytes, crls: readonly Bytes[] = []): Anchor {
  const lists = crls.map((list, at) => parseRevocationList(`list-${at}.crl`, list))
  return trusted(anchorName, `${anchorName}.pem`, parseCertificate(der), lists)
}
