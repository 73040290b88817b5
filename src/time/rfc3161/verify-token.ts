import { type Finding, finding } from '../../contract/findings/finding.js'
import { printable } from '../../contract/printable.js'
import type { Anchor } from './anchors.js'
import { type Certificate, parseCertificate } from './certificate.js'
import { checkChain, checkSigner } from './chain.js'
import { Malformed, sameBytes } from './der.js'
import { checkRevocation } from './revocation.js'
import { checkSignature } from './signature.js'
import { checkAnswer, checkRequest, checkStatement } from './statement.js'
import { parseAnswer, parseRequest, parseStatement, type Signer } from './structures.js'
import {
  MAX_TOKEN_BYTES,
  StampRefused,
  type TimeStamp,
  throwFinding,
  type VerifyOptions,
  type VerifyTokenResult,
} from './time-stamp.js'

/** Real answers have two or three. */
const MAX_CERTIFICATES = 16

/**
 * Verifies an answer of a time-stamping authority (RFC 3161, TimeStampResp in DER) against pinned anchors, at the
 * time it states, without clock and network. The first failed check is the only finding; a valid token may have
 * warnings.
 * @param data - the bytes that were stamped.
 */
export async function verifyToken(
  token: Uint8Array,
  data: Uint8Array,
  anchors: readonly Anchor[],
  { file, query }: VerifyOptions,
): Promise<VerifyTokenResult> {
  try {
    const { warnings, ...verified } = runChecks(token, data, anchors, query)
    return { ok: true, ...verified, findings: warnings.map((each) => ({ ...each, file })) }
  } catch (cause) {
    if (cause instanceof StampRefused) return { ok: false, findings: [{ ...cause.finding, file }] }
    if (!(cause instanceof Malformed)) throw cause
    const detail = printable(cause.message)
    return { ok: false, findings: [finding('stamp-malformed', { detail }, { file })] }
  }
}

/** The checks, in their order. @throws {StampRefused} @throws {Malformed} */
function runChecks(
  token: Uint8Array,
  data: Uint8Array,
  anchors: readonly Anchor[],
  query: Uint8Array | undefined,
) {
  if (token.length > MAX_TOKEN_BYTES)
    throw new Malformed(`it has more than ${MAX_TOKEN_BYTES} bytes`)
  const signed = checkAnswer(parseAnswer(token))
  const statement = parseStatement(signed.content)
  const { imprint, genTime, accuracy } = checkStatement(statement, data)
  if (query !== undefined) checkRequest(parseRequest(query), statement)
  if (signed.certificates.length > MAX_CERTIFICATES) {
    throw new Malformed(`it has more than ${MAX_CERTIFICATES} certificates`)
  }
  const certificates = signed.certificates.map(parseCertificate)
  const signer = findSigner(signed.signers[0]!, certificates)
  checkSignature(signed, signer)
  checkSigner(signer)
  const chain = checkChain(signer, certificates, anchors, genTime)
  const { revocation, warnings } = checkRevocation(chain.links, chain.anchor.crls, genTime)
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

/** @throws {StampRefused} if the certificate is missing. */
function findSigner({ issuer, serial }: Signer, among: readonly Certificate[]): Certificate {
  const certificate = among.find(
    (each) => issuer && serial && sameBytes(each.issuer, issuer) && sameBytes(each.serial, serial),
  )
  return certificate ?? throwFinding('stamp-signer-missing', {})
}

/**
 * The fault of a token if no anchor is known: everything is checked except the authority.
 * @param data - the bytes that were stamped.
 * @param file - the token's file, for the finding.
 */
export async function findTokenFault(
  token: Uint8Array,
  data: Uint8Array,
  file: string,
): Promise<Finding | undefined> {
  const { ok, findings } = await verifyToken(token, data, [], { file })
  return ok || findings[0]?.code === 'stamp-untrusted' ? undefined : findings[0]
}
