import { formatUtc, MICROS_PER_HOUR } from '../../../contract/instant.js'
import { logStatsOf, ModelCounts } from '../model-stats.js'
import type { HistoryStatsResult, LogStats } from '../stats-types.js'
import { hasOrderingIndex } from './layout.js'
import { readLogs } from './logs.js'
import type { Ask, Value } from './pool.js'
import { quotedName, TABLE_COLUMNS } from './tables.js'

/** See `HistoryReader.stats`. */
export async function statsOf(ask: Ask, schema: string): Promise<HistoryStatsResult> {
  const table = (name: string) => `${quotedName(schema)}.${name}`
  const one = async (sql: string, values: readonly unknown[] = []) =>
    (await ask(sql, values))[0]?.[0] ?? null
  const { forecasts, attempts, models } = (await countModels(ask, table)).result()
  const [row = []] = await ask(
    `SELECT count(DISTINCT origin_at), min(origin_at), max(origin_at),
       count(DISTINCT origin_at) FILTER (WHERE origin_at % ${MICROS_PER_HOUR} = 0),
       count(whole), count(*) FILTER (WHERE has_provenance)
     FROM ${table('forecasts')}`,
  )
  const [origins = 0, first = null, last = null, onTheHour, whole, provenance] = row
  const withProvenance = await one(`SELECT count(*) FROM ${table('attempts')} WHERE has_provenance`)
  const bytes = await one(
    `SELECT sum(pg_catalog.pg_total_relation_size(c.oid))::bigint FROM pg_catalog.pg_class c
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relname = ANY ($2)`,
    [schema, Object.keys(TABLE_COLUMNS)],
  )
  return {
    bytes: Number(bytes),
    forecasts,
    attempts,
    origins: Number(origins),
    first_origin: utcOf(first),
    last_origin: utcOf(last),
    hours_without_origin:
      typeof first === 'number' && typeof last === 'number'
        ? Math.floor((last - first) / MICROS_PER_HOUR) + 1 - Number(onTheHour)
        : null,
    runs: Number(await one(`SELECT count(DISTINCT run_id) FROM ${table('origins')}`)),
    with_provenance: Number(provenance) + Number(withProvenance),
    kept_whole: Number(whole),
    ordering_index: await hasOrderingIndex(ask, schema),
    journal_mode: null,
    logs: await logStats(ask, schema),
    models,
  }
}

async function logStats(ask: Ask, schema: string): Promise<LogStats[]> {
  const logs = readLogs(ask, schema)
  const found: LogStats[] = []
  for (const log of await logs.all()) {
    found.push(logStatsOf(log, await logs.newestCheckpoint(log.own ? undefined : log.name)))
  }
  return found
}

async function countModels(ask: Ask, table: (name: string) => string): Promise<ModelCounts> {
  const counts = new ModelCounts()
  const forecasts = await ask(
    `SELECT model, horizon_hours, count(*), min(origin_at), max(origin_at)
     FROM ${table('forecasts')} GROUP BY 1, 2 ORDER BY 1, 2`,
  )
  for (const [model, horizon, count, first = null, last = null] of forecasts) {
    counts.addForecasts(String(model), String(horizon), Number(count), utcOf(first), utcOf(last))
  }
  const attempts = await ask(
    `SELECT model, status, count(*) FROM ${table('attempts')} GROUP BY 1, 2`,
  )
  for (const [model, status, count] of attempts) {
    counts.addAttempts(String(model), status, Number(count))
  }
  return counts
}

function utcOf(micros: Value): string | null {
  return typeof micros === 'number' ? formatUtc(micros) : null
}
