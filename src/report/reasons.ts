import type {
  CandidateDisposition,
  EvaluationResult,
  ResultReason,
} from '../evaluation/result/types.js'
import { listed } from '../output/figures.js'
import { isOverall, otherSide, WORDS } from './reason-words.js'
import { horizonName } from './sentences.js'

/** One reason as a sentence. */
export function reasonSentence(reason: ResultReason, result: EvaluationResult): string {
  return WORDS[reason.code].one(reason, result)
}

/**
 * The reasons behind a disposition first, at most so many lines of them, then all others; reasons
 * that differ in comparator or horizon alone make one line. That the run is retrospective comes
 * before everything else.
 */
export function reasonLines(
  result: EvaluationResult,
  { disposition, reasons }: CandidateDisposition,
  most: number,
): { readonly shown: readonly string[]; readonly rest: readonly string[] } {
  const behind = reasons.filter((reason) => reason.leads_to === disposition)
  const others = reasons.filter((reason) => reason.leads_to !== disposition)
  const first = behind.filter((reason) => reason.code === 'retrospective')
  const ordered = [...first, ...behind.filter((reason) => !first.includes(reason))]
  const lines = foldedSentences(ordered, result)
  return {
    shown: lines.slice(0, most),
    rest: [...lines.slice(most), ...foldedSentences(others, result)],
  }
}

function foldedSentences(reasons: readonly ResultReason[], result: EvaluationResult): string[] {
  const alike = new Map<string, ResultReason[]>()
  for (const reason of reasons) {
    const { code, leads_to, measure, details, limit } = reason
    // There the limit is the comparator's own rate.
    const bound = code === 'failure_rate_above_comparator' ? null : limit
    const key = JSON.stringify([code, leads_to, measure, details, bound, otherSide(reason)])
    alike.set(key, [...(alike.get(key) ?? []), reason])
  }
  return [...alike.values()].map((group) => {
    const [one] = group as [ResultReason]
    const { many } = WORDS[one.code]
    if (group.length === 1 || many === undefined) return reasonSentence(one, result)
    const each = (reason: ResultReason) => (many.each ? ` (${many.each(reason, result)})` : '')
    return `${many.says(one, group, result)}: against ${places(group, each)}.`
  })
}

/** `ar1 at 2 h (6.1 %), 4 h (7.0 %); drift_24h and persistence at 2 h (5.2 %)`. */
function places(group: readonly ResultReason[], each: (reason: ResultReason) => string): string {
  const overall = group.every(isOverall)
  const byComparator = new Map<string, ResultReason[]>()
  for (const reason of group) {
    const name = reason.comparator ?? 'every comparator'
    byComparator.set(name, [...(byComparator.get(name) ?? []), reason])
  }
  const byPlaces = new Map<string, string[]>()
  for (const [name, reasons] of byComparator) {
    const where = reasons.map((reason) => {
      return overall ? each(reason) : `${horizonName(reason.horizon ?? 'overall')}${each(reason)}`
    })
    const said = overall ? where.join(',') : ` at ${where.join(', ')}`
    byPlaces.set(said, [...(byPlaces.get(said) ?? []), name])
  }
  return [...byPlaces].map(([said, names]) => `${listed(names)}${said}`).join('; ')
}
