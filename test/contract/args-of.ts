import type { Finding } from '../../src/contract/findings/finding.js'

/** The arguments of a finding, whatever its code. */
export const argsOf = (finding: Finding | undefined): Readonly<Record<string, unknown>> =>
  finding?.args ?? {}

/** The code of a finding, with its fault where one code stands for several. */
export const codeOf = (finding: Finding): string =>
  [finding.code, argsOf(finding).fault].filter(Boolean).join(' ')
