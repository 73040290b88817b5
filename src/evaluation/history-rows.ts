import type { Instant } from '../contract/instant.js'
import { checkedInstant } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import { openHistory } from '../history/store/reader.js'
import { DigestedRows } from './rows.js'

/** What an evaluation reads of a history: the rows of its window, and regimes where strata ask. */
export interface HistoryRows {
  /** Reads the rows anew, taking their digest on the way. */
  rows(): DigestedRows
  readonly regimeAt: (origin: Instant) => string | undefined
  close(): Promise<void>
}

const NO_HISTORY: HistoryRows = {
  rows: () => new DigestedRows(noBatches()),
  regimeAt: () => undefined,
  close: async () => undefined,
}

async function* noBatches(): AsyncGenerator<never> {}

const byRegime = ({ strata }: Registration) => strata.some((stratum) => stratum.by === 'regime')

/** False for an evaluation of built-in models alone, which needs no history. */
export function readsHistory(registration: Registration): boolean {
  const { candidates, comparators } = registration
  const models = [...candidates, ...comparators]
  return models.some((model) => model.source === 'history') || byRegime(registration)
}

/**
 * Opens a history for the window of a registration.
 * @throws {ForeproofError} when it cannot be read; at the first row at the latest.
 */
export async function historyRows(path: string, registration: Registration): Promise<HistoryRows> {
  const window = {
    from: checkedInstant(registration.window.from),
    to: checkedInstant(registration.window.to),
  }
  if (!readsHistory(registration)) return NO_HISTORY
  const reader = openHistory(path)
  const regimes = byRegime(registration) ? await reader.regimes(window) : new Map<Instant, string>()
  const preamble = [...regimes].map((regime) => `${JSON.stringify(regime)}\n`).join('')
  return {
    rows: () => new DigestedRows(reader.pairingRows(window), preamble),
    regimeAt: (origin) => regimes.get(origin),
    close: () => reader.close(),
  }
}
