import { formatUtc, type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import type { Protocol, SeriesProtocol } from '../contract/types.js'
import { LEAST_DAYS } from '../inference/days.js'
import { leastBlocks } from '../inference/ewc.js'
import type { PeriodList } from '../periods/list.js'
import { lastSettled } from '../periods/series-times.js'
import { compileRules } from '../protocol/rules/compile.js'
import { testDesign } from '../registration/design.js'
import { directedOrigins } from '../registration/limits.js'
import { leastOrigins, wholeOrigins } from '../registration/series-template.js'

/** The earliest verdict if a window is registered now, without a gap. */
export interface EarliestVerdict {
  /** The number of origins it needs. */
  readonly origins: number
  /** When the last outcome of these is settled, RFC 3339; null if the list has too few future origins. */
  readonly at: string | null
}

/** Undefined if nothing can be decided, as with the bootstrap. */
export function earliestHourly(protocol: Protocol, now: Instant): EarliestVerdict | undefined {
  const rules = compileRules(protocol)
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

export function earliestOfSeries(
  protocol: SeriesProtocol,
  periods: PeriodList,
  now: Instant,
): EarliestVerdict {
  const origins = leastOrigins(protocol, periods)
  const ahead = wholeOrigins(protocol, periods, now, true).slice(0, origins)
  const settled = lastSettled(compileRules(protocol, periods), ahead)
  const isThere = ahead.length === origins && Number.isFinite(settled)
  return { origins, at: isThere ? formatUtc(settled) : null }
}
