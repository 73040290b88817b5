import { formatUtc, type Instant } from '../../contract/instant.js'
import { algorithmName, findScheme } from './algorithms.js'
import type { Anchor } from './anchors.js'
import { type Certificate, formatSubject, KEY_USAGE_BIT, parseProfile } from './certificate.js'
import { keyFault } from './crypto.js'
import { sameBytes } from './der.js'
import { StampRefused, throwFinding } from './time-stamp.js'

/** Maximum number of certificates between the signer and an anchor. */
const MAX_CHAIN_DEPTH = 4
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const ANY_PURPOSE = '2.5.29.37.0'
const SIGNER_USAGES: readonly number[] = [
  KEY_USAGE_BIT.digitalSignature,
  KEY_USAGE_BIT.nonRepudiation,
]

/** Check 3: the signer's certificate is for time stamps only. @throws {StampRefused} */
export function checkSigner(certificate: Certificate): void {
  const fault = signerFault(certificate)
  if (fault !== undefined)
    throwFinding('stamp-signer', { subject: formatSubject(certificate), fault })
}

function signerFault(certificate: Certificate): string | undefined {
  const { isAuthority, purposes, purposesCritical, usage, notUnderstood } =
    parseProfile(certificate)
  if (isAuthority) return 'it is the certificate of an authority'
  if (purposes === undefined) return 'it has no extended key usage'
  if (purposes.length !== 1 || purposes[0] !== TIME_STAMPING) {
    return 'its extended key usage is not exactly timeStamping'
  }
  if (!purposesCritical) return 'its extended key usage is not critical'
  if (
    usage !== undefined &&
    !(usage.length > 0 && usage.every((bit) => SIGNER_USAGES.includes(bit)))
  ) {
    return 'its key usage is not digitalSignature or nonRepudiation alone'
  }
  return notUnderstood
}

/** From the signer's certificate up to the anchor's, which is the last one. */
export interface CertificateChain {
  readonly links: readonly Certificate[]
  readonly anchor: Anchor
}

/**
 * Check 4: a chain from the signer to a pinned anchor, every certificate of it valid at the stamped time and every
 * signature strong enough. An anchor is trusted because it is pinned. If it is a root, its self-signature must be
 * valid too; otherwise the file is not the authority's certificate.
 * @throws {StampRefused} with the fault of the first chain, if none is valid.
 */
export function checkChain(
  signer: Certificate,
  others: readonly Certificate[],
  anchors: readonly Anchor[],
  at: Instant,
): CertificateChain {
  const search: Search = { others, anchors, isIssuedBy: memoizePairs(isIssuedBy) }
  let first: StampRefused | undefined
  for (const chain of findChains([signer], search)) {
    try {
      checkLinks(chain.links, at)
      return chain
    } catch (cause) {
      if (!(cause instanceof StampRefused)) throw cause
      first ??= cause
    }
  }
  if (first !== undefined) throw first
  const names = anchors.map(({ name }) => name)
  return throwFinding('stamp-untrusted', { subject: formatSubject(signer), anchors: names })
}

type IsIssuedBy = (certificate: Certificate, by: Certificate) => boolean

interface Search {
  readonly others: readonly Certificate[]
  readonly anchors: readonly Anchor[]
  readonly isIssuedBy: IsIssuedBy
}

/**
 * Checks each pair only once, because certificates that all certify each other form thousands of chains.
 */
function memoizePairs(judge: IsIssuedBy): IsIssuedBy {
  const byCertificate = new Map<Certificate, Map<Certificate, boolean>>()
  return (certificate, by) => {
    const verdicts = byCertificate.get(certificate) ?? new Map<Certificate, boolean>()
    byCertificate.set(certificate, verdicts)
    const verdict = verdicts.get(by) ?? judge(certificate, by)
    verdicts.set(by, verdict)
    return verdict
  }
}

/** Every chain of signatures that ends in an anchor, the short ones first at each step. */
function* findChains(links: readonly Certificate[], search: Search): Generator<CertificateChain> {
  const { others, anchors, isIssuedBy } = search
  const last = links.at(-1)!
  for (const anchor of anchors) {
    const { certificate } = anchor
    if (isIssuedBy(last, certificate)) yield { links: [...links, certificate], anchor }
  }
  if (links.length > MAX_CHAIN_DEPTH) return
  for (const issuer of others) {
    if (links.includes(issuer) || !isIssuedBy(last, issuer)) continue
    yield* findChains([...links, issuer], search)
  }
}

function isIssuedBy({ x509, issuer }: Certificate, by: Certificate): boolean {
  try {
    return sameBytes(issuer, by.subject) && x509.verify(by.x509.publicKey)
  } catch {
    // OpenSSL does not support the key.
    return false
  }
}

function checkLinks(links: readonly Certificate[], at: Instant): void {
  for (const [depth, certificate] of links.entries()) {
    const subject = formatSubject(certificate)
    const { notBefore, notAfter } = certificate
    if (at < notBefore || at > notAfter) {
      const [from, to] = [formatUtc(notBefore), formatUtc(notAfter)]
      const fault = `it was not valid at the stamped time ${formatUtc(at)}, only from ${from} to ${to}`
      throwFinding('stamp-certificate', { subject, fault })
    }
    const key = keyFault(certificate.x509.publicKey)
    if (key !== undefined) throwFinding('stamp-weak', { what: `the key of ${subject}`, found: key })
    const isAnchor = depth === links.length - 1
    if (!isAnchor && findScheme(certificate.signature) === undefined) {
      const found = algorithmName(certificate.signature.oid)
      throwFinding('stamp-weak', {
        what: `the signature under the certificate of ${subject}`,
        found,
      })
    }
    const isForged =
      isAnchor &&
      sameBytes(certificate.issuer, certificate.subject) &&
      !isIssuedBy(certificate, certificate)
    if (isForged)
      throwFinding('stamp-certificate', {
        subject,
        fault: 'its signature over itself does not hold',
      })
    const fault = depth === 0 ? undefined : issuerFault(certificate, depth)
    if (fault !== undefined) throwFinding('stamp-certificate', { subject, fault })
  }
}

/** Why a certificate may not certify the one below it; the signer's is at depth 0. */
function issuerFault(certificate: Certificate, depth: number): string | undefined {
  const { isAuthority, pathLength, usage, purposes, notUnderstood } = parseProfile(certificate)
  if (!isAuthority) return 'it is not an authority'
  if (usage?.includes(KEY_USAGE_BIT.keyCertSign) === false)
    return 'its key may not sign certificates'
  if (depth - 1 > pathLength)
    return `it allows only ${pathLength} certificates between it and a signer`
  if (purposes?.every((purpose) => ![TIME_STAMPING, ANY_PURPOSE].includes(purpose))) {
    return 'its extended key usage leaves out timeStamping'
  }
  return notUnderstood
}
