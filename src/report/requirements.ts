import { relative } from '../evaluation/result/readings.js'
import type { Result, ResultPart, ResultVerdict } from '../evaluation/result/result.js'
import {
  changeInPoints,
  percent,
  percentagePoints,
  probability,
  signedPercent,
} from '../output/figures.js'
import { worstCounted } from './reason-words.js'
import { adjustedPIn, TOO_FEW } from './sentences.js'
import {
  asCounts,
  directedSteps,
  directionIn,
  isDecided,
  isDirection,
  lossTest,
  stepsIn,
  testIn,
  testTone,
} from './view.js'
import { floorAgainst } from './waiting.js'

/** The heading of the table: with the level of a joint test, at which every part of it has to pass. */
export function requirementCaption(all: Result, candidate: string): string {
  const result = asCounts(all, candidate)
  const verdict = result.reading.verdicts.find((one) => one.candidate === candidate)
  const level = verdict && Number(levelAt(result, verdict).toPrecision(3))
  const by = level === undefined ? '' : ` (each p of its joint test at most ${level})`
  return `What ${candidate} had to show against each required comparator${by}`
}

/** The requirements of a candidate against each comparator, in the order of `shownRequirements`. */
export function requirementHeads(all: Result, candidate: string): string[] {
  const result = asCounts(all, candidate)
  const { alpha, limits } = result.settings.rules
  const by = isDecided(result) ? ' (p)' : ''
  const loss = [
    isDecided(result) ? `overall loss${worstCounted(result)}` : 'overall loss',
    isDecided(result) ? `lower${by}` : `significantly lower (adjusted p at most ${alpha})`,
    `no step worse by more than ${percent(limits.harm)}${by}`,
  ]
  if (directionIn(result) === undefined || limits.direction === null) return loss
  return [
    ...loss,
    `${isDecided(result) ? 'mean direction' : 'direction'} worse by at most ${percentagePoints(limits.direction)}${by}`,
  ]
}

/** A requirement of the registration for a candidate, and its outcome. */
export interface ShownRequirement {
  readonly answer: 'met' | 'not_met' | 'unknown' | 'not_asked'
  /** The figure that decides it, or why it is not asked; null if there is neither. */
  readonly figure: string | null
  /** The step of the figure, for requirements over several steps. */
  readonly step: number | null
}

const UNKNOWN: ShownRequirement = { answer: 'unknown', figure: null, step: null }
const RARELY = `it predicts up or down ${TOO_FEW}`
const NOT_ASKED: ShownRequirement = { answer: 'not_asked', figure: RARELY, step: null }
const FAR_OFF = 'it is far behind the best comparator'

/** The requirements of a candidate against a comparator, in the order of `requirementHeads`. */
export function shownRequirements(
  all: Result,
  candidate: string,
  comparator: string,
): ShownRequirement[] {
  const result = asCounts(all, candidate)
  const { change, isEnough } = floorJudged(result, candidate, comparator)
  const required = floorAgainst(result, comparator)
  const floor = judged(
    change,
    isEnough ?? -(change ?? 0) >= required,
    `${signedPercent(change, 2)}, needs\u00a0${signedPercent(-required, 2)}`,
  )
  const verdict = result.reading.verdicts.find((one) => one.candidate === candidate)
  if (!isDecided(result)) return [floor, ...boundsShown(result, candidate, comparator)]
  const parts = verdict ? partsShown(result, verdict, comparator) : [UNKNOWN, UNKNOWN, UNKNOWN]
  const asked = directionIn(result) === undefined ? parts.slice(0, 2) : parts
  const isFar = result.reading.far_off.includes(comparator)
  return [
    floor,
    ...asked.map((part, at) => {
      if (part.answer !== 'not_asked') return part
      if (isFar) return { ...part, figure: FAR_OFF }
      return at < 2 ? UNKNOWN : part
    }),
  ]
}

/**
 * The relative change of the overall loss that is compared with the floor: where outcomes are missing, with the worst in
 * their place. And whether it is enough, where the verdict has a reason for that: a quotient could round to the other side.
 */
function floorJudged(
  result: Result,
  candidate: string,
  comparator: string,
): { readonly change: number | null; readonly isEnough?: boolean } {
  const verdict = result.reading.dispositions?.find((of) => of.candidate === candidate)
  const reason = verdict?.reasons.find(
    (of) => of.comparator === comparator && BY_THE_FLOOR.includes(of.code),
  )
  if (reason?.found != null) {
    return { change: -reason.found, isEnough: reason.code === 'improvement_established' }
  }
  const overall = lossTest(result, { candidate, comparator }, 'overall')
  return { change: overall ? relative(overall.observed, overall) : null }
}

/** Where neither is given, the floor is reached and the verdict hypothesis is not rejected. */
const BY_THE_FLOOR: readonly string[] = ['practical_floor_not_reached', 'improvement_established']

function judged(found: number | null, met: boolean, figure: string): ShownRequirement {
  return found === null ? UNKNOWN : { answer: met ? 'met' : 'not_met', figure, step: null }
}

/** Where a bootstrap was drawn: each difference beside its limit. */
function boundsShown(result: Result, candidate: string, comparator: string): ShownRequirement[] {
  const { alpha, limits } = result.settings.rules
  const rivals = { candidate, comparator }
  const overall = lossTest(result, rivals, 'overall')
  const p = overall?.p_adjusted ?? null
  const better = overall !== undefined && testTone(overall) === 'good'
  // The test is two-sided: with a small p, a loss that is not lower is significantly higher.
  const higher = p !== null && p <= alpha && !better
  const figure = p === null ? '' : adjustedPIn(result, p)
  const direction = directionIn(result)
  return [
    judged(p, better, `${higher ? 'significantly higher, ' : ''}${figure}`),
    worst(stepsIn(result), limits.harm, signedPercent, (step) => {
      const one = lossTest(result, rivals, step)
      return one ? relative(one.bounds?.upper, one) : null
    }),
    ...(direction === undefined
      ? []
      : [
          worst(directedSteps(result, rivals), limits.direction ?? 0, changeInPoints, (step) => {
            const one = testIn(result, { ...rivals, score: direction.id, step })
            return one?.bounds?.upper ?? null
          }),
        ]),
  ]
}

/** The level at which a joint test stands on the ladder. */
const levelAt = (
  { settings }: Result,
  { multiplier, weight }: Pick<ResultVerdict, 'multiplier' | 'weight'>,
): number => settings.rules.alpha / (multiplier ?? 1 / weight)

/** The parts of a verdict hypothesis against a comparator, each at the level of that hypothesis's step. */
function partsShown(
  result: Result,
  { parts, multiplier, weight }: ResultVerdict,
  comparator: string,
): ShownRequirement[] {
  const level = levelAt(result, { multiplier, weight })
  const shown = (keep: (part: ResultPart) => boolean): ShownRequirement => {
    const matching = parts.filter((part) => part.comparator === comparator && keep(part))
    if (matching.length === 0) return NOT_ASKED
    const weakest = matching.reduce((a, b) => ((b.p ?? 2) > (a.p ?? 2) ? b : a))
    if (weakest.p === null) return UNKNOWN
    return {
      answer: weakest.p <= level ? 'met' : 'not_met',
      figure: `p ${probability(weakest.p)}`,
      step: weakest.step === 'overall' ? null : weakest.step,
    }
  }
  return [
    shown((part) => !isDirection(result, part.score) && part.step === 'overall'),
    shown((part) => !isDirection(result, part.score) && part.step !== 'overall'),
    shown((part) => isDirection(result, part.score)),
  ]
}

/** The largest upper bound over some steps, compared with a limit. */
function worst(
  steps: readonly number[],
  limit: number,
  text: (found: number) => string,
  upper: (step: number) => number | null,
): ShownRequirement {
  if (steps.length === 0) return NOT_ASKED
  let [largest, at] = [Number.NEGATIVE_INFINITY, 0]
  for (const step of steps) {
    const bound = upper(step)
    if (bound === null) return UNKNOWN
    if (bound > largest) [largest, at] = [bound, step]
  }
  return {
    answer: largest <= limit ? 'met' : 'not_met',
    figure: `up to ${text(largest)}`,
    step: at,
  }
}

/** The outcome of a requirement in words. */
export const REQUIREMENT_WORDS = {
  met: 'met',
  not_met: 'not met',
  unknown: 'could not be tested',
  not_asked: 'not asked',
} as const satisfies Record<ShownRequirement['answer'], string>
