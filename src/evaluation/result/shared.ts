import type {
  Bounds,
  EwcResult,
  EwcTested,
  HolmStep,
  JudgedTest,
  TestedTest,
} from '../../inference/types.js'
import type { JudgedVerdict } from '../../inference/verdict.js'
import type { CellCounts, CellSelection } from '../../pairing/accounting.js'
import type { AnyRegistration } from '../../registration/types.js'
import type { RowsDigest } from '../history.js'
import type { Documents } from '../load.js'
import type { Paired } from '../pair.js'
import { countsFrom } from '../proof/registration-time.js'
import { resultDigest } from '../result-digest.js'
import { type Judged, withSecond } from './readings.js'
import type { CodeVersion, EvaluationResult, ResultBounds, ResultTest } from './types.js'

/** What a result is made from, whichever version its protocol has. */
interface ResultBasis<Version extends 1 | 2> {
  readonly version: Version
  readonly registration: AnyRegistration
  readonly paired: Paired
}

/**
 * Assembles a result and seals it with its own digest.
 * @param own - members that only a result of this version has.
 * @param first - computed without the forecasts that were committed late or never, and `second` with them.
 */
export function sealedResult<Version extends 1 | 2, Own extends object, Reading extends Judged>(
  { version, registration, paired }: ResultBasis<Version>,
  own: Own,
  first: Reading,
  second: Reading | undefined,
) {
  const { candidates, comparators, mode } = registration
  const result = {
    ...own,
    result_version: version,
    result_sha256: '',
    kind: mode === 'backtest' ? ('backtest' as const) : ('evaluation' as const),
    models: [
      ...candidates.map((model) => ({ ...model, role: 'candidate' as const, required_as: [] })),
      ...comparators.map((model) => ({ ...model, role: 'comparator' as const })),
    ],
    outside_grid: Object.fromEntries(paired.accounting.outside),
    ...(paired.implausible.length > 0 && { implausible: paired.implausible }),
    ...first,
    ...(second && withSecond(first, second, lateForecasts(paired))),
  }
  return { ...result, result_sha256: resultDigest(result) }
}

/** Forecasts that are ineligible only because of their commitment: late, or in no checkpoint that counts. */
export function lateForecasts({ accounting }: Paired): number {
  const { committed_late: late = 0, not_committed: never = 0 } = accounting.counts({}).reasons
  return late + never
}

/** The members of every test in a result, judged or blocked. */
export function testFigures(test: JudgedTest, comparatorMean: number | null) {
  const tested = test.status === 'tested' ? test : undefined
  return {
    pairs: test.pairs,
    effective_blocks: test.effectiveBlocks,
    observed: test.observed,
    comparator_mean: comparatorMean,
    bounds: boundsOf(tested?.bounds),
    standard_error: tested === undefined ? null : standardErrorOf(tested),
    p: tested?.p ?? null,
    rank: tested?.holm.rank ?? null,
    multiplier: tested?.holm.multiplier ?? null,
    p_adjusted: tested?.holm.adjustedP ?? null,
    bounds_adjusted: boundsOf(
      tested && 'adjustedBounds' in tested ? tested.adjustedBounds : undefined,
    ),
    decision: decisionOf(tested?.holm),
    blocked_reasons: test.status === 'blocked' ? [...test.reasons] : [],
  }
}

function standardErrorOf(tested: TestedTest | EwcTested): number {
  return 'replicates' in tested ? tested.replicates.standardDeviation : tested.standardError
}

/** The additional members of a test by the cosine test. */
export function ewcFiguresOf(test: EwcResult, weight: number) {
  const tested = test.status === 'tested' ? test : undefined
  const { simultaneousBounds: simultaneous } = test
  return {
    degrees_of_freedom: tested?.degreesOfFreedom ?? null,
    weight,
    level_adjusted: tested?.holm.level ?? null,
    ...(tested?.holm.by !== undefined && { by_verdict: true as const }),
    ...(simultaneous && { bounds_simultaneous: simultaneous }),
  }
}

/** The number of tests, and of each outcome. */
export function familyOf(tests: readonly Pick<ResultTest, 'decision'>[], sha256: string) {
  const count = (decision: ResultTest['decision']) =>
    tests.filter((test) => test.decision === decision).length
  return { size: tests.length, sha256, rejected: count('rejected'), blocked: count('blocked') }
}

/**
 * How attempts ended, and why. With verdict hypotheses, attempts without an outcome are counted separately and are not
 * expected.
 */
export function shownCounts(
  { plan, accounting }: Pick<Paired, 'plan' | 'accounting'>,
  selection: CellSelection,
): CellCounts & { readonly without_outcome?: number } {
  const { expected, point, interval, reasons: all } = accounting.counts(selection)
  const { scored: _scored, ...unscored } = all
  const reasons: CellCounts['reasons'] = unscored
  if (!plan.forVerdict) return { expected, point, interval, reasons }
  const { outcome_missing: apart = 0, ...others } = reasons
  return {
    expected: expected - apart,
    without_outcome: apart,
    point: { ...point, missing: point.missing - apart },
    interval: { ...interval, missing: interval.missing - apart },
    reasons: others,
  }
}

/** The verdict hypotheses in the form of a result. */
export function verdictsOf(verdicts: readonly JudgedVerdict[]) {
  return verdicts.map(({ candidate, weight, p, holm, parts }) => ({
    ...{ candidate, weight, p },
    rank: holm?.rank ?? null,
    multiplier: holm?.multiplier ?? null,
    p_adjusted: holm?.adjustedP ?? null,
    decision: decisionOf(holm),
    parts: parts.map(({ reasons: _, ...part }) => part),
  }))
}

function decisionOf(step: HolmStep | null | undefined): ResultTest['decision'] {
  if (!step) return 'blocked'
  return step.rejected ? 'rejected' : 'not_rejected'
}

/** Bounds without their level, which a result states only once. */
export function boundsOf(bounds: Bounds | undefined): ResultBounds | null {
  return bounds === undefined ? null : { lower: bounds.lower, upper: bounds.upper }
}

/** The parts of a result about the run, which the computation does not know. */
export interface RunMetadata
  extends Pick<
    EvaluationResult,
    'code' | 'exploratory' | 'earlier_readings' | 'time' | 'registrations'
  > {
  /** All but the outcomes, which each version describes by itself. */
  readonly inputs: Omit<EvaluationResult['inputs'], 'vintage'>
}

/** The same for `score` and for `audit`. */
export function runMetadata(
  { registration, registrationEntry, protocol, protocolEntry, registrations }: Documents,
  { sha256, rows }: RowsDigest,
  pairs: { readonly sha256: string; readonly rows: number },
  code: CodeVersion,
  earlier: number,
  time?: EvaluationResult['time'],
): RunMetadata {
  return {
    code,
    exploratory: earlier > 0,
    earlier_readings: earlier,
    ...(time && { time }),
    ...(registrations && { registrations }),
    inputs: {
      protocol: {
        version: protocol.protocol_version,
        sha256: protocol.protocol_sha256,
        ledger_entry_sha256: protocolEntry.entry_sha256,
      },
      registration: {
        name: registration.name,
        sha256: registration.registration_sha256,
        registered_at: countsFrom(registration, registrationEntry, time),
        family_sha256: registration.family_sha256,
        ledger_entry_sha256: registrationEntry.entry_sha256,
      },
      history: { sha256, rows },
      pairs,
    },
  }
}
