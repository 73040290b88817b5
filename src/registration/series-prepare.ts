import { type Finding, hasNoErrors } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import type { SeriesPlan, SeriesProtocol, SeriesRegistration } from '../contract/types.js'
import type { Document } from '../document/read.js'
import type { PeriodList } from '../periods/list.js'
import { locateFindings } from '../protocol/rules/check.js'
import { lacksVintage } from './plan-rules.js'
import { otherVintage, type VintageFacts, withVintage } from './prepare.js'
import { buildSeriesRegistration } from './series-build.js'
import { seriesPlanFindings } from './series-plan-rules.js'

export interface PrepareSeriesOptions {
  readonly plan: Document
  /** Verified already, with the ledger beside it. */
  readonly protocol: SeriesProtocol
  readonly periods: PeriodList
  readonly now: Instant
  /** Outcomes: those of a backtest, and what scales are computed from. */
  readonly vintage?: Pick<VintageFacts, 'manifest'> | undefined
}

export interface PreparedSeries {
  readonly findings: readonly Finding[]
  /** Absent where a finding forbids it. */
  readonly registration?: SeriesRegistration
}

/** A plan as the registration it would make, with what its rules and the outcomes say of it. */
export function prepareSeriesRegistration(input: PrepareSeriesOptions): PreparedSeries {
  const { protocol, periods, now, vintage } = input
  let found = seriesPlanFindings(input.plan.value, protocol, periods, now)
  const plan = input.plan.value as SeriesPlan
  const tied = vintage !== undefined && hasNoErrors(found) && plan.mode === 'retrospective'
  if (tied) {
    found = [...found.filter((each) => !lacksVintage(each)), ...otherVintage(plan, vintage)]
  }
  const findings = locateFindings(found, input.plan)
  if (!hasNoErrors(found)) return { findings }
  const planned = tied ? withVintage(plan, vintage) : plan
  return { findings, registration: buildSeriesRegistration(planned, protocol, periods, [], now) }
}
