import type { Finding } from '../../contract/findings/finding.js'
import { finding } from '../../contract/findings/finding.js'
import { printable } from '../../contract/printable.js'
import type { Anchor } from './anchors.js'
import { type Certificate, readCertificate } from './certificate.js'
import { checkChain } from './chain.js'
import { Malformed } from './der.js'
import { refuse, StampRefused } from './refused.js'
import { checkRevocation } from './revocation.js'
import { checkSignature } from './signature.js'
import { checkSigner } from './signer.js'
import { checkAnswer, checkRequest, checkStatement } from './statement.js'
import { readAnswer, type Signer } from './structures.js'
import {
  LARGEST_TOKEN,
  type TimeStamp,
  type VerifyOptions,
  type VerifyTokenResult,
} from './types.js'

/** Real answers have two or three. */
const MOST_CERTIFICATES = 16

/** What `verifyToken` does, once its library is loaded. */
export function verifyAnswer(
  token: Uint8Array,
  data: Uint8Array,
  anchors: readonly Anchor[],
  { file, query }: VerifyOptions,
): VerifyTokenResult {
  try {
    const { stamp, signerSha256, warnings } = check(token, data, anchors, query)
    const findings = warnings.map((each) => ({ ...each, file }))
    return { ok: true, stamp, signerSha256, findings }
  } catch (cause) {
    if (cause instanceof StampRefused) return { ok: false, findings: [{ ...cause.finding, file }] }
    if (!(cause instanceof Malformed)) throw cause
    const detail = printable(cause.message)
    return { ok: false, findings: [finding('stamp-malformed', { detail }, { file })] }
  }
}

function check(
  token: Uint8Array,
  data: Uint8Array,
  anchors: readonly Anchor[],
  query: Uint8Array | undefined,
): {
  readonly stamp: TimeStamp
  readonly signerSha256: string
  readonly warnings: readonly Finding[]
} {
  if (token.length > LARGEST_TOKEN) {
    throw new Malformed(`it has more than ${LARGEST_TOKEN} bytes`)
  }
  const signed = checkAnswer(readAnswer(token))
  const stated = checkStatement(signed.content, data)
  if (query !== undefined) checkRequest(query, stated)
  if (signed.certificates.length > MOST_CERTIFICATES) {
    throw new Malformed(`it has more than ${MOST_CERTIFICATES} certificates`)
  }
  const certificates = signed.certificates.map(readCertificate)
  const signer = certificateOfSigner(signed.signers[0]!, certificates)
  checkSignature(signed, signer)
  checkSigner(signer)
  const chain = checkChain(signer, certificates, anchors, stated.genTime)
  const { revocation, warnings } = checkRevocation(chain, stated.genTime)
  const { statement, genTime, accuracy, imprint } = stated
  const stamp: TimeStamp = {
    authority: chain.anchor.name,
    anchorSha256: chain.anchor.sha256,
    genTime,
    accuracy,
    accuracyGiven: statement.accuracy !== undefined,
    serial: Buffer.from(statement.serial).toString('hex'),
    policy: statement.policy,
    imprint,
    revocation,
  }
  return { stamp, signerSha256: signer.sha256, warnings }
}

/** @throws {StampRefused} where the certificate is not there. */
function certificateOfSigner(
  { certificate }: Signer,
  certificates: readonly Certificate[],
): Certificate {
  const found =
    certificate &&
    certificates.find(
      ({ issuer, serial }) =>
        Buffer.compare(issuer, certificate.issuer) === 0 &&
        Buffer.compare(serial, certificate.serial) === 0,
    )
  return found ?? refuse('stamp-signer-missing', {})
}
