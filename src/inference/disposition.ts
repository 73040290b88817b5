import type { Result } from '../contract/types.js'
import { MOST_WAITING } from '../periods/waiting.js'
import { negativeHarm, type TooLax } from '../protocol/rules/lax.js'
import type { JudgedTest } from './types.js'
import type { JudgedVerdict } from './verdict.js'

/** The worst first: a candidate is what its weightiest reason leads to, and the worse of two readings. */
export const WORST_FIRST: readonly Disposition[] = [
  'blocked',
  'negative',
  'higher',
  'inconclusive',
  'neither',
  'eligible_waiting_given_away',
  'eligible_for_human_review',
  'lower',
  'not_decided',
]

/**
 * What is said of every candidate of a protocol that tests by the bootstrap: such tests are made and shown, and too often
 * wrong for a verdict to rest on them.
 */
export function undecided(): DispositionResult {
  const reason = reasonOf({ code: 'tested_by_bootstrap', leads_to: 'not_decided' })
  return { disposition: reason.leads_to, reasons: [reason] }
}

/**
 * What a backtest says in place of a verdict: its window was chosen when outcomes could be known, so that no error
 * rate holds. Only an overall loss is higher; a limit that is exceeded keeps it from being lower.
 */
function ofBacktest({ code, leads_to }: DispositionReason): Disposition {
  if (leads_to === 'negative') return code === 'significantly_worse' ? 'higher' : 'neither'
  if (leads_to === 'inconclusive') return 'neither'
  return leads_to.startsWith('eligible') ? 'lower' : leads_to
}

/**
 * What an evaluation allows to be said of one candidate, and why: a pure function of the deciding
 * tests (point loss and direction, over all origins, against every required comparator). Stratum
 * cells and interval tests are no part of it. Nothing is promoted by it: the best it can say is
 * that people should look.
 *
 * Blocked outweighs negative, negative outweighs inconclusive, but for outcomes that are missing, which outweigh negative;
 * all reasons are listed whichever decides. A backtest has no verdict: it is lower, higher or neither, and blocked by the same.
 *
 * Bounds on differences are held against a limit times the comparator's own mean loss on the same pairs. Eligible is
 * what rejects the verdict hypothesis, and negative rests on simultaneous bounds.
 */
export function decideDisposition(input: DispositionInput): DispositionResult {
  const { comparisons } = input
  const reasons = [
    ...(input.shortened ? [blocking('window_shortened')] : []),
    ...comparisons.flatMap((comparison) => silenceReasons(comparison, input)),
    ...comparisons.flatMap((comparison) => blockingReasons(comparison, input)),
    ...comparisons.flatMap((comparison) => harmReasons(comparison, input)),
    ...comparisons.flatMap((comparison) => groupReasons(comparison, input)),
    ...laxReasons(input),
    ...verdictReasons(input),
    ...outcomeReasons(input),
    ...waitingReasons(input),
    ...input.byVerdict.substituted.map((comparator) =>
      reasonOf({ code: 'comparator_substituted', leads_to: 'inconclusive', comparator }),
    ),
    ...comparisons.flatMap((comparison) => benefitReasons(comparison, input)),
    ...comparisons.flatMap(incomparableReasons),
  ]
  reasons.sort((a, b) => weightOf(a) - weightOf(b))
  const said =
    input.mode === 'backtest'
      ? reasons.map((reason) => ({ ...reason, leads_to: ofBacktest(reason) }))
      : reasons
  return { disposition: said[0]?.leads_to ?? 'blocked', reasons: said }
}

/** The least decides. What whoever made the outcomes may have left out speaks for nobody and against nobody. */
function weightOf({ code, leads_to: disposition }: DispositionReason): number {
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
  const said = new Set(ofVerdict.map(({ test }) => test))
  const ofTests = decidingTests(comparison).flatMap(
    ({ horizon, measure, test, comparatorLoss }) => {
      const unknown = comparatorLoss === null || Number.isNaN(comparatorLoss)
      const isThere = test.simultaneousBounds !== undefined
      if ((isThere && !unknown) || said.has(test.name)) return []
      const details = [
        ...(test.status === 'blocked' ? test.reasons : isThere ? [] : ['no_variance']),
        ...(unknown ? [LOSS_UNKNOWN] : []),
      ]
      const place = { comparator, horizon, measure, test: test.name }
      return [blocking('deciding_test_blocked', { ...place, details })]
    },
  )
  return [...ofVerdict, ...ofTests]
}

const LOSS_UNKNOWN = 'comparator_loss_unknown'

/** Groups of series in which harm is not excluded, or cannot be told. They keep from eligible, and make nobody negative. */
function groupReasons(
  { comparator, groups = [] }: Comparison,
  { regressionLimit }: DispositionInput,
): DispositionReason[] {
  return groups.flatMap(({ group, test, found, comparatorLoss, reasons }) => {
    const place = { comparator, horizon: 'overall', measure: 'point_loss', test } as const
    if (found === null || comparatorLoss === null) {
      const details = [...reasons, ...(comparatorLoss === null ? [LOSS_UNKNOWN] : [])]
      return [blocking('deciding_test_blocked', { ...place, details })]
    }
    if (found <= regressionLimit * comparatorLoss) return []
    const code = 'group_harm_not_excluded'
    const figures = { found: relative(found, comparatorLoss), limit: regressionLimit }
    return [reasonOf({ code, leads_to: 'inconclusive', ...place, ...figures, details: [group] })]
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
  const reasons = limitReasons(comparison, input)
  if (!isWorse(test)) return reasons
  const worse = reasonOf({
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

/** By the simultaneous bounds; a test by itself may have been rejected for less. */
const isWorse = ({ simultaneousBounds: bounds }: JudgedTest): boolean =>
  bounds !== undefined && bounds.lower > 0

/** That the verdict hypothesis was not rejected; where a part of it is blocked, that says more. */
function verdictReasons({ byVerdict }: DispositionInput): DispositionReason[] {
  const { holm } = byVerdict.verdict
  if (!holm || holm.rejected) return []
  const { parts, p } = byVerdict.verdict
  const code = 'verdict_not_established'
  const test = parts.find((part) => part.p === p)?.test ?? null
  const against = { found: holm.adjustedP, limit: byVerdict.alpha }
  return [reasonOf({ code, leads_to: 'inconclusive', test, ...against })]
}

/** That the rules ask for too little: what harms is shown all the same. */
function laxReasons({ byVerdict }: DispositionInput): DispositionReason[] {
  const of = { code: 'rules_too_lax', leads_to: 'inconclusive' } as const
  return byVerdict.tooLax.map((each) => reasonOf({ ...of, ...each, details: [...each.details] }))
}

/** That what is waited for is most of what is forecast, or what is forecast has begun. */
function waitingReasons({ byVerdict }: DispositionInput): DispositionReason[] {
  const { worth, nowcasts, isOnly } = byVerdict.waiting ?? NO_WAITING
  const details = nowcasts.map(String)
  const begun = isOnly
    ? ({ code: 'only_nowcasts', leads_to: 'inconclusive' } as const)
    : ({ code: 'nowcast', leads_to: NOTHING_LOST } as const)
  const figures = { found: worth, limit: MOST_WAITING }
  return [
    ...(nowcasts.length > 0 ? [reasonOf({ ...begun, details })] : []),
    // Of nowcasts alone it is all there is.
    ...(worth > MOST_WAITING && !isOnly
      ? [reasonOf({ code: 'waiting_too_long', leads_to: 'inconclusive', ...figures })]
      : []),
  ]
}

const NO_WAITING: WaitingBasis = { worth: 0, nowcasts: [], isOnly: false }

/** That too many outcomes are missing for anything to be shown. */
function outcomeReasons({ byVerdict }: DispositionInput): DispositionReason[] {
  return byVerdict.missingOutcomes.map(({ found, limit, details }) =>
    reasonOf({
      ...{ code: 'outcomes_missing', leads_to: 'inconclusive' },
      ...{ found, limit, details: [...details] },
    }),
  )
}

/** What eligibility asks for and, where all of it is there, that it is. */
export function benefitReasons(
  comparison: Comparison,
  input: DispositionInput,
): DispositionReason[] {
  const { comparator, overall } = comparison
  const { test, comparatorLoss, estimate = test.observed, waiting = 0 } = overall
  if (estimate === null || comparatorLoss === null) return []
  const floor = input.practicalFloor + waiting
  const place = { comparator, horizon: 'overall', measure: 'point_loss', test: test.name } as const
  const figures = {
    found: relative(-estimate, comparatorLoss),
    limit: comparatorLoss === 0 ? 0 : floor,
  }
  if (-estimate < floor * comparatorLoss) {
    const code = 'practical_floor_not_reached'
    return [reasonOf({ code, leads_to: 'inconclusive', ...place, ...figures })]
  }
  if (!input.byVerdict.verdict.holm?.rejected) return []
  const code = 'improvement_established'
  const leads_to = input.byVerdict.waiting?.isGivenAway
    ? 'eligible_waiting_given_away'
    : 'eligible_for_human_review'
  return [reasonOf({ code, leads_to, ...place, ...figures })]
}

/** Horizons whose loss or direction is shown to be beyond its limit. */
function limitReasons(
  { comparator, horizons }: Comparison,
  { regressionLimit, directionLimit }: DispositionInput,
): DispositionReason[] {
  const reasons: DispositionReason[] = []
  const harm = negativeHarm(regressionLimit)
  for (const { horizon, point, direction } of horizons) {
    const place = { leads_to: 'negative', comparator, horizon } as const
    const { test, comparatorLoss: loss } = point
    const worse = test.simultaneousBounds?.lower
    if (worse !== undefined && loss !== null && worse > harm * loss) {
      reasons.push(
        reasonOf({
          code: 'regression_limit_exceeded',
          ...place,
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
      reasonOf({
        code: 'direction_limit_exceeded',
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

/**
 * What keeps a candidate from winning by silence. A model without any skill looks better once it
 * withholds the forecasts that went wrong, so the share of the origins that it leaves out is limited: at every horizon and
 * over all of them, and in every level and series, for one that is silent in volatile hours alone stays far below any
 * limit over all origins. Why a forecast is missing does not matter, so that a
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

/** Of so many series one may be left out more often than the limit allows, where little of the loss is its own, and is named. */
const SERIES_AN_EXCEPTION = 50

/** A reason for every place at which more was left out than the limit allows. */
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
  // The largest of all is no exception: without it a mean is another one.
  const share = silent.reduce((sum, { lossShare = 0 }) => sum + lossShare, 0)
  const isExcepted = silent.length <= exceptions && share <= limits.all
  return availability.filter(isBeyond).map((cell) => {
    const { horizon, level, isSeries } = cell
    const { origins, notScored } = countIn(cell) ?? { origins: 0, notScored: 0 }
    const limit = level === null ? limits.all : limits.level
    const details = level === null ? [] : [level]
    const leads_to = isSeries && isExcepted ? NOTHING_LOST : 'blocked'
    const found = notScored / origins
    return reasonOf({ code, leads_to, comparator, horizon, found, limit, details })
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

/** What was left out of the origins with an outcome at one horizon or over all, or in one level or series. */
export interface AvailabilityCell {
  readonly horizon: number | 'overall'
  /** `volatility: high` or `series: US`, over all horizons; null for all origins. */
  readonly level: string | null
  readonly isSeries?: boolean
  /** Of a series: how much of the comparator's loss it is. */
  readonly lossShare?: number
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
    /** What has to reach the floor: the difference with the worst in the place of missing outcomes; by default that of the test. */
    readonly estimate?: number | null
    /** What waiting is worth against this comparator: the estimate has to reach as much more than the floor. */
    readonly waiting?: number
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
  /** Every group of series; absent where there are none. */
  readonly groups?: readonly GroupHarm[]
}

/** How much worse a group of series may be, what is missing counted. */
export interface GroupHarm {
  readonly group: string
  /** The name of its test. */
  readonly test: string
  /** The upper bound of its difference or, of many groups, the estimate; null where it cannot be had. */
  readonly found: number | null
  readonly comparatorLoss: number | null
  /** Why it cannot be had. */
  readonly reasons: readonly string[]
}

export interface DispositionInput {
  readonly mode: 'prospective' | 'backtest'
  /** With every comparator of the registration, each at every horizon. */
  readonly comparisons: readonly Comparison[]
  /** Least relative reduction of the overall loss that matters in practice. */
  readonly practicalFloor: number
  /** Largest tolerated relative increase of a horizon's point loss. */
  readonly regressionLimit: number
  /** Increase of the direction error rate, absolute, beyond which a candidate is negative. */
  readonly directionLimit: number
  /**
   * Largest tolerated shares that are not scored, of all origins and of those of one level; absent
   * where a registration was made before there were any: failures are compared then.
   */
  readonly availabilityLimits?: { readonly all: number; readonly level: number } | undefined
  /** True where only a first part of the window is scored: its end was chosen after outcomes could be read. */
  readonly shortened?: boolean
  /** What the verdict hypothesis asks for besides. */
  readonly byVerdict: VerdictBasis
}

/** What is known of waiting until forecasts are due. */
export interface WaitingBasis {
  /** What it is worth against persistence. */
  readonly worth: number
  /** Steps that decide nothing but their limit of harm. */
  readonly nowcasts: readonly number[]
  /** Whether there are no others. */
  readonly isOnly: boolean
  /** Whether it is part of the task, and charged to nobody. */
  readonly isGivenAway?: boolean
}

export interface VerdictBasis {
  /** Without it nothing is charged. */
  readonly waiting?: WaitingBasis
  readonly verdict: JudgedVerdict
  readonly alpha: number
  /** Comparators that bear the name of a built-in rule and are none: no candidate is eligible by them. */
  readonly substituted: readonly string[]
  /** By which rules of version 1 nobody is eligible. */
  readonly tooLax: readonly TooLax[]
  /** Where more of the expected outcomes are missing than anything can be decided with. */
  readonly missingOutcomes: readonly {
    readonly found: number
    readonly limit: number
    /** Of what, and what would do; empty where it is of all registered keys. */
    readonly details: readonly string[]
  }[]
}
