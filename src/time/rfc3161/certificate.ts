import { X509Certificate } from 'node:crypto'
import { type Instant, MICROS_PER_SECOND } from '../../contract/instant.js'
import {
  type Algorithm,
  algorithmIn,
  extensionsIn,
  isContext,
  partsOf,
  type ReadExtension,
  rawOf,
  reading,
  treeOf,
} from './asn1.js'
import { Malformed, octetsOf } from './der.js'

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
