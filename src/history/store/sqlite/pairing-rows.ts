import { NO_INSTANT } from '../../../contract/instant.js'
import type { PairingRow, RawValue } from '../../../forecast/row.js'
import type { PairingWindow } from '../types.js'
import { provenanceColumns, provenanceJoin, sideJoins } from './columns.js'
import type { Opened } from './connection.js'
import { columnOrNull, type Layout } from './layout.js'
import { mergeByKey } from './merge.js'
import { chooseOrder, type Order, TEXT_ORDER } from './order.js'
import { type Bounds, boundsOf } from './scan.js'

/** Level of an interval that does not say its own. */
const LEVEL = 0.8

type Values = readonly RawValue[]

/** See `HistoryReader.pairingRows`. */
export function* pairingRowsOf(opened: Opened, window: PairingWindow): Generator<PairingRow> {
  for (const [forecast, attempt] of mergeByKey(
    forecasts(opened, window),
    attempts(opened, window),
  )) {
    if (forecast === undefined) yield attempt as PairingRow
    else yield attempt === undefined ? forecast : { ...forecast, attempt: attempt.attempt }
  }
}

function* forecasts(opened: Opened, window: PairingWindow): Generator<PairingRow> {
  const { db, layout } = opened
  const order = chooseOrder(db, ['forecast_predictions'])
  const rows = db.prepare<Bounds, Values>(forecastSql(layout, order)).raw()
  for (const values of rows.iterate(...boundsOf(order, window))) {
    const whole = wholeOf(values[15])
    yield {
      originAt: spelled(values[0]),
      model: spelled(values[1]),
      horizon: numeric(values[2]),
      targetAt: spelled(values[3]),
      generatedAt: whole === undefined ? textOrNull(values[8]) : whole.generatedAt,
      sourcePrice: whole === undefined ? numeric(values[9]) : whole.sourcePrice,
      forecast: numeric(values[4]),
      q10: numericOrNull(values[5]),
      q50: numericOrNull(values[6]),
      q90: numericOrNull(values[7]),
      level: whole === undefined ? LEVEL : whole.level,
      attempt: null,
      inputAvailableAt: textOrNull(values[11]),
      selectionDataThrough: textOrNull(values[12]),
      vintageId: textOrNull(values[13]),
      vintageSha256: textOrNull(values[14]),
    }
  }
}

function* attempts(opened: Opened, window: PairingWindow): Generator<PairingRow> {
  const { db, layout } = opened
  if (!layout.attempts) return
  const rows = db.prepare<Bounds, Values>(attemptSql(layout)).raw()
  for (const values of rows.iterate(...boundsOf(TEXT_ORDER, window))) {
    yield {
      originAt: spelled(values[0]),
      model: spelled(values[1]),
      horizon: numeric(values[2]),
      targetAt: null,
      generatedAt: null,
      sourcePrice: null,
      forecast: null,
      q10: null,
      q50: null,
      q90: null,
      level: LEVEL,
      attempt: values[3] === 'abstained' ? 'abstained' : 'failed',
      inputAvailableAt: textOrNull(values[5]),
      selectionDataThrough: textOrNull(values[6]),
      vintageId: textOrNull(values[7]),
      vintageSha256: textOrNull(values[8]),
    }
  }
}

function forecastSql(layout: Layout, order: Order): string {
  const p = (name: string) => columnOrNull(layout.predictions, 'p', name)
  const o = (name: string) => columnOrNull(layout.origins, 'o', name)
  // An origin that is no timestamp belongs to every window: somebody has to account for it.
  const lost = order.kind === 'instant' ? `OR t.instant = ${NO_INSTANT}` : ''
  return `
    SELECT p.origin_at, p.model_name, p.horizon_hours, p.target_at, p.predicted_price_usd,
      ${p('q10_usd')}, ${p('q50_usd')}, ${p('q90_usd')},
      ${o('generated_at')}, ${o('source_price_usd')},
      ${provenanceColumns(layout).join(', ')},
      ${layout.resources ? 'w.resource_json' : 'NULL'}
    FROM ${order.from} LEFT JOIN forecast_origins o ON o.origin_at = p.origin_at
    ${sideJoins(layout)}
    WHERE ${order.key} BETWEEN ? AND ? ${lost}
    ORDER BY ${order.key}, p.horizon_hours, p.model_name${order.kind === 'text' ? '' : ', p.origin_at'}`
}

function attemptSql(layout: Layout): string {
  return `
    SELECT p.origin_at, p.model_name, p.horizon_hours, p.status,
      ${provenanceColumns(layout).join(', ')}
    FROM foreproof_attempts p ${provenanceJoin(layout)}
    WHERE p.origin_at BETWEEN ? AND ?
    ORDER BY p.origin_at, p.horizon_hours, p.model_name`
}

/** What a resource that is kept whole says otherwise than its origin's row. */
function wholeOf(json: RawValue | undefined) {
  if (json === null || json === undefined) return undefined
  try {
    const resource = JSON.parse(String(json))
    return {
      level: numeric(resource.interval.level),
      sourcePrice: numeric(resource.lineage.source.price_usd),
      generatedAt: textOrNull(resource.run.generated_at),
    }
  } catch {
    return { level: Number.NaN, sourcePrice: Number.NaN, generatedAt: null }
  }
}

function numeric(value: RawValue | undefined): number {
  return typeof value === 'number' ? value : Number.NaN
}

function numericOrNull(value: RawValue | undefined): number | null {
  return value === null || value === undefined ? null : numeric(value)
}

function textOrNull(value: RawValue | undefined): string | null {
  return value === null || value === undefined ? null : spelled(value)
}

function spelled(value: RawValue | undefined): string {
  return typeof value === 'string' ? value : String(value ?? '')
}
