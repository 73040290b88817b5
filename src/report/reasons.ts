import type { Result, ResultReason } from '../evaluation/result/result.js'
import { LEAST_DAYS } from '../inference/days.js'
import { formatWhole, keepSentences, listed, NOTHING, percent } from '../output/figures.js'
import { isOverall, WORDS } from './reason-words.js'
import { statusReason, stepName } from './sentences.js'
import { accountingIn, groupedBy, minimumBlocksIn, type Verdict } from './view.js'
import { isShort, lengthSaid } from './window.js'

/**
 * The reasons behind a disposition, up to a number of lines; then all others. Reasons that differ only in comparator or
 * step share a line. Why attempts were not scored comes before what is blocked by it.
 */
export function reasonLines(
  result: Result,
  { candidate, disposition, reasons }: Verdict,
  most: number,
): { readonly shown: readonly string[]; readonly rest: readonly string[] } {
  const behind = reasons.filter((reason) => reason.leads_to === disposition)
  const others = reasons.filter((reason) => reason.leads_to !== disposition)
  const lines = [...findRoots(result, candidate, behind), ...foldedSentences(behind, result)]
  return {
    shown: lines.slice(0, most),
    rest: [...lines.slice(most), ...foldedSentences(others, result)],
  }
}

/** The model whose unscored attempts cause a reason. */
function silentModel(result: Result, candidate: string, reason: ResultReason): string | undefined {
  const comparator = reason.comparator ?? candidate
  if (reason.code === 'availability_limit_exceeded') return candidate
  if (reason.code === 'comparator_availability_limit_exceeded') return comparator
  if (reason.code !== 'deciding_test_blocked' || !reason.details.includes('no_pairs')) return
  const scored = (model: string) => accountingIn(result, model, 'overall')?.point.scored ?? 0
  return scored(comparator) < scored(candidate) ? comparator : candidate
}

/** What keeps attempts of every model from a score: the root cause, unless another reason says more. */
const COUNTS_FOR_NOBODY = 'outcome_missing'

/** The cause of the other reasons if a condition lacks scored attempts: the most frequent reason of these attempts. */
function findRoots(result: Result, candidate: string, behind: readonly ResultReason[]): string[] {
  const blocked = behind.filter(({ leads_to }) => leads_to === 'blocked')
  const silent = new Set(blocked.map((reason) => silentModel(result, candidate, reason)))
  return [...silent].flatMap((model) => {
    if (model === undefined) return []
    const cell = accountingIn(result, model, 'overall')
    const [root] = Object.entries(cell?.reasons ?? {}).sort(
      ([a, m], [b, n]) =>
        Number(a === COUNTS_FOR_NOBODY) - Number(b === COUNTS_FOR_NOBODY) || n - m,
    )
    if (cell === undefined || root === undefined) return []
    const [reason, count] = root
    const whose = model === candidate ? 'its' : 'the'
    const of = model === candidate ? '' : ` of ${model}`
    return `${formatWhole(count)} of ${whose} ${formatWhole(cell.expected)} expected attempts${of} were not scored: ${statusReason(reason)} (${reason}).`
  })
}

function foldedSentences(reasons: readonly ResultReason[], result: Result): string[] {
  const alike = groupedBy(reasons, (reason) => {
    const { code, leads_to, score, details, limit } = reason
    // For this code the limit is the comparator's own rate.
    const bound = code === 'failure_rate_above_comparator' ? null : percent(limit)
    return JSON.stringify([code, leads_to, score, details, bound])
  })
  return [...alike.values()].map((group) => {
    const [one] = group as [ResultReason]
    const words = WORDS[one.code]
    if ('sentence' in words) return words.sentence(one, result)
    const each = (reason: ResultReason) => words.each?.(reason, result) ?? NOTHING
    const isAlike = new Set(group.map(each)).size === 1
    const figure = (reason: ResultReason) =>
      each(reason) === NOTHING || (words.hasFigure && isAlike) ? '' : ` (${each(reason)})`
    return `${words.phrase(one, group, result)}: against ${listSteps(group, figure, result)}.`
  })
}

/** `ar1 at 2 h (6.1 %), 4 h (7.0 %); drift_24h and persistence at 2 h (5.2 %)`. */
function listSteps(
  group: readonly ResultReason[],
  each: (reason: ResultReason) => string,
  result: Result,
): string {
  const overall = group.every(isOverall)
  const byComparator = groupedBy(group, ({ comparator }) => comparator ?? 'every comparator')
  const bySteps = groupedBy([...byComparator], ([, reasons]) => {
    if (overall) return reasons.map(each).join(',')
    const stepText = (reason: ResultReason) =>
      `${stepName(result, reason.step ?? 'overall')}${each(reason)}`
    const [overallReasons, steps] = [true, false].map((of) =>
      reasons.filter((r) => isOverall(r) === of),
    )
    const at = steps!.length > 0 && `at ${steps!.map(stepText).join(', ')}`
    return ` ${keepSentences([...overallReasons!.map(stepText), at]).join(' and ')}`
  })
  return [...bySteps]
    .map(([said, comparators]) => `${listed(comparators.map(([name]) => name))}${said}`)
    .join('; ')
}

type Code = ResultReason['code']

/** What would remove a blocking reason; reasons without a remedy are absent. */
const REMEDY: Partial<Record<Code, (result: Result) => string>> = {
  availability_limit_exceeded: ({ settings: { rules } }) =>
    `In the window of a new registration, have a scored forecast for at least ${percent(1 - rules.limits.availability)} of the origins at every step, and for ${percent(1 - rules.limits.availability_stratum)} in every level of a stratum and every series. It has to be there in time, made from inputs of its time, and of the same vintage as that of a comparator that names one.`,
  comparator_availability_limit_exceeded: () =>
    'Register a comparator that keeps to the same limits, or the built-in rule of its name.',
}

/** What would unblock a deciding test: a longer window, if it supplies what is missing. */
function testableDesign(result: Result, blocked: readonly ResultReason[]): string[] {
  // Without any pair, a longer window does not help.
  const lacks = (...codes: string[]) =>
    blocked.some(
      ({ details }) =>
        !details.includes('no_pairs') && details.some((detail) => codes.includes(detail)),
    )
  const { minimum_pairs: pairs } = result.settings.rules.dependence
  // A window of just these origins has no room for a gap.
  const gaps = isShort(result)
    ? ''
    : 'Have forecasts for more of its origins (`foreproof export cells` shows the pairs of each series at each step), or '
  const longer = `${gaps}${gaps === '' ? 'Register' : 'register'} a longer window: a deciding test needs ${formatWhole(pairs)} pairs, ${LEAST_DAYS} days and ${formatWhole(minimumBlocksIn(result))} effective blocks at every step. ${lengthSaid(result)}`
  const short =
    isShort(result) ||
    lacks(
      'too_few_pairs',
      'too_few_blocks',
      'too_few_days',
      'window_shorter_than_block',
      'empty_replicate',
    )
  return keepSentences([
    short && longer,
    lacks('no_variance') &&
      'Look at the forecasts: a candidate whose differences from a comparator never vary is most likely a copy of it, moved by a constant.',
  ])
}

/** What would unblock a candidate, each remedy once; empty if it is not blocked. */
export function listRemedies(result: Result, { disposition, reasons }: Verdict): string[] {
  if (disposition !== 'blocked') return []
  const blocking = reasons.filter((reason) => reason.leads_to === 'blocked')
  const codes = [...new Set(blocking.map(({ code }) => code))]
  const tests = blocking.filter(({ code }) => code === 'deciding_test_blocked')
  return [
    ...codes.flatMap((code) => REMEDY[code]?.(result) ?? []),
    ...testableDesign(result, tests),
  ]
}
