import { instantOf } from '../../contract/instant.js'
import type { RowKey } from '../../forecast/row.js'
import type { ScanOrder } from '../dialect.js'
import type { RowMark } from '../types.js'
import type { Opened } from './connection.js'
import { chooseOrder, sortsAsText, TEXT_ORDER } from './order.js'

/** Follows the rows of one opening of a file as others write. */
export interface Tracking {
  /** The order of all rows as of now; after the first call it looks only at rows that are new. */
  order(): ScanOrder
  /** See `HistoryReader.mark`. */
  mark(): RowMark | undefined
  /** See `HistoryReader.rowsSince`; where it is called first, `order` need not look at every row. */
  rowsSince(mark: RowMark): RowKey[] | undefined
}

type Row = readonly [rowid: number, originAt: unknown, model: unknown, horizonHours: unknown]

export function trackRows(opened: Opened): Tracking {
  const { db, layout } = opened
  const select = 'SELECT rowid, origin_at, model_name, horizon_hours FROM forecast_predictions'
  const rows = layout.rowIds
    ? {
        newest: db.prepare<[], Row>(`${select} ORDER BY rowid DESC LIMIT 1`).raw(),
        at: db.prepare<[number], Row>(`${select} WHERE rowid = ?`).raw(),
        after: db.prepare<[number], Row>(`${select} WHERE rowid > ? ORDER BY rowid`).raw(),
      }
    : undefined
  let order: ScanOrder | undefined
  /** The revision that the order is of, and the newest row that it has seen. */
  let revision = -1
  let seen: RowMark | undefined

  const newest = (): RowMark | undefined => {
    const row = rows?.newest.get()
    return row && markOf(row)
  }
  return {
    order() {
      if (order !== undefined && revision === opened.revision) return order
      const last = newest()
      const isAsBefore =
        order?.areMixed === false && seen !== undefined && this.rowsSince(seen) !== undefined
      if (order === undefined || !isAsBefore) order = chooseOrder(db, ['forecast_predictions'])
      seen = last
      revision = opened.revision
      return order
    },
    mark() {
      return this.order().areMixed ? undefined : newest()
    },
    rowsSince(mark) {
      const found = rows?.at.get(mark.row)
      if (rows === undefined || found === undefined || !isSame(markOf(found), mark))
        return undefined
      const since: RowKey[] = []
      let last = mark
      for (const row of rows.after.iterate(mark.row)) {
        const [, originAt, model, horizonHours] = row
        const origin = sortsAsText(originAt) ? instantOf(originAt) : undefined
        if (origin === undefined) return undefined
        since.push({ origin, horizonHours: Number(horizonHours), model: String(model) })
        last = markOf(row)
      }
      if (order === undefined) {
        // Nobody is given a mark unless every row up to it sorts as text.
        order = TEXT_ORDER
        seen = last
        revision = opened.revision
      }
      return since
    },
  }
}

function markOf([row, originAt, model, horizonHours]: Row): RowMark {
  return {
    row,
    originAt: String(originAt),
    model: String(model),
    horizonHours: Number(horizonHours),
  }
}

function isSame(a: RowMark, b: RowMark): boolean {
  return a.originAt === b.originAt && a.model === b.model && a.horizonHours === b.horizonHours
}
