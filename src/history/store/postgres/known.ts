import { type Instant, instantOf } from '../../../contract/instant.js'
import type { AttemptRow, HistoryRow, OriginRow } from '../../../forecast/row.js'
import type { StoredKey } from '../entry-types.js'
import { storedKeyOf } from '../stored-key.js'
import type { Ask } from './pool.js'
import {
  ATTEMPT_COLUMNS,
  attemptRow,
  FORECAST_COLUMNS,
  historyRow,
  isStorable,
  listedColumns,
  ORIGIN_COLUMNS,
  originRow,
} from './rows.js'
import { quotedName } from './tables.js'

/** What is there under a key; members are set as rows are added. */
interface KnownEntry {
  forecast: HistoryRow | undefined
  attempt: AttemptRow | undefined
}

/** What a writer knows of a batch of keys under its lock, which is exact: what was there, and what it has added. */
export class KnownRows {
  readonly #ask: Ask
  readonly #schema: string
  readonly #entries = new Map<string, KnownEntry>()
  readonly #origins = new Map<Instant, OriginRow | undefined>()

  constructor(ask: Ask, schema: string) {
    this.#ask = ask
    this.#schema = schema
  }

  /** Every row that was added has to be in the tables by then, or to be undone. */
  clear(): void {
    this.#entries.clear()
    this.#origins.clear()
  }

  /** Undefined where nothing is known of the key. */
  entry(key: StoredKey): KnownEntry | undefined {
    return this.#entries.get(textOf(key))
  }

  /** Whether there is an origin, and its row; undefined where nothing is known of it. */
  origin(origin: Instant): { readonly row: OriginRow | undefined } | undefined {
    return this.#origins.has(origin) ? { row: this.#origins.get(origin) } : undefined
  }

  addOrigin(origin: Instant, row: OriginRow): void {
    this.#origins.set(origin, row)
  }

  /** Learns what the tables have of some keys and their origins; what was known of them stays. */
  async learn(keys: readonly StoredKey[]): Promise<void> {
    await this.learnOrigins(keys.map(({ originAt }) => instantOf(originAt)))
    const asked = keys.filter(({ model }) => isStorable(model))
    const columns = [
      asked.map(({ originAt }) => instantOf(originAt) ?? null),
      asked.map(({ horizonHours }) => String(horizonHours)),
      asked.map(({ model }) => model),
    ]
    const found = new Map<string, KnownEntry>()
    for (const values of await this.#rows('forecasts', FORECAST_COLUMNS, columns)) {
      const row = historyRow(values, this.origin(Number(values[0]))?.row)
      found.set(textOf(storedKeyOf(row)), { forecast: row, attempt: undefined })
    }
    for (const values of await this.#rows('attempts', ATTEMPT_COLUMNS, columns)) {
      const attempt = attemptRow(values)
      const text = textOf(storedKeyOf(attempt))
      const forecast = found.get(text)?.forecast
      found.set(text, { forecast, attempt })
    }
    for (const key of keys) {
      const text = textOf(key)
      if (this.#entries.has(text)) continue
      const none = { forecast: undefined, attempt: undefined }
      this.#entries.set(text, found.get(text) ?? none)
    }
  }

  async learnOrigins(origins: readonly (Instant | undefined)[]): Promise<void> {
    const asked = [...new Set(origins)].filter(
      (origin) => origin !== undefined && this.origin(origin) === undefined,
    ) as Instant[]
    if (asked.length === 0) return
    const rows = await this.#ask(
      `SELECT ${listedColumns(ORIGIN_COLUMNS, 'o')} FROM ${quotedName(this.#schema)}.origins o
       WHERE o.origin_at = ANY ($1::bigint[])`,
      [asked],
    )
    for (const origin of asked) this.#origins.set(origin, undefined)
    for (const values of rows) this.#origins.set(Number(values[0]), originRow(values))
  }

  /** By LATERAL with a LIMIT each key is looked up in the index: a join may read a whole table that has just grown. */
  #rows(table: string, columns: readonly string[], keys: readonly (readonly unknown[])[]) {
    return this.#ask(
      `SELECT ${listedColumns(columns, 't')}
       FROM unnest($1::bigint[], $2::bigint[], $3::text[]) k (origin_at, horizon_hours, model)
       CROSS JOIN LATERAL (
         SELECT * FROM ${quotedName(this.#schema)}.${table} r
         WHERE r.origin_at = k.origin_at AND r.horizon_hours = k.horizon_hours AND r.model = k.model
         LIMIT 1) t`,
      keys,
    )
  }
}

/** Timestamps of one instant are one key, however they are spelt. */
function textOf({ originAt, horizonHours, model }: StoredKey): string {
  return `${instantOf(originAt) ?? originAt} ${horizonHours} ${model}`
}
