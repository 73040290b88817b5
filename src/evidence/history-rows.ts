import type { Registration } from '../contract/types.js'
import { openHistory } from '../history/reader.js'
import type { HistoryReader } from '../history/types.js'
import type { PairingRow } from '../pairing/types.js'
import { instantOf } from './pairing-stage.js'

/** The rows of one window of a history, as often as they are asked for. */
export interface HistoryRows {
  rows(): Iterable<PairingRow>
  close(): void
}

/** Opens a history for the window of a registration. It is read when its rows are. */
export function historyRows(path: string, registration: Registration): HistoryRows {
  const reader: HistoryReader = openHistory(path)
  const window = {
    from: instantOf(registration.window.from),
    to: instantOf(registration.window.to),
  }
  return { rows: () => reader.pairingRows(window), close: () => reader.close() }
}
