import type { X509Certificate } from 'node:crypto'
import type { Instant } from '../../contract/instant.js'
import { printable } from '../../contract/printable.js'
import { sha256Hex } from '../../document/digest.js'
import { type Algorithm, parseAlgorithm } from './algorithms.js'
import {
  CERTIFICATE_BODY,
  CERTIFICATE_FORM,
  type Extension,
  parseExplicitExtensions,
} from './certificate-form.js'
import { loadCertificate, parseCertificateDate } from './crypto.js'
import {
  assertTag,
  Malformed,
  parseBits,
  parseDer,
  parseMembers,
  parseOid,
  parseParts,
  parseSequence,
  parseSmallInteger,
  TAG,
} from './der.js'

/** A certificate, as OpenSSL object and as parsed members. */
export interface Certificate {
  readonly x509: X509Certificate
  readonly notBefore: Instant
  readonly notAfter: Instant
  readonly der: Uint8Array
  /** SHA-256 of the DER, in hex. */
  readonly sha256: string
  /** A Name in DER, as is `subject`. */
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  /** The octets of the number. */
  readonly serial: Uint8Array
  readonly signature: Algorithm
  readonly extensions: readonly Extension[]
}

/**
 * Parses a certificate in DER. OpenSSL checks its form first, so the elements are in their places.
 * @throws {Malformed}
 */
export function parseCertificate(der: Uint8Array): Certificate {
  const { body, algorithm } = parseSequence(der, 'certificate', CERTIFICATE_FORM)
  const x509 = loadCertificate(der)
  const { serial, issuer, subject, extensions } = parseMembers(
    body,
    'certificate',
    CERTIFICATE_BODY,
  )
  return {
    x509,
    notBefore: parseCertificateDate(x509.validFrom),
    notAfter: parseCertificateDate(x509.validTo),
    der,
    sha256: sha256Hex(der),
    issuer: issuer.raw,
    subject: subject.raw,
    serial: serial.content,
    signature: parseAlgorithm(algorithm),
    extensions: parseExplicitExtensions(extensions),
  }
}

/** A subject on one line, as findings show it. */
export const formatSubject = ({ x509 }: Certificate): string =>
  // Node returns undefined for an empty name, although the type says string.
  printable((x509.subject ?? '').replaceAll('\n', ', ').slice(0, 200)) || 'no name'

const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_USAGE = '2.5.29.15'
const EXTENDED_KEY_USAGE = '2.5.29.37'
/**
 * Extensions that may be critical: the three above are checked. Alternative names and policies have no effect here,
 * because no name and no policy is required.
 */
const UNDERSTOOD = new Set([
  BASIC_CONSTRAINTS,
  KEY_USAGE,
  EXTENDED_KEY_USAGE,
  '2.5.29.17',
  '2.5.29.18',
  '2.5.29.32',
])

/** Bits of the key usage (RFC 5280, 4.2.1.3). */
export const KEY_USAGE_BIT = {
  digitalSignature: 0,
  nonRepudiation: 1,
  keyCertSign: 5,
  crlSign: 6,
} as const

/** What the extensions of a certificate allow. */
export interface Profile {
  readonly isAuthority: boolean
  /** Maximum number of certificates between it and the signer's. */
  readonly pathLength: number
  /** Bit numbers; undefined if the certificate does not restrict its key. */
  readonly usage: readonly number[] | undefined
  readonly purposes: readonly string[] | undefined
  readonly purposesCritical: boolean
  /** Why its critical extensions forbid every use; undefined if all are known. */
  readonly notUnderstood: string | undefined
}

/** @throws {Malformed} where an extension that matters cannot be read, or is there twice. */
export function parseProfile({ extensions }: Certificate): Profile {
  const names = extensions.map(({ oid }) => oid)
  if (new Set(names).size !== names.length) {
    throw new Malformed('a certificate has an extension twice')
  }
  const named = (oid: string) => extensions.find((each) => each.oid === oid)
  const purposes = named(EXTENDED_KEY_USAGE)
  const unknown = extensions.filter(({ oid, critical }) => critical && !UNDERSTOOD.has(oid))
  const unknownNames = unknown.map(({ oid }) => oid).join(', ')
  return {
    ...parseConstraints(named(BASIC_CONSTRAINTS)?.value),
    usage: parseKeyUsage(named(KEY_USAGE)?.value),
    purposes: purposes && parsePurposes(purposes.value),
    purposesCritical: purposes?.critical ?? false,
    notUnderstood:
      unknown.length === 0
        ? undefined
        : `it has critical extensions that are not understood: ${unknownNames}`,
  }
}

function parseConstraints(value: Uint8Array | undefined) {
  if (value === undefined) return { isAuthority: false, pathLength: 0 }
  const { authority, limit } = parseSequence(value, 'basicConstraints', {
    authority: [TAG.boolean],
    limit: [TAG.integer],
  })
  if (authority?.content[0] === 0) throw new Malformed('basicConstraints states what is usual')
  const pathLength = limit === undefined ? Number.POSITIVE_INFINITY : parseSmallInteger(limit)
  if (pathLength === undefined) throw new Malformed('a path length is no small number')
  return { isAuthority: authority !== undefined, pathLength }
}

function parseKeyUsage(value: Uint8Array | undefined): number[] | undefined {
  if (value === undefined) return undefined
  return parseBits(assertTag(parseDer(value, 'keyUsage'), TAG.bitString, 'keyUsage'))
}

function parsePurposes(value: Uint8Array): string[] {
  const what = 'extendedKeyUsage'
  const purposes = parseParts(assertTag(parseDer(value, what), TAG.sequence, what))
  return [...purposes].map((each) => parseOid(assertTag(each, TAG.objectIdentifier, what)))
}
