// Answers, requests and what they hold, as plain values; what stands there beyond their definitions is refused.
import { type Algorithm, algorithmOf } from './algorithms.js'
import { type Extension, extensionsOf } from './certificate.js'
import { digestOf } from './crypto.js'
import {
  bitsOf,
  der,
  derInteger,
  derOid,
  type Element,
  explicitTag,
  implicitTag,
  Malformed,
  oidOf,
  Parts,
  partsOf,
  sequenceIn,
  smallNumberOf,
  TAG,
} from './der.js'

/** An answer of an authority (TimeStampResp): what it says, and the token where there is one. */
export interface StampAnswer {
  readonly status: number
  readonly text: string
  /** Numbers of the bits that are set in the reason of a refusal. */
  readonly reasons: readonly number[]
  readonly token: Signed | undefined
}

/** A signed content (SignedData of RFC 5652). */
export interface Signed {
  readonly type: string
  readonly contentType: string
  readonly content: Uint8Array
  readonly certificates: readonly Uint8Array[]
  readonly signers: readonly Signer[]
}

export interface Signer {
  /** The signer's issuer, a Name in DER, and serial number; undefined where it is named in another way. */
  readonly certificate: { readonly issuer: Uint8Array; readonly serial: Uint8Array } | undefined
  readonly digest: Algorithm
  readonly signature: Algorithm
  readonly signatureValue: Uint8Array
  /** The signed attributes as they stand in the file, with the tag of the SET OF that is signed. */
  readonly signedBytes: Uint8Array | undefined
  readonly attributes: readonly { readonly type: string; readonly values: readonly Element[] }[]
}

export interface Imprint {
  readonly algorithm: Algorithm
  readonly digest: Uint8Array
}

/** What is stamped, and when (TSTInfo). */
export interface TimeStatement {
  readonly version: number | undefined
  readonly policy: string
  readonly imprint: Imprint
  readonly serial: Uint8Array
  readonly genTime: Element
  /** Whole numbers of seconds, thousandths and millionths of a second. */
  readonly accuracy: readonly (Element | undefined)[] | undefined
  readonly nonce: Uint8Array | undefined
  readonly extensions: readonly Extension[]
}

/** What an authority is asked for (TimeStampReq). */
export interface StampRequest {
  readonly imprint: Imprint
  readonly policy: string | undefined
  readonly nonce: Uint8Array | undefined
  readonly wantsCertificate: boolean
}

/** @throws {Malformed} */
export function readAnswer(bytes: Uint8Array): StampAnswer {
  const answer = sequenceIn(bytes, 'TimeStampResp')
  const about = new Parts(answer.need(TAG.sequence), 'TimeStampResp')
  const status = smallNumberOf(about.need(TAG.integer))
  const texts = about.maybe(TAG.sequence)
  const reasons = about.maybe(TAG.bitString)
  const token = answer.maybe(TAG.sequence)
  about.end()
  answer.end()
  if (status === undefined) throw new Malformed('its status is no small number')
  const lines = texts ? [...partsOf(texts)] : []
  return {
    status,
    text: lines.map(({ content }) => Buffer.from(content).toString()).join(' '),
    reasons: reasons ? bitsOf(reasons) : [],
    token: token && readSigned(new Parts(token, 'ContentInfo')),
  }
}

function readSigned(info: Parts): Signed {
  const type = oidOf(info.need(TAG.objectIdentifier))
  const wrapped = new Parts(info.need(explicitTag(0)), 'SignedData')
  info.end()
  const parts = new Parts(wrapped.need(TAG.sequence), 'SignedData')
  wrapped.end()
  parts.need(TAG.integer)
  parts.need(TAG.set)
  const content = new Parts(parts.need(TAG.sequence), 'encapContentInfo')
  const contentType = oidOf(content.need(TAG.objectIdentifier))
  const octets = new Parts(content.need(explicitTag(0)), 'eContent').need(TAG.octetString)
  const certificates = parts.maybe(explicitTag(0))
  parts.maybe(explicitTag(1))
  const signers = parts.need(TAG.set)
  parts.end()
  return {
    type,
    contentType,
    content: octets.content,
    certificates: (certificates ? [...partsOf(certificates)] : [])
      .filter(({ tag }) => tag === TAG.sequence)
      .map(({ raw }) => raw),
    signers: [...partsOf(signers)].map(readSigner),
  }
}

function readSigner(element: Element): Signer {
  const parts = new Parts(element, 'SignerInfo')
  parts.need(TAG.integer)
  const named = parts.any()
  const digest = algorithmOf(parts.need(TAG.sequence))
  const signed = parts.maybe(explicitTag(0))
  const signature = algorithmOf(parts.need(TAG.sequence))
  const signatureValue = parts.need(TAG.octetString).content
  parts.maybe(explicitTag(1))
  parts.end()
  const [issuer, serial] = named.tag === TAG.sequence ? partsOf(named) : []
  return {
    certificate: issuer && serial && { issuer: issuer.raw, serial: serial.content },
    digest,
    signature,
    signatureValue,
    signedBytes: signed && asSet(signed),
    attributes: signed ? [...partsOf(signed)].map(readAttribute) : [],
  }
}

/** What is signed has the tag of a SET OF in the place of the one that it is sent with. */
function asSet({ raw }: Element): Uint8Array {
  const copy = Uint8Array.from(raw)
  copy[0] = TAG.set
  return copy
}

function readAttribute(element: Element) {
  const parts = new Parts(element, 'an attribute')
  const type = oidOf(parts.need(TAG.objectIdentifier))
  const values = parts.need(TAG.set)
  parts.end()
  return { type, values: [...partsOf(values)] }
}

/** @throws {Malformed} */
export function readStatement(bytes: Uint8Array): TimeStatement {
  const parts = sequenceIn(bytes, 'TSTInfo')
  const version = smallNumberOf(parts.need(TAG.integer))
  const policy = oidOf(parts.need(TAG.objectIdentifier))
  const imprint = imprintOf(parts.need(TAG.sequence))
  const serial = parts.need(TAG.integer).content
  const genTime = parts.need(TAG.generalizedTime)
  const accuracy = parts.maybe(TAG.sequence)
  // Whether stamps of one authority are in order, which nothing here asks; then its name.
  parts.maybe(TAG.boolean)
  const nonce = parts.maybe(TAG.integer)?.content
  parts.maybe(explicitTag(0))
  const extensions = parts.maybe(explicitTag(1))
  parts.end()
  return {
    version,
    policy,
    imprint,
    serial,
    genTime,
    accuracy: accuracy && accuracyOf(accuracy),
    nonce,
    extensions: extensions ? extensionsOf(extensions) : [],
  }
}

function imprintOf(element: Element): Imprint {
  const parts = new Parts(element, 'imprint')
  const algorithm = algorithmOf(parts.need(TAG.sequence))
  const digest = parts.need(TAG.octetString).content
  parts.end()
  return { algorithm, digest }
}

function accuracyOf(element: Element): (Element | undefined)[] {
  const parts = new Parts(element, 'accuracy')
  const read = [TAG.integer, implicitTag(0), implicitTag(1)].map((tag) => parts.maybe(tag))
  parts.end()
  return read
}

/** @throws {Malformed} */
export function readRequest(bytes: Uint8Array): StampRequest {
  const parts = sequenceIn(bytes, 'TimeStampReq')
  parts.need(TAG.integer)
  const imprint = imprintOf(parts.need(TAG.sequence))
  const policy = parts.maybe(TAG.objectIdentifier)
  const nonce = parts.maybe(TAG.integer)?.content
  const wish = parts.maybe(TAG.boolean)
  parts.maybe(explicitTag(0))
  parts.end()
  return {
    imprint,
    policy: policy && oidOf(policy),
    nonce,
    wantsCertificate: wish?.content[0] === 0xff,
  }
}

/** id-sha256. */
const SHA_256 = '2.16.840.1.101.3.4.2.1'

/**
 * The request for a stamp over `data`, as `openssl ts -query -sha256 -cert` writes it (RFC 3161,
 * TimeStampReq in DER): the SHA-256 of the data, a nonce, and the wish for the signer's certificate.
 * @param nonce - bytes that nobody could foresee, 8 to 32 of them; the answer has to repeat them.
 */
export function timeStampQuery(data: Uint8Array, nonce: Uint8Array): Uint8Array {
  const algorithm = der(TAG.sequence, derOid(SHA_256), der(TAG.null))
  const digest = der(TAG.octetString, digestOf('SHA-256', data))
  return der(
    TAG.sequence,
    der(TAG.integer, Uint8Array.of(1)),
    der(TAG.sequence, algorithm, digest),
    derInteger(nonce),
    der(TAG.boolean, Uint8Array.of(0xff)),
  )
}
