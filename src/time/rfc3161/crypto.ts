// All that is asked of node:crypto to verify a stamp.
import {
  constants,
  createHash,
  type KeyObject,
  verify as verifySignature,
  X509Certificate,
} from 'node:crypto'
import { type Instant, MICROS_PER_SECOND } from '../../contract/instant.js'
import type { HashName, Scheme } from './algorithms.js'
import { Malformed } from './der.js'

/** SHA-1 only identifies certificates in old stamps; no signature uses it. */
export const computeDigest = (hash: HashName | 'SHA-1', bytes: Uint8Array): Uint8Array =>
  createHash(hash).update(bytes).digest()

/** Opens a certificate in DER. @throws {Malformed} for what OpenSSL cannot read. */
export function loadCertificate(der: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(der)
  } catch {
    throw new Malformed('it has no certificate where one is expected')
  }
}

/** A certificate may expire in the year 9999, which `parseInstant` does not accept. */
export function parseCertificateDate(text: string): Instant {
  const seconds = Date.parse(text) / 1000
  if (!Number.isFinite(seconds)) throw new Malformed('a certificate has no readable dates')
  return seconds * MICROS_PER_SECOND
}

const MIN_RSA_BITS = 2048
const CURVES: readonly string[] = ['prime256v1', 'secp384r1']

/** Why a key is not accepted; undefined for RSA of 2048 bits or more, P-256 and P-384. */
export function keyFault(key: KeyObject): string | undefined {
  const { modulusLength = 0, namedCurve = 'a curve' } = key.asymmetricKeyDetails ?? {}
  switch (key.asymmetricKeyType) {
    case 'ec':
      return CURVES.includes(namedCurve) ? undefined : `EC key on ${namedCurve}`
    case 'rsa':
    case 'rsa-pss':
      return modulusLength < MIN_RSA_BITS ? `RSA key of ${modulusLength} bits` : undefined
    default:
      return `key of type ${key.asymmetricKeyType}`
  }
}

const KEY_TYPES: Readonly<Record<Scheme['kind'], readonly string[]>> = {
  rsa: ['rsa'],
  pss: ['rsa', 'rsa-pss'],
  ecdsa: ['ec'],
}

/** Whether a signature over the bytes holds. */
export function isValidSignature(
  { kind, hash, saltLength }: Scheme,
  key: KeyObject,
  signed: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (!KEY_TYPES[kind].includes(key.asymmetricKeyType ?? '')) return false
  const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING } = constants
  const padding = saltLength === undefined ? RSA_PKCS1_PADDING : RSA_PKCS1_PSS_PADDING
  const salt = saltLength !== undefined && { saltLength }
  try {
    return verifySignature(
      hash,
      signed,
      kind === 'ecdsa' ? key : { key, padding, ...salt },
      signature,
    )
  } catch {
    // OpenSSL throws if the key forbids the scheme, or the signature is malformed.
    return false
  }
}
