import { INTERVAL_LEVEL, PAIR } from '../contract/limits.js'
import {
  type AttemptRow,
  type HistoryRow,
  HOURLY_LEVELS,
  NO_FORECAST,
  type OriginRow,
  type PairingRow,
  type ProvenanceRow,
  type RawValue,
} from '../forecast/row.js'
import type { StoredKey } from '../log/log-entry.js'
import type { Dialect, SqlTask, Value, Values } from './dialect.js'
import { type HistoryEntry, type OnStored, rowsIn, type StoredOrigin } from './history-reader.js'

const ORIGIN_COLUMNS = 8

/** Forecasts with their origins. Consecutive forecasts of one origin share its row. */
export function* rowsWithOrigins(
  dialect: Dialect,
  firstRows: readonly (Values | undefined)[],
): SqlTask<HistoryRow[]> {
  const rows = firstRows.filter((values) => values !== undefined)
  const firsts = rows.filter((values, at) => at === 0 || values[0] !== rows[at - 1]?.[0])
  const origins = yield* queryOrigins(
    dialect,
    firsts.map((values) => values[0] ?? null),
  )
  let at = -1
  return rows.map((values) => {
    if (values === firsts[at + 1]) at++
    return toHistoryRow(dialect, values, origins[at])
  })
}

/** Fetches the columns of the forecasts or attempts of some keys, in the order of the keys. */
export function queryRowsByKey(
  dialect: Dialect,
  name: 'forecasts' | 'attempts',
  keys: readonly StoredKey[],
): SqlTask<(Values | undefined)[]> {
  return dialect.firstRows({
    table: dialect.table(name),
    ...dialect[name],
    by: dialect.key,
    keys: keys.map(dialect.keyColumns),
  })
}

/** Fetches the rows of some origins by stored name, in the given order. */
export function* queryOrigins(
  dialect: Dialect,
  names: readonly Value[],
): SqlTask<(OriginRow | undefined)[]> {
  const rows = yield* dialect.firstRows({
    table: dialect.table('origins'),
    as: 'o',
    columns: dialect.origins.columns,
    by: ['origin_at'],
    keys: names.map((name) => [name]),
  })
  return rows.map((values) => values && toOriginRow(dialect, values))
}

export function toHistoryRow(
  { instant }: Dialect,
  values: Values,
  origin: OriginRow | undefined,
): HistoryRow {
  return {
    originAt: instant(values[0]),
    model: plain(values[1]),
    horizonHours: plain(values[2]),
    targetAt: instant(values[3]),
    priceUsd: plain(values[4]),
    changePct: plain(values[5]),
    q10Usd: plain(values[6]),
    q50Usd: plain(values[7]),
    q90Usd: plain(values[8]),
    modelAgreement: plain(values[9]),
    whole: plain(values[10]),
    provenance: provenanceRow(instant, values, 11),
    origin,
  }
}

export function toAttemptRow({ instant }: Dialect, values: Values): AttemptRow {
  return {
    originAt: instant(values[0]),
    model: plain(values[1]),
    horizonHours: plain(values[2]),
    status: plain(values[3]),
    reason: plain(values[4]),
    recordedAt: instant(values[5]),
    provenance: provenanceRow(instant, values, 6),
  }
}

/** The key of a row as stored, from the columns of origin, model and horizon. */
export function toKeyAsStored({ instant }: Pick<Dialect, 'instant'>, values: Values) {
  const [origin, model, horizon] = values
  return { originAt: instant(origin), model: plain(model), horizonHours: plain(horizon) }
}

export function toOriginRow({ instant }: Pick<Dialect, 'instant'>, values: Values): OriginRow {
  return {
    originAt: instant(values[0]),
    generatedAt: instant(values[1]),
    sourceName: plain(values[2]),
    pair: plain(values[3]),
    sourcePriceUsd: plain(values[4]),
    runId: plain(values[5]),
    configurationId: plain(values[6]),
    manifestJson: plain(values[7]),
  }
}

export function toStoredOrigin(dialect: Dialect, values: Values): StoredOrigin {
  const [regime, firstSeenAt, lastSeenAt] = values.slice(ORIGIN_COLUMNS)
  return {
    ...toOriginRow(dialect, values),
    regime: plain(regime),
    firstSeenAt: dialect.instant(firstSeenAt),
    lastSeenAt: dialect.instant(lastSeenAt),
  }
}

/** From five columns: whether there is provenance, then its values. */
function provenanceRow(
  instant: Dialect['instant'],
  values: Values,
  at: number,
): ProvenanceRow | undefined {
  if ((values[at] ?? false) === false) return undefined
  return {
    inputAvailableAt: instant(values[at + 1]),
    selectionDataThrough: instant(values[at + 2]),
    vintageId: plain(values[at + 3]),
    vintageSha256: plain(values[at + 4]),
  }
}

function plain(value: Value | undefined): RawValue {
  // SQLite has no zero with a sign.
  if (value === 0) return 0
  return typeof value === 'boolean' ? null : (value ?? null)
}

/** The key of a row whose columns may hold anything. The writer rejects what is not a key. */
export function toStoredKey({ originAt, horizonHours, model }: HistoryRow | AttemptRow): StoredKey {
  return { originAt: String(originAt), horizonHours: Number(horizonHours), model: String(model) }
}

/** See `HistoryReader.pairingRows`. */
export async function* toPairingRows(
  batches: AsyncIterable<readonly HistoryEntry[]>,
  onStored: OnStored | undefined,
): AsyncGenerator<PairingRow[]> {
  for await (const entries of batches) {
    onStored?.(rowsIn(entries))
    yield entries.map(toPairingRow)
  }
}

/** The part of an entry that pairing needs. */
export function toPairingRow({ forecast, attempt }: HistoryEntry): PairingRow {
  const key = forecast ?? attempt
  const provenance = key?.provenance
  return {
    series: PAIR,
    originAt: spelled(key?.originAt),
    model: spelled(key?.model),
    horizon: numeric(key?.horizonHours),
    ...(forecast === undefined ? NO_FORECAST : toForecast(forecast)),
    attempt: attempt === undefined ? null : attempt.status === 'abstained' ? 'abstained' : 'failed',
    inputAvailableAt: textOrNull(provenance?.inputAvailableAt),
    selectionDataThrough: textOrNull(provenance?.selectionDataThrough),
    vintageId: textOrNull(provenance?.vintageId),
    vintageSha256: textOrNull(provenance?.vintageSha256),
  }
}

function toForecast(row: HistoryRow) {
  return {
    targetAt: spelled(row.targetAt),
    forecast: numeric(row.priceUsd),
    levels: HOURLY_LEVELS,
    quantiles: [numericOrNull(row.q10Usd), numericOrNull(row.q50Usd), numericOrNull(row.q90Usd)],
    ...(toWhole(row.whole) ?? {
      generatedAt: textOrNull(row.origin?.generatedAt),
      sourcePrice: numeric(row.origin?.sourcePriceUsd),
      level: INTERVAL_LEVEL,
    }),
  }
}

/** The members of a stored resource that take precedence over its origin's row. */
function toWhole(json: RawValue) {
  if (json === null) return undefined
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
