// Answers and requests as RFC 3161, 5652 and 5280 define them. Anything else is rejected.
import { parseAlgorithm } from './algorithms.js'
import { parseExtensions } from './certificate-form.js'
import { computeDigest } from './crypto.js'
import {
  ANY,
  type Element,
  encodeDer,
  encodeInteger,
  encodeOid,
  explicitTag,
  implicitTag,
  Malformed,
  parseBits,
  parseMembers,
  parseOid,
  parseParts,
  parseSequence,
  parseSmallInteger,
  TAG,
} from './der.js'

const ANSWER = { status: TAG.sequence, token: [TAG.sequence] }
const STATUS = { status: TAG.integer, texts: [TAG.sequence], reasons: [TAG.bitString] }
const CONTENT_INFO = { type: TAG.objectIdentifier, content: explicitTag(0) }
const SIGNED_DATA = {
  version: TAG.integer,
  digests: TAG.set,
  content: TAG.sequence,
  certificates: [explicitTag(0)],
  lists: [explicitTag(1)],
  signers: TAG.set,
}
const SIGNER_INFO = {
  version: TAG.integer,
  certificate: ANY,
  digest: TAG.sequence,
  attributes: [explicitTag(0)],
  signature: TAG.sequence,
  signatureValue: TAG.octetString,
  unsigned: [explicitTag(1)],
}
const ATTRIBUTE = { type: TAG.objectIdentifier, values: TAG.set }
const STATEMENT = {
  version: TAG.integer,
  policy: TAG.objectIdentifier,
  imprint: TAG.sequence,
  serial: TAG.integer,
  genTime: TAG.generalizedTime,
  accuracy: [TAG.sequence],
  ordering: [TAG.boolean],
  nonce: [TAG.integer],
  authority: [explicitTag(0)],
  extensions: [explicitTag(1)],
}
const ACCURACY = { seconds: [TAG.integer], millis: [implicitTag(0)], micros: [implicitTag(1)] }
const REQUEST = {
  version: TAG.integer,
  imprint: TAG.sequence,
  policy: [TAG.objectIdentifier],
  nonce: [TAG.integer],
  wantsCertificate: [TAG.boolean],
  extensions: [explicitTag(0)],
}
const IMPRINT = { algorithm: TAG.sequence, digest: TAG.octetString }

/** Parses the answer of an authority, with the signed content if granted (TimeStampResp). */
export function parseAnswer(bytes: Uint8Array) {
  const { status, token } = parseSequence(bytes, 'TimeStampResp', ANSWER)
  const info = parseMembers(status, 'PKIStatusInfo', STATUS)
  const number = parseSmallInteger(info.status)
  if (number === undefined) throw new Malformed('its status is no small number')
  const texts = listElements(info.texts).map(({ content }) => Buffer.from(content).toString())
  const reasons = info.reasons ? parseBits(info.reasons) : []
  return { status: number, text: texts.join(' '), reasons, token: token && parseSigned(token) }
}

export type StampAnswer = ReturnType<typeof parseAnswer>

/** The content of a token and its signers (SignedData). */
export type Signed = ReturnType<typeof parseSigned>

function parseSigned(token: Element) {
  const info = parseMembers(token, 'ContentInfo', CONTENT_INFO)
  const { sequence } = parseMembers(info.content, 'SignedData', { sequence: TAG.sequence })
  const { content, certificates, signers } = parseMembers(sequence, 'SignedData', SIGNED_DATA)
  const inner = parseMembers(content, 'encapContentInfo', CONTENT_INFO)
  return {
    type: parseOid(info.type),
    contentType: parseOid(inner.type),
    content: parseMembers(inner.content, 'eContent', { octets: TAG.octetString }).octets.content,
    certificates: listElements(certificates)
      .filter(({ tag }) => tag === TAG.sequence)
      .map(({ raw }) => raw),
    signers: listElements(signers).map(parseSigner),
  }
}

const listElements = (element: Element | undefined) => (element ? [...parseParts(element)] : [])

export type Signer = ReturnType<typeof parseSigner>

function parseSigner(element: Element) {
  const info = parseMembers(element, 'SignerInfo', SIGNER_INFO)
  const { certificate, attributes, signatureValue } = info
  const [issuer, serial] = certificate.tag === TAG.sequence ? parseParts(certificate) : []
  return {
    /**
     * A Name in DER; undefined, like the serial number, if the certificate is identified in another way.
     */
    issuer: issuer?.raw,
    serial: serial?.content,
    digest: parseAlgorithm(info.digest),
    signature: parseAlgorithm(info.signature),
    signatureValue: signatureValue.content,
    /** The original bytes of the signed attributes, with the tag of the SET OF that is signed. */
    signedBytes: attributes && Uint8Array.of(TAG.set, ...attributes.raw.subarray(1)),
    attributes: listElements(attributes).map((each) => {
      const { type, values } = parseMembers(each, 'an attribute', ATTRIBUTE)
      return { type: parseOid(type), values: listElements(values) }
    }),
  }
}

function parseImprint(element: Element) {
  const { algorithm, digest } = parseMembers(element, 'imprint', IMPRINT)
  return { algorithm: parseAlgorithm(algorithm), digest: digest.content }
}

/** What is stamped, and when (TSTInfo). */
export function parseStatement(bytes: Uint8Array) {
  const info = parseSequence(bytes, 'TSTInfo', STATEMENT)
  return {
    version: parseSmallInteger(info.version),
    policy: parseOid(info.policy),
    imprint: parseImprint(info.imprint),
    serial: info.serial.content,
    genTime: info.genTime,
    accuracy: info.accuracy && parseMembers(info.accuracy, 'accuracy', ACCURACY),
    nonce: info.nonce?.content,
    extensions: parseExtensions(info.extensions),
  }
}

export type TimeStatement = ReturnType<typeof parseStatement>

/** What an authority is asked for (TimeStampReq). */
export function parseRequest(bytes: Uint8Array) {
  const { imprint, policy, nonce, wantsCertificate } = parseSequence(bytes, 'TimeStampReq', REQUEST)
  return {
    imprint: parseImprint(imprint),
    policy: policy && parseOid(policy),
    nonce: nonce?.content,
    wantsCertificate: wantsCertificate?.content[0] === 0xff,
  }
}

export type StampRequest = ReturnType<typeof parseRequest>

/** id-sha256. */
const SHA_256 = '2.16.840.1.101.3.4.2.1'

/**
 * The request for a stamp over `data`, as `openssl ts -query -sha256 -cert` writes it (RFC 3161, TimeStampReq in
 * DER): the SHA-256 of the data, a nonce, and the wish for the signer's certificate.
 * @param nonce - 8 to 32 random bytes that the answer must repeat.
 */
export function encodeQuery(data: Uint8Array, nonce: Uint8Array): Uint8Array {
  const algorithm = encodeDer(TAG.sequence, encodeOid(SHA_256), encodeDer(TAG.null))
  const digest = encodeDer(TAG.octetString, computeDigest('SHA-256', data))
  return encodeDer(
    TAG.sequence,
    encodeDer(TAG.integer, Uint8Array.of(1)),
    encodeDer(TAG.sequence, algorithm, digest),
    encodeInteger(nonce),
    encodeDer(TAG.boolean, Uint8Array.of(0xff)),
  )
}
