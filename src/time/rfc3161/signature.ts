import { algorithmName, findHash, findScheme, type HashName, parseAlgorithm } from './algorithms.js'
import type { Certificate } from './certificate.js'
import { computeDigest, isValidSignature, keyFault } from './crypto.js'
import {
  type Element,
  encodeDer,
  parseMembers,
  parseOid,
  parseParts,
  sameBytes,
  TAG,
} from './der.js'
import type { Signed, Signer } from './structures.js'
import { throwFinding } from './time-stamp.js'

const ATTRIBUTE = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
} as const

function fails(fault: string): never {
  throwFinding('stamp-signature', { fault })
}

/**
 * Check 2: the signed attributes match this content and this certificate, and the signature over their original bytes
 * is valid.
 * @throws {StampRefused}
 */
export function checkSignature({ content, contentType, signers }: Signed, by: Certificate): void {
  const signer = signers[0]!
  const hash = findHash(signer.digest)
  if (hash === undefined) {
    throwFinding('stamp-weak', {
      what: 'the digest of the stamp',
      found: algorithmName(signer.digest.oid),
    })
  }
  if (signer.signedBytes === undefined) fails('it has no signed attributes')
  checkContent(signer, hash, content, contentType)
  checkSigningCertificate(signer, by)
  const scheme = findScheme(signer.signature, hash)
  if (scheme === undefined || scheme.hash !== hash) {
    const found = algorithmName(signer.signature.oid)
    throwFinding('stamp-weak', { what: 'the signature of the stamp', found })
  }
  const fault = keyFault(by.x509.publicKey)
  if (fault !== undefined) throwFinding('stamp-weak', { what: "the signer's key", found: fault })
  if (!isValidSignature(scheme, by.x509.publicKey, signer.signedBytes, signer.signatureValue)) {
    fails('it is none of its signer over these attributes')
  }
}

function checkContent(
  signer: Signer,
  hash: HashName,
  content: Uint8Array,
  contentType: string,
): void {
  const type = onlyValue(signer, ATTRIBUTE.contentType)
  if (type === undefined) fails('contentType is missing')
  if (type.tag !== TAG.objectIdentifier || parseOid(type) !== contentType) {
    fails('contentType is not that of the content')
  }
  const digest = onlyValue(signer, ATTRIBUTE.messageDigest)
  if (digest === undefined) fails('messageDigest is missing')
  if (digest.tag !== TAG.octetString || !sameBytes(digest.content, computeDigest(hash, content))) {
    fails('messageDigest is not the digest of the content')
  }
}

/**
 * The only value of an attribute; undefined if missing.
 * @throws {StampRefused} if it is repeated.
 */
function onlyValue({ attributes }: Signer, type: string): Element | undefined {
  const matching = attributes.filter((each) => each.type === type)
  if (matching.length === 0) return undefined
  if (matching.length > 1 || matching[0]!.values.length !== 1) fails(`${type} has several values`)
  return matching[0]!.values[0]
}

/**
 * The signed attributes name the signer's certificate (RFC 5816), so that another certificate of the same key cannot
 * replace it. Version 1 identifies it by SHA-1, which is acceptable because the certificate itself is signed by its
 * authority.
 */
function checkSigningCertificate(signer: Signer, by: Certificate): void {
  const first = onlyValue(signer, ATTRIBUTE.signingCertificate)
  const second = onlyValue(signer, ATTRIBUTE.signingCertificateV2)
  if (first === undefined && second === undefined) fails('signingCertificate is missing')
  const isNamed =
    (first === undefined || identifiesCertificate(first, 'SHA-1', by)) &&
    (second === undefined || identifiesCertificate(second, 'SHA-256', by))
  if (!isNamed) fails('signingCertificate names another certificate')
}

const SIGNING_CERTIFICATE = { certificates: TAG.sequence, policies: [TAG.sequence] }
const IDENTIFIER = { algorithm: [TAG.sequence], digest: TAG.octetString, issuer: [TAG.sequence] }

/** Whether the first identifier of a SigningCertificate is that of the certificate. */
function identifiesCertificate(
  value: Element,
  usual: 'SHA-1' | 'SHA-256',
  by: Certificate,
): boolean {
  const what = 'signingCertificate'
  const [identifier] = parseParts(parseMembers(value, what, SIGNING_CERTIFICATE).certificates)
  if (identifier === undefined) return false
  // Version 2 names an algorithm if it is not the default; version 1 never does.
  const { algorithm, digest, issuer } = parseMembers(identifier, what, IDENTIFIER)
  const hash = algorithm === undefined ? usual : findHash(parseAlgorithm(algorithm))
  if (hash === undefined || !sameBytes(digest.content, computeDigest(hash, by.der))) return false
  return issuer === undefined || isIssuerAndSerial(issuer.raw, by)
}

/** [4] of GeneralName (RFC 5280). */
const DIRECTORY_NAME = 0xa4

/** IssuerSerial: the issuer as the one directoryName of GeneralNames, and the serial number. */
function isIssuerAndSerial(issuerSerial: Uint8Array, by: Certificate): boolean {
  const names = encodeDer(TAG.sequence, encodeDer(DIRECTORY_NAME, by.issuer))
  const expected = encodeDer(TAG.sequence, names, encodeDer(TAG.integer, by.serial))
  return sameBytes(issuerSerial, expected)
}
