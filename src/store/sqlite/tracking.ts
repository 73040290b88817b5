import type { RowKey } from '../../forecast/row.js'
import type { Dialect, ScanOrder } from '../dialect.js'
import { markAt, rowsSince } from '../row-marks.js'
import type { RowMark } from '../types.js'
import type { Opened } from './connection.js'
import type { AnswersAtOnce } from './dialect.js'
import { chooseOrder, TEXT_ORDER } from './order.js'

/** Follows the rows of one opening of a file as others write. */
export interface Tracking {
  /** The order of all rows as of now; after the first call it looks only at rows that are new. */
  order(): ScanOrder
  /** See `HistoryReader.mark`. */
  mark(): RowMark | undefined
  /** See `HistoryReader.rowsSince`; where it is called first, `order` need not look at every row. */
  rowsSince(mark: RowMark): RowKey[] | undefined
}

export function trackRows(opened: Opened, dialect: Dialect, answer: AnswersAtOnce): Tracking {
  let order: ScanOrder | undefined
  /** The revision that the order is of, and the newest row that it has seen. */
  let revision = -1
  let seen: RowMark | undefined

  const newest = () => answer(markAt(dialect))
  const since = (mark: RowMark) => answer(rowsSince(dialect, mark))
  return {
    order() {
      if (order !== undefined && revision === opened.revision) return order
      const isAsBefore =
        order?.areMixed === false && seen !== undefined && since(seen) !== undefined
      if (order === undefined || !isAsBefore) {
        order = chooseOrder(opened.db, ['forecast_predictions'])
      }
      seen = newest()
      revision = opened.revision
      return order
    },
    mark() {
      return this.order().areMixed ? undefined : newest()
    },
    rowsSince(mark) {
      const rows = since(mark)
      if (rows !== undefined && order === undefined) {
        // A mark is given only where every row up to it sorts as text.
        order = TEXT_ORDER
        seen = newest()
        revision = opened.revision
      }
      return rows
    },
  }
}
