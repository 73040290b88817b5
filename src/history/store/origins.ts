import type { OriginRow, RawValue } from '../../forecast/row.js'
import { originColumns, originRow } from './columns.js'
import type { Opened } from './connection.js'
import type { handedRows, Values } from './handed-rows.js'

/** Below so many rows, their origins are looked up one by one. */
const MANY_ROWS = 256

/** Finds the origins of forecasts that come in reading order; rows of one origin share it. */
export interface Origins {
  /** Reads the origins of rows that come next at once; their order is that of the texts of their origins. */
  readAhead(rows: readonly Values[]): void
  /** The origin of a name; undefined where there is none (a broken file). */
  of(name: RawValue): OriginRow | undefined
}

interface Bounds {
  readonly low: RawValue
  readonly high: RawValue
  readonly limit: number
}

export function createOrigins(
  { db, layout }: Opened,
  prepare: ReturnType<typeof handedRows>,
): Origins {
  const columns = originColumns(layout)
  const one = db
    .prepare<[RawValue], Values>(`SELECT ${columns} FROM forecast_origins o WHERE o.origin_at = ?`)
    .raw()
  const between = prepare<Bounds>(
    columns,
    `FROM forecast_origins o WHERE o.origin_at BETWEEN :low AND :high
     ORDER BY o.origin_at DESC LIMIT :limit`,
  )
  let last: OriginRow | undefined
  let ahead: Values[] = []
  let at = 0

  const next = (name: RawValue): Values | undefined => {
    // Origins without forecasts lie between.
    while (at < ahead.length && isAfter(ahead[at]?.[0], name)) at++
    // Where a file has an origin twice, the first one counts, whichever comes first here; the one after the
    // last may be its double.
    const follower = ahead[at + 1]
    const single = follower !== undefined && follower[0] !== name
    return single && ahead[at]?.[0] === name ? ahead[at] : undefined
  }
  return {
    readAhead(rows) {
      at = 0
      ahead = []
      if (rows.length < MANY_ROWS) return
      // No more than there are names: a filter may have left few of the origins in between.
      const limit = rows.filter((row, index) => row[0] !== rows[index - 1]?.[0]).length
      const [high, low] = [rows[0]?.[0] ?? null, rows.at(-1)?.[0] ?? null]
      ahead = between({ low, high, limit })
    },
    of(name) {
      if (last !== undefined && name === last.originAt) return last
      const values = next(name) ?? one.get(name)
      if (values === undefined) return undefined
      last = originRow(values)
      return last
    },
  }
}

function isAfter(a: RawValue | undefined, b: RawValue): boolean {
  return typeof a === 'string' && typeof b === 'string' && a > b
}
