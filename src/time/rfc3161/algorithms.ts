import { type Element, explicitTag, Malformed, oidOf, Parts, smallNumberOf, TAG } from './der.js'

/** An AlgorithmIdentifier (RFC 5280). */
export interface Algorithm {
  readonly oid: string
  readonly parameters: Element | undefined
}

/** @throws {Malformed} */
export function algorithmOf(element: Element): Algorithm {
  const parts = new Parts(element, 'AlgorithmIdentifier')
  const oid = oidOf(parts.need(TAG.objectIdentifier))
  const [parameters, ...rest] = parts.all()
  if (rest.length > 0) throw new Malformed('AlgorithmIdentifier has unknown parts')
  return { oid, parameters }
}

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
const USUAL_SALT = 20
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

function pssOf(parameters: Element | undefined): Scheme | undefined {
  if (parameters?.tag !== TAG.sequence) return undefined
  const parts = new Parts(parameters, 'RSASSA-PSS-params')
  const explicit = (number: number, tag: number) => {
    const outer = parts.maybe(explicitTag(number))
    return outer && new Parts(outer, 'RSASSA-PSS-params').need(tag)
  }
  const hash = explicit(0, TAG.sequence)
  const mask = explicit(1, TAG.sequence)
  const saltLength = explicit(2, TAG.integer)
  const trailer = explicit(3, TAG.integer)
  parts.end()
  // The usual values do not stand there: of hash and mask that is SHA-1.
  if (hash === undefined || mask === undefined) return undefined
  const { oid, parameters: maskHash } = algorithmOf(mask)
  const name = hashOf(algorithmOf(hash))
  // The mask is made with the same hash: no signer in use does otherwise.
  const hasUsualMask =
    oid === MGF1 && maskHash?.tag === TAG.sequence && hashOf(algorithmOf(maskHash)) === name
  const salt = saltLength === undefined ? USUAL_SALT : smallNumberOf(saltLength)
  const hasUsualTrailer = trailer === undefined || smallNumberOf(trailer) === 1
  if (!hasUsualMask || !hasUsualTrailer || name === undefined || salt === undefined)
    return undefined
  return { kind: 'pss', hash: name, saltLength: salt }
}
