import type { Finding } from '../../contract/findings/finding.js'
import { finding } from '../../contract/findings/finding.js'
import { formatUtc, type Instant } from '../../contract/instant.js'
import { nameOf, schemeOf, signatureHolds } from './algorithms.js'
import type { ReadExtension } from './asn1.js'
import type { Certificate } from './certificate.js'
import type { CertificateChain } from './chain.js'
import { type RevocationList, revokedEntries } from './crl.js'
import { profileOf, USAGE } from './profile.js'
import { refuse } from './refused.js'
import { subjectOf } from './signer.js'

const REASON_CODE = '2.5.29.21'
/** Extensions of a list that may be critical: its number and the name of the key that signs it. */
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
/** With these, stamps of before the revocation stay good (RFC 3161, 4). */
const WITHOUT_DOUBT: readonly string[] = [
  'unspecified',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
]

export interface Revocation {
  readonly revocation: 'good' | 'not_checked'
  readonly warnings: readonly Finding[]
}

/**
 * Check 5: no certificate below the anchor is on a list of revoked certificates that is at hand.
 * @returns `good` when every one of them is covered by a list.
 * @throws {StampRefused} for one that was revoked.
 */
export function checkRevocation({ links, anchor }: CertificateChain, at: Instant): Revocation {
  const warnings: Finding[] = []
  let covered = true
  for (const [depth, certificate] of links.slice(0, -1).entries()) {
    const issuer = links[depth + 1]!
    const ofIssuer = anchor.crls.filter((list) => Buffer.compare(list.issuer, issuer.subject) === 0)
    const judged = ofIssuer.map((list) => ({ list, fault: listFault(list, issuer, at) }))
    const usable = judged.filter(({ fault }) => fault === undefined)
    for (const { list } of usable) refuseRevoked(certificate, list, at)
    if (usable.length > 0) continue
    covered = false
    for (const { list, fault } of judged) {
      const args = { subject: subjectOf(certificate), crl: list.file, fault: fault! }
      warnings.push(finding('stamp-crl-unused', args))
    }
  }
  return { revocation: covered ? 'good' : 'not_checked', warnings }
}

/** Why a list of this issuer does not count; undefined where it does. */
function listFault(list: RevocationList, issuer: Certificate, at: Instant): string | undefined {
  const { signature, signed, signatureValue, extensions, nextUpdate } = list
  const scheme = schemeOf(signature)
  if (scheme === undefined) return `it is signed with ${nameOf(signature.oid)}`
  if (!signatureHolds(scheme, issuer.x509.publicKey, signed, signatureValue)) {
    return 'its signature does not hold'
  }
  if (profileOf(issuer).usage?.includes(USAGE.crlSign) === false)
    return 'its key may not sign lists'
  if (hasUnknownCritical(extensions)) return 'it has critical extensions that are not understood'
  if (nextUpdate !== undefined && nextUpdate < at) return 'it ended before the stamped time'
  return undefined
}

const hasUnknownCritical = (extensions: readonly ReadExtension[]) =>
  extensions.some(({ oid, critical }) => critical && !UNDERSTOOD.includes(oid))

function refuseRevoked(certificate: Certificate, list: RevocationList, at: Instant): void {
  for (const entry of revokedEntries(list, certificate.serial)) {
    const code = entry.extensions.find(({ oid }) => oid === REASON_CODE)?.value.at(-1)
    const reason = code === undefined ? 'no reason' : (REASONS[code] ?? `reason ${code}`)
    if (at < entry.at && WITHOUT_DOUBT.includes(reason)) continue
    refuse('stamp-revoked', { subject: subjectOf(certificate), at: formatUtc(entry.at), reason })
  }
}
