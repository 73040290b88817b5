import { formatUtc, MICROS_PER_HOUR } from '../../../contract/instant.js'
import { compareText } from '../../../contract/order.js'
import type { HistoryStatsResult, LogStats, ModelStats } from '../stats-types.js'
import { hasOrderingIndex } from './layout.js'
import { readLogs } from './logs.js'
import type { Ask, Value } from './pool.js'
import { quotedName, TABLE_COLUMNS } from './tables.js'

/** See `HistoryReader.stats`. */
export async function statsOf(ask: Ask, schema: string): Promise<HistoryStatsResult> {
  const table = (name: string) => `${quotedName(schema)}.${name}`
  const one = async (sql: string, values: readonly unknown[] = []) =>
    (await ask(sql, values))[0]?.[0] ?? null
  const models = await modelStats(ask, table)
  const sum = (member: 'forecasts' | 'failed' | 'abstained') =>
    models.reduce((total, model) => total + model[member], 0)
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
    forecasts: sum('forecasts'),
    attempts: { failed: sum('failed'), abstained: sum('abstained') },
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
  for (const { name, own, size, sealed = null } of await logs.all()) {
    const newest = await logs.newestCheckpoint(own ? undefined : name)
    const stamped_by = (newest?.stamps ?? []).map(({ authority }) => authority)
    found.push({ name: name ?? null, own, entries: size, checkpoint: sealed, stamped_by })
  }
  return found
}

type Mutable = { -readonly [K in keyof ModelStats]: ModelStats[K] } & {
  horizons: Record<string, number>
}

async function modelStats(ask: Ask, table: (name: string) => string): Promise<ModelStats[]> {
  const models = new Map<string, Mutable>()
  const of = (model: string): Mutable => {
    const counts = { horizons: {}, forecasts: 0, failed: 0, abstained: 0 }
    const made = models.get(model) ?? { model, ...counts, first_origin: null, last_origin: null }
    models.set(model, made)
    return made
  }
  const forecasts = await ask(
    `SELECT model, horizon_hours, count(*) FROM ${table('forecasts')} GROUP BY 1, 2 ORDER BY 1, 2`,
  )
  for (const [model, horizon, count] of forecasts) {
    const stats = of(String(model))
    stats.horizons[String(horizon)] = Number(count)
    stats.forecasts += Number(count)
  }
  const ends = await ask(
    `SELECT model, min(origin_at), max(origin_at) FROM ${table('forecasts')} GROUP BY 1`,
  )
  for (const [model, first = null, last = null] of ends) {
    Object.assign(of(String(model)), { first_origin: utcOf(first), last_origin: utcOf(last) })
  }
  const attempts = await ask(
    `SELECT model, status, count(*) FROM ${table('attempts')} GROUP BY 1, 2`,
  )
  for (const [model, status, count] of attempts) {
    of(String(model))[status === 'abstained' ? 'abstained' : 'failed'] += Number(count)
  }
  return [...models.values()].sort((a, b) => compareText(a.model, b.model))
}

function utcOf(micros: Value): string | null {
  return typeof micros === 'number' ? formatUtc(micros) : null
}
