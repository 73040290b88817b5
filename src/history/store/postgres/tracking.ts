import type { RowKey } from '../../../forecast/row.js'
import type { RowMark } from '../types.js'
import { readKey } from './pages.js'
import type { Ask } from './pool.js'
import { storedInstant } from './rows.js'
import { quotedName } from './tables.js'

/** Follows the rows by the order in which they were written. */
export function trackRows(ask: Ask, schema: string) {
  const select = `SELECT origin_at, horizon_hours, model, added FROM ${quotedName(schema)}.forecasts`
  const markAt = async (
    where: string,
    values: readonly unknown[],
  ): Promise<RowMark | undefined> => {
    const [row] = await ask(`${select} ${where} LIMIT 1`, values)
    if (row === undefined) return undefined
    const { origin, horizonHours, model } = readKey(row)
    return { row: Number(row[3]), originAt: storedInstant(origin), model, horizonHours }
  }
  return {
    mark: () => markAt('ORDER BY added DESC', []),
    /** See `HistoryReader.rowsSince`. */
    async rowsSince(mark: RowMark): Promise<RowKey[] | undefined> {
      const found = await markAt('WHERE added = $1', [mark.row])
      const isSame =
        found?.originAt === mark.originAt &&
        found.model === mark.model &&
        found.horizonHours === mark.horizonHours
      if (!isSame) return undefined
      return (await ask(`${select} WHERE added > $1 ORDER BY added`, [mark.row])).map(readKey)
    },
  }
}
