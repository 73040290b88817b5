import { type ArgsOf, type Finding, finding, type Severity } from '../contract/findings/finding.js'
import { formatUtc } from '../contract/instant.js'
import type { RulesData } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import { ALWAYS, type Releases, withoutTooEarly } from './releases.js'
import type { TruthVintage } from './releases-vintage.js'
import type { OutcomeRules } from './series-truth.js'

type RuleArgs = ArgsOf<'truth-rule'>

/**
 * Checks outcomes against the rule of a protocol: one finding per kind, with a count.
 * @param periods - those of interest, by position; default: all.
 * @param severity - for values that are dated too early.
 */
export function checkTruth(
  { series: all, outcome, known: knownAt }: OutcomeRules,
  periods: PeriodList,
  { releases }: Pick<TruthVintage, 'releases'>,
  severity: Severity = 'error',
  among: Iterable<number> = periods.keys(),
): Finding[] {
  const { rule } = outcome.release
  const byFault = new Map<RuleArgs['fault'], RuleArgs>()
  for (const period of among) {
    const { label, end } = periods[period] as PeriodList[number]
    const knownTime = knownAt(period)
    for (const { id: series } of all) {
      const dated = withoutTooEarly(releases(series, label), { end, known: knownTime })
      const at = utcText(dated[0]?.asOf ?? ALWAYS)
      for (const [fault, count] of listFaults(rule, dated, knownTime)) {
        if (count === 0) continue
        const before = byFault.get(fault) ?? {
          series,
          period: label,
          at,
          known: utcText(knownTime),
          count: 0,
        }
        byFault.set(fault, { ...before, fault, count: before.count + count })
      }
    }
  }
  return [...byFault.values()].map((args) =>
    finding('truth-rule', args, args.fault === 'early' ? { severity } : {}),
  )
}

const utcText = (at: number) => (at === ALWAYS || Number.isNaN(at) ? '' : formatUtc(at))

/** Counts the faulty releases of one period by fault. */
function listFaults(
  rule: RulesData['outcome']['release']['rule'],
  releases: Releases,
  knownFrom: number,
): (readonly [RuleArgs['fault'], number])[] {
  const dated = releases.filter(({ asOf }) => asOf !== ALWAYS)
  const byInstant = rule === 'as_of_lag' || rule === 'as_of_instant'
  return [
    ['early', byInstant ? 0 : dated.filter(({ asOf }) => asOf < knownFrom).length],
    ['revised', rule === 'unrevised' && releases.length > 1 ? 1 : 0],
    ['undated', rule === 'unrevised' ? 0 : releases.length - dated.length],
  ]
}
