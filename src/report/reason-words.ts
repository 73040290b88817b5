import type { AnyResult } from '../evaluation/result/types.js'
import {
  listed,
  NOTHING,
  percent,
  percentagePoints,
  probability,
  shareOf,
} from '../output/figures.js'
import { adjustedPIn, blockedBecause, horizonName, TOO_FEW } from './sentences.js'
import { type AnyPart, type AnyReason, accountingIn } from './view.js'

/** How the reasons of one code are said: one by itself, or several that differ in their place alone. */
interface Words {
  readonly one: (reason: AnyReason, result: AnyResult) => string
  readonly many?: (first: AnyReason, all: readonly AnyReason[], result: AnyResult) => string
  /** The figure of one place among many; none where nothing distinguishes them. */
  readonly each?: (reason: AnyReason, result: AnyResult) => string
}

export const WORDS: Readonly<Record<AnyReason['code'], Words>> = {
  control_failed: {
    one: (r) =>
      `A control did not come out as it must${r.details.length ? ` (${listed(r.details)})` : ''}: the arithmetic of this run cannot be trusted.`,
  },
  failure_rate_above_comparator: {
    one: (r, result) =>
      `It failed more often than ${r.comparator}: ${rateIn(result, r.found)} of its expected attempts against ${rateIn(result, r.limit)}.`,
    many: (r, _, result) =>
      `It failed at ${rateIn(result, r.found)} of its expected attempts, more often than comparators did`,
    each: (r, result) => rateIn(result, r.limit),
  },
  availability_limit_exceeded: {
    one: (r, result) =>
      `At ${placeOf(r, result)}${inLevel(r)}, it has no pair with ${r.comparator} at ${percent(r.found, 2)} of the origins; at most ${percent(r.limit, 2)} may be missing.`,
    many: (r) => `It has no pair at more than ${percent(r.limit, 2)} of the origins${inLevel(r)}`,
    each: (r) => percent(r.found, 2),
  },
  comparator_availability_limit_exceeded: {
    one: (r, result) =>
      `At ${placeOf(r, result)}${inLevel(r)}, ${r.comparator}, a model of the history, has no scored forecast at ${percent(r.found, 2)} of the origins with an outcome; at most ${percent(r.limit, 2)} may be missing, for a comparator must not choose the origins at which it is compared.`,
    many: (r) =>
      `A comparator of the history has no scored forecast at more than ${percent(r.limit, 2)} of the origins with an outcome${inLevel(r)}, and must not choose the origins at which it is compared`,
    each: (r) => percent(r.found, 2),
  },
  deciding_test_blocked: {
    one: (r, result) => `${about(r, result)} could not be tested: ${blockedBecause(r.details)}.`,
    many: (r, all) => `${subject(all)} could not be tested, for ${blockedBecause(r.details)}`,
  },
  significantly_worse: {
    one: (r, result) =>
      `${about(r, result)} is significantly higher${r.found === null ? '' : `, by ${percent(r.found)}`}.`,
    many: (_, all) => `${subject(all)} is significantly higher`,
    each: (r) => percent(r.found),
  },
  regression_limit_exceeded: exceeded('worse', percent),
  direction_limit_exceeded: exceeded('higher', percentagePoints),
  practical_floor_not_reached: {
    one: (r, result) =>
      `${about(r, result)} is ${reduction(r.found)}; at least ${percent(r.limit)} lower is required.`,
    many: (r, all) => `${subject(all)} is not at least ${percent(r.limit)} lower, as is required`,
    each: (r) => reduction(r.found),
  },
  // The test is two-sided: a loss that is significantly higher is no improvement either.
  not_significant: {
    one: (r, result) =>
      otherSide(r)
        ? `${about(r, result)} is significantly higher, not lower (${pOf(r, result)}).`
        : `${about(r, result)} is not significantly lower after Holm’s correction (${pOf(r, result)}).`,
    many: (r, all) =>
      otherSide(r)
        ? `${subject(all)} is significantly higher, not lower`
        : `${subject(all)} is not significantly lower after Holm’s correction`,
    each: (r, result) => pOf(r, result),
  },
  verdict_not_established: {
    one: (r, result) =>
      `It is not shown to be better everywhere at once (verdict hypothesis, ${pOf(r, result)}); what holds it back most is ${partIn(result, r)}.`,
  },
  comparator_substituted: {
    one: (r) =>
      `The comparator ${r.comparator}, a model of the history, is required by the name of a built-in rule that was not computed; no candidate can be eligible by it.`,
  },
  outcomes_missing: {
    one: (r, result) =>
      `At ${placeOf(r, result)}, ${percent(r.found, 2)} of the origins have no close at the origin or target; above ${percent(r.limit, 2)} no candidate can be eligible.`,
    many: (r) =>
      `More than ${percent(r.limit, 2)} of the origins have no close at the origin or target, so that no candidate can be eligible`,
    each: (r) => percent(r.found, 2),
  },
  regression_not_excluded: notExcluded('worse', percent),
  direction_loss_not_excluded: notExcluded('higher', percentagePoints),
  direction_not_comparable: {
    one: (r, result) =>
      `${about(r, result)} has no limit: ${r.comparator} predicts up or down ${TOO_FEW}.`,
    many: (_, all) =>
      `${subject(all)} has no limit where a comparator predicts up or down ${TOO_FEW}`,
  },
  retrospective: {
    one: () =>
      'The origins lie before the registration: what a backtest shows cannot make a model eligible.',
  },
  window_shortened: {
    one: () =>
      'The window was shortened when it was scored. Where it ends was chosen when outcomes could be read, so nothing is decided.',
  },
  improvement_established: {
    one: (r, result) =>
      `${about(r, result)} is ${reduction(r.found)}, significantly, and beyond the floor of ${percent(r.limit)}.`,
    many: (r, all) =>
      `${subject(all)} is significantly lower, and beyond the floor of ${percent(r.limit)}`,
    each: (r) => reduction(r.found),
  },
}

type FigureText = (figure: number | null) => string

/** A limit that is shown to be crossed. */
function exceeded(word: 'worse' | 'higher', figure: FigureText): Words {
  return {
    one: (r, result) =>
      `${about(r, result)} is ${word} by at least ${figure(r.found)}, beyond the limit of ${figure(r.limit)}.`,
    many: (r, all) => `${subject(all)} is ${word} by more than the limit of ${figure(r.limit)}`,
    each: (r) => `at least ${figure(r.found)}`,
  }
}

/** A limit that may be crossed. */
function notExcluded(word: 'worse' | 'higher', figure: FigureText): Words {
  return {
    one: (r, result) =>
      `${about(r, result)} may be ${word} by as much as ${figure(r.found)}; the limit is ${figure(r.limit)}.`,
    many: (r, all) => `${subject(all)} may be ${word} by more than the limit of ${figure(r.limit)}`,
    each: (r) => `up to ${figure(r.found)}`,
  }
}

/** `Against ar1, the loss at 4 h`: what a sentence is about, with its capital. */
function about(reason: AnyReason, result: AnyResult): string {
  const named = subjectOf(reason)
  const what = isOverall(reason)
    ? `the overall ${named}`
    : `the ${named} at ${placeOf(reason, result)}`
  return reason.comparator === null
    ? what.charAt(0).toUpperCase() + what.slice(1)
    : `Against ${reason.comparator}, ${what}`
}

const placeOf = ({ horizon }: AnyReason, result: AnyResult) =>
  horizonName(result, horizon ?? 'overall')

/** What several reasons are about, at places that are named after it. */
function subject(reasons: readonly AnyReason[]): string {
  const [first] = reasons as [AnyReason]
  return `The ${reasons.every(isOverall) ? 'overall ' : ''}${subjectOf(first)}`
}

function subjectOf({ measure }: AnyReason): string {
  return measure === 'direction_error' ? 'direction error' : 'loss'
}

/** Whether a reason is about no single horizon. */
export function isOverall({ horizon }: AnyReason): boolean {
  return horizon === 'overall' || horizon === null
}

/** Whether a test that found no improvement was significant nevertheless. */
export function otherSide({ code, found, limit }: AnyReason): boolean {
  return code === 'not_significant' && found !== null && limit !== null && found <= limit
}

function pOf({ found }: AnyReason, result: AnyResult): string {
  return `adjusted p ${found === null ? 'not available' : adjustedPIn(result, found)}`
}

/** `the loss at 16 h against ar1 (p 0.12)`: a part of a verdict hypothesis. */
function partIn(result: AnyResult, { test }: AnyReason): string {
  const parts = (result.verdicts ?? []).flatMap((verdict): readonly AnyPart[] => verdict.parts)
  const part = parts.find((each) => each.test === test)
  return part === undefined
    ? 'not recorded'
    : `${partName(result, part)} against ${part.comparator} (p = ${probability(part.p)})`
}

/** `the overall loss`, `the loss at 16 h`, `the mean direction error`. */
export function partName(result: AnyResult, { measure, horizon }: AnyPart): string {
  if (measure === 'direction_error') return 'the mean direction error'
  return horizon === 'overall' ? 'the overall loss' : `the loss at ${horizonName(result, horizon)}`
}

function inLevel({ details }: AnyReason): string {
  return details.length > 0 ? ` in ${listed(details)}` : ''
}

/** A relative reduction in words: 0.03 is `3.0 % lower`. */
export function reduction(share: number | null): string {
  if (share === null) return 'of unknown size'
  return share >= 0 ? `${percent(share)} lower` : `${percent(-share)} higher`
}

/** A share of the attempts that are expected of a model, all models having the same grid. */
function rateIn(result: AnyResult, rate: number | null): string {
  const expected = accountingIn(result, result.models[0]?.name ?? '', 'all')?.expected ?? 0
  return rate === null ? NOTHING : shareOf(Math.round(rate * expected), expected)
}
