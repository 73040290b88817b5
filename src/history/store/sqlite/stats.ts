import { statSync } from 'node:fs'
import { formatUtc, instantOf, MICROS_PER_HOUR } from '../../../contract/instant.js'
import { logStatsOf, ModelCounts } from '../model-stats.js'
import type { HistoryStatsResult, LogStats } from '../stats-types.js'
import type { Opened } from './connection.js'
import { readLogs } from './logs.js'

/** See `HistoryReader.stats`. */
export function statsOf(opened: Opened, path: string): HistoryStatsResult {
  const { db, layout } = opened
  const one = <T>(sql: string) => db.prepare<[], T>(sql).pluck().get() as T
  const count = (sql: string) => Number(one<number>(sql))
  const first = one<string | null>('SELECT min(origin_at) FROM forecast_predictions')
  const last = one<string | null>('SELECT max(origin_at) FROM forecast_predictions')
  const { forecasts, attempts, models } = countModels(opened).result()
  const origins = count('SELECT count(DISTINCT origin_at) FROM forecast_predictions')
  return {
    bytes: statSync(path).size,
    forecasts,
    attempts,
    origins,
    first_origin: utcOf(first),
    last_origin: utcOf(last),
    hours_without_origin: hoursWithout(opened, first, last),
    runs: layout.origins.has('experiment_run_id')
      ? count('SELECT count(DISTINCT experiment_run_id) FROM forecast_origins')
      : null,
    with_provenance: layout.provenance ? count('SELECT count(*) FROM foreproof_provenance') : 0,
    kept_whole: layout.resources ? count('SELECT count(*) FROM foreproof_resources') : 0,
    ordering_index: layout.orderingIndex,
    journal_mode: String(db.pragma('journal_mode', { simple: true })),
    logs: logStats(opened),
    models,
  }
}

function logStats({ db, layout }: Opened): LogStats[] {
  if (!layout.logs) return []
  const logs = readLogs(db)
  return logs
    .all()
    .map((log) => logStatsOf(log, logs.newestCheckpoint(log.own ? undefined : log.name)))
}

function countModels({ db, layout }: Opened): ModelCounts {
  const counts = new ModelCounts()
  const forecasts = db
    .prepare<[], [unknown, unknown, number, string, string]>(
      `SELECT model_name, horizon_hours, count(*), min(origin_at), max(origin_at)
       FROM forecast_predictions GROUP BY 1, 2 ORDER BY 1, 2`,
    )
    .raw()
  for (const [model, horizon, count, first, last] of forecasts.all()) {
    counts.addForecasts(String(model), String(horizon), count, utcOf(first), utcOf(last))
  }
  if (layout.attempts) {
    const attempts = db
      .prepare<[], [unknown, unknown, number]>(
        'SELECT model_name, status, count(*) FROM foreproof_attempts GROUP BY 1, 2',
      )
      .raw()
    for (const [model, status, count] of attempts.all()) {
      counts.addAttempts(String(model), status, count)
    }
  }
  return counts
}

function hoursWithout({ db }: Opened, first: unknown, last: unknown): number | null {
  const [from, to] = [instantOf(first), instantOf(last)]
  if (from === undefined || to === undefined) return null
  const present = db
    .prepare<[], number>(
      "SELECT count(DISTINCT substr(origin_at, 1, 13)) FROM forecast_predictions WHERE origin_at GLOB '*:00:00+00:00'",
    )
    .pluck()
    .get()
  return Math.floor((to - from) / MICROS_PER_HOUR) + 1 - Number(present)
}

function utcOf(text: unknown): string | null {
  const instant = instantOf(text)
  return instant === undefined ? (text === null ? null : String(text)) : formatUtc(instant)
}
