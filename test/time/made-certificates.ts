import {
  constants,
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import {
  type Bytes,
  bits,
  explicit,
  int,
  name,
  nothing,
  octets,
  oid,
  seq,
  time,
  yes,
} from './der-writer.js'

export type KeyKind = 'P-256' | 'P-384' | 'P-521' | 'RSA-1024' | 'RSA-2048' | 'RSA-3072' | 'Ed25519'
export type HashName = 'SHA-1' | 'SHA-224' | 'SHA-256' | 'SHA-384' | 'SHA-512'
export type SchemeName = 'plain' | 'pss'

/** Names of a hash, and of a signature over it by RSA and by ECDSA. */
const OIDS: Readonly<Record<HashName, readonly [hash: string, rsa: string, ecdsa: string]>> = {
  'SHA-1': ['1.3.14.3.2.26', '1.2.840.113549.1.1.5', '1.2.840.10045.4.1'],
  'SHA-224': ['2.16.840.1.101.3.4.2.4', '1.2.840.113549.1.1.14', '1.2.840.10045.4.3.1'],
  'SHA-256': ['2.16.840.1.101.3.4.2.1', '1.2.840.113549.1.1.11', '1.2.840.10045.4.3.2'],
  'SHA-384': ['2.16.840.1.101.3.4.2.2', '1.2.840.113549.1.1.12', '1.2.840.10045.4.3.3'],
  'SHA-512': ['2.16.840.1.101.3.4.2.3', '1.2.840.113549.1.1.13', '1.2.840.10045.4.3.4'],
}
const SALT = 32

export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'

const keys = new Map<string, KeyObject>()

/** A key of a kind; the same one for the same purpose, since large ones take long to make. */
export function keyFor(purpose: string, kind: KeyKind): KeyObject {
  const label = `${purpose} ${kind}`
  const key = keys.get(label) ?? makeKey(kind)
  keys.set(label, key)
  return key
}

function makeKey(kind: KeyKind): KeyObject {
  const [type, size] = kind.split('-')
  if (type === 'Ed25519') return generateKeyPairSync('ed25519').privateKey
  return type === 'P'
    ? generateKeyPairSync('ec', { namedCurve: kind }).privateKey
    : generateKeyPairSync('rsa', { modulusLength: Number(size) }).privateKey
}

/** As OpenSSL reads it: lines of 64 characters, and none of them empty. */
export function pem(label: 'CERTIFICATE' | 'X509 CRL', der: Bytes): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

export const hashAlgorithm = (hash: HashName): Bytes => seq(oid(OIDS[hash][0]), nothing())
export const digestOf = (hash: HashName, bytes: Bytes): Bytes =>
  createHash(hash).update(bytes).digest()

export function signatureAlgorithm(key: KeyObject, hash: HashName, scheme: SchemeName): Bytes {
  if (key.asymmetricKeyType === 'ed25519') return seq(oid('1.3.101.112'))
  if (key.asymmetricKeyType === 'ec') return seq(oid(OIDS[hash][2]))
  if (scheme === 'plain') return seq(oid(OIDS[hash][1]), nothing())
  const mask = seq(oid('1.2.840.113549.1.1.8'), hashAlgorithm(hash))
  return seq(
    oid('1.2.840.113549.1.1.10'),
    seq(explicit(0, hashAlgorithm(hash)), explicit(1, mask), explicit(2, int(SALT))),
  )
}

export function signed(key: KeyObject, hash: HashName, scheme: SchemeName, bytes: Bytes): Bytes {
  if (key.asymmetricKeyType === 'ed25519') return sign(null, bytes, key)
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: SALT }
  return sign(hash, bytes, scheme === 'pss' ? { key, ...pss } : key)
}

/** One extension: identifier, whether it is critical, value. */
export type MadeExtension = readonly [oid: string, critical: boolean, value: Bytes]

export const EXTENSION = {
  authority: (pathLength?: number): MadeExtension => [
    '2.5.29.19',
    true,
    seq(yes(), ...(pathLength === undefined ? [] : [int(pathLength)])),
  ],
  noAuthority: ['2.5.29.19', true, seq()] as MadeExtension,
  usage: (octet: number, unused: number): MadeExtension => [
    '2.5.29.15',
    true,
    bits(Uint8Array.of(octet), unused),
  ],
  purposes: (critical: boolean, ...purposes: string[]): MadeExtension => [
    '2.5.29.37',
    critical,
    seq(...purposes.map(oid)),
  ],
  unknown: (critical: boolean): MadeExtension => ['1.2.3.4.5', critical, nothing()],
}

const extensionOf = ([id, critical, value]: MadeExtension): Bytes =>
  seq(oid(id), ...(critical ? [yes()] : []), octets(value))

export interface CertificateOptions {
  readonly subject: string
  readonly issuer: string
  readonly key: KeyObject
  readonly issuerKey: KeyObject
  readonly serial?: number
  readonly from?: string
  readonly to?: string
  readonly hash?: HashName
  readonly scheme?: SchemeName
  readonly extensions: readonly MadeExtension[]
}

/** A certificate (RFC 5280) in DER. */
export function makeCertificate(options: CertificateOptions): Bytes {
  const { subject, issuer, key, issuerKey, hash = 'SHA-256', scheme = 'plain' } = options
  const { from = '20200101000000Z', to = '20300101000000Z', serial = 5 } = options
  const algorithm = signatureAlgorithm(issuerKey, hash, scheme)
  const extensions = options.extensions.map(extensionOf)
  const body = seq(
    explicit(0, int(2)),
    int(serial),
    algorithm,
    name(issuer),
    seq(time(from), time(to)),
    name(subject),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [explicit(3, seq(...extensions))] : []),
  )
  return seq(body, algorithm, bits(signed(issuerKey, hash, scheme, body)))
}

export interface CrlOptions extends Partial<CertificateOptions> {
  /** That of the issuer. */
  readonly key: KeyObject
  readonly revoked?: readonly { serial: number; at: string; reason?: number }[]
}

/** A list of revoked certificates (RFC 5280, version 2) in DER. */
export function makeCrl(options: CrlOptions): Bytes {
  const { issuer = 'Root', key, hash = 'SHA-256', revoked = [] } = options
  const { from = '20260101000000Z', to = '20270101000000Z', extensions = [] } = options
  const algorithm = signatureAlgorithm(key, hash, 'plain')
  const reasonOf = (code: number) =>
    seq(seq(oid('2.5.29.21'), octets(new Uint8Array([0x0a, 1, code]))))
  const entries = revoked.map(({ serial, at, reason }) =>
    seq(int(serial), time(at), ...(reason === undefined ? [] : [reasonOf(reason)])),
  )
  const listed = extensions.map(extensionOf)
  const body = seq(
    int(1),
    algorithm,
    name(issuer),
    time(from),
    time(to),
    ...(entries.length > 0 ? [seq(...entries)] : []),
    ...(listed.length > 0 ? [explicit(0, seq(...listed))] : []),
  )
  return seq(body, algorithm, bits(signed(key, hash, 'plain', body)))
}
