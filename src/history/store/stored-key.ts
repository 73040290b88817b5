import type { AttemptRow, HistoryRow } from '../../forecast/row.js'
import type { StoredKey } from './entry-types.js'

/** The key of a row, whatever its columns hold: what is no such key is refused where it is written. */
export function storedKeyOf({ originAt, horizonHours, model }: HistoryRow | AttemptRow): StoredKey {
  return {
    originAt: String(originAt),
    horizonHours: Number(horizonHours),
    model: String(model),
  }
}
