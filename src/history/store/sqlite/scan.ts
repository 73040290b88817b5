import type {
  AttemptRow,
  HistoryRow,
  OriginRow,
  PairingRow,
  RawValue,
} from '../../../forecast/row.js'
import type { HistoryEntry } from '../entry-types.js'
import { mergeByKey } from '../merge.js'
import { pairingRowOf } from '../pairing-rows.js'
import type { EntryWindow, PairingWindow } from '../types.js'
import {
  ATTEMPT_COLUMNS,
  attemptRow,
  historyRow,
  originLookup,
  predictionColumns,
  provenanceColumns,
  provenanceJoin,
  sideJoins,
} from './columns.js'
import type { Opened } from './connection.js'
import { chooseOrder, type Order, TEXT_ORDER } from './order.js'

type Values = readonly RawValue[]
type Bounds = [low: string | number, high: string | number]

function boundsOf(order: Order, { from, to }: PairingWindow): Bounds {
  return [
    from === undefined ? order.lowest : order.keyOf(from),
    to === undefined ? order.highest : order.keyOf(to),
  ]
}

/** See `HistoryReader.entries`. */
export function* entriesOf(opened: Opened, window: EntryWindow): Generator<HistoryEntry> {
  const { only } = window
  const order = chooseOrder(opened.db, ['forecast_predictions'])
  const forecasts = only === 'attempts' ? none<HistoryRow>() : scanRows(opened, order, window)
  const attempts = only === 'forecasts' ? none<AttemptRow>() : scanAttempts(opened, window)
  yield* mergeByKey(forecasts, attempts)
}

/** See `HistoryReader.pairingRows`. */
export function* pairingRowsOf(opened: Opened, window: PairingWindow): Generator<PairingRow> {
  const order = chooseOrder(opened.db, ['forecast_predictions'])
  // An origin that is no timestamp belongs to every window: somebody has to account for it.
  const lost = order.kind === 'instant' ? `OR ${order.key} = ${order.lowest}` : ''
  const forecasts = scanRows(opened, order, window, lost)
  for (const entry of mergeByKey(forecasts, scanAttempts(opened, window))) yield pairingRowOf(entry)
}

function* none<T>(): Generator<T> {}

/** Every forecast of a window, oldest origin first, then by horizon and model; streams. */
export function* scanRows(
  { db, layout }: Opened,
  order: Order,
  window: PairingWindow = {},
  others = '',
): Generator<HistoryRow> {
  const rows = db
    .prepare<Bounds, Values>(
      `SELECT ${predictionColumns(layout)} FROM ${order.from} ${sideJoins(layout)}
       WHERE ${order.key} BETWEEN ? AND ? ${others}
       ORDER BY ${order.key}, p.horizon_hours, p.model_name${order.kind === 'text' ? '' : ', p.origin_at'}`,
    )
    .raw()
  const originOf = originLookup(db, layout)
  let name: RawValue | undefined
  let origin: OriginRow | undefined
  for (const values of rows.iterate(...boundsOf(order, window))) {
    if (values[0] !== name) {
      name = values[0] ?? null
      origin = originOf(name)
    }
    yield historyRow(values, origin)
  }
}

/** Every recorded attempt of a window in the same order; streams. */
export function* scanAttempts(
  { db, layout }: Opened,
  window: PairingWindow = {},
): Generator<AttemptRow> {
  if (!layout.attempts) return
  const rows = db
    .prepare<Bounds, Values>(
      `SELECT ${[...ATTEMPT_COLUMNS, ...provenanceColumns(layout)].join(', ')}
       FROM foreproof_attempts p ${provenanceJoin(layout)}
       WHERE p.origin_at BETWEEN ? AND ?
       ORDER BY p.origin_at, p.horizon_hours, p.model_name`,
    )
    .raw()
  for (const values of rows.iterate(...boundsOf(TEXT_ORDER, window))) {
    yield attemptRow(values)
  }
}
