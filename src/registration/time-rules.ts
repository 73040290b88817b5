import { type ArgsOf, type Finding, finding, type Severity } from '../contract/findings/finding.js'
import {
  formatUtc,
  type Instant,
  instantOrNaN,
  isOnTheHour,
  MICROS_PER_HOUR,
  parseTimestamp,
} from '../contract/instant.js'
import type { ReadonlyDeep } from '../contract/readonly-deep.js'
import { quoteValue } from '../contract/schema-findings.js'
import type { Plan } from '../contract/types.js'

/** The parts of a plan or registration that state its time. */
export interface Times {
  readonly mode: 'prospective' | 'backtest'
  readonly window: { readonly from: string; readonly to: string }
}

/** Hourly origins of a window, first and last included. */
export function countOrigins(window: Times['window']): number {
  return (instantOrNaN(window.to) - instantOrNaN(window.from)) / MICROS_PER_HOUR + 1
}

/** Close of the last bar that the window's forecasts concern. */
export function lastTarget(to: string, horizons: readonly number[]): Instant {
  return instantOrNaN(to) + Math.max(...horizons) * MICROS_PER_HOUR
}

/**
 * The window of hourly origins.
 * @param registeredAt the time of registration: a prospective window begins no earlier.
 */
export function timeFindings({ mode, window }: Times, registeredAt: Instant): Finding[] {
  const findings: Finding[] = []
  const from = instantOrNaN(window.from)
  const to = instantOrNaN(window.to)
  const report = (pointer: string, args: ArgsOf<'plan-window'>, severity?: Severity) =>
    findings.push(finding('plan-window', args, { pointer, severity }))
  for (const key of ['from', 'to'] as const) {
    const at = window[key]
    const pointer = `/window/${key}`
    const parsed = parseTimestamp(at)
    if (parsed.ok && isOnTheHour(parsed.instant)) continue
    if (parsed.ok) report(pointer, { fault: 'off-the-hour', at, than: '' })
    else {
      const args = { fault: parsed.fault, found: quoteValue(at) }
      findings.push(finding('invalid-timestamp', args, { pointer }))
    }
  }
  if (from > to) report('/window', { fault: 'reversed', at: window.to, than: window.from })
  const registered = formatUtc(registeredAt)
  if (mode === 'prospective' && from < registeredAt) {
    report('/window/from', { fault: 'has-begun', at: window.from, than: registered })
  }
  if (mode === 'backtest' && to > registeredAt) {
    report('/window/to', { fault: 'lies-ahead', at: window.to, than: registered }, 'warning')
  }
  return findings
}

/** Whether forecasts are compared with a log. */
export const asksForLog = (commitment: Plan['commitment']): boolean =>
  commitment === 'stamped' || commitment === 'witnessed'

/** Whether forecasts that were committed late are scored in a second reading, which is so if witnesses are required. */
export const isReadTwice = ({ commitment }: Pick<Plan, 'commitment'>): boolean =>
  commitment === 'witnessed'

/** The name of the log that forecasts are compared with, if a plan or registration names one. */
export const logNamed = (
  of: ReadonlyDeep<Pick<Plan, 'time' | 'commitment_log'>>,
): string | undefined => of.commitment_log ?? of.time?.witnesses?.log.split('+')[0]
