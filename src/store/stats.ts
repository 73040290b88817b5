import { formatUtc, instantOf, MICROS_PER_HOUR } from '../contract/instant.js'
import { compareText } from '../contract/order.js'
import type { StoredCheckpoint } from '../log/types.js'
import { type Asking, ask, type Dialect, type Value } from './dialect.js'
import { Logs } from './logs.js'
import type { HistorySnapshot } from './snapshot.js'
import type { HistoryStatsResult, LogStats, ModelStats, StoredLog } from './types.js'

/** See `HistoryReader.stats`. */
export async function statsOf({
  dialect,
  run,
  facts,
}: HistorySnapshot): Promise<HistoryStatsResult> {
  const { forecasts, attempts, models } = (await run(countModels(dialect))).result()
  const [[origins, first = null, last = null] = []] = await run(
    ask(
      `SELECT count(DISTINCT origin_at), min(origin_at), max(origin_at) FROM ${dialect.table('forecasts')}`,
    ),
  )
  const { bytes, onTheHour, ...found } = await run(facts())
  const [from, to] = [first, last].map((origin) => instantOf(dialect.instant(origin)))
  return {
    bytes,
    forecasts,
    attempts,
    origins: Number(origins),
    first_origin: utcOf(dialect, first),
    last_origin: utcOf(dialect, last),
    hours_without_origin:
      from !== undefined && to !== undefined
        ? Math.floor((to - from) / MICROS_PER_HOUR) + 1 - onTheHour
        : null,
    ...found,
    logs: await run(logStats(dialect)),
    models,
  }
}

function* logStats(dialect: Dialect): Asking<LogStats[]> {
  const logs = new Logs(dialect)
  const found: LogStats[] = []
  for (const log of yield* logs.all()) {
    found.push(logStatsOf(log, yield* logs.newestCheckpoint(log.own ? undefined : log.name)))
  }
  return found
}

function* countModels(dialect: Dialect): Asking<ModelCounts> {
  const counts = new ModelCounts()
  const forecasts = yield* ask(
    `SELECT ${dialect.model}, horizon_hours, count(*), min(origin_at), max(origin_at)
     FROM ${dialect.table('forecasts')} GROUP BY 1, 2 ORDER BY 1, 2`,
  )
  for (const [model, horizon, count, first = null, last = null] of forecasts) {
    const ends = [utcOf(dialect, first), utcOf(dialect, last)] as const
    counts.addForecasts(String(model), String(horizon), Number(count), ...ends)
  }
  const attempts = yield* ask(
    `SELECT ${dialect.model}, status, count(*) FROM ${dialect.table('attempts')} GROUP BY 1, 2`,
  )
  for (const [model, status, count] of attempts) {
    counts.addAttempts(String(model), status, Number(count))
  }
  return counts
}

/** As it is stored, where it is no timestamp. */
function utcOf({ instant }: Dialect, stored: Value): string | null {
  const origin = instantOf(instant(stored))
  return origin === undefined ? (stored === null ? null : String(stored)) : formatUtc(origin)
}

type Counted = { -readonly [K in keyof ModelStats]: ModelStats[K] } & {
  horizons: Record<string, number>
}

/** Counts by model, from the groups that a store has counted. */
export class ModelCounts {
  readonly #models = new Map<string, Counted>()

  /**
   * Forecasts of a model and a horizon.
   * @param first - their first origin, as `stats` shows it; null where there is none.
   */
  addForecasts(
    model: string,
    horizon: string,
    count: number,
    first: string | null,
    last: string | null,
  ): void {
    const stats = this.#of(model)
    stats.horizons[horizon] = count
    stats.forecasts += count
    const { first_origin, last_origin } = stats
    if (first !== null && (first_origin === null || first < first_origin))
      stats.first_origin = first
    if (last !== null && (last_origin === null || last > last_origin)) stats.last_origin = last
  }

  /** Recorded attempts of a model. */
  addAttempts(model: string, status: unknown, count: number): void {
    this.#of(model)[status === 'abstained' ? 'abstained' : 'failed'] += count
  }

  /** By model, and of all together. */
  result(): Pick<HistoryStatsResult, 'forecasts' | 'attempts' | 'models'> {
    const models = [...this.#models.values()].sort((a, b) => compareText(a.model, b.model))
    const sum = (member: 'forecasts' | 'failed' | 'abstained') =>
      models.reduce((total, model) => total + model[member], 0)
    return {
      forecasts: sum('forecasts'),
      attempts: { failed: sum('failed'), abstained: sum('abstained') },
      models,
    }
  }

  #of(model: string): Counted {
    const known = this.#models.get(model)
    if (known !== undefined) return known
    const made: Counted = {
      model,
      horizons: {},
      forecasts: 0,
      failed: 0,
      abstained: 0,
      first_origin: null,
      last_origin: null,
    }
    this.#models.set(model, made)
    return made
  }
}

/** What is shown of a log. @param newest - its newest checkpoint, where it has one. */
export function logStatsOf(
  { name, own, size, sealed }: StoredLog,
  newest: StoredCheckpoint | undefined,
): LogStats {
  const stamped_by = (newest?.stamps ?? []).map(({ authority }) => authority)
  return { name: name ?? null, own, entries: size, checkpoint: sealed ?? null, stamped_by }
}
