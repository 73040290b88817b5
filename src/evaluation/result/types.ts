import { ForeproofError } from '../../contract/error.js'
import type { ReadonlyDeep } from '../../contract/readonly-deep.js'
import type {
  Result as ResultDocument,
  SeriesResult as SeriesResultDocument,
} from '../../contract/types.js'

/** A result of either version. */
export type AnyResult = EvaluationResult | SeriesEvaluationResult

/**
 * For callers that show only results of version 1.
 * @throws {ForeproofError} `usage` for a result of any series.
 */
export function hourlyResult(result: AnyResult): EvaluationResult {
  if (result.result_version === 1) return result
  throw new ForeproofError('usage', 'this is for evaluations under protocols of version 1', {
    help: 'This evaluation is of any series: its report and its tables say what it found.',
  })
}

/** What one scoring run of any series found (`foreproof schema series-result`). */
export type SeriesEvaluationResult = ReadonlyDeep<SeriesResultDocument>

/**
 * What one scoring run found, and from what: the content of result.json, described member by member
 * in the schema (`foreproof schema result`). Losses and differences are log returns (0.01 is about
 * one per cent), shares lie between 0 and 1, and null is where there is nothing to say.
 */
export type EvaluationResult = ReadonlyDeep<ResultDocument>

/** How the expected attempts of one cell ended; the five counts add up to `expected`. */
export type ResultAccounting = EvaluationResult['accounting'][number]
/** The scores of one model in one cell; means over its own scored pairs. */
export type ModelMeasures = EvaluationResult['measures'][number]
/** The keys that two models share in one cell, and why the others were lost. */
export type SharedKeys = EvaluationResult['shared_keys'][number]
/** One test of the registered family, and its rung on the Holm ladder. */
export type ResultTest = EvaluationResult['tests'][number]
export type CandidateDisposition = EvaluationResult['dispositions'][number]
/** One reason, as data; the report makes its sentence. Members that do not apply are null. */
export type ResultReason = CandidateDisposition['reasons'][number]

export type CodeVersion = EvaluationResult['code']
export type ResultMeasure = ResultTest['measure']
export type ResultStratum = ResultTest['stratum']
/** Hours ahead, or the unweighted mean of the protocol's horizons. */
export type Horizon = ResultTest['horizon']
/** An equal-tailed interval, of the bootstrap or of the cosine test. */
export type ResultBounds = NonNullable<ResultTest['bounds']>
