import { constants, type KeyObject, verify } from 'node:crypto'
import { RSASSAPSSParams } from 'pkijs'
import { type Algorithm, algorithmOf, reading, treeOf } from './asn1.js'

export type Hash = 'SHA-256' | 'SHA-384' | 'SHA-512'

const HASHES: Readonly<Record<string, Hash>> = {
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
}

/** How a signature is made; the length of the salt is that of PSS. */
export interface Scheme {
  readonly kind: 'rsa' | 'pss' | 'ecdsa'
  readonly hash: Hash
  readonly saltLength?: number
}

const SCHEMES: Readonly<Record<string, Scheme>> = {
  '1.2.840.113549.1.1.11': { kind: 'rsa', hash: 'SHA-256' },
  '1.2.840.113549.1.1.12': { kind: 'rsa', hash: 'SHA-384' },
  '1.2.840.113549.1.1.13': { kind: 'rsa', hash: 'SHA-512' },
  '1.2.840.10045.4.3.2': { kind: 'ecdsa', hash: 'SHA-256' },
  '1.2.840.10045.4.3.3': { kind: 'ecdsa', hash: 'SHA-384' },
  '1.2.840.10045.4.3.4': { kind: 'ecdsa', hash: 'SHA-512' },
}
const RSA_ENCRYPTION = '1.2.840.113549.1.1.1'
const RSASSA_PSS = '1.2.840.113549.1.1.10'
const MGF1 = '1.2.840.113549.1.1.8'

/** Names of algorithms that are refused, for those that occur in the wild. */
const REFUSED: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.5': 'MD5',
  '1.3.14.3.2.26': 'SHA-1',
  '2.16.840.1.101.3.4.2.4': 'SHA-224',
  '1.2.840.113549.1.1.4': 'md5WithRSAEncryption',
  '1.2.840.113549.1.1.5': 'sha1WithRSAEncryption',
  '1.2.840.113549.1.1.14': 'sha224WithRSAEncryption',
  '1.2.840.10045.4.1': 'ecdsa-with-SHA1',
  '1.2.840.10045.4.3.1': 'ecdsa-with-SHA224',
  '1.3.101.112': 'Ed25519',
}

const SMALLEST_RSA = 2048
const CURVES: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384' }

/** The name of an algorithm as a finding shows it. */
export const nameOf = (oid: string): string => REFUSED[oid] ?? HASHES[oid] ?? oid

export const hashOf = ({ oid }: Algorithm): Hash | undefined => HASHES[oid]

/**
 * The scheme of a signature; undefined for one that is not accepted.
 * @param hash - the hash of the signer where the algorithm does not name one of its own.
 */
export function schemeOf(algorithm: Algorithm, hash?: Hash): Scheme | undefined {
  if (algorithm.oid === RSASSA_PSS) return pssOf(algorithm.parameters)
  if (algorithm.oid === RSA_ENCRYPTION) return hash && { kind: 'rsa', hash }
  return SCHEMES[algorithm.oid]
}

function pssOf(parameters: Uint8Array | undefined): Scheme | undefined {
  if (parameters === undefined) return undefined
  const tree = treeOf(parameters, 'RSASSA-PSS-params')
  return reading('RSASSA-PSS-params', () => {
    const read = new RSASSAPSSParams({ schema: tree })
    const hash = hashOf(algorithmOf(read.hashAlgorithm))
    const { algorithmId, algorithmParams } = read.maskGenAlgorithm
    // The mask is made with the same hash: no signer in use does otherwise.
    const [maskHash] = (algorithmParams?.valueBlock?.value ?? []) as { valueBlock: object }[]
    const sameHash = hash !== undefined && HASHES[String(maskHash?.valueBlock)] === hash
    const isUsual = algorithmId === MGF1 && sameHash && read.trailerField === 1
    return isUsual ? { kind: 'pss', hash, saltLength: read.saltLength } : undefined
  })
}

/** Why a key is not accepted; undefined for RSA of 2048 bits or more, P-256 and P-384. */
export function keyFault(key: KeyObject): string | undefined {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'ec') {
    return CURVES[namedCurve ?? ''] === undefined
      ? `EC key on ${namedCurve ?? 'a curve'}`
      : undefined
  }
  if (key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'rsa-pss') {
    return (modulusLength ?? 0) < SMALLEST_RSA ? `RSA key of ${modulusLength} bits` : undefined
  }
  return `key of type ${key.asymmetricKeyType}`
}

const KEY_TYPES: Readonly<Record<Scheme['kind'], readonly string[]>> = {
  rsa: ['rsa'],
  pss: ['rsa', 'rsa-pss'],
  ecdsa: ['ec'],
}

/** Whether a signature over the bytes holds. */
export function signatureHolds(
  scheme: Scheme,
  key: KeyObject,
  signed: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (!KEY_TYPES[scheme.kind].includes(key.asymmetricKeyType ?? '')) return false
  const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING } = constants
  try {
    if (scheme.kind === 'ecdsa') return verify(scheme.hash, signed, key, signature)
    const { saltLength } = scheme
    const padding = saltLength === undefined ? RSA_PKCS1_PADDING : RSA_PKCS1_PSS_PADDING
    const salt = saltLength !== undefined && { saltLength }
    return verify(scheme.hash, signed, { key, padding, ...salt }, signature)
  } catch {
    // OpenSSL throws where the key forbids the scheme, or the signature is no signature at all.
    return false
  }
}
