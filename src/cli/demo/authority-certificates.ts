import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { BitString, Integer, Null, Utf8String } from 'asn1js'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
  PublicKeyInfo,
  RelativeDistinguishedNames,
  Time,
} from 'pkijs'

export type AuthorityKey = 'P-256' | 'P-384' | 'RSA-2048' | 'RSA-3072'

const COMMON_NAME = '2.5.4.3'
const BASIC_CONSTRAINTS = '2.5.29.19'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
/** So wide that the made clocks of tests lie within. */
const VALID_FROM = new Date('2000-01-01T00:00:00Z')
const VALID_TO = new Date('2049-12-31T23:59:59Z')

/** The certificate of an authority, and one that it gives to its signer of time stamps. */
export function makeCertificates(name: string, key: AuthorityKey) {
  const [anchorKey, signerKey] = [makeKey('P-256'), makeKey(key)]
  const issuer = nameOf(`${name} Root`)
  const anchor = certificate(issuer, anchorKey, issuer, anchorKey, [
    extension(BASIC_CONSTRAINTS, new BasicConstraints({ cA: true })),
  ])
  const signer = certificate(nameOf(`${name} TSA`), signerKey, issuer, anchorKey, [
    extension(EXTENDED_KEY_USAGE, new ExtKeyUsage({ keyPurposes: [TIME_STAMPING] })),
  ])
  return { anchor, signer, signerKey }
}

function makeKey(kind: AuthorityKey): KeyObject {
  const [type, size] = kind.split('-')
  return type === 'P'
    ? generateKeyPairSync('ec', { namedCurve: kind }).privateKey
    : generateKeyPairSync('rsa', { modulusLength: Number(size) }).privateKey
}

function nameOf(commonName: string): RelativeDistinguishedNames {
  const value = new Utf8String({ value: commonName })
  return new RelativeDistinguishedNames({
    typesAndValues: [new AttributeTypeAndValue({ type: COMMON_NAME, value })],
  })
}

function extension(extnID: string, value: BasicConstraints | ExtKeyUsage): Extension {
  return new Extension({ extnID, critical: true, extnValue: value.toSchema().toBER() })
}

function certificate(
  subject: RelativeDistinguishedNames,
  subjectKey: KeyObject,
  issuer: RelativeDistinguishedNames,
  issuerKey: KeyObject,
  extensions: Extension[],
): Certificate {
  const algorithm = algorithmOfKey(issuerKey)
  const publicKey = createPublicKey(subjectKey).export({ type: 'spki', format: 'der' })
  const made = new Certificate({
    version: 2,
    // The first octet keeps the number positive.
    serialNumber: new Integer({ valueHex: Uint8Array.of(1, ...randomBytes(8)).buffer }),
    signature: algorithm,
    issuer,
    subject,
    notBefore: new Time({ value: VALID_FROM }),
    notAfter: new Time({ value: VALID_TO }),
    subjectPublicKeyInfo: PublicKeyInfo.fromBER(new Uint8Array(publicKey)),
    extensions,
    signatureAlgorithm: algorithm,
  })
  made.tbsView = new Uint8Array(made.encodeTBS().toBER())
  made.signatureValue = new BitString({
    valueHex: new Uint8Array(sign('SHA-256', made.tbsView, issuerKey)).buffer,
  })
  return made
}

/** The algorithm by which a key signs, with SHA-256. */
export function algorithmOfKey({ asymmetricKeyType }: KeyObject): AlgorithmIdentifier {
  if (asymmetricKeyType === 'ec') {
    return new AlgorithmIdentifier({ algorithmId: '1.2.840.10045.4.3.2' })
  }
  const algorithmParams = new Null()
  return new AlgorithmIdentifier({ algorithmId: '1.2.840.113549.1.1.11', algorithmParams })
}
