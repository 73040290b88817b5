import { ForeproofError } from '../../contract/error.js'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { formatUtc, type Instant } from '../../contract/instant.js'
import { type Algorithm, algorithmName, findScheme, parseAlgorithm } from './algorithms.js'
import { type Certificate, formatSubject, KEY_USAGE_BIT, parseProfile } from './certificate.js'
import { type Extension, parseExplicitExtensions, parseExtensions } from './certificate-form.js'
import { isValidSignature } from './crypto.js'
import {
  ANY,
  type Element,
  explicitTag,
  Malformed,
  parseDerTime,
  parseMembers,
  parseParts,
  parseSequence,
  sameBytes,
  TAG,
} from './der.js'
import { throwFinding } from './time-stamp.js'

const REASON_CODE = '2.5.29.21'
/** Extensions of a list that may be critical: its number and its signing key's identifier. */
const UNDERSTOOD: readonly string[] = ['2.5.29.20', '2.5.29.35']
const REASONS: Readonly<Record<number, string>> = {
  0: 'unspecified',
  1: 'keyCompromise',
  2: 'cACompromise',
  3: 'affiliationChanged',
  4: 'superseded',
  5: 'cessationOfOperation',
  6: 'certificateHold',
  8: 'removeFromCRL',
  9: 'privilegeWithdrawn',
  10: 'aACompromise',
}
/** With these reasons, stamps from before the revocation stay valid (RFC 3161, 4). */
const HARMLESS_REASONS: readonly string[] = [
  'unspecified',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
]

/** A list of revoked certificates (CertificateList of RFC 5280). */
export interface RevocationList {
  readonly file: string
  readonly der: Uint8Array
  /** The part that is signed, in DER. */
  readonly signed: Uint8Array
  readonly signature: Algorithm
  readonly signatureValue: Uint8Array
  readonly issuer: Uint8Array
  readonly nextUpdate: Instant | undefined
  /** A SEQUENCE of revoked certificates, possibly tens of thousands. */
  readonly revoked: Element | undefined
  readonly extensions: readonly Extension[]
}

const LIST = { body: TAG.sequence, algorithm: TAG.sequence, signature: TAG.bitString }
const BODY = {
  version: [TAG.integer],
  algorithm: TAG.sequence,
  issuer: TAG.sequence,
  thisUpdate: ANY,
  nextUpdate: [TAG.utcTime, TAG.generalizedTime],
  revoked: [TAG.sequence],
  extensions: [explicitTag(0)],
}
const ENTRY = { serial: TAG.integer, at: ANY, extensions: [TAG.sequence] }

/** Parses a list in DER. @throws {ForeproofError} `invalid-input` if the file is something else. */
export function parseRevocationList(file: string, der: Uint8Array): RevocationList {
  try {
    const { body, algorithm, signature } = parseSequence(der, 'list', LIST)
    const { issuer, nextUpdate, revoked, extensions } = parseMembers(body, 'list', BODY)
    return {
      file,
      der,
      signed: body.raw,
      signature: parseAlgorithm(algorithm),
      // The first octet of a bit string counts unused bits.
      signatureValue: signature.content.subarray(1),
      issuer: issuer.raw,
      nextUpdate: nextUpdate && parseRequiredTime(nextUpdate),
      revoked,
      extensions: parseExplicitExtensions(extensions),
    }
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause
    throw new ForeproofError('invalid-input', `${file}: is not a list of revoked certificates`, {
      file,
      help: 'Fetch it again. Look at it with: openssl crl -in FILE -noout -text',
      cause,
    })
  }
}

/** @throws {Malformed} */
function parseRequiredTime(element: Element): Instant {
  const instant = parseDerTime(element)
  if (instant === undefined) throw new Malformed('a list of revoked certificates has a wrong time')
  return instant
}

export interface Revocation {
  readonly revocation: 'good' | 'not_checked'
  readonly warnings: readonly Finding[]
}

/**
 * Check 5: no certificate below the anchor is on a known revocation list.
 * @param links - from the signer's certificate to that of the anchor.
 * @returns `good` when every one of them is covered by a list.
 * @throws {StampRefused} for one that was revoked.
 */
export function checkRevocation(
  links: readonly Certificate[],
  lists: readonly RevocationList[],
  at: Instant,
): Revocation {
  const warnings: Finding[] = []
  let covered = true
  for (const [depth, certificate] of links.slice(0, -1).entries()) {
    const issuer = links[depth + 1]!
    const ofIssuer = lists.filter((list) => sameBytes(list.issuer, issuer.subject))
    const judged = ofIssuer.map((list) => ({ list, fault: listFault(list, issuer, at) }))
    const usable = judged.filter(({ fault }) => fault === undefined)
    for (const { list } of usable) assertNotRevoked(certificate, list, at)
    if (usable.length > 0) continue
    covered = false
    for (const { list, fault } of judged) {
      const args = { subject: formatSubject(certificate), crl: list.file, fault: fault! }
      warnings.push(finding('stamp-crl-unused', args))
    }
  }
  return { revocation: covered ? 'good' : 'not_checked', warnings }
}

/** Why a list of this issuer does not count; undefined if it counts. */
function listFault(list: RevocationList, issuer: Certificate, at: Instant): string | undefined {
  const { signature, signed, signatureValue, extensions, nextUpdate } = list
  const scheme = findScheme(signature)
  if (scheme === undefined) return `it is signed with ${algorithmName(signature.oid)}`
  if (!isValidSignature(scheme, issuer.x509.publicKey, signed, signatureValue)) {
    return 'its signature does not hold'
  }
  if (parseProfile(issuer).usage?.includes(KEY_USAGE_BIT.crlSign) === false)
    return 'its key may not sign lists'
  if (extensions.some(({ oid, critical }) => critical && !UNDERSTOOD.includes(oid))) {
    return 'it has critical extensions that are not understood'
  }
  if (nextUpdate !== undefined && nextUpdate < at) return 'it ended before the stamped time'
  return undefined
}

function assertNotRevoked(
  certificate: Certificate,
  { revoked }: RevocationList,
  at: Instant,
): void {
  if (revoked === undefined) return
  for (const entry of parseParts(revoked)) {
    const { serial, at: time, extensions } = parseMembers(entry, 'list', ENTRY)
    if (!sameBytes(serial.content, certificate.serial)) continue
    const revokedAt = parseRequiredTime(time)
    const reasonCode = parseExtensions(extensions).find(({ oid }) => oid === REASON_CODE)
    const code = reasonCode?.value.at(-1)
    const reason = code === undefined ? 'no reason' : (REASONS[code] ?? `reason ${code}`)
    if (at < revokedAt && HARMLESS_REASONS.includes(reason)) continue
    throwFinding('stamp-revoked', {
      subject: formatSubject(certificate),
      at: formatUtc(revokedAt),
      reason,
    })
  }
}
