import { type Instant, instantOrNaN, parseInstant } from '../../contract/instant.js'
import {
  type AttemptRow,
  type ForecastRow,
  type HistoryRow,
  type OriginRow,
  PROVENANCE_COLUMNS,
  type ProvenanceRow,
  type RawValue,
  type SoundAttempt,
} from '../../forecast/row.js'
import type { StoredKey } from '../../log/log-entry.js'
import type { Dialect, SqlTask, Value } from '../dialect.js'
import { type NewOrigin, RefusedRow } from '../history-writer.js'
import { queryOrigins, queryRowsByKey, toAttemptRow, toHistoryRow } from '../hourly-rows.js'
import type { LogAppender, LogTarget } from '../log-writer.js'
import { SeriesRows } from '../series-rows.js'
import type { WrittenRows } from '../writer.js'

/** The rows of a key; updated as rows are added. */
interface KnownEntry {
  forecast: HistoryRow | undefined
  attempt: AttemptRow | undefined
}

/**
 * A writer's cache for a batch of keys: the rows that existed, and those it added. It is exact because the writer
 * holds the lock.
 */
export class KnownRows implements WrittenRows {
  readonly series: SeriesRows
  readonly #entries = new Map<string, KnownEntry>()
  readonly #origins = new Map<Instant, OriginRow | undefined>()
  #expected: readonly StoredKey[] = []

  constructor(
    readonly dialect: Dialect,
    readonly log: LogAppender,
    private readonly seenAt: string,
    private readonly target: LogTarget,
  ) {
    this.series = new SeriesRows(target)
  }

  /** Call this when a transaction begins. */
  begin(): void {
    this.clear()
    this.log.begin()
  }

  /** Before this, every added row must be in the tables or rolled back. */
  clear(): void {
    this.#entries.clear()
    this.#origins.clear()
    this.series.clear()
  }

  /** Keys to fetch together as soon as one of them is needed. */
  expect(keys: readonly StoredKey[]): void {
    this.#expected = keys
  }

  *learnExpected(): SqlTask<void> {
    const keys = this.#expected
    this.#expected = []
    if (keys.length === 0) return
    yield* this.dialect.version === 2 ? this.series.learn(keys) : this.#learn(keys)
  }

  *#entry(key: StoredKey): SqlTask<KnownEntry> {
    const text = keyText(key)
    if (!this.#entries.has(text)) yield* this.learnExpected()
    if (!this.#entries.has(text)) yield* this.#learn([key])
    return this.#entries.get(text) as KnownEntry
  }

  *origin(originAt: unknown): SqlTask<OriginRow | undefined> {
    const origin = parseInstant(originAt)
    if (origin === undefined) return undefined
    if (!this.#origins.has(origin)) yield* this.learnExpected()
    yield* this.#learnOrigins([origin])
    return this.#origins.get(origin)
  }

  *forecast(key: StoredKey): SqlTask<HistoryRow | undefined> {
    return (yield* this.#entry(key)).forecast
  }

  *attempt(key: StoredKey): SqlTask<AttemptRow | undefined> {
    return (yield* this.#entry(key)).attempt
  }

  // biome-ignore lint/correctness/useYield: nothing has to be asked
  *addOrigin(row: NewOrigin): SqlTask<void> {
    this.target.add('origins', originValues(row, this.seenAt))
    this.#origins.set(instantOrNaN(String(row.originAt)), row)
  }

  *addForecast(row: ForecastRow): SqlTask<boolean> {
    const entry = yield* this.#entry(row)
    if (entry.forecast !== undefined) return false
    const origin = yield* this.origin(row.originAt)
    if (origin === undefined) throw new RefusedRow(`there is no origin ${row.originAt}`)
    this.target.add('forecasts', forecastValues(row, origin))
    entry.forecast = { ...row, origin }
    return true
  }

  *addAttempt(row: SoundAttempt): SqlTask<void> {
    const entry = yield* this.#entry(row)
    if (entry.attempt !== undefined) throw new RefusedRow('the key has an attempt already')
    this.target.add('attempts', attemptValues(row))
    entry.attempt = row
  }

  /** Fetches the rows of some keys and their origins; cached ones stay. */
  *#learn(keys: readonly StoredKey[]): SqlTask<void> {
    yield* this.#learnOrigins(keys.map(({ originAt }) => parseInstant(originAt)))
    const { dialect } = this
    const forecasts = yield* queryRowsByKey(dialect, 'forecasts', keys)
    const attempts = yield* queryRowsByKey(dialect, 'attempts', keys)
    for (const [at, key] of keys.entries()) {
      const text = keyText(key)
      if (this.#entries.has(text)) continue
      const [forecast, attempt] = [forecasts[at], attempts[at]]
      this.#entries.set(text, {
        forecast:
          forecast && toHistoryRow(dialect, forecast, this.#origins.get(Number(forecast[0]))),
        attempt: attempt && toAttemptRow(dialect, attempt),
      })
    }
  }

  *#learnOrigins(origins: readonly (Instant | undefined)[]): SqlTask<void> {
    const asked = [...new Set(origins)].filter(
      (origin) => origin !== undefined && !this.#origins.has(origin),
    ) as Instant[]
    const rows = yield* queryOrigins(this.dialect, asked)
    for (const [at, origin] of asked.entries()) this.#origins.set(origin, rows[at])
  }
}

/** Timestamps of one instant are one key, however they are spelt. */
function keyText({ originAt, horizonHours, model }: StoredKey): string {
  return `${parseInstant(originAt) ?? originAt} ${horizonHours} ${model}`
}

/** The values of a new origin, in the order of its table. */
function originValues(row: NewOrigin, seenAt: string): RawValue[] {
  const { firstSeenAt = seenAt, lastSeenAt = seenAt, regime = null } = row
  return [
    ...[row.originAt, row.generatedAt, row.sourceName, row.pair, row.sourcePriceUsd],
    ...[regime, firstSeenAt, lastSeenAt, row.runId, row.configurationId, row.manifestJson],
  ]
}

/** The same of a new forecast. */
function forecastValues(row: ForecastRow, origin: OriginRow): Value[] {
  const { runId } = row.whole === null ? origin : row.origin
  return [
    ...[row.originAt, row.horizonHours, row.model, row.targetAt, row.priceUsd, row.changePct],
    ...[row.q10Usd, row.q50Usd, row.q90Usd, row.modelAgreement, runId, row.whole],
    ...provenanceValues(row.provenance),
  ]
}

/** The same of a new attempt. */
function attemptValues(row: SoundAttempt): Value[] {
  const { originAt, horizonHours, model, status, reason, recordedAt } = row
  const provenance = provenanceValues(row.provenance)
  return [originAt, horizonHours, model, status, reason, recordedAt, ...provenance]
}

function provenanceValues(row: ProvenanceRow | undefined): Value[] {
  const columns = Object.values(PROVENANCE_COLUMNS)
  return [row !== undefined, ...columns.map((column) => row?.[column] ?? null)]
}
