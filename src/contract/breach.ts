import { type Finding, hasNoErrors } from './findings/finding.js'

/** A payload broke the contract on its way out: nothing of it is sent. */
export class ContractBreach extends Error {
  override readonly name = 'ContractBreach'
  constructor(
    readonly findings: readonly Finding[],
    /** The forecast at fault, where it is one. */
    readonly forecastId?: string,
  ) {
    super(`a payload breaks the contract: ${findings.map((finding) => finding.code).join(', ')}`)
  }
}

/** @throws {ContractBreach} unless nothing among the findings is an error. */
export function mustHold(findings: readonly Finding[], forecastId?: string): void {
  if (!hasNoErrors(findings)) throw new ContractBreach(findings, forecastId)
}
