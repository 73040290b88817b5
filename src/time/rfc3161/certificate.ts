import type { X509Certificate } from 'node:crypto'
import type { Instant } from '../../contract/instant.js'
import { printable } from '../../contract/printable.js'
import { sha256Hex } from '../../document/digest.js'
import { type Algorithm, algorithmOf } from './algorithms.js'
import {
  CERTIFICATE,
  CERTIFICATE_BODY,
  type Extension,
  explicitExtensions,
} from './certificate-form.js'
import { instantOfDate, openCertificate } from './crypto.js'
import {
  bitsOf,
  expectTag,
  Malformed,
  oidOf,
  partsOf,
  readDer,
  readMembers,
  readSequence,
  smallNumberOf,
  TAG,
} from './der.js'

/** A certificate: what OpenSSL does with it, and what it says of itself. */
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
 * Reads a certificate in DER. Its form is checked by OpenSSL; then the elements are where they must be.
 * @throws {Malformed}
 */
export function readCertificate(der: Uint8Array): Certificate {
  const { body, algorithm } = readSequence(der, 'certificate', CERTIFICATE)
  const x509 = openCertificate(der)
  const { serial, issuer, subject, extensions } = readMembers(body, 'certificate', CERTIFICATE_BODY)
  return {
    x509,
    notBefore: instantOfDate(x509.validFrom),
    notAfter: instantOfDate(x509.validTo),
    der,
    sha256: sha256Hex(der),
    issuer: issuer.raw,
    subject: subject.raw,
    serial: serial.content,
    signature: algorithmOf(algorithm),
    extensions: explicitExtensions(extensions),
  }
}

/** A subject on one line, as findings show it. */
export const subjectOf = ({ x509 }: Certificate): string =>
  // Node gives none where the name is empty, though its type says otherwise.
  printable((x509.subject ?? '').replaceAll('\n', ', ').slice(0, 200)) || 'no name'

const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_USAGE = '2.5.29.15'
const EXTENDED_KEY_USAGE = '2.5.29.37'
/**
 * Extensions that may be critical: the three above are checked; alternative names and policies limit
 * nothing here, since no name and no policy is asked for.
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
export const USAGE = { digitalSignature: 0, nonRepudiation: 1, keyCertSign: 5, crlSign: 6 } as const

/** What the extensions of a certificate allow it. */
export interface Profile {
  readonly isAuthority: boolean
  /** How many certificates may be between it and the signer's. */
  readonly pathLength: number
  /** Numbers of bits; undefined where the certificate does not restrict its key. */
  readonly usage: readonly number[] | undefined
  readonly purposes: readonly string[] | undefined
  readonly purposesCritical: boolean
  /** Why its critical extensions forbid every use; undefined where all of them are known. */
  readonly notUnderstood: string | undefined
}

/** @throws {Malformed} where an extension that matters cannot be read, or is there twice. */
export function profileOf({ extensions }: Certificate): Profile {
  const names = extensions.map(({ oid }) => oid)
  if (new Set(names).size !== names.length) {
    throw new Malformed('a certificate has an extension twice')
  }
  const named = (oid: string) => extensions.find((each) => each.oid === oid)
  const purposes = named(EXTENDED_KEY_USAGE)
  const unknown = extensions.filter(({ oid, critical }) => critical && !UNDERSTOOD.has(oid))
  const unknownNames = unknown.map(({ oid }) => oid).join(', ')
  return {
    ...constraintsOf(named(BASIC_CONSTRAINTS)?.value),
    usage: usageOf(named(KEY_USAGE)?.value),
    purposes: purposes && purposesOf(purposes.value),
    purposesCritical: purposes?.critical ?? false,
    notUnderstood:
      unknown.length === 0
        ? undefined
        : `it has critical extensions that are not understood: ${unknownNames}`,
  }
}

function constraintsOf(value: Uint8Array | undefined) {
  if (value === undefined) return { isAuthority: false, pathLength: 0 }
  const { authority, limit } = readSequence(value, 'basicConstraints', {
    authority: [TAG.boolean],
    limit: [TAG.integer],
  })
  if (authority?.content[0] === 0) throw new Malformed('basicConstraints states what is usual')
  const pathLength = limit === undefined ? Number.POSITIVE_INFINITY : smallNumberOf(limit)
  if (pathLength === undefined) throw new Malformed('a path length is no small number')
  return { isAuthority: authority !== undefined, pathLength }
}

function usageOf(value: Uint8Array | undefined): number[] | undefined {
  if (value === undefined) return undefined
  return bitsOf(expectTag(readDer(value, 'keyUsage'), TAG.bitString, 'keyUsage'))
}

function purposesOf(value: Uint8Array): string[] {
  const what = 'extendedKeyUsage'
  const purposes = partsOf(expectTag(readDer(value, what), TAG.sequence, what))
  return [...purposes].map((each) => oidOf(expectTag(each, TAG.objectIdentifier, what)))
}
