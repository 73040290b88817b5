import { formatUtc, instantOf, MICROS_PER_HOUR } from '../../contract/instant.js'
import { type Asking, ask, type Dialect, type Value } from './dialect.js'
import { Logs } from './logs.js'
import { logStatsOf, ModelCounts } from './model-stats.js'
import type { Snapshot } from './snapshot.js'
import type { HistoryStatsResult, LogStats } from './stats-types.js'

/** See `HistoryReader.stats`. */
export async function statsOf({ dialect, run, facts }: Snapshot): Promise<HistoryStatsResult> {
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
