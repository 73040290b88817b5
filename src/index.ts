/** The public library: everything the command line does, without printing. */
export { type ErrorCode, EXIT, type ExitCode, ForeproofError } from './contract/error.js'
export { type Finding, holds, type Position, type Severity } from './contract/finding.js'
export {
  formatStored,
  formatUtc,
  type Instant,
  type ParsedTimestamp,
  parseTimestamp,
} from './contract/instant.js'
export type * from './inference/disposition-types.js'
export type * from './inference/types.js'
export type {
  OutcomeFormat,
  Stamp,
  Vintage,
  VintageGap,
  VintageInput,
  VintageManifest,
} from './outcomes/types.js'
export type {
  Counts,
  CountsWithRates,
  EvaluationMode,
  PairedAttempt,
  PairingPlan,
  PairingRow,
  Reason,
  Status,
  Stratum,
  Summary,
} from './pairing/types.js'
