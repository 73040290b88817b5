import { formatUtc, MICROS_PER_HOUR, parseInstant } from '../contract/instant.js'
import { compareText } from '../contract/order.js'
import type { SeriesAttempt } from '../contract/types.js'
import { type Dialect, queryRows, type SqlTask, type Value } from './dialect.js'
import type { HistoryStatsResult, LogStats, ModelStats } from './history-reader.js'
import { LogQueries } from './logs.js'
import { rowIn, seriesEntries } from './series-rows.js'
import type { HistorySnapshot } from './snapshot.js'

/** See `HistoryReader.stats`. */
export async function computeStats(snapshot: HistorySnapshot): Promise<HistoryStatsResult> {
  const { dialect, run, location } = snapshot
  const of = dialect.version === 2 ? seriesStats : hourlyStats
  const { models, series, ...facts } = await of(snapshot)
  const sum = (member: 'forecasts' | 'failed' | 'abstained') =>
    models.reduce((total, model) => total + model[member], 0)
  const { bytes, journal_mode } = await run(location())
  return {
    bytes,
    ...(series !== undefined && { series }),
    forecasts: sum('forecasts'),
    attempts: { failed: sum('failed'), abstained: sum('abstained') },
    ...facts,
    journal_mode,
    log: await run(logStats(dialect)),
    models,
  }
}

/** The statistics that differ between the versions. */
type RowStats = Omit<
  HistoryStatsResult,
  'bytes' | 'forecasts' | 'attempts' | 'journal_mode' | 'log'
>

async function hourlyStats({ dialect, run, facts }: HistorySnapshot): Promise<RowStats> {
  const models = await run(countModels(dialect))
  const counted = `SELECT count(DISTINCT origin_at), min(origin_at), max(origin_at) FROM ${dialect.table('forecasts')}`
  const [[origins, first = null, last = null] = []] = await run(queryRows(counted))
  const { onTheHour, ...rest } = await run(facts())
  const [from, to] = [first, last].map((origin) => parseInstant(dialect.instant(origin)))
  return {
    origins: Number(origins),
    first_origin: toUtc(dialect, first),
    last_origin: toUtc(dialect, last),
    hours_without_origin:
      from !== undefined && to !== undefined
        ? Math.floor((to - from) / MICROS_PER_HOUR) + 1 - onTheHour
        : null,
    ...rest,
    models,
  }
}

function* logStats(dialect: Dialect): SqlTask<LogStats | null> {
  const asked = new LogQueries(dialect)
  const log = yield* asked.log()
  if (log === undefined) return null
  const newest = yield* asked.newestCheckpoint()
  const stamped_by = (newest?.stamps ?? []).map(({ authority }) => authority)
  const { name = null, size: entries, sealed: checkpoint = null } = log
  return { name, entries, checkpoint, stamped_by }
}

/** The counts of each model, from groups counted by the store. */
function* countModels(dialect: Dialect): SqlTask<CountedModel[]> {
  const models = new Map<string, CountedModel>()
  const of = (name: Value | undefined) => modelIn(models, String(name))
  const forecasts = yield* queryRows(
    `SELECT ${dialect.model}, horizon_hours, count(*), min(origin_at), max(origin_at)
     FROM ${dialect.table('forecasts')} GROUP BY 1, 2 ORDER BY 1, 2`,
  )
  for (const [model, horizon, count, low = null, high = null] of forecasts) {
    const stats = of(model)
    stats.horizons[String(horizon)] = Number(count)
    stats.forecasts += Number(count)
    const { first_origin, last_origin } = stats
    const [first, last] = [toUtc(dialect, low), toUtc(dialect, high)]
    if (first !== null && (first_origin === null || first < first_origin)) {
      stats.first_origin = first
    }
    if (last !== null && (last_origin === null || last > last_origin)) stats.last_origin = last
  }
  const attempts = yield* queryRows(
    `SELECT ${dialect.model}, status, count(*) FROM ${dialect.table('attempts')} GROUP BY 1, 2`,
  )
  for (const [model, status, count] of attempts) {
    of(model)[status === 'abstained' ? 'abstained' : 'failed'] += Number(count)
  }
  return sorted(models)
}

/** In UTC; unchanged if it is not a timestamp. */
function toUtc({ instant }: Dialect, stored: Value): string | null {
  const origin = parseInstant(instant(stored))
  return origin === undefined ? (stored === null ? null : String(stored)) : formatUtc(origin)
}

/** The statistics of a history of any series, from one pass over its rows. */
async function seriesStats(snapshot: HistorySnapshot): Promise<RowStats> {
  const models = new Map<string, CountedModel>()
  const [origins, series] = [new Set<string>(), new Set<string>()]
  let with_provenance = 0
  for await (const entries of seriesEntries(snapshot)) {
    for (const each of entries) {
      const { kind, originAt, series: id = '', horizonHours, model } = each.key
      const row = rowIn(each) as Partial<SeriesAttempt> | undefined
      if (row?.provenance !== undefined) with_provenance++
      const of = modelIn(models, model)
      series.add(id)
      if (kind === 'attempt') of[row?.status === 'abstained' ? 'abstained' : 'failed']++
      else {
        origins.add(originAt)
        of.forecasts++
        of.horizons[horizonHours] = (of.horizons[horizonHours] ?? 0) + 1
      }
    }
  }
  return {
    series: series.size,
    origins: origins.size,
    ...NO_HOURS,
    with_provenance,
    models: sorted(models),
  }
}

const sorted = (models: ReadonlyMap<string, CountedModel>) =>
  [...models.values()].sort((a, b) => compareText(a.model, b.model))

/** A store does not know the first period of a list, and rows of any series have no runs. */
const NO_HOURS = {
  first_origin: null,
  last_origin: null,
  hours_without_origin: null,
  runs: null,
  kept_whole: 0,
  ordering_index: true,
} as const

type CountedModel = { -readonly [K in keyof ModelStats]: ModelStats[K] } & {
  horizons: Record<string, number>
}

/** The counts of a model so far. */
function modelIn(models: Map<string, CountedModel>, model: string): CountedModel {
  const counted = models.get(model) ?? newModel(model)
  models.set(model, counted)
  return counted
}

function newModel(model: string): CountedModel {
  const none = { forecasts: 0, failed: 0, abstained: 0 }
  return { model, horizons: {}, ...none, first_origin: null, last_origin: null }
}
