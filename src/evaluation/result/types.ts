import type { Result as ResultDocument } from '../../contract/types.js'

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T

/**
 * What one scoring run found, and from what: the content of result.json, described member by member
 * in the schema (`foreproof schema result`). Losses and differences are log returns (0.01 is about
 * one per cent), shares lie between 0 and 1, and null stands where there is nothing to say.
 */
export type Result = Frozen<ResultDocument>

export type ResultSettings = Result['settings']
export type ResultModel = Result['models'][number]
/** How the expected attempts of one cell ended; the five counts add up to `expected`. */
export type Accounting = Result['accounting'][number]
/** The scores of one model in one cell; means over its own scored pairs. */
export type ModelMeasures = Result['measures'][number]
/** The keys two models share in one cell, and what became of the others. */
export type SharedKeys = Result['shared_keys'][number]
/** One test of the registered family, and its rung on the Holm ladder. */
export type TestResult = Result['tests'][number]
export type ControlResult = Result['controls'][number]
export type CandidateDisposition = Result['dispositions'][number]
/** One reason, as data; its sentence is made by the report. What does not apply is null. */
export type DispositionReason = CandidateDisposition['reasons'][number]

export type CodeVersion = Result['code']
export type Measure = TestResult['measure']
export type Stratum = TestResult['stratum']
/** Hours ahead, or the unweighted mean of the protocol's horizons. */
export type Horizon = TestResult['horizon']
/** An equal-tailed percentile interval of the bootstrap. */
export type Bounds = NonNullable<TestResult['bounds']>
