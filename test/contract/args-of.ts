import type { Finding } from '../../src/contract/findings/finding.js'

/** The arguments of a finding, whatever its code. */
export const argsOf = (finding: Finding | undefined): Readonly<Record<string, unknown>> =>
  finding?.args ?? {}
