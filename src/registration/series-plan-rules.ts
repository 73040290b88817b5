import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import { checkSeriesPlan } from '../contract/generated/check-registration.js'
import type { Instant } from '../contract/instant.js'
import type { SeriesPlan, SeriesProtocol } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import { modelFindings, type PlannedModels } from './model-rules.js'
import { commitmentFindings, formFindings, outcomeFindings } from './plan-rules.js'
import { seriesWindowFindings } from './series-window.js'

/**
 * Everything that keeps a plan from being registered under a protocol of version 2, with a pointer to each.
 * @param now the time of registration.
 */
export function seriesPlanFindings(
  value: unknown,
  protocol: SeriesProtocol,
  periods: PeriodList,
  now: Instant,
): Finding[] {
  const form = formFindings(value, checkSeriesPlan)
  if (form.length > 0) return form
  const plan = value as SeriesPlan
  return [
    ...seriesWindowFindings(plan, protocol, periods, now),
    ...seriesModelFindings(plan, protocol),
    ...commitmentFindings(plan),
    ...outcomeFindings(plan),
    ...(plan.groups === true ? groupFindings(protocol) : []),
  ]
}

/** Candidates and comparators. The name of a baseline means that baseline: nothing else may take its place. */
export function seriesModelFindings(plan: PlannedModels, protocol: SeriesProtocol): Finding[] {
  const baselines = protocol.baselines.map(({ id }) => id)
  const found = modelFindings(plan, protocol.comparisons.required, baselines)
  return found.map((each) => ({ ...each, severity: 'error' }))
}

/** The groups of a protocol in its order, each once. */
export function groupsOf({ series }: SeriesProtocol): string[] {
  return [...new Set(series.flatMap(({ group }) => group ?? []))]
}

function groupFindings(protocol: SeriesProtocol): Finding[] {
  const groups = groupsOf(protocol)
  const fault: ArgsOf<'series-groups'>['fault'] | undefined =
    groups.length === 0 ? 'none' : groups.includes('all') ? 'all' : undefined
  return fault === undefined ? [] : [finding('series-groups', { fault }, { pointer: '/groups' })]
}
