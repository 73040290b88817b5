/** Evaluations: outcomes imported, plans registered, attempts paired, scored and audited. */

export { checkResult } from '../contract/generated/check-result.js'
export { type CloseOptions, closeRegistration } from '../evaluation/close-registration.js'
export { readCodeVersion } from '../evaluation/code-version.js'
export { enterRegistration } from '../evaluation/enter-registration.js'
export {
  type AuditOptions,
  type AuditResult,
  auditFolder,
  type LinkResult,
  type LinkState,
  type Unchecked,
} from '../evaluation/evidence/audit.js'
export {
  type DrawOptions,
  type DrawResult,
  drawReport,
} from '../evaluation/evidence/draw.js'
export type { Broken, Link } from '../evaluation/links.js'
export { type InputPaths, type Inputs, type OpenOptions, openInputs } from '../evaluation/open.js'
export type { EvaluateOptions, Phase } from '../evaluation/pair.js'
export {
  type PairHistoryOptions,
  type PairHistoryResult,
  pairHistory,
} from '../evaluation/pair-history.js'
export type { CellLine, CodeVersion, Reading, Result } from '../evaluation/result/result.js'
export { type ScoreOptions, type ScoreResult, scoreEvaluation } from '../evaluation/score.js'
export { lintPlanned } from '../lint/lint.js'
export type {
  Counts,
  CountsWithRates,
  PairedAttempt,
  PairingSummary,
  Reason,
  Status,
} from '../pairing/paired-attempt.js'
export {
  type PrepareOptions,
  type PrepareResult,
  prepareRegistration,
} from '../registration/prepare.js'
export { seriesPlanTemplate } from '../registration/series-template.js'
export { planTemplate, type TemplateOptions } from '../registration/template.js'
export { verifyRegistration } from '../registration/verify.js'
export {
  type EvidenceTableOptions,
  type EvidenceTableResult,
  evidenceTable,
  TABLE_NAMES,
  type TableName,
} from '../tidy/evidence-table.js'
export { scoresTable } from '../tidy/scores.js'
export { testsTable } from '../tidy/tests.js'
export type { VintageGap } from '../truth/closes/close-series.js'
export {
  importOutcomes,
  type OutcomesImportOptions,
  type OutcomesImportResult,
} from '../truth/closes/import-closes.js'
export type { OutcomeFormat, Stamp } from '../truth/closes/layout.js'
export type { Vintage, VintageInput, VintageManifest } from '../truth/closes/vintage.js'
export { readVintage } from '../truth/closes/vintage.js'
export { readTruth } from '../truth/releases-vintage.js'
export { writeVintage } from '../truth/vintage-files.js'
