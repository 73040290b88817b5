import { type Finding, finding } from '../contract/findings/finding.js'
import { formatUtc, type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import { LEAST_DAYS } from '../inference/days.js'
import { leastBlocks } from '../inference/ewc.js'
import type { PeriodList } from '../periods/list.js'
import { lastSettled } from '../periods/series-times.js'
import type { Rules } from '../protocol/rules/compile.js'
import { testDesign } from '../registration/design.js'
import { directedOrigins } from '../registration/limits.js'
import { leastFirst } from '../registration/series-plan-rules.js'
import { leastOrigins, wholeOrigins } from '../registration/series-template.js'

/** The earliest verdict if a window is registered now, without a gap. */
export interface EarliestVerdict {
  /** The number of origins it needs. */
  readonly origins: number
  /** When the last outcome of these is settled, RFC 3339; null if the list has too few future origins. */
  readonly at: string | null
}

/** Undefined if nothing can be decided, as with the bootstrap. */
export function earliestHourly(rules: Rules, now: Instant): EarliestVerdict | undefined {
  if (rules.test.method !== 'ewc-t') return undefined
  const { minimumPairs, minimumBlocks, blockLength } = testDesign(rules)
  const origins = Math.max(
    directedOrigins(minimumPairs),
    leastBlocks('ewc-t', minimumBlocks) * blockLength,
    LEAST_DAYS * 24,
  )
  const first = (Math.floor(now / MICROS_PER_HOUR) + 1) * MICROS_PER_HOUR
  const longest = Math.max(...rules.steps)
  return { origins, at: formatUtc(first + (origins - 1 + longest) * MICROS_PER_HOUR) }
}

export function earliestOfSeries(rules: Rules, periods: PeriodList, now: Instant): EarliestVerdict {
  const origins = leastOrigins(rules, periods)
  const ahead = wholeOrigins(rules, periods, now, true).slice(0, origins)
  const settled = lastSettled(rules, ahead)
  const isThere = ahead.length === origins && Number.isFinite(settled)
  return { origins, at: isThere ? formatUtc(settled) : null }
}

/** Says where a list has too few origins for a window, or too few that are still to come. */
export function listFindings(rules: Rules, periods: PeriodList, now: Instant): Finding[] {
  const needed = leastOrigins(rules, periods)
  const [ahead, past] = [true, false].map(
    (isAhead) => wholeOrigins(rules, periods, now, isAhead).length,
  ) as [number, number]
  if (ahead >= needed) return []
  const isTooShort = ahead + past < needed
  const args = {
    fault: isTooShort ? ('no-window' as const) : ('no-verdict' as const),
    usable: isTooShort ? ahead + past : ahead,
    needed,
    since: periods[leastFirst(rules, periods).since]?.label ?? '',
  }
  const severity = isTooShort ? 'error' : 'warning'
  return [finding('list-too-short', args, { pointer: '/periods', severity })]
}
