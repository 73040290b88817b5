import { type ArgsOf, type Code, type Finding, finding } from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'

/** A verified token of an authority (RFC 3161): the stamped data existed before this time. */
export interface TimeStamp {
  /** Name of the anchor that the token leads to. */
  readonly authority: string
  /** SHA-256 of that anchor's certificate (DER), in hex. */
  readonly anchorSha256: string
  readonly genTime: Instant
  /** Accuracy of `genTime`, in microseconds; 0 if the token has none. */
  readonly accuracy: number
  readonly accuracyGiven: boolean
  /** Serial number of the token, in hex. */
  readonly serial: string
  /** Object identifier of the policy it was issued under. */
  readonly policy: string
  readonly imprint: 'SHA-256' | 'SHA-384' | 'SHA-512'
  /** `good` if revocation lists beside the anchor cover every certificate of the chain. */
  readonly revocation: 'good' | 'not_checked'
}

/**
 * The latest possible time of the stamp: its time plus its accuracy. The stamped data existed by then.
 */
export function latestTime({
  genTime,
  accuracy,
}: Pick<TimeStamp, 'genTime' | 'accuracy'>): Instant {
  return genTime + accuracy
}

/** Largest answer of an authority, in bytes: a token with its whole chain has about 6000. */
export const MAX_TOKEN_BYTES = 262_144

export interface VerifyOptions {
  /** The file of the token, for findings. */
  readonly file: string
  /** The request (TimeStampReq in DER), if known. */
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
export function throwFinding<C extends Code>(code: C, args: ArgsOf<C>): never {
  throw new StampRefused(finding(code, args))
}
