import type { PowerFigures, PredictionFigures } from '../../lint/power/figures.js'
import { MOST_DAYS } from '../../lint/power/predict.js'
import { LEAST_PAIRS } from '../../lint/power/resemblance.js'
import {
  counted,
  decimal,
  formatWhole,
  keepSentences,
  listed,
  NOTHING,
  percent,
  percentagePoints,
} from '../../output/figures.js'

/** The name of a prediction's line: `0.90`, or the candidate that it was estimated from. */
export function predictionName({ correlation, candidate }: PredictionFigures): string {
  const value = decimal(correlation, 2)
  return candidate === null ? value : `${value} (${candidate})`
}

export function reductionText(reduction: number | null): string {
  return reduction === null ? 'none' : percent(reduction, reduction < 0.1 ? 1 : 0)
}

export function powerText(power: number): string {
  return power > 0 && power < 0.001 ? `under ${percent(0.001, 1)}` : percent(power, 1)
}

/** Rounds to two digits: drawn windows have an error of up to a fifth, so further digits would be noise. */
export function daysText(days: number | null): string {
  return days === null
    ? `over ${formatWhole(MOST_DAYS)}`
    : `about ${formatWhole(Number(days.toPrecision(2)))}`
}

const HOURS_A_DAY = 24

export const KIND_WORDS = {
  verdict: 'joint test, each part',
  overall: 'point loss, overall',
  point: 'point loss, one horizon',
  direction: 'direction, one horizon',
  other: 'intervals, one horizon',
  strata: 'levels of strata',
} as const

/** Weights as one in a number, because `0.0016` and `4.4×10⁻⁶` are hard to compare. */
function shareText(weight: number): string {
  return weight > 0 ? `1 / ${formatWhole(1 / weight)}` : NOTHING
}

/** The share of alpha of one test; that of a verdict hypothesis is large. */
export function neededShare({ tests, weight }: PowerFigures['needed'][number]): string {
  return tests === 'verdict' ? percent(weight, 0) : shareText(weight)
}

/** The caption for what is found. */
export function foundText({ verdict }: PowerFigures): string {
  return verdict === undefined
    ? 'Overall point loss, found better in the first step of the ladder'
    : 'Found eligible: the joint test passed, and every floor reached'
}

/** What was simulated, if a plan has verdict hypotheses: the power of another design would say nothing about it. */
function verdictNotes({ verdict, family, comparators }: PowerFigures): string[] {
  if (verdict === undefined) return []
  const {
    candidates,
    horizons_hours: horizons,
    practical_floor: floor,
    waiting_worth: worth,
  } = verdict
  const { weights, size } = family
  const names = listed(comparators.map(({ name }) => name))
  const neededReduction = percent(floor + worth, 1)
  return [
    `Found means eligible, against each of ${names}: overall loss lower by an estimate of at least ${neededReduction} (floor ${percent(floor, 1)}, worth of waiting until forecasts are due ${percent(worth, 1)}), and in one hypothesis shown to be lower, at no horizon more than ${percent(verdict.regression_limit)} higher, and in direction, where a comparator calls one, at most ${percentagePoints(verdict.direction_limit)} worse in the mean of the horizons.`,
    `Drawn for this design: ${counted(candidates, 'candidate')}, of which one is better, horizons of ${listed(horizons.map(String))} hours, ${counted(size, 'test')} with the weights ${weights.verdict} (verdict), ${weights.deciding} and ${weights.other}.`,
    `A true reduction below ${neededReduction} is found in fewer than half of windows, however long they are.`,
    'A model that shrinks its forecasts towards the last price is found more often than is said here: in one trial in 12 to 14 % of windows, where the made candidate was in 6.',
  ]
}

/** What a reader must know before the figures, one sentence each. */
export function powerNotes(figures: PowerFigures): string[] {
  const { outcomes, window, family, not_computed: unknown, drawn_from: drawn } = figures
  const reference = figures.comparators.find((each) => each.reference)?.name ?? ''
  const days = Math.floor(drawn / HOURS_A_DAY)
  const isShort = drawn < window.origins
  return keepSentences([
    `Reckoned from ${counted(outcomes.hours, 'hourly close')} before the window alone.`,
    figures.stand_in
      ? `Held against ${reference} as a stand-in: it is no comparator of the plan, whose own cannot be computed from closes.`
      : `Held against ${reference}, the comparator with the smallest loss there.`,
    ...verdictNotes(figures),
    ...figures.not_estimated.map(
      ({ candidate, pairs }) =>
        `No correlation was estimated for ${candidate}: the history has ${counted(pairs, 'pair')} of it before the window at the horizon with the fewest, and ${LEAST_PAIRS} that vary are needed.`,
    ),
    outcomes.cut > 0 &&
      `The last ${counted(outcomes.cut, 'hour')} of the vintage were cut off: they lie in or after the window.`,
    outcomes.filled > 0 &&
      `${counted(outcomes.filled, 'hour')} without a close got the one before.`,
    !family.registered &&
      `The protocol names no cosine test: the figures say what it would find with the weights ${family.weights.deciding} and ${family.weights.other}.`,
    unknown.length > 0 &&
      `Not computed, for their forecasts come from a history: ${unknown.join(', ')}. Where one of them is better, less is found.`,
    isShort &&
      `The closes hold ${counted(days, 'day')}: what the planned window finds is reckoned from shorter ones.`,
    !isShort &&
      days < (figures.curve.at(-1)?.days ?? 0) &&
      `The closes hold ${counted(days, 'day')}: what longer windows find, on the chart and in the days that a reduction needs, is reckoned from these.`,
    'Days are drawn by chance and come within a fifth; another seed moves them.',
    window.blocked !== null &&
      `Every test of this window is blocked: ${BLOCKED_WORDS[window.blocked]}.`,
  ])
}

const BLOCKED_WORDS = {
  too_few_blocks: 'it has too few blocks',
  too_few_days: 'it has too few days',
  too_few_pairs: 'it has fewer origins than the protocol demands pairs',
} as const
