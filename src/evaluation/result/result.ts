import type { ReadonlyDeep } from '../../contract/readonly-deep.js'
import type {
  CellLine as CellLineDocument,
  Reading as ReadingDocument,
  Result as ResultDocument,
} from '../../contract/types.js'

/**
 * What one scoring run found, and from what: the content of result.json, described member by member in the schema
 * (`foreproof schema result`), for every protocol. Null is where there is nothing to say.
 */
export type Result = ReadonlyDeep<ResultDocument>
/** The number of series that a list of a result names: it does not grow with the series. */
export const SERIES_NAMED = 10

/** What one reading of the forecasts gives. */
export type Reading = ReadonlyDeep<ReadingDocument>
/** A line of cells.ndjson: a series at a step. */
export type CellLine = ReadonlyDeep<CellLineDocument>

/** How expected attempts ended; the five counts add up to `expected`. */
export type ResultAccounting = Reading['accounting'][number]
/** The means of one model at a step, or over all, in a scope. */
export type ResultMeasures = Reading['measures'][number]
/** The keys that two models share, and their mean differences. */
export type ResultDifference = Reading['differences'][number]
/** One test of the registered family, and its rung on the Holm ladder. */
export type ResultTest = Reading['tests'][number]
export type ResultVerdict = Reading['verdicts'][number]
/** A part of a verdict hypothesis. */
export type ResultPart = ResultVerdict['parts'][number]
export type CandidateDisposition = NonNullable<Reading['dispositions']>[number]
/** One reason, as data; the report makes its sentence. Members that do not apply are null. */
export type ResultReason = CandidateDisposition['reasons'][number]
export type CodeVersion = Result['code']
/** Steps ahead, or all that decide. */
export type StepOrAll = ResultTest['step']
/** An equal-tailed interval, of the bootstrap or of the cosine test. */
export type ResultBounds = NonNullable<ResultTest['bounds']>
