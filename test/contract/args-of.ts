import type { Finding } from '../../src/contract/findings/finding.js'

/** The arguments of a finding of any code. */
export const argsOf = (finding: Finding | undefined): Readonly<Record<string, unknown>> =>
  finding?.args ?? {}

/** The code of a finding, with its fault where one code has several. */
export function codeOf(finding: Finding): string {
  const { fault } = argsOf(finding)
  // Elsewhere a fault is a text of its own.
  return typeof fault === 'string' && /^[\w-]+$/.test(fault)
    ? `${finding.code} ${fault}`
    : finding.code
}
