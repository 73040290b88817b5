// What pkijs reads, as plain values. It matches schemas and leaves over what it does not expect, so that
// is counted here; it turns times and numbers into other types, so those are taken as octets.
import { type AsnType, Integer, OctetString, Sequence, Set as SetOf } from 'asn1js'
import { TimeStampReq, TimeStampResp, TSTInfo } from 'pkijs'
import {
  type Algorithm,
  algorithmIn,
  algorithmOf,
  bitsOf,
  expectParts,
  expectType,
  extensionOf,
  isContext,
  oidOf,
  partsOf,
  present,
  type ReadExtension,
  rawOf,
  reading,
  treeOf,
} from './asn1.js'
import { octetsOf, TAG } from './der.js'

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
  readonly attributes: readonly { readonly type: string; readonly values: readonly Uint8Array[] }[]
}

/** What is stamped, and when (TSTInfo). */
export interface TimeStatement {
  readonly version: number
  readonly policy: string
  readonly imprint: { readonly algorithm: Algorithm; readonly digest: Uint8Array }
  readonly serial: Uint8Array
  readonly genTime: string
  readonly accuracy: Accuracy | undefined
  readonly nonce: Uint8Array | undefined
  readonly extensions: readonly ReadExtension[]
}

/** Octets of whole numbers: seconds, thousandths and millionths of a second. */
export interface Accuracy {
  readonly seconds: Uint8Array | undefined
  readonly millis: Uint8Array | undefined
  readonly micros: Uint8Array | undefined
}

export interface Request {
  readonly imprint: TimeStatement['imprint']
  readonly policy: string | undefined
  readonly nonce: Uint8Array | undefined
}

/** @throws {Malformed} */
export function readAnswer(bytes: Uint8Array): StampAnswer {
  const tree = treeOf(bytes, 'TimeStampResp')
  return reading('TimeStampResp', () => {
    const { status, timeStampToken } = new TimeStampResp({ schema: tree })
    expectParts(tree, 1 + present(timeStampToken), 'TimeStampResp')
    return {
      status: status.status,
      text: (status.statusStrings ?? []).map((text) => text.valueBlock.value).join(' '),
      reasons: status.failInfo ? bitsOf(octetsOf(rawOf(status.failInfo))) : [],
      token:
        timeStampToken && readSigned(timeStampToken.contentType, timeStampToken.content as AsnType),
    }
  })
}

/**
 * SignedData, element by element: the class of pkijs makes every certificate and list in it, three times
 * the work of all the rest.
 */
function readSigned(type: string, tree: AsnType): Signed {
  return reading('SignedData', () => {
    const [, , content, ...rest] = partsOf(tree, 'SignedData')
    const [certificates, crls] = [0, 1].map((number) =>
      rest.find((part) => isContext(part, number)),
    )
    expectParts(tree, 4 + present(certificates, crls), 'SignedData')
    const [contentType, wrapped] = partsOf(content!, 'encapContentInfo')
    const [octets] = partsOf(wrapped!, 'eContent')
    return {
      type,
      contentType: oidOf(contentType),
      content: octetsOf(rawOf(expectType(octets, OctetString))),
      certificates: (certificates ? partsOf(certificates, 'certificates') : [])
        .filter((each) => each instanceof Sequence)
        .map(rawOf),
      signers: partsOf(expectType(rest.at(-1), SetOf), 'signerInfos').map(readSigner),
    }
  })
}

function readSigner(tree: AsnType): Signer {
  const [, sid, digest, ...rest] = partsOf(tree, 'SignerInfo')
  const [signed, unsigned] = [0, 1].map((number) => rest.find((part) => isContext(part, number)))
  expectParts(tree, 5 + present(signed, unsigned), 'SignerInfo')
  const [signature, signatureValue] = signed === undefined ? rest : rest.slice(1)
  const [issuer, serial] = sid instanceof Sequence ? partsOf(sid, 'sid') : []
  return {
    certificate: issuer && serial && { issuer: rawOf(issuer), serial: octetsOf(rawOf(serial)) },
    digest: algorithmIn(expectType(digest, Sequence)),
    signature: algorithmIn(expectType(signature, Sequence)),
    signatureValue: octetsOf(rawOf(expectType(signatureValue, OctetString))),
    signedBytes: signed && asSet(rawOf(signed)),
    attributes: signed ? partsOf(signed, 'signedAttrs').map(readAttribute) : [],
  }
}

/** What is signed has the tag of a SET OF in the place of the one that it is sent with. */
function asSet(element: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(element)
  copy[0] = TAG.set
  return copy
}

function readAttribute(tree: AsnType) {
  const [type, values] = partsOf(tree, 'an attribute')
  expectParts(tree, 2, 'an attribute')
  return {
    type: oidOf(type),
    values: partsOf(expectType(values, SetOf), 'an attribute').map(rawOf),
  }
}

/** @throws {Malformed} */
export function readStatement(bytes: Uint8Array): TimeStatement {
  const tree = treeOf(bytes, 'TSTInfo')
  return reading('TSTInfo', () => {
    const info = new TSTInfo({ schema: tree })
    const { accuracy, ordering, nonce, tsa, extensions } = info
    const count = 5 + present(accuracy, ordering, nonce, tsa, extensions)
    expectParts(tree, count, 'TSTInfo')
    const [, , , serial, genTime, sixth] = partsOf(tree, 'TSTInfo')
    return {
      version: info.version,
      policy: info.policy,
      imprint: imprintOf(info.messageImprint),
      serial: octetsOf(rawOf(serial!)),
      genTime: Buffer.from(octetsOf(rawOf(genTime!))).toString('latin1'),
      accuracy: accuracy && accuracyOf(sixth!),
      nonce: nonce && octetsOf(rawOf(nonce)),
      extensions: (extensions ?? []).map(extensionOf),
    }
  })
}

function imprintOf({ hashAlgorithm, hashedMessage }: TSTInfo['messageImprint']) {
  return { algorithm: algorithmOf(hashAlgorithm), digest: octetsOf(rawOf(hashedMessage)) }
}

function accuracyOf(tree: AsnType): Accuracy {
  const parts = partsOf(tree, 'accuracy')
  const octets = (isPart: (part: AsnType) => boolean) => {
    const part = parts.find(isPart)
    return part && octetsOf(rawOf(part))
  }
  const read = {
    seconds: octets((part) => part instanceof Integer),
    millis: octets((part) => isContext(part, 0)),
    micros: octets((part) => isContext(part, 1)),
  }
  expectParts(tree, present(read.seconds, read.millis, read.micros), 'accuracy')
  return read
}

/** @throws {Malformed} */
export function readRequest(bytes: Uint8Array): Request {
  const tree = treeOf(bytes, 'TimeStampReq')
  return reading('TimeStampReq', () => {
    const { messageImprint, reqPolicy, nonce } = new TimeStampReq({ schema: tree })
    return {
      imprint: imprintOf(messageImprint),
      policy: reqPolicy,
      nonce: nonce && octetsOf(rawOf(nonce)),
    }
  })
}
