// Answers and requests as RFC 3161, 5652 and 5280 define them; what is there beyond is refused.
import { algorithmOf } from './algorithms.js'
import { extensionsOf } from './certificate-form.js'
import { digestOf } from './crypto.js'
import {
  ANY,
  bitsOf,
  der,
  derInteger,
  derOid,
  type Element,
  explicitTag,
  implicitTag,
  Malformed,
  oidOf,
  partsOf,
  readMembers,
  readSequence,
  smallNumberOf,
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

/** What an authority says of a request, and the signed content, where there is one (TimeStampResp). */
export function readAnswer(bytes: Uint8Array) {
  const { status, token } = readSequence(bytes, 'TimeStampResp', ANSWER)
  const said = readMembers(status, 'PKIStatusInfo', STATUS)
  const number = smallNumberOf(said.status)
  if (number === undefined) throw new Malformed('its status is no small number')
  const texts = elementsOf(said.texts).map(({ content }) => Buffer.from(content).toString())
  const reasons = said.reasons ? bitsOf(said.reasons) : []
  return { status: number, text: texts.join(' '), reasons, token: token && readSigned(token) }
}

export type StampAnswer = ReturnType<typeof readAnswer>

/** The content of a token, and who signed it (SignedData). */
export type Signed = ReturnType<typeof readSigned>

function readSigned(token: Element) {
  const info = readMembers(token, 'ContentInfo', CONTENT_INFO)
  const { sequence } = readMembers(info.content, 'SignedData', { sequence: TAG.sequence })
  const { content, certificates, signers } = readMembers(sequence, 'SignedData', SIGNED_DATA)
  const inner = readMembers(content, 'encapContentInfo', CONTENT_INFO)
  return {
    type: oidOf(info.type),
    contentType: oidOf(inner.type),
    content: readMembers(inner.content, 'eContent', { octets: TAG.octetString }).octets.content,
    certificates: elementsOf(certificates)
      .filter(({ tag }) => tag === TAG.sequence)
      .map(({ raw }) => raw),
    signers: elementsOf(signers).map(readSigner),
  }
}

const elementsOf = (element: Element | undefined) => (element ? [...partsOf(element)] : [])

export type Signer = ReturnType<typeof readSigner>

function readSigner(element: Element) {
  const info = readMembers(element, 'SignerInfo', SIGNER_INFO)
  const { certificate, attributes, signatureValue } = info
  const [issuer, serial] = certificate.tag === TAG.sequence ? partsOf(certificate) : []
  return {
    /** A Name in DER; this and the serial number are undefined where the certificate is named in another way. */
    issuer: issuer?.raw,
    serial: serial?.content,
    digest: algorithmOf(info.digest),
    signature: algorithmOf(info.signature),
    signatureValue: signatureValue.content,
    /** The signed attributes as they are in the file, with the tag of the SET OF that is signed. */
    signedBytes: attributes && Uint8Array.of(TAG.set, ...attributes.raw.subarray(1)),
    attributes: elementsOf(attributes).map((each) => {
      const { type, values } = readMembers(each, 'an attribute', ATTRIBUTE)
      return { type: oidOf(type), values: elementsOf(values) }
    }),
  }
}

function imprintOf(element: Element) {
  const { algorithm, digest } = readMembers(element, 'imprint', IMPRINT)
  return { algorithm: algorithmOf(algorithm), digest: digest.content }
}

/** What is stamped, and when (TSTInfo). */
export function readStatement(bytes: Uint8Array) {
  const info = readSequence(bytes, 'TSTInfo', STATEMENT)
  return {
    version: smallNumberOf(info.version),
    policy: oidOf(info.policy),
    imprint: imprintOf(info.imprint),
    serial: info.serial.content,
    genTime: info.genTime,
    accuracy: info.accuracy && readMembers(info.accuracy, 'accuracy', ACCURACY),
    nonce: info.nonce?.content,
    extensions: extensionsOf(info.extensions),
  }
}

export type TimeStatement = ReturnType<typeof readStatement>

/** What an authority is asked for (TimeStampReq). */
export function readRequest(bytes: Uint8Array) {
  const { imprint, policy, nonce, wantsCertificate } = readSequence(bytes, 'TimeStampReq', REQUEST)
  return {
    imprint: imprintOf(imprint),
    policy: policy && oidOf(policy),
    nonce: nonce?.content,
    wantsCertificate: wantsCertificate?.content[0] === 0xff,
  }
}

export type StampRequest = ReturnType<typeof readRequest>

/** id-sha256. */
const SHA_256 = '2.16.840.1.101.3.4.2.1'

/**
 * The request for a stamp over `data`, as `openssl ts -query -sha256 -cert` writes it (RFC 3161,
 * TimeStampReq in DER): the SHA-256 of the data, a nonce, and the wish for the signer's certificate.
 * @param nonce - bytes that no one could foresee, 8 to 32 of them; the answer has to repeat them.
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
