import { type ArgsOf, type Code, type Finding, finding } from '../../contract/findings/finding.js'

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
