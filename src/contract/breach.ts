import { type Finding, hasNoErrors } from './findings/finding.js'

/** Thrown if an outgoing payload breaks the contract; then nothing of it is sent. */
export class ContractBreach extends Error {
  override readonly name = 'ContractBreach'
  constructor(
    readonly findings: readonly Finding[],
    /** The faulty forecast, if the payload is one. */
    readonly forecastId?: string,
  ) {
    super(`a payload breaks the contract: ${findings.map((finding) => finding.code).join(', ')}`)
  }
}

/** @throws {ContractBreach} if any finding is an error. */
export function mustHold(findings: readonly Finding[], forecastId?: string): void {
  if (!hasNoErrors(findings)) throw new ContractBreach(findings, forecastId)
}
