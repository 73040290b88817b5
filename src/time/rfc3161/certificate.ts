import { X509Certificate } from 'node:crypto'
import { BitString } from 'asn1js'
import { BasicConstraints, ExtKeyUsage } from 'pkijs'
import { type Instant, MICROS_PER_SECOND } from '../../contract/instant.js'
import {
  type Algorithm,
  algorithmIn,
  bitsOf,
  expectParts,
  extensionsIn,
  isContext,
  partsOf,
  present,
  type ReadExtension,
  rawOf,
  reading,
  treeOf,
} from './asn1.js'
import { Malformed, octetsOf } from './der.js'

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

/** A certificate: what node:crypto does with it, and what it says of itself. */
export interface Certificate {
  readonly x509: X509Certificate
  readonly der: Uint8Array
  /** SHA-256 of the DER, in hex. */
  readonly sha256: string
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  readonly serial: Uint8Array
  readonly signature: Algorithm
  readonly notBefore: Instant
  readonly notAfter: Instant
  readonly extensions: readonly ReadExtension[]
}

/** What the extensions of a certificate allow it. */
export interface Profile {
  readonly isAuthority: boolean
  /** How many certificates may stand between it and the signer's. */
  readonly pathLength: number
  /** Numbers of bits; undefined where the certificate does not restrict its key. */
  readonly usage: readonly number[] | undefined
  readonly purposes: readonly string[] | undefined
  readonly purposesCritical: boolean
  /** Critical extensions that nothing here knows. */
  readonly notUnderstood: readonly string[]
}

/**
 * Reads a certificate in DER. Its form is checked by OpenSSL; then the elements stand where they must.
 * @throws {Malformed}
 */
export function readCertificate(der: Uint8Array): Certificate {
  const tree = treeOf(der, 'a certificate')
  return reading('certificate', () => {
    const x509 = new X509Certificate(der)
    const [body, signature] = partsOf(tree, 'a certificate')
    const parts = partsOf(body!, 'a certificate')
    // Before the serial number stands the version, where there is one.
    const [serial, , issuer, , subject, , ...rest] = parts.slice(isContext(parts[0]!, 0) ? 1 : 0)
    const extensions = rest.find((part) => isContext(part, 3))
    return {
      x509,
      der,
      sha256: x509.fingerprint256.replaceAll(':', '').toLowerCase(),
      issuer: rawOf(issuer!),
      subject: rawOf(subject!),
      serial: octetsOf(rawOf(serial!)),
      signature: algorithmIn(signature!),
      notBefore: instantOfDate(x509.validFrom),
      notAfter: instantOfDate(x509.validTo),
      extensions: extensions ? extensionsIn(partsOf(extensions, 'extensions')[0]!) : [],
    }
  })
}

function instantOfDate(text: string): Instant {
  const seconds = Date.parse(text) / 1000
  if (!Number.isFinite(seconds)) throw new Malformed('a certificate has no readable dates')
  return seconds * MICROS_PER_SECOND
}

/** @throws {Malformed} where an extension that matters cannot be read, or stands there twice. */
export function profileOf({ extensions }: Certificate): Profile {
  const names = extensions.map(({ oid }) => oid)
  if (new Set(names).size !== names.length) {
    throw new Malformed('a certificate has an extension twice')
  }
  const named = (oid: string) => extensions.find((each) => each.oid === oid)
  const constraints = constraintsOf(named(BASIC_CONSTRAINTS)?.value)
  const purposes = named(EXTENDED_KEY_USAGE)
  return {
    ...constraints,
    usage: usageOf(named(KEY_USAGE)?.value),
    purposes: purposes && purposesOf(purposes.value),
    purposesCritical: purposes?.critical ?? false,
    notUnderstood: extensions
      .filter(({ oid, critical }) => critical && !UNDERSTOOD.has(oid))
      .map(({ oid }) => oid),
  }
}

function constraintsOf(value: Uint8Array | undefined) {
  if (value === undefined) return { isAuthority: false, pathLength: 0 }
  return reading('basicConstraints', () => {
    const tree = treeOf(value, 'basicConstraints')
    const { cA, pathLenConstraint } = new BasicConstraints({ schema: tree })
    expectParts(tree, present(cA || undefined, pathLenConstraint), 'basicConstraints')
    const pathLength = pathLenConstraint ?? Number.POSITIVE_INFINITY
    if (typeof pathLength !== 'number') throw new Malformed('a path length is no small number')
    return { isAuthority: cA, pathLength }
  })
}

function usageOf(value: Uint8Array | undefined): number[] | undefined {
  if (value === undefined) return undefined
  const tree = treeOf(value, 'keyUsage')
  if (!(tree instanceof BitString)) throw new Malformed('keyUsage is no bit string')
  return bitsOf(octetsOf(value))
}

function purposesOf(value: Uint8Array): string[] {
  const tree = treeOf(value, 'extendedKeyUsage')
  return reading('extendedKeyUsage', () => new ExtKeyUsage({ schema: tree }).keyPurposes)
}
