import { statSync } from 'node:fs'
import { formatUtc, instantOf, MICROS_PER_HOUR } from '../../../contract/instant.js'
import { compareText } from '../../../contract/order.js'
import type { HistoryStatsResult, LogStats, ModelStats } from '../stats-types.js'
import type { Opened } from './connection.js'
import { readLogs } from './logs.js'

/** See `HistoryReader.stats`. */
export function statsOf(opened: Opened, path: string): HistoryStatsResult {
  const { db, layout } = opened
  const one = <T>(sql: string) => db.prepare<[], T>(sql).pluck().get() as T
  const count = (sql: string) => Number(one<number>(sql))
  const first = one<string | null>('SELECT min(origin_at) FROM forecast_predictions')
  const last = one<string | null>('SELECT max(origin_at) FROM forecast_predictions')
  const models = modelStats(opened)
  const sum = (member: 'forecasts' | 'failed' | 'abstained') =>
    models.reduce((total, model) => total + model[member], 0)
  const origins = count('SELECT count(DISTINCT origin_at) FROM forecast_predictions')
  return {
    bytes: statSync(path).size,
    forecasts: sum('forecasts'),
    attempts: { failed: sum('failed'), abstained: sum('abstained') },
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
  return logs.all().map(({ name, own, size, sealed = null }) => {
    const stamps = logs.newestCheckpoint(own ? undefined : name)?.stamps ?? []
    const stamped_by = stamps.map(({ authority }) => authority)
    return { name: name ?? null, own, entries: size, checkpoint: sealed, stamped_by }
  })
}

type Mutable = { -readonly [K in keyof ModelStats]: ModelStats[K] } & {
  horizons: Record<string, number>
}

function modelStats({ db, layout }: Opened): ModelStats[] {
  const models = new Map<string, Mutable>()
  const of = (model: string): Mutable => {
    const known = models.get(model)
    if (known !== undefined) return known
    const made: Mutable = {
      model,
      horizons: {},
      forecasts: 0,
      failed: 0,
      abstained: 0,
      first_origin: null,
      last_origin: null,
    }
    models.set(model, made)
    return made
  }
  const forecasts = db
    .prepare<[], [unknown, unknown, number, string, string]>(
      `SELECT model_name, horizon_hours, count(*), min(origin_at), max(origin_at)
       FROM forecast_predictions GROUP BY 1, 2 ORDER BY 1, 2`,
    )
    .raw()
  for (const [model, horizon, count, first, last] of forecasts.all()) {
    const stats = of(String(model))
    stats.horizons[String(horizon)] = count
    stats.forecasts += count
    const [a, b] = [utcOf(first), utcOf(last)]
    if (a !== null && (stats.first_origin === null || a < stats.first_origin))
      stats.first_origin = a
    if (b !== null && (stats.last_origin === null || b > stats.last_origin)) stats.last_origin = b
  }
  if (layout.attempts) {
    const attempts = db
      .prepare<[], [unknown, unknown, number]>(
        'SELECT model_name, status, count(*) FROM foreproof_attempts GROUP BY 1, 2',
      )
      .raw()
    for (const [model, status, count] of attempts.all()) {
      of(String(model))[status === 'abstained' ? 'abstained' : 'failed'] += count
    }
  }
  return [...models.values()].sort((a, b) => compareText(a.model, b.model))
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
