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
