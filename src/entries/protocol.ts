/** Scoring protocols: checked, frozen, verified, compared, linted, and guarded in a git history. */

export { type GateResult, runGate } from '../gate/gate.js'
export type { GateOptions } from '../gate/inputs.js'
export { type RebaseOptions, type RebaseResult, rebaseLedger } from '../gate/ledger-rebase.js'
export type { DesignFigures, RegisteredDesign } from '../lint/design-figures.js'
export { type LintOptions, type LintResult, lintDocuments } from '../lint/lint.js'
export {
  checkDraft,
  type FreezeOptions,
  type FreezeResult,
  freezeProtocol,
} from '../protocol/freeze.js'
export { readSeriesProtocol } from '../protocol/read-series-protocol.js'
export { checkProtocolDocument } from '../protocol/rules/check.js'
export { compareDocuments, type Difference, type Direction } from '../protocol/rules/compare.js'
export type { FrozenEntry, LedgerEntry, RegisteredEntry } from '../protocol/rules/entry.js'
export type { Ledger, LedgerLine } from '../protocol/rules/ledger.js'
export { type VerifyLedgerResult, verifyDocument, verifyLedger } from '../protocol/verify.js'
export {
  type Authority,
  computeLevel,
  type LedgerStamp,
  levelText,
  stampedBy,
  type TimeLevel,
} from '../time/level.js'
export type { TimeStamp } from '../time/rfc3161/time-stamp.js'
export { type ReadStampsResult, readStamps } from '../time/token-file.js'
