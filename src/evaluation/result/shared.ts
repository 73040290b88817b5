import type {
  Bounds,
  EwcResult,
  EwcTested,
  HolmStep,
  JudgedTest,
  TestedTest,
} from '../../inference/test-result.js'
import type { JudgedVerdict } from '../../inference/verdict.js'
import type { CellCounts, CellSelection } from '../../pairing/accounting.js'
import { countsFrom } from '../../time/registration-time.js'
import type { RowsDigest } from '../history.js'
import type { Documents } from '../load.js'
import type { PairedSeries } from '../pair.js'
import type { CodeVersion, Result, ResultBounds, ResultTest } from './result.js'

/** The members of every test in a result, judged or blocked. */
export function testFigures(test: JudgedTest, comparatorMean: number | null) {
  const tested = test.status === 'tested' ? test : undefined
  return {
    pairs: test.pairs,
    effective_blocks: test.effectiveBlocks,
    observed: test.observed,
    comparator_mean: comparatorMean,
    bounds: toResultBounds(tested?.bounds),
    standard_error: tested === undefined ? null : standardError(tested),
    p: tested?.p ?? null,
    rank: tested?.holm.rank ?? null,
    multiplier: tested?.holm.multiplier ?? null,
    p_adjusted: tested?.holm.adjustedP ?? null,
    bounds_adjusted: toResultBounds(
      tested && 'adjustedBounds' in tested ? tested.adjustedBounds : undefined,
    ),
    decision: toDecision(tested?.holm),
    blocked_reasons: test.status === 'blocked' ? [...test.reasons] : [],
  }
}

function standardError(tested: TestedTest | EwcTested): number {
  return 'replicates' in tested ? tested.replicates.standardDeviation : tested.standardError
}

/** The additional members of a test by the cosine test. */
export function ewcMembers(test: EwcResult, weight: number) {
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
export function summarizeFamily(tests: readonly Pick<ResultTest, 'decision'>[], sha256: string) {
  const count = (decision: ResultTest['decision']) =>
    tests.filter((test) => test.decision === decision).length
  return { size: tests.length, sha256, rejected: count('rejected'), blocked: count('blocked') }
}

/**
 * How attempts ended, and why. With verdict hypotheses, attempts without an outcome are counted separately and are not
 * expected.
 */
export function countAttempts(
  { plan, accounting }: Pick<PairedSeries, 'plan' | 'accounting'>,
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
export function toResultVerdicts(verdicts: readonly JudgedVerdict[]) {
  return verdicts.map(({ candidate, weight, p, holm, parts }) => ({
    ...{ candidate, weight, p },
    rank: holm?.rank ?? null,
    multiplier: holm?.multiplier ?? null,
    p_adjusted: holm?.adjustedP ?? null,
    decision: toDecision(holm),
    parts: parts.map(({ reasons: _, ...part }) => part),
  }))
}

function toDecision(step: HolmStep | null | undefined): ResultTest['decision'] {
  if (!step) return 'blocked'
  return step.rejected ? 'rejected' : 'not_rejected'
}

/** Bounds without their level, which a result states only once. */
export function toResultBounds(bounds: Bounds | undefined): ResultBounds | null {
  return bounds === undefined ? null : { lower: bounds.lower, upper: bounds.upper }
}

/** The parts of a result about the run, which are known before any score is computed. */
export interface RunMetadata
  extends Pick<Result, 'code' | 'exploratory' | 'earlier_readings' | 'time' | 'registrations'> {
  readonly inputs: Omit<Result['inputs'], 'outcomes' | 'pairs'>
}

/** The same for `score` and for `audit`. */
export function createRunMetadata(
  { registration, registrationEntry, protocolEntry, registrations }: Documents,
  { sha256, rows }: RowsDigest,
  code: CodeVersion,
  earlier: number,
  time: Result['time'],
): RunMetadata {
  return {
    code,
    exploratory: earlier > 0,
    earlier_readings: earlier,
    time,
    registrations: registrations ?? null,
    inputs: {
      protocol: {
        ...registration.protocol,
        ledger_entry_sha256: protocolEntry.entry_sha256,
      },
      registration: {
        name: registration.name,
        sha256: registration.registration_sha256,
        registered_at: countsFrom(registration, registrationEntry, time ?? undefined),
        family_sha256: registration.family.sha256,
        ledger_entry_sha256: registrationEntry.entry_sha256,
      },
      history: { sha256, rows },
    },
  }
}
