/** The public library: everything the command line does, without printing. */

export {
  checkAttempt,
  checkAuditEvent,
  checkErrorBody,
  checkForecast,
  checkFreshness,
  checkHealthBody,
  checkHistoryBody,
  checkLatestBody,
  checkStaticLatestBody,
  checkStaticPageBody,
} from './contract/check-payload.js'
export { checkProtocol } from './contract/check-protocol.js'
export { checkPlan, checkRegistration } from './contract/check-registration.js'
export { type ErrorCode, EXIT, type ExitCode, ForeproofError } from './contract/error.js'
export { type Finding, holds, type Position, type Severity } from './contract/findings/finding.js'
export { type Message, messageOf } from './contract/findings/messages.js'
export {
  formatStored,
  formatUtc,
  type Instant,
  type ParsedTimestamp,
  parseTimestamp,
} from './contract/instant.js'
export { API_ERROR_CODES, API_VERSION, LIMITS, MEDIA_TYPE } from './contract/limits.js'
export { openApiDocument } from './contract/openapi/document.js'
export { SCHEMAS, type SchemaName } from './contract/schemas/index.js'
export type * from './contract/types.js'
export { canonicalize } from './document/canonical.js'
export { digestWithout, sha256Hex } from './document/digest.js'
export {
  type Document,
  type ReadOptions,
  readDocument,
  type UnreadableDocument,
} from './document/read.js'
export { codeVersion } from './evaluation/code-version.js'
export type { EvaluateOptions, Phase } from './evaluation/evaluate.js'
export {
  type AuditOptions,
  type AuditResult,
  auditFolder,
  type LinkState,
} from './evaluation/evidence/audit.js'
export type { Broken, Link } from './evaluation/links.js'
export type { InputPaths } from './evaluation/load.js'
export { type PlanBasis, pairingPlan } from './evaluation/plan.js'
export { checkResult } from './evaluation/result/check.js'
export type { Result } from './evaluation/result/types.js'
export { type ScoreOptions, type ScoreResult, scoreEvaluation } from './evaluation/score.js'
export { freshnessAt } from './forecast/freshness.js'
export { resourceOf, type StoredResource } from './forecast/resource.js'
export type {
  HistoryRow,
  OriginRow,
  PairingRow,
  ProvenanceRow,
  RawValue,
  RowKey,
} from './forecast/row.js'
export { type GateOutcome, runGate } from './gate/gate.js'
export { type RebasedLedger, type RebaseOptions, rebaseLedger } from './gate/ledger-rebase.js'
export type { GateOptions } from './gate/scene.js'
export { exportLines, type HistoryExportOptions } from './history/export.js'
export { importResources, openImport } from './history/import/import.js'
export { type HistoryImportFilesOptions, importFiles } from './history/import/import-files.js'
export type {
  HistoryImport,
  HistoryImportCounts,
  HistoryImportOptions,
  HistoryImportReport,
  ValueSource,
} from './history/import/import-types.js'
export { type PullOptions, type PullReport, pullHistory } from './history/pull/pull.js'
export { type HistoryStats, historyStats, type ModelStats } from './history/stats.js'
export { type HistoryOptions, openHistory } from './history/store/reader.js'
export type {
  HistoryExtent,
  HistoryReader,
  HistoryVersion,
  PageFilters,
  PageQuery,
  PairingWindow,
} from './history/store/types.js'
export {
  type HistoryVerification,
  type HistoryVerifyOptions,
  verifyHistory,
} from './history/verify/verify.js'
export { controlTests } from './inference/controls.js'
export { decideDisposition } from './inference/disposition.js'
export type * from './inference/disposition-types.js'
export {
  type ComparisonTest,
  familySeries,
  type ScoredCell,
  type SeriesTest,
} from './inference/family-series.js'
export { holm } from './inference/holm.js'
export { runFamily } from './inference/run-family.js'
export type * from './inference/types.js'
export { type Linted, type LintOptions, lintDocuments } from './lint/lint.js'
export { lintProtocol, lintRegistered } from './lint/protocol.js'
export type { DesignFigures, RegisteredDesign } from './lint/types.js'
export { type ImportOptions, type ImportResult, importOutcomes } from './outcomes/import.js'
export type {
  OutcomeFormat,
  Stamp,
  Vintage,
  VintageGap,
  VintageInput,
  VintageManifest,
} from './outcomes/types.js'
export { makeVintage, readVintage } from './outcomes/vintage.js'
export { writeVintage } from './outcomes/write.js'
export { Accounting, type CellCounts, type CellSelection } from './pairing/accounting.js'
export type { Closes } from './pairing/cursor.js'
export { csvWriter, type LineWriter, ndjsonWriter } from './pairing/lines.js'
export { Memberships } from './pairing/memberships.js'
export { pairAttempts } from './pairing/pair.js'
export { summaryOf } from './pairing/summary.js'
export type {
  Counts,
  CountsWithRates,
  EvaluationMode,
  PairedAttempt,
  PairingPlan,
  Reason,
  Status,
  Stratum,
  Summary,
} from './pairing/types.js'
export { checkDraft, type FreezeOptions, type Frozen, freezeProtocol } from './protocol/freeze.js'
export {
  appendToLedger,
  type LedgerStep,
  ledgerOf,
  readLedgerFile,
} from './protocol/ledger-file.js'
export { checkProtocolDigest, checkProtocolDocument } from './protocol/rules/check.js'
export { compareDocuments, type Difference, type Direction } from './protocol/rules/compare.js'
export type {
  EntryFields,
  FrozenEntry,
  LedgerEntry,
  RegisteredEntry,
} from './protocol/rules/entry.js'
export { type Ledger, type LedgerLine, readLedger } from './protocol/rules/ledger.js'
export { type VerifiedLedger, verifyDocument, verifyLedger } from './protocol/verify.js'
export { buildRegistration } from './registration/build.js'
export { earlierFindings } from './registration/earlier.js'
export { enumerateFamily, familyDigest, stratumLevels } from './registration/family.js'
export { ledgerFindings, registeredEntry } from './registration/ledger.js'
export { type LoadedRegistration, loadRegistration } from './registration/load.js'
export { planFindings } from './registration/plan-rules.js'
export { type Prepared, type PrepareInput, prepareRegistration } from './registration/prepare.js'
export { enterRegistration } from './registration/register.js'
export { buildStrata, type StratumSources } from './registration/strata.js'
export { planTemplate, type TemplateOptions } from './registration/template.js'
export type { Measure, StratumLevel, TestDefinition } from './registration/types.js'
export { verifyRegistration } from './registration/verify.js'
export { type Client, type ClientOptions, createClient } from './remote/client.js'
export {
  type Deployment,
  deploymentAt,
  dynamicDeployment,
  folderDeployment,
  staticDeployment,
} from './remote/deployment.js'
export { renderHtml } from './report/html/page.js'
export { renderMarkdown } from './report/markdown/page.js'
export { RENDERERS } from './report/renderers.js'
export { type HourlyCloses, hourlyCloses } from './scoring/baselines/closes.js'
export {
  type BaselineForecasts,
  type BaselineRequest,
  type Baselines,
  computeBaselines,
} from './scoring/baselines/compute.js'
export { BASELINE_NAMES, type BaselineName } from './scoring/baselines/names.js'
export { baselineRows } from './scoring/baselines/rows.js'
export { lossColumns } from './scoring/columns.js'
export { measuresOf, overallMeasures } from './scoring/measures.js'
export { Panel, type PanelShape } from './scoring/panel.js'
export { countKeys, type KeyCounts, keysOf } from './scoring/shared-keys.js'
export type { LossColumns, Measures, ScoredPairs } from './scoring/types.js'
export { checkSite, type SiteReport } from './site/check.js'
export type { SitePlan } from './site/plan/plan.js'
export { type PublishOptions, type PublishResult, planPublish, publish } from './site/publish.js'
