// The parts of node:crypto that the program uses, for browsers. WebCrypto is asynchronous, which all callers would have
// to be too, and takes no streams. So digests and curves come from noble, and RSA is implemented here.
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256, p384 } from '@noble/curves/nist.js'
import { sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { findScheme, type HashName, parseAlgorithm } from '../../time/rfc3161/algorithms.js'
import {
  CERTIFICATE_BODY,
  CERTIFICATE_FORM,
  type Extension,
  parseExplicitExtensions,
} from '../../time/rfc3161/certificate-form.js'
import {
  ANY,
  decodeLatin1,
  type Element,
  encodeDer,
  encodeOid,
  Malformed,
  parseMembers,
  parseOid,
  parseParts,
  parseSequence,
  TAG,
} from '../../time/rfc3161/der.js'
import { Buffer } from './buffer.js'

const HASHES = { sha1, sha256, sha384, sha512 }

const hashNamed = (name: string) =>
  HASHES[name.toLowerCase().replace('-', '') as keyof typeof HASHES]

const toBytes = (data: string | Uint8Array): Uint8Array =>
  typeof data === 'string' ? Buffer.from(data) : data

export function createHash(name: string) {
  const state = hashNamed(name).create()
  const made = {
    update(data: string | Uint8Array) {
      state.update(toBytes(data))
      return made
    },
    digest(encoding?: 'hex') {
      const digest = Buffer.from(state.digest())
      return encoding === undefined ? digest : digest.toString(encoding)
    },
  }
  return made
}

export const hash = (name: string, data: string | Uint8Array): string =>
  Buffer.from(hashNamed(name)(toBytes(data))).toString('hex')

/** Their values do not matter, because only this file reads them. */
export const constants = { RSA_PKCS1_PADDING: 1, RSA_PKCS1_PSS_PADDING: 6 }

/** A public key. */
interface KeyObject {
  readonly type: 'public'
  readonly asymmetricKeyType: string
  readonly asymmetricKeyDetails: { readonly modulusLength?: number; readonly namedCurve?: string }
  /** For a curve the point; for RSA modulus and exponent. */
  readonly point: Uint8Array
  readonly rsa?: readonly [modulus: bigint, exponent: bigint]
  export(): { readonly x: string }
}

const CURVES = { prime256v1: p256, secp384r1: p384 }
const CURVE_NAMES: Readonly<Record<string, string>> = {
  '1.2.840.10045.3.1.7': 'prime256v1',
  '1.3.132.0.34': 'secp384r1',
  '1.3.132.0.35': 'secp521r1',
  '1.3.132.0.10': 'secp256k1',
}
const KEY_TYPES: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.1': 'rsa',
  '1.2.840.113549.1.1.10': 'rsa-pss',
  '1.2.840.10045.2.1': 'ec',
  '1.2.840.10040.4.1': 'dsa',
  '1.3.101.112': 'ed25519',
  '1.3.101.113': 'ed448',
}

function createKey(
  asymmetricKeyType: string,
  point: Uint8Array,
  more: Partial<KeyObject> = {},
): KeyObject {
  const x = () => ({ x: Buffer.from(point).toString('base64url') })
  return { type: 'public', asymmetricKeyType, asymmetricKeyDetails: {}, point, export: x, ...more }
}

/** An Ed25519 key from a JSON web key. */
export function createPublicKey({ key }: { readonly key: { readonly x: string } }): KeyObject {
  return createKey('ed25519', Buffer.from(key.x, 'base64url'))
}

/** Parses the key of a SubjectPublicKeyInfo (RFC 5280). @throws {Malformed} */
function keyIn(info: Element): KeyObject {
  const { algorithm, bits } = parseMembers(info, 'key', {
    algorithm: TAG.sequence,
    bits: TAG.bitString,
  })
  const { oid, parameters } = parseAlgorithm(algorithm)
  const type = KEY_TYPES[oid] ?? oid
  const point = bits.content.subarray(1)
  if (type === 'ec') {
    const namedCurve = parameters && (CURVE_NAMES[parseOid(parameters)] ?? parseOid(parameters))
    return createKey(type, point, { asymmetricKeyDetails: namedCurve ? { namedCurve } : {} })
  }
  if (!type.startsWith('rsa')) return createKey(type, point)
  const parts = parseSequence(point, 'key', { modulus: TAG.integer, exponent: TAG.integer })
  const modulus = toBigInt(parts.modulus.content)
  const modulusLength = modulus.toString(2).length
  const rsa = [modulus, toBigInt(parts.exponent.content)] as const
  return createKey(type, point, { asymmetricKeyDetails: { modulusLength }, rsa })
}

const toBigInt = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

interface RsaKey {
  readonly key: KeyObject
  readonly padding: number
  readonly saltLength?: number
}

/** Whether a signature is valid. @throws if the type of key is not supported. */
export function verify(
  name: string | null,
  data: Uint8Array,
  by: KeyObject | RsaKey,
  signature: Uint8Array,
): boolean {
  const {
    key,
    padding = 1,
    saltLength = 0,
  }: Partial<RsaKey> & Pick<RsaKey, 'key'> = 'key' in by ? by : { key: by }
  if (key.asymmetricKeyType === 'ed25519') {
    return ed25519.verify(signature, data, key.point, { zip215: false })
  }
  const hashed = hashNamed(name ?? '')
  const digest = hashed(data)
  if (key.rsa !== undefined) {
    const opened = openRsa(key.rsa, signature)
    if (opened === undefined) return false
    if (padding === constants.RSA_PKCS1_PADDING) {
      return opened.equals(padded(name ?? '', digest, opened.length))
    }
    return holdsPss(opened, digest, saltLength, hashed, key.rsa[0].toString(2).length - 1)
  }
  const curve = CURVES[key.asymmetricKeyDetails.namedCurve as keyof typeof CURVES]
  return curve.verify(signature, digest, key.point, { prehash: false, lowS: false, format: 'der' })
}

/** The signature to the power of the exponent (RFC 8017, 5.2.2); undefined if it is out of range. */
function openRsa([modulus, exponent]: readonly [bigint, bigint], signature: Uint8Array) {
  const length = Math.ceil(modulus.toString(16).length / 2)
  let square = toBigInt(signature)
  if (signature.length !== length || square >= modulus) return undefined
  let opened = 1n
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) opened = (opened * square) % modulus
    square = (square * square) % modulus
  }
  return Buffer.from(opened.toString(16).padStart(length * 2, '0'), 'hex')
}

const HASH_OIDS: Readonly<Record<string, string>> = {
  'SHA-1': '1.3.14.3.2.26',
  'SHA-256': '2.16.840.1.101.3.4.2.1',
  'SHA-384': '2.16.840.1.101.3.4.2.2',
  'SHA-512': '2.16.840.1.101.3.4.2.3',
}

/** EMSA-PKCS1-v1_5 (RFC 8017, 9.2). */
function padded(name: string, digest: Uint8Array, length: number): Uint8Array {
  const algorithm = encodeDer(TAG.sequence, encodeOid(HASH_OIDS[name] ?? ''), encodeDer(TAG.null))
  const info = encodeDer(TAG.sequence, algorithm, encodeDer(TAG.octetString, digest))
  const filling = new Uint8Array(Math.max(0, length - info.length - 3)).fill(0xff)
  return Buffer.concat([Uint8Array.of(0, 1), filling, Uint8Array.of(0), info])
}

/** EMSA-PSS-VERIFY (RFC 8017, 9.1.2), with MGF1 of the same hash. */
function holdsPss(
  opened: Uint8Array,
  digest: Uint8Array,
  saltLength: number,
  hashed: (data: Uint8Array) => Uint8Array,
  bits: number,
): boolean {
  const length = Math.ceil(bits / 8)
  const zero = opened.length - length
  const encoded = opened.subarray(zero)
  const split = length - digest.length - 1
  const saltAt = split - saltLength
  if (saltAt < 1 || encoded.at(-1) !== 0xbc || opened.subarray(0, zero).some(Boolean)) return false
  const seed = encoded.subarray(split, -1)
  const blocks = Array.from({ length: Math.ceil(split / digest.length) }, (_, count) =>
    hashed(Buffer.concat([seed, Uint8Array.of(0, 0, count >> 8, count & 0xff)])),
  )
  const mask = Buffer.concat(blocks)
  const block = encoded.subarray(0, split).map((octet, at) => octet ^ (mask[at] as number))
  const unused = 0xff >> (8 * length - bits)
  if ((encoded[0] as number) & ~unused) return false
  block[0] = (block[0] as number) & unused
  if (block.subarray(0, saltAt - 1).some(Boolean) || block[saltAt - 1] !== 1) return false
  const rehashed = hashed(Buffer.concat([new Uint8Array(8), digest, block.subarray(saltAt)]))
  return Buffer.compare(rehashed, seed) === 0
}

/** The parts of Node's X509Certificate that the program uses. */
export class X509Certificate {
  readonly validFrom: string
  readonly validTo: string
  readonly subject: string
  /** Whether it may sign other certificates. */
  readonly ca: boolean
  readonly publicKey: KeyObject
  readonly #signed: Uint8Array
  readonly #algorithm: Element
  readonly #signature: Uint8Array

  /** @throws {Malformed} */
  constructor(bytes: Uint8Array) {
    const { body, algorithm, signature } = parseSequence(bytes, 'certificate', CERTIFICATE_FORM)
    const parts = parseMembers(body, 'certificate', CERTIFICATE_BODY)
    const times = parseMembers(parts.validity, 'validity', { from: ANY, to: ANY })
    this.validFrom = formatDate(times.from)
    this.validTo = formatDate(times.to)
    this.subject = namesIn(parts.subject)
    this.publicKey = keyIn(parts.key)
    this.ca = maySign(parseExplicitExtensions(parts.extensions))
    this.#signed = body.raw
    this.#algorithm = algorithm
    this.#signature = signature.content.subarray(1)
  }

  /** Whether a key made its signature. @throws if the type of signature is not supported. */
  verify(key: KeyObject): boolean {
    const algorithm = parseAlgorithm(this.#algorithm)
    const scheme = findScheme(algorithm) ?? SHA1_SCHEMES[algorithm.oid]
    if (scheme === undefined) throw new Malformed('its signature is of an unknown kind')
    const isPss = scheme.kind === 'pss'
    const padding = isPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING
    const salt = scheme.saltLength === undefined ? {} : { saltLength: scheme.saltLength }
    return verify(scheme.hash, this.#signed, { key, padding, ...salt }, this.#signature)
  }
}

/** Old anchors sign themselves this way; they must not sign others this way. */
const SHA1_SCHEMES: Readonly<
  Record<string, { kind: 'rsa' | 'ecdsa'; hash: HashName | 'SHA-1'; saltLength?: number }>
> = {
  '1.2.840.113549.1.1.5': { kind: 'rsa', hash: 'SHA-1' },
  '1.2.840.10045.4.1': { kind: 'ecdsa', hash: 'SHA-1' },
}

/** Converts a UTCTime or GeneralizedTime to a text that Date parses. */
function formatDate(element: Element): string {
  const text = decodeLatin1(element)
  const digits = element.tag === TAG.utcTime ? (text < '50' ? '20' : '19') + text : text
  return digits.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
}

const ATTRIBUTES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
}

function namesIn(name: Element): string {
  const pairs = [...parseParts(name)].flatMap((set) => [...parseParts(set)])
  const lines = pairs.map((pair) => {
    const { type, value } = parseMembers(pair, 'name', { type: TAG.objectIdentifier, value: ANY })
    const oid = parseOid(type)
    return `${ATTRIBUTES[oid] ?? oid}=${Buffer.from(value.content).toString()}`
  })
  return lines.join('\n')
}

/** By its basic constraints and, if present, its key usage. */
function maySign(extensions: readonly Extension[]): boolean {
  const named = (id: string) => extensions.find(({ oid }) => oid === id)?.value
  const [constraints, usage] = [named('2.5.29.19'), named('2.5.29.15')]
  const [authority] =
    constraints === undefined ? [] : parseParts({ content: constraints.subarray(2) })
  const isAuthority = authority?.tag === TAG.boolean && authority.content[0] !== 0
  return isAuthority && (usage === undefined || ((usage[3] ?? 0) & 0x04) !== 0)
}

/** The page signs nothing and needs no randomness. */
const refused = (): never => {
  throw new Error('nothing is signed or drawn here')
}

export { refused as randomBytes, refused as sign }
