import { type Finding, finding } from '../contract/findings/finding.js'
import {
  formatUtc,
  type Instant,
  instantOrNaN,
  isOnTheHour,
  MICROS_PER_HOUR,
} from '../contract/instant.js'

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
    findings.push(
      finding('window-off-the-hour', { found: window[key] }, { pointer: `/window/${key}` }),
    )
  }
  if (from > to) findings.push(finding('window-reversed', { ...window }, { pointer: '/window' }))
  const registered = formatUtc(registeredAt)
  if (mode === 'prospective' && from < registeredAt) {
    findings.push(
      finding('window-has-begun', { from: window.from, registered }, { pointer: '/window/from' }),
    )
  }
  if (mode === 'retrospective' && to > registeredAt) {
    findings.push(
      finding('window-lies-ahead', { to: window.to, registered }, { pointer: '/window/to' }),
    )
  }
  const matured = lastTarget(window.to, horizons)
  if (as_of !== undefined && instantOrNaN(as_of) < matured) {
    const args = { found: as_of, needed: formatUtc(matured) }
    findings.push(finding('as-of-before-last-target', args, { pointer: '/as_of' }))
  }
  return findings
}
