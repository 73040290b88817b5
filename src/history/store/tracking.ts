import { instantOf } from '../../contract/instant.js'
import type { RawValue, RowKey } from '../../forecast/row.js'
import { type Catalogue, createCatalogue } from './catalogue.js'
import type { Opened } from './connection.js'
import { chooseOrder, type Order, sortsAsText, TEXT_ORDER } from './order.js'
import type { RowMark } from './types.js'

/** What is known of a file's rows beyond the file: kept up to date as rows come. */
export interface Tracking {
  /** The order as of now; asks the file only for what was committed since. */
  order(): Order
  /** See `HistoryReader.mark`. */
  mark(): RowMark | undefined
  /** See `HistoryReader.rowsSince`; spares the first call of `order` its look at every row. */
  rowsSince(mark: RowMark): RowKey[] | undefined
  /** As of the last call of `order`; undefined where rows do not sort as text. */
  catalogue(): Catalogue | undefined
}

type Anchor = readonly [rowid: number, ...key: RawValue[]]

/** A table whose new rows have larger row ids, and how far it has been read. */
interface Followed {
  anchor: Anchor | undefined
  readonly newest: () => Anchor | undefined
  readonly at: (rowid: number) => Anchor | undefined
  readonly since: (rowid: number) => Iterable<Anchor>
}

/** Follows the rows of one opening of a file; `revision` tells whether others have committed. */
export function track(opened: Opened, revision: () => number, blockRows: number): Tracking {
  const { db, layout } = opened
  const run = layout.origins.has('experiment_run_id') ? 'experiment_run_id' : 'NULL'
  const follow = (table: string, columns: string): Followed => {
    const select = `SELECT rowid, ${columns} FROM ${table}`
    const newest = db.prepare<[], Anchor>(`${select} ORDER BY rowid DESC LIMIT 1`).raw()
    const at = db.prepare<[number], Anchor>(`${select} WHERE rowid = ?`).raw()
    const since = db.prepare<[number], Anchor>(`${select} WHERE rowid > ? ORDER BY rowid`).raw()
    return {
      anchor: undefined,
      newest: () => newest.get(),
      at: (rowid) => at.get(rowid),
      since: (rowid) => since.iterate(rowid),
    }
  }
  const tables = layout.rowIds
    ? {
        rows: follow('forecast_predictions', 'origin_at, model_name, horizon_hours'),
        origins: follow('forecast_origins', `origin_at, ${run}`),
        ...(layout.resources && { resources: follow('foreproof_resources', 'origin_at, run_id') }),
      }
    : undefined
  const followed = tables === undefined ? [] : (Object.values(tables) as Followed[])

  let order: Order | undefined
  let catalogue: Catalogue | undefined
  let known = -1

  const begin = (): void => {
    for (const table of followed) table.anchor = table.newest()
    order = chooseOrder(db, ['forecast_predictions'])
    catalogue = order.kind === 'text' ? createCatalogue(db, layout, blockRows) : undefined
  }
  /** True while every row read before is still where it was: nobody compacted or rewrote the file. */
  const unmoved = (): boolean =>
    followed.every(({ anchor, at }) => {
      const found = anchor && at(anchor[0])
      return anchor === undefined || found?.slice(1, 3).join() === anchor.slice(1, 3).join()
    })
  const takeNew = (): boolean => {
    if (tables === undefined || catalogue === undefined || !unmoved()) return false
    for (const row of tables.rows.since(tables.rows.anchor?.[0] ?? 0)) {
      const [, origin, model, horizon] = row
      if (!sortsAsText(origin)) return false
      catalogue.addRow(origin, model, horizon)
      tables.rows.anchor = row
    }
    for (const table of [tables.origins, tables.resources]) {
      if (table === undefined) continue
      for (const row of table.since(table.anchor?.[0] ?? 0)) {
        catalogue.addRun(String(row[1]), row[2])
        table.anchor = row
      }
    }
    return true
  }
  return {
    order() {
      const now = revision()
      if (order !== undefined && now === known) return order
      if (order === undefined || !takeNew()) begin()
      known = now
      return order ?? TEXT_ORDER
    },
    catalogue: () => catalogue,
    mark() {
      if (tables === undefined || this.order().kind !== 'text') return undefined
      const newest = tables.rows.newest()
      if (newest === undefined) return undefined
      const [row, originAt, model, horizon] = newest
      return {
        row,
        originAt: String(originAt),
        model: String(model),
        horizonHours: Number(horizon),
      }
    },
    rowsSince({ row, originAt, model, horizonHours }) {
      const found = tables?.rows.at(row)
      const same = found?.[1] === originAt && found[2] === model && found[3] === horizonHours
      if (tables === undefined || !same) return undefined
      const since: RowKey[] = []
      for (const [, origin, name, horizon] of tables.rows.since(row)) {
        const instant = sortsAsText(origin) ? instantOf(origin) : undefined
        if (instant === undefined) return undefined
        since.push({ origin: instant, horizonHours: Number(horizon), model: String(name) })
      }
      if (order === undefined) {
        for (const table of followed) table.anchor = table.newest()
        order = TEXT_ORDER
        catalogue = createCatalogue(db, layout, blockRows)
        known = revision()
      }
      return since
    },
  }
}
