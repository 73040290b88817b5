import type { Result } from '../contract/types.js'
import type { JudgedTest, Tested } from './types.js'
import type { JudgedVerdict } from './verdict.js'

/** The worst first: a candidate is what its weightiest reason leads to, and the worse of two readings. */
export const WORST_FIRST: readonly Disposition[] = [
  'blocked',
  'negative',
  'higher',
  'inconclusive',
  'neither',
  'eligible_for_human_review',
  'lower',
]

/**
 * What a backtest says in place of a verdict: its window was chosen when outcomes could be known, so that no error
 * rate holds. Only an overall loss is higher; a limit that is exceeded keeps it from being lower.
 */
function ofBacktest({ code, leads_to }: DispositionReason): Disposition {
  if (leads_to === 'negative') return code === 'significantly_worse' ? 'higher' : 'neither'
  if (leads_to === 'inconclusive') return 'neither'
  return leads_to === 'eligible_for_human_review' ? 'lower' : leads_to
}

/**
 * What an evaluation allows to be said of one candidate, and why: a pure function of the deciding
 * tests (point loss and direction, over all origins, against every required comparator). Stratum
 * cells and interval tests are no part of it. Nothing is promoted by it: the best it can say is
 * that people should look.
 *
 * Blocked outweighs negative, negative outweighs inconclusive; all reasons are listed whichever
 * decides. A backtest has no verdict: it is lower, higher or neither, and blocked by the same.
 *
 * Bounds on differences are held against a limit times the comparator's own mean loss on the same
 * pairs, so that no quotient of two random figures is resampled.
 *
 * With a verdict hypothesis, eligible is what rejects it, and negative rests on simultaneous bounds. Without
 * one, both rest on single tests and the bounds that the ladder leaves to them.
 */
export function decideDisposition(input: DispositionInput): DispositionResult {
  const { comparisons } = input
  const reasons = [
    ...(input.shortened ? [blocking('window_shortened')] : []),
    ...comparisons.flatMap((comparison) => silenceReasons(comparison, input)),
    ...comparisons.flatMap(blockingReasons),
    ...comparisons.flatMap((comparison) => harmReasons(comparison, input)),
    ...verdictReasons(input),
    ...outcomeReasons(input),
    ...(input.byVerdict?.substituted ?? []).map((comparator) =>
      reasonOf({ code: 'comparator_substituted', leads_to: 'inconclusive', comparator }),
    ),
    ...comparisons.flatMap((comparison) => benefitReasons(comparison, input)),
    ...comparisons.flatMap(incomparableReasons),
  ]
  const weigh = (reason: DispositionReason) => WORST_FIRST.indexOf(reason.leads_to)
  reasons.sort((a, b) => weigh(a) - weigh(b))
  const said =
    input.mode === 'backtest'
      ? reasons.map((reason) => ({ ...reason, leads_to: ofBacktest(reason) }))
      : reasons
  return { disposition: said[0]?.leads_to ?? 'blocked', reasons: said }
}

function blockingReasons(comparison: Comparison): DispositionReason[] {
  const { comparator } = comparison
  return decidingTests(comparison).flatMap(({ horizon, measure, test, comparatorLoss }) => {
    const unknown = comparatorLoss === null || Number.isNaN(comparatorLoss)
    if (test.status === 'tested' && !unknown) return []
    const details = [
      ...(test.status === 'blocked' ? test.reasons : []),
      ...(unknown ? ['comparator_loss_unknown'] : []),
    ]
    const place = { comparator, horizon, measure, test: test.name }
    return [blocking('deciding_test_blocked', { ...place, details })]
  })
}

/**
 * A comparator such as persistence forecasts no change and so has no direction anywhere, or too
 * rarely for a test. Nothing can be lost to it there: the comparison is not asked for, which is said
 * and weighs nothing.
 */
function incomparableReasons({ comparator, horizons }: Comparison): DispositionReason[] {
  const without = horizons.filter(({ direction }) => direction === null)
  return without.map(({ horizon }) =>
    reasonOf({
      code: 'direction_not_comparable',
      leads_to: 'eligible_for_human_review',
      comparator,
      horizon,
      measure: 'direction_error',
    }),
  )
}

interface DecidingTest {
  readonly horizon: number | 'overall'
  readonly measure: 'point_loss' | 'direction_error'
  readonly test: JudgedTest
  /** What a relative limit is taken of; undefined for limits that are absolute. */
  readonly comparatorLoss: number | null | undefined
}

function decidingTests({ overall, horizons }: Comparison): DecidingTest[] {
  const tests: DecidingTest[] = [{ horizon: 'overall', measure: 'point_loss', ...overall }]
  for (const { horizon, point, direction } of horizons) {
    tests.push({ horizon, measure: 'point_loss', ...point })
    if (!direction) continue
    tests.push({ horizon, measure: 'direction_error', test: direction, comparatorLoss: undefined })
  }
  return tests
}

/** A reason as a result records it: what does not apply is null. */
export function reasonOf(
  given: Pick<DispositionReason, 'code' | 'leads_to'> & Partial<DispositionReason>,
): DispositionReason {
  return {
    comparator: null,
    horizon: null,
    measure: null,
    test: null,
    found: null,
    limit: null,
    details: [],
    ...given,
  }
}

/** A reason that no conclusion may be drawn. */
export function blocking(
  code: DispositionReason['code'],
  of: Partial<DispositionReason> = {},
): DispositionReason {
  return reasonOf({ code, leads_to: 'blocked', ...of })
}

/** What speaks against the candidate on its own, also where other things are missing. */
export function harmReasons(comparison: Comparison, input: DispositionInput): DispositionReason[] {
  const { comparator, overall } = comparison
  const { test, comparatorLoss } = overall
  const reasons = limitReasons(comparison, input, 'lower')
  if (test.status === 'blocked' || !isWorse(test)) return reasons
  const worse = reasonOf({
    code: 'significantly_worse',
    leads_to: 'negative',
    comparator,
    horizon: 'overall',
    measure: 'point_loss',
    test: test.name,
    found: relative(test.observed, comparatorLoss),
    limit: 0,
  })
  return [worse, ...reasons]
}

/** By the simultaneous bounds, where there are any; a test by itself may have been rejected for less. */
function isWorse(test: Tested): boolean {
  const { simultaneousBounds: bounds } = test
  return bounds === undefined ? rejectedOn('above', test) : bounds.lower > 0
}

/** That the verdict hypothesis was not rejected; where a part of it is blocked, that says more. */
function verdictReasons({ byVerdict }: DispositionInput): DispositionReason[] {
  const holm = byVerdict?.verdict.holm
  if (byVerdict === undefined || !holm || holm.rejected) return []
  const { parts, p } = byVerdict.verdict
  const code = 'verdict_not_established'
  const test = parts.find((part) => part.p === p)?.test ?? null
  const against = { found: holm.adjustedP, limit: byVerdict.alpha }
  return [reasonOf({ code, leads_to: 'inconclusive', test, ...against })]
}

/** That too much of the window has no outcome for anything to be shown in it. */
function outcomeReasons(input: DispositionInput): DispositionReason[] {
  const { byVerdict, availabilityLimits: limits } = input
  if (byVerdict === undefined || limits === undefined) return []
  return byVerdict.withoutOutcome.flatMap(({ horizon, expected, missing }) => {
    if (missing <= limits.all * expected) return []
    const against = { horizon, found: missing / expected, limit: limits.all }
    return [reasonOf({ code: 'outcomes_missing', leads_to: 'inconclusive', ...against })]
  })
}

/** What eligibility asks for and, where all of it is there, that it is. */
export function benefitReasons(
  comparison: Comparison,
  input: DispositionInput,
): DispositionReason[] {
  const { comparator, overall, horizons } = comparison
  const { test, comparatorLoss } = overall
  const { byVerdict } = input
  const limits = byVerdict === undefined ? limitReasons(comparison, input, 'upper') : []
  if (test.status === 'blocked' || comparatorLoss === null) return limits
  const missing: DispositionReason[] = []
  const place = { comparator, horizon: 'overall', measure: 'point_loss', test: test.name } as const
  const figures = {
    found: relative(-test.observed, comparatorLoss),
    limit: comparatorLoss === 0 ? 0 : input.practicalFloor,
  }
  if (-test.observed < input.practicalFloor * comparatorLoss) {
    const code = 'practical_floor_not_reached'
    missing.push(reasonOf({ code, leads_to: 'inconclusive', ...place, ...figures }))
  }
  if (byVerdict === undefined && !rejectedOn('below', test)) {
    const against = { found: test.holm.adjustedP, limit: test.bounds.level }
    const code = 'not_significant'
    missing.push(reasonOf({ code, leads_to: 'inconclusive', ...place, ...against }))
  }
  missing.push(...limits)
  if (missing.length > 0) return missing
  const all = horizons.flatMap(({ point, direction }) => [point.test, direction])
  if (all.some((each) => each?.status === 'blocked')) return []
  if (byVerdict !== undefined && !byVerdict.verdict.holm?.rejected) return []
  const code = 'improvement_established'
  return [reasonOf({ code, leads_to: 'eligible_for_human_review', ...place, ...figures })]
}

/** Horizons whose loss or direction is shown to be beyond its limit (`lower`), or may be (`upper`). */
function limitReasons(
  { comparator, horizons }: Comparison,
  { regressionLimit, directionLimit }: DispositionInput,
  end: 'lower' | 'upper',
): DispositionReason[] {
  const shown = end === 'lower'
  const endOf = (test: Tested) => (test.simultaneousBounds ?? test.adjustedBounds)[end]
  const reasons: DispositionReason[] = []
  for (const { horizon, point, direction } of horizons) {
    const place = { leads_to: shown ? 'negative' : 'inconclusive', comparator, horizon } as const
    const { test, comparatorLoss: loss } = point
    if (test.status === 'tested' && loss !== null) {
      const found = endOf(test)
      if (found > regressionLimit * loss) {
        reasons.push(
          reasonOf({
            code: shown ? 'regression_limit_exceeded' : 'regression_not_excluded',
            ...place,
            measure: 'point_loss',
            test: test.name,
            found: relative(found, loss),
            limit: loss === 0 ? 0 : regressionLimit,
          }),
        )
      }
    }
    if (direction?.status !== 'tested') continue
    const found = endOf(direction)
    if (found <= directionLimit) continue
    reasons.push(
      reasonOf({
        code: shown ? 'direction_limit_exceeded' : 'direction_loss_not_excluded',
        ...place,
        measure: 'direction_error',
        test: direction.name,
        found,
        limit: directionLimit,
      }),
    )
  }
  return reasons
}

/** A difference as a share of the comparator's loss, by which it was judged; as it is without one. */
function relative(difference: number, comparatorLoss: number | null): number {
  return comparatorLoss === null || comparatorLoss === 0 ? difference : difference / comparatorLoss
}

function rejectedOn(side: 'below' | 'above', test: Tested): boolean {
  return test.holm.rejected && test.side === side
}

/**
 * What keeps a candidate from winning by silence. A model without any skill looks better once it
 * withholds the forecasts that went wrong, so the share of the origins that it leaves out is limited, at every horizon and in every level: one that is silent in volatile hours alone stays
 * far below any limit over all origins. Why a forecast is missing does not matter, so that a
 * recorded failure is never worse than a deleted one. A comparator of the history keeps to the same limits, or
 * it could choose the origins of the comparison.
 */
export function silenceReasons(
  comparison: Comparison,
  { availabilityLimits: limits }: DispositionInput,
): DispositionReason[] {
  const failing = failureReason(comparison)
  if (limits === undefined) return failing === undefined ? [] : [blocking(...failing)]
  const silent = [
    ...beyondLimit('availability_limit_exceeded', comparison, limits, (cell) => cell),
    ...beyondLimit(
      'comparator_availability_limit_exceeded',
      comparison,
      limits,
      (cell) => cell.comparator,
    ),
  ]
  const noted = failing && reasonOf({ code: failing[0], leads_to: NOTHING_LOST, ...failing[1] })
  return noted === undefined ? silent : [...silent, noted]
}

/** A reason for every horizon and level at which more was left out than the limit allows. */
function beyondLimit(
  code: DispositionReason['code'],
  { comparator, availability }: Comparison,
  limits: { readonly all: number; readonly level: number },
  countIn: (cell: AvailabilityCell) => AvailabilityCell['comparator'],
): DispositionReason[] {
  return availability.flatMap((cell) => {
    const { origins, notScored } = countIn(cell) ?? { origins: 0, notScored: 0 }
    const limit = cell.level === null ? limits.all : limits.level
    if (notScored <= limit * origins) return []
    const details = cell.level === null ? [] : [cell.level]
    const { horizon } = cell
    return [blocking(code, { comparator, horizon, found: notScored / origins, limit, details })]
  })
}

/** A reason that is given and weighs nothing. */
const NOTHING_LOST = 'eligible_for_human_review'

/** That a candidate failed more often than a comparator: compared as fractions, not as rounded quotients. */
function failureReason({ comparator, candidateFailures, comparatorFailures }: Comparison) {
  const [ours, theirs] = [candidateFailures, comparatorFailures]
  if (ours.failures * theirs.expected <= theirs.failures * ours.expected) return undefined
  const of = { comparator, found: rate(ours), limit: rate(theirs) }
  return ['failure_rate_above_comparator', of] as const
}

function rate({ failures, expected }: FailureCount): number {
  return expected === 0 ? 0 : failures / expected
}

/** What may be said of a candidate, as a result records it: every reason that applies, the ones behind the disposition first. */
export type DispositionResult = Omit<Result['dispositions'][number], 'candidate'>
export type Disposition = DispositionResult['disposition']
/** Figures of losses are shares of the comparator's loss, by which they are judged. */
export type DispositionReason = DispositionResult['reasons'][number]

/** What went wrong or did not happen, out of how many expected attempts. */
export interface FailureCount {
  readonly failures: number
  readonly expected: number
}

/** What was left out of the origins with an outcome at one horizon, over all of them or in one level. */
export interface AvailabilityCell {
  readonly horizon: number
  /** `volatility: high`; null for all origins. */
  readonly level: string | null
  /** Origins with an outcome, without those that the comparator alone left out. */
  readonly origins: number
  /** Of these, the origins at which nothing of the candidate can be compared, for any reason. */
  readonly notScored: number
  /** The same of the comparator, of all origins with an outcome; only of one that comes from the history. */
  readonly comparator?: { readonly origins: number; readonly notScored: number } | undefined
}

/** The deciding tests of a candidate against one required comparator, over all origins. */
export interface Comparison {
  readonly comparator: string
  readonly candidateFailures: FailureCount
  readonly comparatorFailures: FailureCount
  readonly availability: readonly AvailabilityCell[]
  readonly overall: {
    readonly test: JudgedTest
    /** The comparator's overall loss on the same pairs; null when there is none. */
    readonly comparatorLoss: number | null
  }
  readonly horizons: readonly {
    readonly horizon: number
    readonly point: { readonly test: JudgedTest; readonly comparatorLoss: number | null }
    /**
     * Null where the comparator says up or down too rarely for a test: nothing can be lost to it. Undefined where
     * directions are not asked about.
     */
    readonly direction: JudgedTest | null | undefined
  }[]
}

export interface DispositionInput {
  readonly mode: 'prospective' | 'backtest'
  /** With every comparator of the registration, each at every horizon. */
  readonly comparisons: readonly Comparison[]
  /** Least relative reduction of the overall loss that matters in practice. */
  readonly practicalFloor: number
  /** Largest tolerated relative increase of a horizon's point loss. */
  readonly regressionLimit: number
  /** Largest tolerated increase of the direction error rate, absolute. */
  readonly directionLimit: number
  /**
   * Largest tolerated shares that are not scored, of all origins and of those of one level; absent
   * where a registration was made before there were any: failures are compared then.
   */
  readonly availabilityLimits?: { readonly all: number; readonly level: number } | undefined
  /** True where only a first part of the window is scored: its end was chosen after outcomes could be read. */
  readonly shortened?: boolean
  /** What a verdict hypothesis asks for besides; absent where the verdict rests on single tests. */
  readonly byVerdict?: VerdictBasis | undefined
}

export interface VerdictBasis {
  readonly verdict: JudgedVerdict
  readonly alpha: number
  /** Comparators that bear the name of a built-in rule and are none: no candidate is eligible by them. */
  readonly substituted: readonly string[]
  /** Origins of the window without an outcome. */
  readonly withoutOutcome: readonly {
    readonly horizon: number
    readonly expected: number
    readonly missing: number
  }[]
}
