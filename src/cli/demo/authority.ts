import { createHash, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto'
import {
  type AsnType,
  BitString,
  GeneralizedTime,
  Integer,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Utf8String,
} from 'asn1js'
import {
  Accuracy,
  AlgorithmIdentifier,
  Attribute,
  type Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  MessageImprint,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
} from 'pkijs'
import { formatUtc, type Instant } from '../../contract/instant.js'
import { type AuthorityKey, algorithmOfKey, makeCertificates } from './authority-certificates.js'

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const TST_INFO = '1.2.840.113549.1.9.16.1.4'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47'
const SHA_256 = '2.16.840.1.101.3.4.2.1'
const DIGEST_LENGTHS: Readonly<Record<string, number>> = {
  [SHA_256]: 32,
  '2.16.840.1.101.3.4.2.2': 48,
  '2.16.840.1.101.3.4.2.3': 64,
}
/** A policy of nobody: RFC 3161 wants one. */
const POLICY = '1.2.3.4.1'
const REJECTED = 2
/** Bits of PKIFailureInfo, with the number of unused ones before them. */
const BAD_ALGORITHM = Uint8Array.of(0x80)
const BAD_REQUEST = Uint8Array.of(0x20)

export interface AuthorityOptions {
  /** Stands in its certificates. */
  readonly name: string
  /** The clock that it stamps by. */
  readonly now: () => Instant
  /** Key of the signer; P-256 where none is given. */
  readonly key?: AuthorityKey
}

export interface DemoAuthority {
  /** The certificate that its users pin, in PEM. */
  readonly anchorPem: string
  /** Answers a request (RFC 3161, DER) with a stamp accurate to a second, or with a rejection. */
  reply(query: Uint8Array): Promise<Uint8Array>
}

/**
 * A time-stamping authority made at run time, with keys that are forgotten with it: for the demo, and for
 * tests that have no openssl. Whoever runs it chooses the time: its stamps prove nothing to anybody else.
 */
export async function createAuthority({
  name,
  now,
  key,
}: AuthorityOptions): Promise<DemoAuthority> {
  const { anchor, signer, signerKey } = makeCertificates(name, key ?? 'P-256')
  const anchorPem = new X509Certificate(new Uint8Array(anchor.toSchema().toBER())).toString()
  return {
    anchorPem,
    reply: async (query) =>
      new Uint8Array(answer(query, now(), signer, signerKey).toSchema().toBER()),
  }
}

function answer(
  query: Uint8Array,
  at: Instant,
  signer: Certificate,
  key: KeyObject,
): TimeStampResp {
  let request: TimeStampReq
  try {
    request = TimeStampReq.fromBER(query as Uint8Array<ArrayBuffer>)
  } catch {
    return rejection('this is not a request of RFC 3161', BAD_REQUEST, 5)
  }
  const { hashAlgorithm, hashedMessage } = request.messageImprint
  const length = DIGEST_LENGTHS[hashAlgorithm.algorithmId]
  if (length === undefined) return rejection('this digest is not known', BAD_ALGORITHM, 7)
  if (hashedMessage.valueBlock.valueHexView.length !== length) {
    return rejection('the imprint has another length', BAD_REQUEST, 5)
  }
  const content = new Uint8Array(statement(request, at).toBER())
  return new TimeStampResp({
    status: new PKIStatusInfo({ status: 0 }),
    timeStampToken: new ContentInfo({
      contentType: SIGNED_DATA,
      content: signedData(content, signer, key, request.certReq ?? false).toSchema(),
    }),
  })
}

function rejection(text: string, bit: Uint8Array<ArrayBuffer>, unusedBits: number): TimeStampResp {
  return new TimeStampResp({
    status: new PKIStatusInfo({
      status: REJECTED,
      statusStrings: [new Utf8String({ value: text })],
      failInfo: new BitString({ valueHex: bit.buffer, unusedBits }),
    }),
  })
}

/** TSTInfo; the library's own class would cut the time to thousandths of a second. */
function statement({ messageImprint, nonce }: TimeStampReq, at: Instant): Sequence {
  const { hashAlgorithm, hashedMessage } = messageImprint
  const value: AsnType[] = [
    new Integer({ value: 1 }),
    new ObjectIdentifier({ value: POLICY }),
    new MessageImprint({ hashAlgorithm, hashedMessage }).toSchema(),
    new Integer({ valueHex: Uint8Array.of(1, ...randomBytes(8)).buffer }),
    generalizedTime(at),
    new Accuracy({ seconds: 1 }).toSchema(),
  ]
  if (nonce !== undefined) value.push(nonce)
  return new Sequence({ value })
}

function generalizedTime(at: Instant): GeneralizedTime {
  const text = formatUtc(at)
    .replace(/[-:T]/g, '')
    .replace(/0+Z$/, (end) => (formatUtc(at).includes('.') ? 'Z' : end))
  const time = new GeneralizedTime()
  time.valueBlock.valueHexView = new TextEncoder().encode(text)
  return time
}

function signedData(
  content: Uint8Array<ArrayBuffer>,
  signer: Certificate,
  key: KeyObject,
  withCertificate: boolean,
): SignedData {
  const encapContentInfo = new EncapsulatedContentInfo({ eContentType: TST_INFO })
  // Not by the constructor, which would cut it into parts: DER has none.
  encapContentInfo.eContent = new OctetString({ valueHex: content.buffer })
  const digestAlgorithm = new AlgorithmIdentifier({ algorithmId: SHA_256 })
  const signedAttrs = new SignedAndUnsignedAttributes({
    type: 0,
    attributes: attributesOf(content, signer),
  })
  const signed = new Uint8Array(signedAttrs.toSchema().toBER())
  // What is signed has the tag of a SET OF, what is sent another one.
  signed[0] = 0x31
  const signature = new Uint8Array(sign('SHA-256', signed, key))
  return new SignedData({
    version: 3,
    digestAlgorithms: [digestAlgorithm],
    encapContentInfo,
    ...(withCertificate && { certificates: [signer] }),
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({
          issuer: signer.issuer,
          serialNumber: signer.serialNumber,
        }),
        digestAlgorithm,
        signedAttrs,
        signatureAlgorithm: algorithmOfKey(key),
        signature: new OctetString({ valueHex: signature.buffer }),
      }),
    ],
  })
}

/** In the order that DER wants of a set: shorter ones first. */
function attributesOf(content: Uint8Array, signer: Certificate): Attribute[] {
  const digest = (bytes: Uint8Array) =>
    new OctetString({
      valueHex: new Uint8Array(createHash('sha256').update(bytes).digest()).buffer,
    })
  const certificate = digest(new Uint8Array(signer.toSchema().toBER()))
  const named = new Sequence({ value: [certificate] })
  const signing = new Sequence({ value: [new Sequence({ value: [named] })] })
  return [
    new Attribute({ type: CONTENT_TYPE, values: [new ObjectIdentifier({ value: TST_INFO })] }),
    new Attribute({ type: MESSAGE_DIGEST, values: [digest(content)] }),
    new Attribute({ type: SIGNING_CERTIFICATE_V2, values: [signing] }),
  ]
}
