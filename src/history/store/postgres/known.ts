import { type Instant, instantOf } from '../../../contract/instant.js'
import type { AttemptRow, HistoryRow, OriginRow } from '../../../forecast/row.js'
import type { StoredKey } from '../../log/types.js'
import { type Asking, ask, type Dialect, type Values } from '../dialect.js'
import { attemptRow, historyRow, storedKeyOf } from '../rows.js'

/** What is there under a key; members are set as rows are added. */
interface KnownEntry {
  forecast: HistoryRow | undefined
  attempt: AttemptRow | undefined
}

/** What a writer knows of a batch of keys under its lock, which is exact: what was there, and what it has added. */
export class KnownRows {
  readonly #entries = new Map<string, KnownEntry>()
  readonly #origins = new Map<Instant, OriginRow | undefined>()

  constructor(private readonly dialect: Dialect) {}

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
  *learn(keys: readonly StoredKey[]): Asking<void> {
    yield* this.learnOrigins(keys.map(({ originAt }) => instantOf(originAt)))
    const { dialect } = this
    const asked = keys.filter(({ model }) => dialect.canHold(model))
    const columns = [
      asked.map(({ originAt }) => instantOf(originAt) ?? null),
      asked.map(({ horizonHours }) => String(horizonHours)),
      asked.map(({ model }) => model),
    ]
    const found = new Map<string, KnownEntry>()
    for (const values of yield* this.#rows('forecasts', columns)) {
      const row = historyRow(dialect, values, this.origin(Number(values[0]))?.row)
      found.set(textOf(storedKeyOf(row)), { forecast: row, attempt: undefined })
    }
    for (const values of yield* this.#rows('attempts', columns)) {
      const attempt = attemptRow(dialect, values)
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

  *learnOrigins(origins: readonly (Instant | undefined)[]): Asking<void> {
    const asked = [...new Set(origins)].filter(
      (origin) => origin !== undefined && this.origin(origin) === undefined,
    ) as Instant[]
    const rows = yield* this.dialect.originsOf(asked)
    for (const [at, origin] of asked.entries()) this.#origins.set(origin, rows[at])
  }

  /** By LATERAL with a LIMIT each key is looked up in the index: a join may read a whole table that has just grown. */
  #rows(table: 'forecasts' | 'attempts', keys: readonly (readonly unknown[])[]): Asking<Values[]> {
    return ask(
      `SELECT ${this.dialect[table].columns}
       FROM unnest($1::bigint[], $2::bigint[], $3::text[]) k (origin_at, horizon_hours, model)
       CROSS JOIN LATERAL (
         SELECT * FROM ${this.dialect.table(table)} r
         WHERE r.origin_at = k.origin_at AND r.horizon_hours = k.horizon_hours AND r.model = k.model
         LIMIT 1) p`,
      keys,
    )
  }
}

/** Timestamps of one instant are one key, however they are spelt. */
function textOf({ originAt, horizonHours, model }: StoredKey): string {
  return `${instantOf(originAt) ?? originAt} ${horizonHours} ${model}`
}
