import { join } from 'node:path'
import { isAuthorityName } from '../../contract/authority-name.js'
import { ForeproofError } from '../../contract/error.js'
import { listFileNames, readRegular } from '../../files/regular.js'
import { type Certificate, parseCertificate } from './certificate.js'
import { Malformed } from './der.js'
import { parseRevocationList, type RevocationList } from './revocation.js'

/** Largest file that an anchor or a list of revoked certificates may be, in bytes. */
const MAX_CERTIFICATE_BYTES = 65_536
const MAX_CRL_BYTES = 1_048_576

/** A certificate that a person has chosen to trust. All trust in stamps rests on anchors. */
export interface Anchor {
  /** Name of the authority: that of the file, without `.pem`. */
  readonly name: string
  /** SHA-256 of the certificate in DER, in hex: what `openssl x509 -fingerprint -sha256` prints. */
  readonly sha256: string
  readonly file: string
  readonly certificate: Certificate
  /** Every revocation list of the folder; each names its issuer. */
  readonly crls: readonly RevocationList[]
}

/**
 * Reads the anchors of a folder: `*.pem`, one certificate each, and `*.crl` in PEM or DER, ordered by name; empty if
 * there is no folder.
 * @throws {ForeproofError} `invalid-input` for a file of another kind or name, and for a certificate that must not
 * sign others; `io` if one cannot be read.
 */
export function readAnchors(folder: string): Anchor[] {
  const names = listFileNames(folder).filter((name) => !name.startsWith('.'))
  const crls = names
    .filter((name) => name.endsWith('.crl'))
    .map((name) => readCrl(join(folder, name)))
  return names
    .filter((name) => name.endsWith('.pem'))
    .map((name) => readAnchor(join(folder, name), name.slice(0, -'.pem'.length), crls))
}

/** Creates an anchor from a trusted certificate. */
export function toAnchor(
  name: string,
  file: string,
  certificate: Certificate,
  crls: readonly RevocationList[] = [],
): Anchor {
  return { name, sha256: certificate.sha256, file, certificate, crls }
}

/**
 * Selects the anchors that a reader trusts too, by certificate; all if the reader names none. The reader's revocation
 * lists replace the others, if there are any.
 */
export function selectTrusted(
  anchors: readonly Anchor[],
  own?: readonly Anchor[],
): readonly Anchor[] {
  if (own === undefined) return anchors
  return anchors.flatMap((anchor) => {
    const { crls } = own.find(({ sha256 }) => sha256 === anchor.sha256) ?? {}
    return crls === undefined ? [] : [{ ...anchor, crls: crls.length > 0 ? crls : anchor.crls }]
  })
}

function readAnchor(file: string, name: string, crls: readonly RevocationList[]): Anchor {
  if (!isAuthorityName(name)) {
    throw new ForeproofError('invalid-input', `${file}: no authority can be called so`, {
      file,
      help: 'Rename it: 1 to 64 letters of ASCII, digits and the characters ._-, the first a letter or digit, then .pem.',
    })
  }
  const bytes = readRegular(file, MAX_CERTIFICATE_BYTES)
  const der = parsePem(bytes.toString('latin1'), 'CERTIFICATE')
  const certificate = der && tryParseCertificate(der)
  if (certificate === undefined) throw noAnchor(file, 'is not one certificate in PEM')
  if (!certificate.x509.ca) {
    throw noAnchor(file, 'is the certificate of a signer, not of an authority that certifies it')
  }
  return toAnchor(name, file, certificate, crls)
}

const noAnchor = (file: string, message: string) =>
  new ForeproofError('invalid-input', `${file}: ${message}`, {
    file,
    help: 'An anchor is the root certificate of the time-stamping authority, alone in its file. Look at it with: openssl x509 -in FILE -noout -text',
  })

function readCrl(file: string): RevocationList {
  const bytes = readRegular(file, MAX_CRL_BYTES)
  const der = parsePem(bytes.toString('latin1'), 'X509 CRL') ?? new Uint8Array(bytes)
  return parseRevocationList(file, der)
}

/** The bytes of the only block of a PEM file; undefined if there are none or several. */
function parsePem(text: string, label: string): Uint8Array | undefined {
  const blocks = text.match(/-----BEGIN [^-\r\n]+-----/g)
  const match = new RegExp(
    `-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`,
  ).exec(text)
  if (blocks?.length !== 1 || match?.[1] === undefined) return undefined
  return new Uint8Array(Buffer.from(match[1], 'base64'))
}

function tryParseCertificate(der: Uint8Array): Certificate | undefined {
  try {
    return parseCertificate(der)
  } catch (cause) {
    if (cause instanceof Malformed) return undefined
    throw cause
  }
}
