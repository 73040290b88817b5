import type { Reading } from '../contract/types.js'
import { MOST_WAITING } from '../periods/waiting.js'
import { negativeHarm, type TooLax } from '../protocol/rules/lax.js'
import type { JudgedTest } from './test-result.js'
import type { JudgedVerdict } from './verdict.js'

/** From worst to best: the worst reason decides for a candidate, and the worse of two readings. */
export const WORST_FIRST: readonly Disposition[] = [
  'blocked',
  'negative',
  'higher',
  'inconclusive',
  'neither',
  'eligible_waiting_given_away',
  'eligible_for_human_review',
  'lower',
]

/**
 * The result of a backtest, which has no verdict: its window was chosen when outcomes could be known, so no error rate
 * holds. It is higher only by its overall loss; an exceeded limit keeps it from being lower.
 */
function ofBacktest({ code, leads_to }: DispositionReason): Disposition {
  if (leads_to === 'negative') return code === 'significantly_worse' ? 'higher' : 'neither'
  if (leads_to === 'inconclusive') return 'neither'
  return leads_to.startsWith('eligible') ? 'lower' : leads_to
}

/**
 * What an evaluation allows to be said of one candidate, and why: a pure function of the deciding tests (point loss and
 * direction, over all origins, against every required comparator). It does not use stratum cells and interval tests. It
 * never promotes a candidate: the best result asks people to look.
 * Blocked outweighs negative, and negative outweighs inconclusive, except that missing outcomes outweigh negative. All
 * reasons are listed, whichever decides. A backtest has no verdict: it is lower, higher or neither, and is blocked by
 * the same reasons.
 * Bounds on differences are compared with a limit times the comparator's own mean loss on the same pairs. Eligible
 * means that the verdict hypothesis is rejected; negative rests on simultaneous bounds.
 */
export function decideDisposition(input: DispositionInput): DispositionResult {
  const { comparisons } = input
  const reasons = [
    ...(input.shortened ? [blocking('window_shortened')] : []),
    ...comparisons.flatMap((comparison) => silenceReasons(comparison, input)),
    ...comparisons.flatMap((comparison) => blockingReasons(comparison, input)),
    ...comparisons.flatMap((comparison) => harmReasons(comparison, input)),
    ...comparisons.flatMap((comparison) => groupReasons(comparison, input)),
    // What bars every candidate comes before what one did not show.
    ...laxReasons(input),
    ...outcomeReasons(input),
    ...waitingReasons(input),
    ...input.byVerdict.substituted.map((comparator) =>
      createReason({ code: 'comparator_substituted', leads_to: 'inconclusive', comparator }),
    ),
    ...verdictReasons(input),
    ...comparisons.flatMap((comparison) => benefitReasons(comparison, input)),
    ...comparisons.flatMap(incomparableReasons),
  ]
  reasons.sort((a, b) => rankReason(a) - rankReason(b))
  const deciding =
    input.mode === 'backtest'
      ? reasons.map((reason) => ({ ...reason, leads_to: ofBacktest(reason) }))
      : reasons
  return { disposition: deciding[0]?.leads_to ?? 'blocked', reasons: deciding }
}

/** The lowest rank decides. Missing outcomes count neither for nor against: whoever left them out had a choice. */
function rankReason({ code, leads_to: disposition }: DispositionReason): number {
  return code === 'outcomes_missing' ? 0.5 : WORST_FIRST.indexOf(disposition)
}

function blockingReasons(
  comparison: Comparison,
  { byVerdict }: DispositionInput,
): DispositionReason[] {
  const { comparator } = comparison
  const parts = byVerdict.verdict.parts.filter((part) => part.comparator === comparator)
  const ofVerdict = parts.flatMap(({ horizon, measure, test, p, limit, reasons }) => {
    if (p !== null) return []
    const details = [...reasons, ...(limit === null ? [LOSS_UNKNOWN] : [])]
    return [blocking('deciding_test_blocked', { comparator, horizon, measure, test, details })]
  })
  const named = new Set(ofVerdict.map(({ test }) => test))
  const ofTests = decidingTests(comparison).flatMap(
    ({ horizon, measure, test, comparatorLoss }) => {
      const unknown = comparatorLoss === null || Number.isNaN(comparatorLoss)
      const isThere = test.simultaneousBounds !== undefined
      if ((isThere && !unknown) || named.has(test.name)) return []
      const details = [
        ...(test.status === 'blocked' ? test.reasons : isThere ? [] : ['no_variance']),
        ...(unknown ? [LOSS_UNKNOWN] : []),
      ]
      const testKey = { comparator, horizon, measure, test: test.name }
      return [blocking('deciding_test_blocked', { ...testKey, details })]
    },
  )
  return [...ofVerdict, ...ofTests]
}

const LOSS_UNKNOWN = 'comparator_loss_unknown'

/**
 * Groups of series in which harm is not excluded, or cannot be tested. They keep a candidate from being eligible, but
 * make none negative.
 */
function groupReasons(
  { comparator, groups = [] }: Comparison,
  { regressionLimit }: DispositionInput,
): DispositionReason[] {
  return groups.flatMap(({ group, test, found, comparatorLoss, reasons }) => {
    const testKey = { comparator, horizon: 'overall', measure: 'point_loss', test } as const
    if (found === null || comparatorLoss === null) {
      const details = [...reasons, ...(comparatorLoss === null ? [LOSS_UNKNOWN] : [])]
      return [blocking('deciding_test_blocked', { ...testKey, details })]
    }
    if (found <= regressionLimit * comparatorLoss) return []
    const code = 'group_harm_not_excluded'
    const figures = { found: relative(found, comparatorLoss), limit: regressionLimit }
    return [
      createReason({ code, leads_to: 'inconclusive', ...testKey, ...figures, details: [group] }),
    ]
  })
}

/**
 * A comparator such as persistence forecasts no change and so calls no direction, or calls one too rarely for a test. A
 * candidate cannot lose to it there, so the comparison is not required. The reason is shown and has no weight.
 */
function incomparableReasons({ comparator, horizons }: Comparison): DispositionReason[] {
  const without = horizons.filter(({ direction }) => direction === null)
  return without.map(({ horizon }) =>
    createReason({
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
  /** The loss that relative limits refer to; undefined for absolute limits. */
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

/** A reason in the form of a result; members that do not apply are null. */
export function createReason(
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

/** A reason why no conclusion may be drawn. */
export function blocking(
  code: DispositionReason['code'],
  of: Partial<DispositionReason> = {},
): DispositionReason {
  return createReason({ code, leads_to: 'blocked', ...of })
}

/** Reasons that count against the candidate by themselves, even if other results are missing. */
export function harmReasons(comparison: Comparison, input: DispositionInput): DispositionReason[] {
  const { comparator, overall } = comparison
  const { test, comparatorLoss } = overall
  const reasons = limitReasons(comparison, input)
  if (!isWorse(test)) return reasons
  const worse = createReason({
    code: 'significantly_worse',
    leads_to: 'negative',
    comparator,
    horizon: 'overall',
    measure: 'point_loss',
    test: test.name,
    found: test.observed === null ? null : relative(test.observed, comparatorLoss),
    limit: 0,
  })
  return [worse, ...reasons]
}

/** Uses the simultaneous bounds, because a single test may have been rejected for less. */
const isWorse = ({ simultaneousBounds: bounds }: JudgedTest): boolean =>
  bounds !== undefined && bounds.lower > 0

/** The reason that the verdict hypothesis was not rejected; none if it is blocked, because that reason says more. */
function verdictReasons({ byVerdict }: DispositionInput): DispositionReason[] {
  const { holm } = byVerdict.verdict
  if (!holm || holm.rejected) return []
  const { parts, p } = byVerdict.verdict
  const code = 'verdict_not_established'
  const test = parts.find((part) => part.p === p)?.test ?? null
  const against = { found: holm.adjustedP, limit: byVerdict.alpha }
  return [createReason({ code, leads_to: 'inconclusive', test, ...against })]
}

/** The reason that the rules ask for too little; harm is still shown. */
function laxReasons({ byVerdict }: DispositionInput): DispositionReason[] {
  const of = { code: 'rules_too_lax', leads_to: 'inconclusive' } as const
  return byVerdict.tooLax.map((each) =>
    createReason({ ...of, ...each, details: [...each.details] }),
  )
}

/** The reasons that waiting is worth too much, or that the periods of some steps have begun when forecasts are due. */
function waitingReasons({ byVerdict }: DispositionInput): DispositionReason[] {
  const { worth, nowcasts, isOnly } = byVerdict.waiting ?? NO_WAITING
  const details = nowcasts.map(String)
  const begun = isOnly
    ? ({ code: 'only_nowcasts', leads_to: 'inconclusive' } as const)
    : ({ code: 'nowcast', leads_to: NOTHING_LOST } as const)
  const figures = { found: worth, limit: MOST_WAITING }
  return [
    ...(nowcasts.length > 0 ? [createReason({ ...begun, details })] : []),
    // If all steps are nowcasts, that reason is enough.
    ...(worth > MOST_WAITING && !isOnly
      ? [createReason({ code: 'waiting_too_long', leads_to: 'inconclusive', ...figures })]
      : []),
  ]
}

const NO_WAITING: WaitingBasis = { worth: 0, nowcasts: [], isOnly: false }

/** The reason that too many outcomes are missing for any conclusion. */
function outcomeReasons({ byVerdict }: DispositionInput): DispositionReason[] {
  return byVerdict.missingOutcomes.map(({ found, limit, details }) =>
    createReason({
      ...{ code: 'outcomes_missing', leads_to: 'inconclusive' },
      ...{ found, limit, details: [...details] },
    }),
  )
}

/** The missing conditions of eligibility or, if all are met, that the candidate is eligible. */
export function benefitReasons(
  comparison: Comparison,
  input: DispositionInput,
): DispositionReason[] {
  const { comparator, overall } = comparison
  const { test, comparatorLoss, estimate = test.observed, waiting = 0 } = overall
  if (estimate === null || comparatorLoss === null) return []
  const floor = input.practicalFloor + waiting
  const testKey = {
    comparator,
    horizon: 'overall',
    measure: 'point_loss',
    test: test.name,
  } as const
  const figures = {
    found: relative(-estimate, comparatorLoss),
    limit: comparatorLoss === 0 ? 0 : floor,
  }
  if (-estimate < floor * comparatorLoss) {
    const code = 'practical_floor_not_reached'
    return [createReason({ code, leads_to: 'inconclusive', ...testKey, ...figures })]
  }
  if (!input.byVerdict.verdict.holm?.rejected) return []
  const code = 'improvement_established'
  const leads_to = input.byVerdict.waiting?.isGivenAway
    ? 'eligible_waiting_given_away'
    : 'eligible_for_human_review'
  return [createReason({ code, leads_to, ...testKey, ...figures })]
}

/** Horizons whose loss or direction is shown to exceed its limit. */
function limitReasons(
  { comparator, horizons }: Comparison,
  { regressionLimit, directionLimit }: DispositionInput,
): DispositionReason[] {
  const reasons: DispositionReason[] = []
  const harm = negativeHarm(regressionLimit)
  for (const { horizon, point, direction } of horizons) {
    const stepKey = { leads_to: 'negative', comparator, horizon } as const
    const { test, comparatorLoss: loss } = point
    const worse = test.simultaneousBounds?.lower
    if (worse !== undefined && loss !== null && worse > harm * loss) {
      reasons.push(
        createReason({
          code: 'regression_limit_exceeded',
          ...stepKey,
          measure: 'point_loss',
          test: test.name,
          found: relative(worse, loss),
          limit: loss === 0 ? 0 : harm,
        }),
      )
    }
    const found = direction?.simultaneousBounds?.lower
    if (!direction || found === undefined || found <= directionLimit) continue
    reasons.push(
      createReason({
        code: 'direction_limit_exceeded',
        ...stepKey,
        measure: 'direction_error',
        test: direction.name,
        found,
        limit: directionLimit,
      }),
    )
  }
  return reasons
}

/** A difference as a share of the comparator's loss, by which it was judged; unchanged if there is no such loss. */
function relative(difference: number, comparatorLoss: number | null): number {
  return comparatorLoss === null || comparatorLoss === 0 ? difference : difference / comparatorLoss
}

/**
 * Keeps a candidate from winning by silence. A model without skill looks better if it withholds the forecasts that went
 * wrong. So the share of origins that it leaves out is limited: at every horizon, overall, and in every level and
 * series, because a model that is silent only in volatile hours stays far below any overall limit. Why a forecast is
 * missing does not matter, so a recorded failure is never worse than a deleted one. A comparator of the history keeps
 * the same limits; otherwise it could choose the origins of the comparison.
 */
export function silenceReasons(
  comparison: Comparison,
  { availabilityLimits: limits }: DispositionInput,
): DispositionReason[] {
  const failing = failureReason(comparison)
  const silent = [
    ...beyondLimit('availability_limit_exceeded', comparison, limits, (cell) => cell),
    ...beyondLimit(
      'comparator_availability_limit_exceeded',
      comparison,
      limits,
      (cell) => cell.comparator,
    ),
  ]
  const noted = failing && createReason({ code: failing[0], leads_to: NOTHING_LOST, ...failing[1] })
  return noted === undefined ? silent : [...silent, noted]
}

/** One in this many series may exceed the limit if it has little of the loss; it is named. */
const SERIES_AN_EXCEPTION = 50

/** A reason for every horizon, level or series in which more was left out than the limit allows. */
function beyondLimit(
  code: DispositionReason['code'],
  { comparator, availability }: Comparison,
  limits: { readonly all: number; readonly level: number },
  countIn: (cell: AvailabilityCell) => AvailabilityCell['comparator'],
): DispositionReason[] {
  const series = availability.filter(({ isSeries }) => isSeries)
  const isBeyond = (cell: AvailabilityCell) => {
    const { origins, notScored } = countIn(cell) ?? { origins: 0, notScored: 0 }
    return notScored > (cell.level === null ? limits.all : limits.level) * origins
  }
  const exceptions = Math.floor(series.length / SERIES_AN_EXCEPTION)
  const silent = series.filter(isBeyond)
  // Series with much of the loss are no exception: without them the mean would be a different one.
  const share = silent.reduce((sum, { lossShare = 0 }) => sum + lossShare, 0)
  const isExcepted = silent.length <= exceptions && share <= limits.all
  return availability.filter(isBeyond).map((cell) => {
    const { horizon, level, isSeries } = cell
    const { origins, notScored } = countIn(cell) ?? { origins: 0, notScored: 0 }
    const limit = level === null ? limits.all : limits.level
    const details = level === null ? [] : [level]
    const leads_to = isSeries && isExcepted ? NOTHING_LOST : 'blocked'
    const found = notScored / origins
    return createReason({ code, leads_to, comparator, horizon, found, limit, details })
  })
}

/** A reason that is shown but has no weight. */
const NOTHING_LOST = 'eligible_for_human_review'

/**
 * The reason that a candidate failed more often than a comparator. Compares exact fractions, because quotients are
 * rounded.
 */
function failureReason({ comparator, candidateFailures, comparatorFailures }: Comparison) {
  const [ours, theirs] = [candidateFailures, comparatorFailures]
  if (ours.failures * theirs.expected <= theirs.failures * ours.expected) return undefined
  const of = { comparator, found: rate(ours), limit: rate(theirs) }
  return ['failure_rate_above_comparator', of] as const
}

function rate({ failures, expected }: FailureCount): number {
  return expected === 0 ? 0 : failures / expected
}

type Said = NonNullable<Reading['dispositions']>[number]
type SaidReason = Said['reasons'][number]
export type Disposition = Said['disposition']

/** One reason. Differences of losses are shares of the comparator's loss, by which they are judged. */
export interface DispositionReason extends Omit<SaidReason, 'step' | 'score'> {
  readonly horizon: SaidReason['step']
  readonly measure: 'point_loss' | 'direction_error' | null
}

/** What may be said of a candidate: every reason that applies, those that decide first. */
export interface DispositionResult {
  readonly disposition: Disposition
  readonly reasons: readonly DispositionReason[]
}

/** How many of the expected attempts failed. */
export interface FailureCount {
  readonly failures: number
  readonly expected: number
}

/** How many of the origins with an outcome were left out, at one horizon or overall, or in one level or series. */
export interface AvailabilityCell {
  readonly horizon: number | 'overall'
  /** `volatility: high` or `series: US`, over all horizons; null for all origins. */
  readonly level: string | null
  readonly isSeries?: boolean
  /** For a series: its share of the comparator's loss. */
  readonly lossShare?: number
  /** Origins with an outcome, except those that only the comparator left out. */
  readonly origins: number
  /** Those of these origins at which the candidate cannot be compared, for any reason. */
  readonly notScored: number
  /** The same counts of the comparator, over all origins with an outcome; only if it comes from the history. */
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
    /** The comparator's overall loss on the same pairs; null without pairs. */
    readonly comparatorLoss: number | null
    /**
     * The difference that must reach the floor, with the worst values filled in for missing outcomes; default: that of
     * the test.
     */
    readonly estimate?: number | null
    /** What waiting is worth against this comparator; the estimate must exceed the floor by this much. */
    readonly waiting?: number
  }
  readonly horizons: readonly {
    readonly horizon: number
    readonly point: { readonly test: JudgedTest; readonly comparatorLoss: number | null }
    /**
     * Null if the comparator calls a direction too rarely for a test, so that nothing can be lost to it. Undefined if
     * directions are not tested.
     */
    readonly direction: JudgedTest | null | undefined
  }[]
  /** Every group of series; absent without groups. */
  readonly groups?: readonly GroupHarm[]
}

/** How much worse a group of series may be, with missing outcomes counted. */
export interface GroupHarm {
  readonly group: string
  /** The name of its test. */
  readonly test: string
  /** The upper bound of its difference or, with many groups, the estimate; null if it cannot be computed. */
  readonly found: number | null
  readonly comparatorLoss: number | null
  /** Why it cannot be computed. */
  readonly reasons: readonly string[]
}

export interface DispositionInput {
  readonly mode: 'prospective' | 'backtest'
  /** Comparisons with every comparator of the registration, each at every horizon. */
  readonly comparisons: readonly Comparison[]
  /** The smallest relative reduction of the overall loss that matters in practice. */
  readonly practicalFloor: number
  /** The largest tolerated relative increase of a horizon's point loss. */
  readonly regressionLimit: number
  /** Increase of the direction error rate, absolute, beyond which a candidate is negative. */
  readonly directionLimit: number
  /**
   * The largest tolerated shares of unscored origins: overall, and in one level.
   */
  readonly availabilityLimits: { readonly all: number; readonly level: number }
  /** True if only a first part of the window is scored: its end was chosen after outcomes could be read. */
  readonly shortened?: boolean
  /** Further conditions of the verdict hypothesis. */
  readonly byVerdict: VerdictBasis
}

/** What is known about waiting until forecasts are due. */
export interface WaitingBasis {
  /** The worth of waiting against persistence. */
  readonly worth: number
  /** Steps that decide only by their limit of harm. */
  readonly nowcasts: readonly number[]
  /** Whether all steps are nowcasts. */
  readonly isOnly: boolean
  /** Whether waiting is part of the task, so that it is not charged. */
  readonly isGivenAway?: boolean
}

export interface VerdictBasis {
  /** If absent, no waiting is charged. */
  readonly waiting?: WaitingBasis
  readonly verdict: JudgedVerdict
  readonly alpha: number
  /** Comparators that have the name of a built-in rule but are another model: no candidate is eligible against them. */
  readonly substituted: readonly string[]
  /** Rules of version 1 that are so lax that no candidate is eligible. */
  readonly tooLax: readonly TooLax[]
  /** Set if more of the expected outcomes are missing than a decision allows. */
  readonly missingOutcomes: readonly {
    readonly found: number
    readonly limit: number
    /** Which outcomes, and how to fix it; empty if it concerns all registered keys. */
    readonly details: readonly string[]
  }[]
}
