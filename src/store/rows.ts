import type { AttemptRow, HistoryRow, OriginRow, ProvenanceRow, RawValue } from '../forecast/row.js'
import type { StoredKey } from '../log/types.js'
import type { Asking, Dialect, Value, Values } from './dialect.js'
import type { StoredOrigin } from './types.js'

const ORIGIN_COLUMNS = 8

/** Forecasts with their origins; those of one origin, which follow one another, share its row. */
export function* rowsWithOrigins(dialect: Dialect, rows: readonly Values[]): Asking<HistoryRow[]> {
  const firsts = rows.filter((values, at) => at === 0 || values[0] !== rows[at - 1]?.[0])
  const origins = yield* dialect.originsOf(firsts.map((values) => values[0] ?? null))
  let at = -1
  return rows.map((values) => {
    if (values === firsts[at + 1]) at++
    return historyRow(dialect, values, origins[at])
  })
}

export function historyRow(
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

export function attemptRow({ instant }: Dialect, values: Values): AttemptRow {
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

/** From the columns of origin, model and horizon: the key as rows spell it. */
export function keyAsSpelt({ instant }: Pick<Dialect, 'instant'>, values: Values) {
  const [origin, model, horizon] = values
  return { originAt: instant(origin), model: plain(model), horizonHours: plain(horizon) }
}

export function originRow({ instant }: Pick<Dialect, 'instant'>, values: Values): OriginRow {
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

export function storedOrigin(dialect: Dialect, values: Values): StoredOrigin {
  const [regime, firstSeenAt, lastSeenAt] = values.slice(ORIGIN_COLUMNS)
  return {
    ...originRow(dialect, values),
    regime: plain(regime),
    firstSeenAt: dialect.instant(firstSeenAt),
    lastSeenAt: dialect.instant(lastSeenAt),
  }
}

/** From five columns: one that says whether there is any, then its values. */
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

/** The key of a row, with anything in its columns: what is no such key is refused where it is written. */
export function storedKeyOf({ originAt, horizonHours, model }: HistoryRow | AttemptRow): StoredKey {
  return {
    originAt: String(originAt),
    horizonHours: Number(horizonHours),
    model: String(model),
  }
}
