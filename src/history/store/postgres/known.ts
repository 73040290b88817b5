import { type Instant, instantOf } from '../../../contract/instant.js'
import type { AttemptRow, HistoryRow, OriginRow } from '../../../forecast/row.js'
import type { StoredKey } from '../entry-types.js'
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

/** What was learnt for one batch of keys, and added since. */
class Batch {
  readonly entries = new Map<string, KnownEntry>()
  readonly origins = new Map<Instant, OriginRow | undefined>()
}

/**
 * What a writer knows of keys under its lock, which is exact: what was there when the lock was taken, and what it
 * has added. Of the batch before, too, whose rows may still be on their way.
 */
export class KnownRows {
  readonly #ask: Ask
  readonly #schema: string
  #now = new Batch()
  #before = new Batch()

  constructor(ask: Ask, schema: string) {
    this.#ask = ask
    this.#schema = schema
  }

  /** Forgets what was known before the last batch. */
  next(): void {
    this.#before = this.#now
    this.#now = new Batch()
  }

  clear(): void {
    this.#now = new Batch()
    this.#before = new Batch()
  }

  /** Undefined where nothing is known of the key. */
  entry(key: StoredKey): KnownEntry | undefined {
    return this.#entry(textOf(key))
  }

  #entry(text: string): KnownEntry | undefined {
    return this.#now.entries.get(text) ?? this.#before.entries.get(text)
  }

  /** Whether there is an origin, and its row; undefined where nothing is known of it. */
  origin(origin: Instant): { readonly row: OriginRow | undefined } | undefined {
    for (const { origins } of [this.#now, this.#before]) {
      if (origins.has(origin)) return { row: origins.get(origin) }
    }
    return undefined
  }

  addOrigin(origin: Instant, row: OriginRow): void {
    this.#now.origins.set(origin, row)
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
    const found = new Batch()
    for (const values of await this.#rows('forecasts', FORECAST_COLUMNS, columns)) {
      const row = historyRow(values, this.origin(Number(values[0]))?.row)
      found.entries.set(textOf(keyOf(row)), { forecast: row, attempt: undefined })
    }
    for (const values of await this.#rows('attempts', ATTEMPT_COLUMNS, columns)) {
      const attempt = attemptRow(values)
      const text = textOf(keyOf(attempt))
      const forecast = found.entries.get(text)?.forecast
      found.entries.set(text, { forecast, attempt })
    }
    for (const key of keys) {
      const text = textOf(key)
      if (this.#entry(text) !== undefined) continue
      const none = { forecast: undefined, attempt: undefined }
      this.#now.entries.set(text, found.entries.get(text) ?? none)
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
    for (const origin of asked) this.#now.origins.set(origin, undefined)
    for (const values of rows) this.#now.origins.set(Number(values[0]), originRow(values))
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

function keyOf({ originAt, horizonHours, model }: HistoryRow | AttemptRow): StoredKey {
  return {
    originAt: String(originAt),
    horizonHours: Number(horizonHours),
    model: String(model),
  }
}
