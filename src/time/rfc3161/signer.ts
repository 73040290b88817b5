import { printable } from '../../contract/printable.js'
import type { Certificate } from './certificate.js'
import { profileOf, USAGE } from './profile.js'
import { refuse } from './refused.js'

const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const ALLOWED: readonly number[] = [USAGE.digitalSignature, USAGE.nonRepudiation]

/** A subject on one line, as findings show it. */
export const subjectOf = ({ x509 }: Certificate): string =>
  printable((x509.subject ?? '').replaceAll('\n', ', ').slice(0, 200)) || 'no name'

/** Check 3: the certificate of the signer is made for time stamps, and for nothing else. @throws {StampRefused} */
export function checkSigner(certificate: Certificate): void {
  const fault = signerFault(certificate)
  if (fault !== undefined) refuse('stamp-signer', { subject: subjectOf(certificate), fault })
}

function signerFault(certificate: Certificate): string | undefined {
  const { isAuthority, purposes, purposesCritical, usage, notUnderstood } = profileOf(certificate)
  if (isAuthority) return 'it is the certificate of an authority'
  if (purposes === undefined) return 'it has no extended key usage'
  if (purposes.length !== 1 || purposes[0] !== TIME_STAMPING) {
    return 'its extended key usage is not exactly timeStamping'
  }
  if (!purposesCritical) return 'its extended key usage is not critical'
  if (usage !== undefined && !(usage.length > 0 && usage.every((bit) => ALLOWED.includes(bit)))) {
    return 'its key usage is not digitalSignature or nonRepudiation alone'
  }
  if (notUnderstood.length > 0) {
    return `it has critical extensions that are not understood: ${notUnderstood.join(', ')}`
  }
  return undefined
}
