import { formatStored, type Instant, instantOf } from '../../contract/instant.js'
import { normalTimestamp } from '../../forecast/resource.js'
import type {
  AttemptRow,
  ForecastRow,
  HistoryRow,
  OriginRow,
  ProvenanceRow,
  RawValue,
  SoundAttempt,
} from '../../forecast/row.js'
import type { LogKey, StoredKey } from '../../log/types.js'
import type { Asking, Dialect, Value } from '../dialect.js'
import type { LogTarget, WrittenLogs } from '../log-writer.js'
import { attemptRow, historyRow } from '../rows.js'
import { SeriesRows } from '../series-rows.js'
import { type NewOrigin, RefusedRow, type StoredRow } from '../types.js'
import type { WrittenRows } from '../writer.js'
import { firstRows, isStorable, keyColumns } from './dialect.js'

/** What is there under a key; members are set as rows are added. */
interface KnownEntry {
  forecast: HistoryRow | undefined
  attempt: AttemptRow | undefined
}

/** What a writer knows of a batch of keys under its lock, which is exact: what was there, and what it has added. */
export class KnownRows implements WrittenRows {
  readonly series: SeriesRows
  readonly #entries = new Map<string, KnownEntry>()
  readonly #origins = new Map<Instant, OriginRow | undefined>()
  #expected: readonly StoredKey[] = []

  constructor(
    readonly dialect: Dialect,
    readonly logs: WrittenLogs,
    private readonly seenAt: string,
    private readonly target: LogTarget,
  ) {
    this.series = new SeriesRows(target)
  }

  /** A transaction begins. */
  begin(): void {
    this.clear()
    this.logs.begin()
  }

  /** Every row that was added has to be in the tables by then, or to be undone. */
  clear(): void {
    this.#entries.clear()
    this.#origins.clear()
    this.series.clear()
  }

  /** Keys that are learnt together, once one of them is asked about. */
  expect(keys: readonly StoredKey[]): void {
    this.#expected = keys
  }

  *learnExpected(): Asking<void> {
    const keys = this.#expected
    this.#expected = []
    if (keys.length === 0) return
    yield* this.dialect.version === 2 ? this.series.learn(keys) : this.#learn(keys)
  }

  *#entry(key: StoredKey): Asking<KnownEntry> {
    const text = textOf(key)
    if (!this.#entries.has(text)) yield* this.learnExpected()
    if (!this.#entries.has(text)) yield* this.#learn([key])
    return this.#entries.get(text) as KnownEntry
  }

  /** What is stored under some keys, of each what its kind says; every row that was added has to be in the tables. */
  *stored(keys: readonly LogKey[]): Asking<(StoredRow | undefined)[]> {
    if (this.dialect.version === 2) return yield* this.series.stored(keys)
    this.clear()
    yield* this.#learn(keys)
    return keys.map((key) => this.#entries.get(textOf(key))?.[key.kind])
  }

  *origin(originAt: unknown): Asking<OriginRow | undefined> {
    const origin = instantOf(originAt)
    if (origin === undefined) return undefined
    if (!this.#origins.has(origin)) yield* this.learnExpected()
    yield* this.#learnOrigins([origin])
    return this.#origins.get(origin)
  }

  *forecast(key: StoredKey): Asking<HistoryRow | undefined> {
    return (yield* this.#entry(key)).forecast
  }

  *attempt(key: StoredKey): Asking<AttemptRow | undefined> {
    return (yield* this.#entry(key)).attempt
  }

  // biome-ignore lint/correctness/useYield: nothing has to be asked
  *addOrigin(row: NewOrigin): Asking<void> {
    const values = originValues(row, this.seenAt)
    this.target.add('origins', values)
    this.#origins.set(Number(values[0]), row)
  }

  *addForecast(row: ForecastRow): Asking<boolean> {
    const entry = yield* this.#entry(row)
    if (entry.forecast !== undefined) return false
    const origin = yield* this.origin(row.originAt)
    if (origin === undefined) throw new RefusedRow(`there is no origin ${row.originAt}`)
    this.target.add('forecasts', forecastValues(row, origin))
    entry.forecast = { ...row, origin }
    return true
  }

  *addAttempt(row: SoundAttempt): Asking<void> {
    const entry = yield* this.#entry(row)
    if (entry.attempt !== undefined) throw new RefusedRow('the key has an attempt already')
    this.target.add('attempts', attemptValues(row))
    entry.attempt = row
  }

  /** Learns what the tables have of some keys and their origins; what was known of them stays. */
  *#learn(keys: readonly StoredKey[]): Asking<void> {
    yield* this.#learnOrigins(keys.map(({ originAt }) => instantOf(originAt)))
    const { dialect } = this
    const asked = keys.map(keyColumns)
    const rowsOf = (table: 'forecasts' | 'attempts') =>
      firstRows(dialect.table(table), dialect[table].columns, dialect.key, asked)
    const forecasts = yield* rowsOf('forecasts')
    const attempts = yield* rowsOf('attempts')
    for (const [at, key] of keys.entries()) {
      const text = textOf(key)
      if (this.#entries.has(text)) continue
      const [forecast, attempt] = [forecasts[at], attempts[at]]
      this.#entries.set(text, {
        forecast: forecast && historyRow(dialect, forecast, this.#origins.get(Number(forecast[0]))),
        attempt: attempt && attemptRow(dialect, attempt),
      })
    }
  }

  *#learnOrigins(origins: readonly (Instant | undefined)[]): Asking<void> {
    const asked = [...new Set(origins)].filter(
      (origin) => origin !== undefined && !this.#origins.has(origin),
    ) as Instant[]
    const rows = yield* this.dialect.originsOf(asked)
    for (const [at, origin] of asked.entries()) this.#origins.set(origin, rows[at])
  }
}

/** Timestamps of one instant are one key, however they are spelt. */
function textOf({ originAt, horizonHours, model }: StoredKey): string {
  return `${instantOf(originAt) ?? originAt} ${horizonHours} ${model}`
}

const LARGEST_INTEGER = 2 ** 31 - 1
/** An index of PostgreSQL takes some 2,700 bytes of all its columns together. */
const MOST_NAME_BYTES = 1200

/** The values of a new origin, in the order of its table. @throws {RefusedRow} */
function originValues(row: NewOrigin, seenAt: string): Value[] {
  return [
    instant('origin_at', row.originAt),
    instantOrNull('generated_at', row.generatedAt),
    textOrNull('source_name', row.sourceName),
    textOrNull('pair', row.pair),
    number('source_price_usd', row.sourcePriceUsd),
    textOrNull('regime', row.regime ?? null),
    instant('first_seen_at', row.firstSeenAt ?? seenAt),
    instant('last_seen_at', row.lastSeenAt ?? seenAt),
    nameOrNull('run_id', row.runId),
    textOrNull('configuration_id', row.configurationId),
    textOrNull('manifest_json', row.manifestJson),
  ]
}

/** The same of a new forecast. @throws {RefusedRow} */
function forecastValues(row: ForecastRow, origin: OriginRow): Value[] {
  return [
    ...keyValues(row),
    instant('target_at', row.targetAt),
    number('price_usd', row.priceUsd),
    number('change_pct', row.changePct),
    numberOrNull('q10_usd', row.q10Usd),
    numberOrNull('q50_usd', row.q50Usd),
    numberOrNull('q90_usd', row.q90Usd),
    numberOrNull('model_agreement', row.modelAgreement),
    nameOrNull('run_id', row.whole === null ? origin.runId : row.origin.runId),
    textOrNull('whole', row.whole),
    ...provenanceValues(row.provenance),
  ]
}

/** The same of a new attempt. @throws {RefusedRow} */
function attemptValues(row: SoundAttempt): Value[] {
  return [
    ...keyValues(row),
    row.status,
    textOrNull('reason', row.reason),
    instantOrNull('recorded_at', row.recordedAt),
    ...provenanceValues(row.provenance),
  ]
}

/** The columns of a key. @throws {RefusedRow} */
export function keyValues(key: StoredKey): Value[] {
  const { originAt, series, horizonHours, model } = key
  if (series !== undefined) {
    const [origin, id] = [nameOrNull('origin', originAt), nameOrNull('series', series)]
    return [origin, id, horizonHours, nameOrNull('model', model)]
  }
  const isHours = Number.isInteger(horizonHours) && horizonHours > 0
  if (!isHours || horizonHours > LARGEST_INTEGER) {
    throw refused('horizon_hours', `is not a whole number from 1 to ${LARGEST_INTEGER}`)
  }
  return [instant('origin_at', originAt), horizonHours, nameOrNull('model', model)]
}

function provenanceValues(row: ProvenanceRow | undefined): Value[] {
  if (row === undefined) return [false, null, null, null, null]
  return [
    true,
    instantOrNull('input_available_at', row.inputAvailableAt),
    instantOrNull('selection_data_through', row.selectionDataThrough),
    textOrNull('vintage_id', row.vintageId),
    textOrNull('vintage_sha256', row.vintageSha256),
  ]
}

/** A check that lets null pass. */
const orNull =
  (check: (column: string, value: RawValue) => Value) =>
  (column: string, value: RawValue): Value =>
    value === null ? null : check(column, value)

const [instantOrNull, numberOrNull] = [orNull(instant), orNull(number)]

function instant(column: string, value: RawValue): number {
  const found = instantOf(value)
  if (found === undefined) throw refused(column, 'is not a timestamp')
  // What is read again is the text that was written: the leaves of the log are made of it.
  if (normalTimestamp(value) === value) return found
  throw refused(column, `is not spelt as in ${formatStored(found)}`)
}

function number(column: string, value: RawValue): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw refused(column, 'is not a number')
}

function textOrNull(column: string, value: RawValue): string | null {
  if (value === null) return null
  if (typeof value !== 'string') throw refused(column, 'is not a text')
  if (isStorable(value)) return value
  throw refused(column, 'has U+0000 or half of a surrogate pair, which PostgreSQL cannot hold')
}

/** A text that has an index. */
function nameOrNull(column: string, value: RawValue): string | null {
  const name = textOrNull(column, value)
  if (name === null || Buffer.byteLength(name) <= MOST_NAME_BYTES) return name
  throw refused(column, `has more than ${MOST_NAME_BYTES} bytes, which an index cannot hold`)
}

function refused(column: string, why: string): RefusedRow {
  return new RefusedRow(`${column} ${why}`)
}

/** @throws {RefusedRow} for a name of a log that PostgreSQL cannot hold. */
export function demandName(name: string): void {
  nameOrNull('the name of a log', name)
}
