import { error, joined, warning } from './row.js'

const AGAIN = 'Ask the authority for another stamp, or take the file from version control.'
const NO_STAMP_OF = 'Do not use this authority, or tell it: its stamps prove nothing.'
const AT = '2026-11-22T10:00:03Z'

/** A certificate of the chain, by its subject. */
type OfCertificate = { readonly subject: string }
const SUBJECT: OfCertificate = { subject: 'CN=Example TSA' }

/** Faults of a stamp of a time-stamping authority (RFC 3161). */
export const timeRows = {
  'stamp-malformed': error(
    'the stamp cannot be read: {detail}',
    { detail: 'TimeStampResp: it ends too early' },
    'A stamp is the answer of an authority to a request (RFC 3161), in DER. Look at it with: openssl ts -reply -in FILE -text',
  ),
  'stamp-refused': error(
    ({ status, text, reasons }) => {
      const why = [text, joined(reasons, 'and')].filter((part) => part !== '')
      return `the authority refused the request (status ${status}): ${why.join('; ') || 'it gives no reason'}`
    },
    { status: 2, text: 'unknown policy', reasons: ['unacceptedPolicy'] },
    AGAIN,
  ),
  'stamp-content': error(
    'this time stamp does not count: {fault}',
    { fault: 'it has 2 signers; it must have exactly one' },
    NO_STAMP_OF,
  ),
  'stamp-imprint': error(
    'the stamp is of something else: its imprint is {found}, but the stamped bytes give {expected}',
    { found: '6c1f2a9f…', expected: '0d5e7b34…' },
    'Either the stamped text was changed afterwards, or the stamp belongs to another one.',
  ),
  'stamp-weak': error(
    '{what} is not strong enough, or not known: {found}',
    { what: 'the signature of the stamp', found: 'sha1WithRSAEncryption' },
    'Accepted are RSA of at least 2048 bits (PKCS#1 and PSS) and ECDSA on P-256 and P-384, with SHA-256, SHA-384 or SHA-512.',
  ),
  'stamp-signature': error(
    'the signature of the stamp does not hold: {fault}',
    { fault: 'messageDigest is not the digest of the content' },
    AGAIN,
  ),
  'stamp-signer-missing': error(
    'the stamp does not hold the certificate of its signer',
    'Ask again with the wish for the certificate (openssl ts -query -cert).',
  ),
  'stamp-signer': error(
    'the signer ({subject}) may not stamp time: {fault}',
    { ...SUBJECT, fault: 'its extended key usage is not critical' },
    NO_STAMP_OF,
  ),
  'stamp-untrusted': error(
    ({ subject, anchors }) =>
      anchors.length === 0
        ? `no anchor is given, so the signer (${subject}) cannot be trusted`
        : `the certificate of the signer (${subject}) was issued under none of the anchors: ${anchors.join(', ')}`,
    { ...SUBJECT, anchors: ['freetsa'] },
    'Compare the fingerprint of the authority’s root certificate with the one it publishes. Then put the certificate into the folder of anchors.',
  ),
  'stamp-certificate': error(
    'the certificate of {subject} does not fit into the chain: {fault}',
    { ...SUBJECT, fault: 'it is not an authority' },
    NO_STAMP_OF,
  ),
  'stamp-revoked': error(
    'the certificate of {subject} was revoked at {at} ({reason})',
    { ...SUBJECT, at: AT, reason: 'keyCompromise' },
    'A stamp stays good only when its signer was revoked later, for a stated reason other than a lost key.',
  ),
  'stamp-crl-unused': warning(
    '{crl} does not say whether {subject} was revoked: {fault}',
    { ...SUBJECT, crl: 'freetsa.crl', fault: 'it ended before the stamped time' },
    'Fetch the current list from the authority.',
  ),
  'stamp-query': error(
    'the stamp answers another request: {fault}',
    { fault: 'its policy is 1.2.3, but 1.2.4 was asked for' },
    AGAIN,
  ),
}

const TOKEN = 'protocols/stamps/6c1f2a9f…/freetsa.tsr'

/** Things that do not belong into the folder of all stamps, or into that of one entry. */
const NOT_A_STAMP = {
  entries: {
    folder: 'this folder has the name of no entry of the ledger',
    file: 'this is a file, where folders named after entries of the ledger lie',
  },
  stamps: {
    folder: 'this is a folder, where a stamp is a file',
    file: 'this is no stamp: its name is not that of an authority with .tsr',
  },
} as const

/** Stamps of a ledger: their location, and what they cover. */
export const stampRows = {
  'stamp-not-counted': error(
    'the stamp of {authority} over entry {entry} ({version}) does not count: {token} does not verify',
    { entry: 3, version: 'btc-hourly-v3', authority: 'freetsa', token: TOKEN },
    'Restore the file from version control. One that never verified can be made again: foreproof stamp --entry SEQ --tsa URL',
  ),
  'stamp-misnamed': error<{ readonly authority: string; readonly found: string | null }>(
    ({ authority, found }) =>
      found === null
        ? `there is no anchors/${authority}.pem to verify this stamp with`
        : `the stamp has the name of ${authority}, but leads to the anchor of ${found}`,
    { authority: 'freetsa', found: 'digicert' },
    'A stamp is named after the anchor that it leads to. Rename the file, or restore the anchor from version control.',
  ),
  'stamp-file-unknown': warning<{
    readonly among: 'entries' | 'stamps'
    readonly isFolder: boolean
  }>(
    ({ among, isFolder }) => NOT_A_STAMP[among][isFolder ? 'folder' : 'file'],
    { among: 'entries', isFolder: true },
    'Stamps lie at stamps/ENTRY_SHA256/AUTHORITY.tsr. Those of an entry that ledger rebase gave a new place are lost: stamp it again, and remove the folder.',
  ),
  'stamp-failed': error<{ readonly why: string; readonly help: string | null }>(
    'no stamp was written: {why}',
    { why: 'https://freetsa.org/tsr: answers with status 500', help: 'Try again later.' },
    ({ help }) => help ?? undefined,
  ),
}
