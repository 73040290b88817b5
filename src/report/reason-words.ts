import { BEFORE } from '../evaluation/gaps.js'
import type { Result, ResultPart, ResultReason } from '../evaluation/result/result.js'
import {
  formatShare,
  listed,
  NOTHING,
  percent,
  percentagePoints,
  probability,
} from '../output/figures.js'
import { strictSaid } from './lax.js'
import { adjustedPIn, blockedBecause, stepName, stepsSaid, TOO_FEW } from './sentences.js'
import { accountingIn, candidatesIn, isDirection, isHours } from './view.js'

/** The words for all reasons of one code: either a phrase whose comparators and positions follow, or a sentence. */
type Words =
  | {
      readonly phrase: (first: ResultReason, all: readonly ResultReason[], result: Result) => string
      /** Whether the phrase already has the figure if it is the same everywhere. */
      readonly hasFigure?: true
      /** The figure for one position; absent if all are alike. */
      readonly each?: (reason: ResultReason, result: Result) => string
    }
  | { readonly sentence: (reason: ResultReason, result: Result) => string }

export const WORDS: Readonly<Record<ResultReason['code'], Words>> = {
  failure_rate_above_comparator: {
    phrase: (r, _, result) =>
      `It failed at ${rateIn(result, r.found)} of its expected attempts, more often than comparators did`,
    each: (r, result) => rateIn(result, r.limit),
  },
  availability_limit_exceeded: {
    phrase: (r, all) =>
      `${mostSaid(all)} of its forecasts could not be scored${inLevel(r)} (limit ${shareText(r.limit)})`,
    each: (r) => shareText(r.found),
    hasFigure: true,
  },
  comparator_availability_limit_exceeded: {
    phrase: (r, all) =>
      `${mostSaid(all)} of the forecasts of a comparator from the history could not be scored${inLevel(r)} (limit ${shareText(r.limit)}), so it would choose where it is compared`,
    each: (r) => shareText(r.found),
    hasFigure: true,
  },
  deciding_test_blocked: {
    phrase: (r, all, result) =>
      `${subject(all, result)} could not be tested (${blockedBecause(r.details)})`,
  },
  significantly_worse: {
    phrase: (_, all, result) => `${subject(all, result)} is significantly higher`,
    each: (r) => percent(r.found),
  },
  regression_limit_exceeded: exceeded('worse', percent),
  direction_limit_exceeded: exceeded('higher', percentagePoints),
  practical_floor_not_reached: {
    phrase: (r, all, result) =>
      (r.limit ?? 0) < 1
        ? `${subject(all, result)} is not at least ${percent(r.limit)} lower, as is required${worstCounted(result)}`
        : `${subject(all, result)} would have to be more than 100 % lower, floor and waiting together (${percent(r.limit)})${worstCounted(result)}`,
    each: (r) => reduction(r.found),
  },
  verdict_not_established: {
    sentence: (r, result) =>
      `It is not shown to be better everywhere at once (joint test, ${formatAdjustedP(r, result)}). The weakest part is ${partIn(result, r)}.`,
  },
  comparator_substituted: {
    phrase: () =>
      'A comparator of the history is required by the name of a built-in rule that was not computed, and no candidate can be eligible by it',
  },
  outcomes_missing: {
    sentence: (r) =>
      `${percent(r.found, 2)} of ${expectedSaid(r)} are missing (limit ${percent(r.limit, 0)}), so no candidate can be eligible or negative.${wouldDo(r)}`,
  },
  rules_too_lax: {
    sentence: ({ found, limit: bound, details: [name = ''] }) =>
      found === null || bound === null
        ? `The protocol does not require the built-in ${name}: no candidate can be eligible under it.`
        : `The protocol is too lax for any candidate to be eligible (the bound in brackets): ${strictSaid({ name, found, bound })}.`,
  },
  waiting_too_long: {
    sentence: ({ found, limit }) =>
      `Waiting until forecasts are due is worth ${percent(found)} of the loss of persistence (limit ${percent(limit, 0)}), so no candidate can be eligible.`,
  },
  only_nowcasts: {
    sentence: () =>
      'At every step a part of the target is over when its forecast is due, so no candidate can be eligible by these nowcasts alone.',
  },
  nowcast: {
    sentence: ({ details }, result) =>
      `More than one in twenty targets of ${stepsSaid(details.map(Number), isHours(result))} have begun when their forecasts are due: a nowcast decides nothing but its limit of harm.`,
  },
  group_harm_not_excluded: {
    phrase: (r, _, result) =>
      `In ${r.details.length > 0 ? `the group ${listed(r.details)}` : 'a group'} the loss may be worse by more than the limit of ${percent(r.limit)}${worstCounted(result)}`,
    each: (r) => percent(r.found),
  },
  direction_not_comparable: {
    phrase: (_, all, result) =>
      `${subject(all, result)} was not compared where a comparator predicts up or down ${TOO_FEW}`,
  },
  window_shortened: {
    sentence: () =>
      'The window was shortened when it was scored. Where it ends was chosen when outcomes could be read, so nothing is decided.',
  },
  improvement_established: {
    phrase: (r, all, result) =>
      `${subject(all, result)} is significantly lower, and by at least the required ${percent(r.limit)}${worstCounted(result)}`,
    each: (r) => reduction(r.found),
  },
}

/** Explains a deciding figure that differs from the figure of pairs that is shown elsewhere. */
export function worstCounted(result: Result): string {
  const missing = accountingIn(result, candidatesIn(result)[0] ?? '', 'overall')?.without_outcome
  return missing ? '; missing outcomes count as the worst' : ''
}

/** Of which values some are missing. */
function expectedSaid({ details: [of = ''] }: ResultReason): string {
  if (of === '') return 'the outcomes of the window'
  return of === BEFORE ? 'the values expected before the window' : `the outcomes of the ${of}`
}

/** What would be enough, if that is known. */
const wouldDo = ({ details: [, ...would] }: ResultReason): string =>
  would.length > 0 ? ` Enough would be ${listed(would)}.` : ''

type FigureText = (figure: number | null) => string

/** A limit that is exceeded. */
function exceeded(word: 'worse' | 'higher', figure: FigureText): Words {
  return {
    phrase: (r, all, result) =>
      `${subject(all, result)} is ${word} by more than the limit of ${figure(r.limit)}`,
    each: (r) => `at least ${figure(r.found)}`,
  }
}

/** The subject of reasons, before the list of their positions. */
function subject(reasons: readonly ResultReason[], result: Result): string {
  const [first] = reasons as [ResultReason]
  return `The ${reasons.every(isOverall) ? 'overall ' : ''}${isDirection(result, first.score) ? 'direction error' : 'loss'}`
}

/** Whether a reason is overall, not about one step. */
export function isOverall({ step }: ResultReason): boolean {
  return step === 'overall' || step === null
}

function formatAdjustedP({ found }: ResultReason, result: Result): string {
  return `adjusted p ${found === null ? 'not available' : adjustedPIn(result, found)}`
}

/** `the loss at 16 h against ar1 (p 0.12)`: a part of a verdict hypothesis. */
function partIn(result: Result, { test }: ResultReason): string {
  const parts = result.reading.verdicts.flatMap((verdict) => verdict.parts)
  const part = parts.find((each) => each.test === test)
  return part === undefined
    ? 'not recorded'
    : `${partName(result, part)} against ${part.comparator} (p = ${probability(part.p)})`
}

/** `the overall loss`, `the loss at 16 h`, `the mean direction error`. */
export function partName(result: Result, { score, step }: ResultPart): string {
  if (isDirection(result, score)) return 'the mean direction error'
  return step === 'overall' ? 'the overall loss' : `the loss at ${stepName(result, step)}`
}

/** `100 %`, `2.13 %`. */
const shareText = (share: number | null): string =>
  percent(share, Number.isInteger(Number(((share ?? 0) * 100).toFixed(9))) ? 0 : 2)

/** The largest share: `100 %`, `up to 7.0 %` where shares differ. */
function mostSaid(reasons: readonly ResultReason[]): string {
  const shares = reasons.map((of) => of.found ?? 0)
  const largest = shareText(Math.max(...shares))
  return new Set(shares).size > 1 ? `Up to ${largest}` : largest
}

function inLevel({ details }: ResultReason): string {
  return details.length > 0 ? ` in ${listed(details)}` : ''
}

/** A relative reduction as text: 0.03 is `3.0 % lower`. */
export function reduction(share: number | null): string {
  if (share === null) return 'of unknown size'
  return share >= 0 ? `${percent(share)} lower` : `${percent(-share)} higher`
}

/** A share of the attempts expected of a model; all models have the same grid. */
function rateIn(result: Result, rate: number | null): string {
  const expected = accountingIn(result, candidatesIn(result)[0] ?? '', 'overall')?.expected ?? 0
  return rate === null ? NOTHING : formatShare(Math.round(rate * expected), expected)
}
