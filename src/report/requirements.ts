import { relative } from '../evaluation/result/readings.js'
import type { AnyResult, Horizon, ResultMeasure } from '../evaluation/result/types.js'
import {
  changeInPoints,
  percent,
  percentagePoints,
  probability,
  signedPercent,
} from '../output/figures.js'
import { hasVerdict } from '../registration/family.js'
import { asCounts } from './beside.js'
import { adjustedPIn, TOO_FEW } from './sentences.js'
import {
  type AnyPart,
  type AnyVerdict,
  directedHorizons,
  isDirection,
  lossTest,
  testOf,
  toneOf,
} from './view.js'
import { floorAgainst, waitingWorth } from './waiting.js'

/** The requirements of a candidate against each comparator, in the order of `requirementsOf`. */
export function requirementHeads(result: AnyResult): string[] {
  const { settings } = result
  const waiting = waitingWorth(result) === undefined ? '' : ', and by what waiting is worth'
  const loss = [
    `loss at least ${percent(settings.practical_effect_floor)} lower${waiting}`,
    hasVerdict(settings) ? 'lower (p)' : 'significantly lower (adjusted p)',
    `no horizon worse by more than ${percent(settings.regression_limit)}`,
  ]
  if (settings.direction_limit === undefined) return loss
  return [
    ...loss,
    `${hasVerdict(settings) ? 'mean direction' : 'direction'} worse by at most ${percentagePoints(settings.direction_limit)}`,
  ]
}

/** The same for evaluations with different limits. */
export const REQUIREMENTS = [
  'loss lower by the floor',
  'significantly lower (adjusted p)',
  'no horizon worse than the limit',
  'direction no worse than the limit',
] as const

/** A requirement of the registration for a candidate, and its outcome. */
export interface ShownRequirement {
  readonly answer: 'met' | 'not_met' | 'unknown' | 'not_asked'
  /** The figure that decides it; null if there is none. */
  readonly figure: string | null
  /** The horizon of the figure, for requirements over several horizons. */
  readonly horizon: number | null
}

const UNKNOWN: ShownRequirement = { answer: 'unknown', figure: null, horizon: null }

/** The requirements of a candidate against a comparator, in the order of `requirementHeads`. */
export function shownRequirements(
  all: AnyResult,
  candidate: string,
  comparator: string,
): ShownRequirement[] {
  const result = asCounts(all, candidate)
  const { settings } = result
  const overall = lossTest(result, { candidate, comparator }, 'overall')
  const reduction = overall ? relative(overall.observed, overall) : null
  const p = overall?.p_adjusted ?? null
  const better = overall !== undefined && toneOf(overall) === 'good'
  // The test is two-sided: with a small p, a loss that is not lower is significantly higher.
  const higher = p !== null && p <= settings.alpha && !better
  const judged = (found: number | null, met: boolean, figure: string): ShownRequirement =>
    found === null ? UNKNOWN : { answer: met ? 'met' : 'not_met', figure, horizon: null }
  const floor = judged(
    reduction,
    -(reduction ?? 0) >= floorAgainst(all, comparator),
    signedPercent(reduction, 2),
  )
  const verdict = result.verdicts?.find((one) => one.candidate === candidate)
  if (result.result_version === 2) {
    const parts = verdict ? partsShown(result, verdict, comparator) : []
    const asked = settings.direction_limit === undefined ? parts.slice(0, 2) : parts
    const isFar = result.far_off.includes(comparator)
    return [
      floor,
      ...asked.map((part, at) =>
        part.answer === 'not_asked' && at < 2 && !isFar ? UNKNOWN : part,
      ),
    ]
  }
  if (verdict !== undefined) return [floor, ...partsShown(result, verdict, comparator)]
  const test = (measure: ResultMeasure, horizon: Horizon) =>
    testOf(result, { candidate, comparator, measure, horizon })
  return [
    floor,
    judged(
      p,
      better,
      p === null ? '' : `${higher ? 'significantly higher, ' : ''}${adjustedPIn(result, p)}`,
    ),
    worst(result.settings.horizons_hours, settings.regression_limit, signedPercent, (horizon) => {
      const one = test('point_loss', horizon)
      return one ? relative(one.bounds?.upper, one) : null
    }),
    worst(
      directedHorizons(result, candidate, comparator),
      result.settings.direction_limit,
      changeInPoints,
      (horizon) => test('direction_error', horizon)?.bounds?.upper ?? null,
    ),
  ]
}

/** The parts of a verdict hypothesis against a comparator, each at the level of that hypothesis's step. */
function partsShown(
  result: AnyResult,
  { parts, multiplier, weight }: AnyVerdict,
  comparator: string,
): ShownRequirement[] {
  const level = result.settings.alpha / (multiplier ?? 1 / weight)
  const shown = (keep: (part: AnyPart) => boolean): ShownRequirement => {
    const own = (parts as readonly AnyPart[]).filter(
      (part) => part.comparator === comparator && keep(part),
    )
    if (own.length === 0) return { ...UNKNOWN, answer: 'not_asked' }
    const most = own.reduce((a, b) => ((b.p ?? 2) > (a.p ?? 2) ? b : a))
    if (most.p === null) return UNKNOWN
    const horizon = most.horizon === 'overall' ? null : most.horizon
    return {
      answer: most.p <= level ? 'met' : 'not_met',
      figure: `p ${probability(most.p)}`,
      horizon,
    }
  }
  return [
    shown((part) => !isDirection(result, part.measure) && part.horizon === 'overall'),
    shown((part) => !isDirection(result, part.measure) && part.horizon !== 'overall'),
    shown((part) => isDirection(result, part.measure)),
  ]
}

/** The largest upper bound over some horizons, compared with a limit. */
function worst(
  horizons: readonly number[],
  limit: number,
  text: (found: number) => string,
  upper: (horizon: number) => number | null,
): ShownRequirement {
  if (horizons.length === 0) return { ...UNKNOWN, answer: 'not_asked' }
  let [most, at] = [Number.NEGATIVE_INFINITY, 0]
  for (const horizon of horizons) {
    const found = upper(horizon)
    if (found === null) return UNKNOWN
    if (found > most) [most, at] = [found, horizon]
  }
  return { answer: most <= limit ? 'met' : 'not_met', figure: `up to ${text(most)}`, horizon: at }
}

/** The outcome of a requirement in words. */
export const SAID = {
  met: 'met',
  not_met: 'not met',
  unknown: 'could not be tested',
  not_asked: `not asked, for the comparator predicts up or down ${TOO_FEW}, or is far off`,
} as const satisfies Record<ShownRequirement['answer'], string>
