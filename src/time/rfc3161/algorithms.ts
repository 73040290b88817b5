import {
  ANY,
  type Element,
  explicitTag,
  parseMembers,
  parseOid,
  parseSmallInteger,
  TAG,
} from './der.js'

/** An AlgorithmIdentifier (RFC 5280). */
export interface Algorithm {
  readonly oid: string
  readonly parameters: Element | undefined
}

/** @throws {Malformed} */
export function parseAlgorithm(element: Element): Algorithm {
  const parts = parseMembers(element, 'AlgorithmIdentifier', {
    oid: TAG.objectIdentifier,
    parameters: [ANY],
  })
  return { ...parts, oid: parseOid(parts.oid) }
}

export type HashName = 'SHA-256' | 'SHA-384' | 'SHA-512'

const HASHES: Readonly<Record<string, HashName>> = {
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
}

/** A signature scheme; the salt length is for PSS. */
export interface Scheme {
  readonly kind: 'rsa' | 'pss' | 'ecdsa'
  readonly hash: HashName
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
const USUAL_SALT = 20
const MGF1 = '1.2.840.113549.1.1.8'

/** Names of rejected algorithms that occur in practice. */
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

/** The name of an algorithm as a finding shows it. */
export const algorithmName = (oid: string): string => REFUSED[oid] ?? HASHES[oid] ?? oid

export const findHash = ({ oid }: Algorithm): HashName | undefined => HASHES[oid]

/**
 * The scheme of a signature; undefined if not accepted.
 * @param hash - of the signer, used if the algorithm names none.
 */
export function findScheme(algorithm: Algorithm, hash?: HashName): Scheme | undefined {
  if (algorithm.oid === RSASSA_PSS) return parsePss(algorithm.parameters)
  if (algorithm.oid === RSA_ENCRYPTION) return hash && { kind: 'rsa', hash }
  return SCHEMES[algorithm.oid]
}

function parsePss(element: Element | undefined): Scheme | undefined {
  if (element?.tag !== TAG.sequence) return undefined
  const what = 'RSASSA-PSS-params'
  const { hash, mask, salt, trailer } = parseMembers(element, what, {
    hash: [explicitTag(0)],
    mask: [explicitTag(1)],
    salt: [explicitTag(2)],
    trailer: [explicitTag(3)],
  })
  const algorithmIn = (part: Element | undefined) =>
    part && parseAlgorithm(parseMembers(part, what, { it: TAG.sequence }).it)
  const numberIn = (part: Element | undefined, usual: number) =>
    part === undefined ? usual : parseSmallInteger(parseMembers(part, what, { it: TAG.integer }).it)
  // A missing hash means SHA-1. The mask must use the same hash, as all signers in use do.
  const { oid, parameters } = algorithmIn(mask) ?? {}
  const name = HASHES[algorithmIn(hash)?.oid ?? '']
  const maskHash =
    parameters?.tag === TAG.sequence ? findHash(parseAlgorithm(parameters)) : undefined
  const saltLength = numberIn(salt, USUAL_SALT)
  const isUsual = oid === MGF1 && maskHash === name && numberIn(trailer, 1) === 1
  if (name === undefined || saltLength === undefined || !isUsual) return undefined
  return { kind: 'pss', hash: name, saltLength }
}
