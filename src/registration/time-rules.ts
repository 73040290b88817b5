import type { Finding } from '../contract/findings/finding.js'
import {
  formatUtc,
  type Instant,
  instantOrNaN,
  isOnTheHour,
  MICROS_PER_HOUR,
} from '../contract/instant.js'
import { error, warning } from './findings.js'

/** What of a plan or a registration says when it takes place. */
export interface Times {
  readonly mode: 'prospective' | 'retrospective'
  readonly window: { readonly from: string; readonly to: string }
  readonly as_of?: string
}

/** Hourly origins of a window, first and last included. */
export function originsOf(window: Times['window']): number {
  return (instantOrNaN(window.to) - instantOrNaN(window.from)) / MICROS_PER_HOUR + 1
}

/** Close of the last bar that the window's forecasts are about. */
export function lastTarget(to: string, horizons: readonly number[]): Instant {
  return instantOrNaN(to) + Math.max(...horizons) * MICROS_PER_HOUR
}

/**
 * The window and the as-of.
 * @param registeredAt the time of registration: a prospective window begins no earlier.
 */
export function timeFindings(
  { mode, window, as_of }: Times,
  horizons: readonly number[],
  registeredAt: Instant,
): Finding[] {
  const findings: Finding[] = []
  const from = instantOrNaN(window.from)
  const to = instantOrNaN(window.to)
  for (const key of ['from', 'to'] as const) {
    if (isOnTheHour(instantOrNaN(window[key]))) continue
    findings.push(error('window-off-the-hour', `/window/${key}`, { found: window[key] }))
  }
  if (from > to) findings.push(error('window-reversed', '/window', { ...window }))
  const registered = formatUtc(registeredAt)
  if (mode === 'prospective' && from < registeredAt) {
    findings.push(error('window-has-begun', '/window/from', { from: window.from, registered }))
  }
  if (mode === 'retrospective' && to > registeredAt) {
    findings.push(warning('window-lies-ahead', '/window/to', { to: window.to, registered }))
  }
  const matured = lastTarget(window.to, horizons)
  if (as_of !== undefined && instantOrNaN(as_of) < matured) {
    const args = { found: as_of, needed: formatUtc(matured) }
    findings.push(error('as-of-before-last-target', '/as_of', args))
  }
  return findings
}
