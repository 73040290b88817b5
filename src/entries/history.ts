/** Forecast histories: read, filled, mirrored, checked, counted and written out. */

export { freshnessAt } from '../forecast/freshness.js'
export { type StoredResource, toResource } from '../forecast/resource.js'
export type { HistoryRow, PairingRow, RowKey } from '../forecast/row.js'
export { exportLines, type HistoryExportOptions } from '../history/export.js'
export { type HistoryTableOptions, historyAsTable } from '../history/export-table.js'
export type {
  HistoryImportCounts,
  HistoryImportOptions,
  HistoryImportResult,
} from '../history/import/import.js'
export { importResources } from '../history/import/import.js'
export { type HistoryImportFilesOptions, importFiles } from '../history/import/import-files.js'
export type { NaturalColumn, NaturalOptions } from '../history/natural/columns.js'
export { historyStats } from '../history/stats.js'
export {
  type HistoryVerifyOptions,
  type HistoryVerifyResult,
  verifyHistory,
} from '../history/verify.js'
export type {
  CheckpointStamp,
  LogEntry,
  LogKey,
  NewLeaf,
  StoredCheckpoint,
} from '../log/log-entry.js'
export { type PullOptions, type PullResult, pullHistory } from '../mirror/pull.js'
export {
  type Deployment,
  type DeploymentOptions,
  openDeployment,
  type Variant,
} from '../remote/deployment.js'
export type {
  EntryWindow,
  HistoryEntry,
  HistoryExtent,
  HistoryOptions,
  HistoryReader,
  HistoryStatsResult,
  HistoryVersion,
  LogStats,
  ModelStats,
  PageFilters,
  PageQuery,
  PairingWindow,
  StoreVerifyResult,
} from '../store/history-reader.js'
export { initHistory, openHistory } from '../store/open.js'
export type { LogReader, LogState, StoredLog } from '../store/stored-log.js'
