import { ForeproofError } from '../contract/error.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import type { SeriesProtocol } from '../contract/types.js'
import { LEAST_DAYS } from '../inference/days.js'
import type { PeriodList } from '../periods/list.js'
import { compileRules, type Rules } from '../protocol/rules/compile.js'
import { mostOriginsADay, testDesign } from './design.js'
import { isWhole, leastFirst, originsIn } from './series-plan-rules.js'
import { draftPlan } from './template.js'

/** The minimum of origins in a window that can decide anything. */
export function leastOrigins(rules: Rules, periods: PeriodList): number {
  const { blockLength, minimumBlocks, minimumPairs } = testDesign(rules)
  const perDay = mostOriginsADay(originsIn(periods), rules)
  return Math.max(minimumPairs, minimumBlocks * blockLength, LEAST_DAYS * perDay)
}

export interface TemplateWindow {
  readonly mode: 'prospective' | 'backtest'
  readonly now: Instant
  /** Labels of the first and the last origin, if chosen; registering checks them. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The possible origins of a window: those that are due later, or those that were due already. */
export function wholeOrigins(
  rules: Rules,
  periods: PeriodList,
  now: Instant,
  ahead: boolean,
): number[] {
  const { first } = leastFirst(rules, periods)
  return originsIn(periods).filter(
    (at) => at >= first && isWhole(rules, periods, at) && rules.due(at) > now === ahead,
  )
}

/** A quarter more than the minimum, because some will be missing. */
const RESERVE = 1.25

/**
 * A plan that follows from its protocol, with a window of the next origins that are due or, for a backtest, of the last
 * ones that were. Angle brackets mark what only the user knows.
 * @throws {ForeproofError} `usage` if the list has no such origin.
 */
export function seriesPlanTemplate(
  protocol: SeriesProtocol,
  periods: PeriodList,
  { mode, now, ...given }: TemplateWindow,
): object {
  const ahead = mode === 'prospective'
  const rules = compileRules(protocol, periods)
  const origins = wholeOrigins(rules, periods, now, ahead)
  const length = Math.ceil(RESERVE * leastOrigins(rules, periods))
  const window = ahead ? origins.slice(0, length) : origins.slice(-length)
  const labelAt = (at: number | undefined) => (at === undefined ? undefined : periods[at]?.label)
  const { from = labelAt(window[0]), to = labelAt(window.at(-1)) } = given
  if (from === undefined || to === undefined) {
    const side = ahead ? 'later' : 'earlier'
    const message = `the list of periods has no origin that is due ${side} than ${formatUtc(now)}`
    throw new ForeproofError('usage', message, {
      help: ahead
        ? 'Freeze a protocol with a longer list, or plan a backtest: --mode backtest'
        : 'Leave --mode out for a window that lies ahead.',
    })
  }
  const source = [...new Set(protocol.series.map(({ source }) => source))].join(', ')
  return draftPlan({ mode, window: { from, to }, source })
}
