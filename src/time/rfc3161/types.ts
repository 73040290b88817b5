import { type ArgsOf, type Code, type Finding, finding } from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'

/** What a verified token of an authority says (RFC 3161): something existed before this time. */
export interface TimeStamp {
  /** Name of the anchor that the token leads to. */
  readonly authority: string
  /** SHA-256 of that anchor's certificate (DER), in hex. */
  readonly anchorSha256: string
  readonly genTime: Instant
  /** How far the true time may be from `genTime`, in microseconds; 0 where the token does not say. */
  readonly accuracy: number
  readonly accuracyGiven: boolean
  /** Serial number of the token, in hex. */
  readonly serial: string
  /** Object identifier of the policy it was issued under. */
  readonly policy: string
  readonly imprint: 'SHA-256' | 'SHA-384' | 'SHA-512'
  /** `good` where revocation lists beside the anchor cover every certificate of the chain. */
  readonly revocation: 'good' | 'not_checked'
}

/** The latest time at which what was stamped may have come to be: the time of the stamp and its accuracy. */
export function latestTime({
  genTime,
  accuracy,
}: Pick<TimeStamp, 'genTime' | 'accuracy'>): Instant {
  return genTime + accuracy
}

/** Largest answer of an authority, in bytes: a token with its whole chain has about 6000. */
export const MAX_TOKEN_BYTES = 262_144

export interface VerifyOptions {
  /** The token's file as the user named it, for the findings. */
  readonly file: string
  /** The request that the token answers (TimeStampReq in DER), where it is at hand. */
  readonly query?: Uint8Array | undefined
}

export type VerifyTokenResult =
  | {
      readonly ok: true
      readonly stamp: TimeStamp
      /** SHA-256 of the certificate that signed (DER), in hex. */
      readonly signerSha256: string
      readonly findings: readonly Finding[]
    }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/** Ends the verification of a stamp at the first check that fails. */
export class StampRefused extends Error {
  constructor(readonly finding: Finding) {
    super(finding.code)
  }
}

/** @throws {StampRefused} always. */
export function refuse<C extends Code>(code: C, args: ArgsOf<C>): never {
  throw new StampRefused(finding(code, args))
}
