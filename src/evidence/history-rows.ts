import type { Instant } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import { openHistory } from '../history/reader.js'
import { readRegimes } from '../history/regimes.js'
import { instantOf } from './pairing-stage.js'
import { DigestedRows } from './rows.js'

/** What an evaluation reads of a history: the rows of its window, and regimes where strata ask. */
export interface HistoryRows {
  /** Reads the rows anew, taking their digest on the way. */
  rows(): DigestedRows
  readonly regimeAt: (origin: Instant) => string | undefined
  close(): void
}

/**
 * Opens a history for the window of a registration.
 * @throws {ForeproofError} when it cannot be read; at the first row at the latest.
 */
export function historyRows(path: string, registration: Registration): HistoryRows {
  const window = {
    from: instantOf(registration.window.from),
    to: instantOf(registration.window.to),
  }
  const asked = registration.strata.some((stratum) => stratum.by === 'regime')
  const regimes = asked ? readRegimes(path, window) : new Map<Instant, string>()
  const reader = openHistory(path)
  const preamble = [...regimes].map((regime) => `${JSON.stringify(regime)}\n`).join('')
  return {
    rows: () => new DigestedRows(reader.pairingRows(window), preamble),
    regimeAt: (origin) => regimes.get(origin),
    close: () => reader.close(),
  }
}
