/** Documents, findings, tables and the contract: what every other entry speaks of. */

export { checkPayload, type PayloadName } from './contract/check-payload.js'
export { type ErrorCode, EXIT, type ExitCode, ForeproofError } from './contract/error.js'
export {
  type Finding,
  formatMessage,
  hasNoErrors,
  type Message,
  type Position,
  type Severity,
} from './contract/findings/finding.js'
export { type Instant, type ParsedTimestamp, parseTimestamp } from './contract/instant.js'
export { API_ERROR_CODES, API_VERSION, LIMITS, MEDIA_TYPE } from './contract/limits.js'
export { type OpenApiOptions, openApiDocument } from './contract/openapi.js'
export { SCHEMAS, type SchemaName } from './contract/schemas/index.js'
export type * from './contract/types.js'
export { canonicalize } from './document/canonical.js'
export { digestWithout } from './document/digest.js'
export {
  type Document,
  type ReadOptions,
  readDocument,
  type UnreadableDocument,
} from './document/read.js'
export type {
  Cell,
  Column,
  ColumnType,
  Table,
  TableFormat,
  TableRow,
} from './table/table.js'
export { TABLE_FORMATS } from './table/table.js'
export { tableBytes } from './table/write.js'
