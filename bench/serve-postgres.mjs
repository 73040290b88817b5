/**
 * The dynamic service on a history in PostgreSQL: a page at 99 % of the depth against one near the start, by the
 * clock, and processor time for a request against a bare node:http server that asks the same query of the same
 * server and sends as many bytes. Needs wrk, Linux, and BENCH_DATABASE, the URL of a scratch database: the schema
 * foreproof_bench in it is made anew.
 */
import pg from 'pg'
import { initHistory } from '../dist/store/open.js'
import { inFolder, promise, scratchDatabase, sizes } from './parts/measured.mjs'
import { compareDepth, pathOf } from './serve/depth.mjs'
import { compareLoads } from './serve/load.mjs'
import { answerOf, startBarePostgres, startService } from './serve/processes.mjs'

const { rows, samples, pages, ...load } = sizes({
  ...{ rows: [1_000_000, 2000], samples: [300, 5], pages: [8000, 50] },
  ...{ seconds: [4, 1], rounds: [5, 1] },
})
const URL = scratchDatabase()
const SCHEMA = 'foreproof_bench'
const FILTERS = {
  'no filter': [{}, 'true'],
  model: [{ model: 'ridge' }, "model = 'ridge'"],
  horizon: [{ horizonHours: 8 }, 'horizon_hours = 8'],
  run: [{ runId: 'run-1' }, "run_id = 'run-1'"],
  'model and horizon': [{ model: 'seer', horizonHours: 2 }, "model = 'seer' AND horizon_hours = 2"],
}

/** Five models, four horizons, hourly origins up to this hour; two runs take turns. */
const FILL = `
  INSERT INTO ${SCHEMA}.origins
  SELECT at, at + 60000000, 'made', 'BTC/USD', 50000 + n % 997, NULL, at, at, 'run-' || n % 2, 'c-1',
    '{"schema_version":1,"input_digest":"' || repeat(md5(n::text), 2) || '","horizons":[2,4,8,16]}'
  FROM (SELECT n, (floor(extract(epoch FROM now()) / 3600)::bigint - n) * 3600000000 AS at
        FROM generate_series(0, ${rows} / 20 - 1) n) o;
  INSERT INTO ${SCHEMA}.forecasts (origin_at, horizon_hours, model, target_at, price_usd, change_pct,
    q10_usd, q50_usd, q90_usd, model_agreement, run_id, has_provenance)
  SELECT origin_at, horizon, model, origin_at + horizon * 3600000000, source_price_usd * 1.01, 1,
    source_price_usd * 0.99, source_price_usd * 1.01, source_price_usd * 1.03, 0.75, run_id, false
  FROM ${SCHEMA}.origins, unnest('{2,4,8,16}'::int[]) horizon,
    unnest('{ensemble,kernel,persistence,ridge,seer}'::text[]) model
  ORDER BY origin_at;
  UPDATE ${SCHEMA}.state SET revision = revision + 1`

/** Keys of single rows, each of another origin, evenly spread over a stretch of the depth. */
async function keysAt(db, where, from, to, count) {
  const { rows: keys } = await db.query(
    `SELECT f.origin_at, f.horizon_hours, f.model
     FROM (SELECT min(origin_at) AS first, max(origin_at) AS last FROM ${SCHEMA}.origins) ends,
       generate_series(0, ${count - 1}) n,
       LATERAL (SELECT (last - (last - first) * (${from} + (${to} - ${from}) * n / ${count}.0))::bigint) p (at),
       LATERAL (SELECT * FROM ${SCHEMA}.forecasts WHERE origin_at <= p.at AND ${where}
                ORDER BY origin_at DESC, horizon_hours, model LIMIT 1) f`,
  )
  return keys.map(({ origin_at, horizon_hours, model }) => ({
    ...{ origin: Number(origin_at), horizonHours: horizon_hours, model },
  }))
}

async function compareAll(folder, db) {
  const service = await startService(folder, `${URL}?schema=${SCHEMA}`)
  for (const [name, [filters, where]] of Object.entries(FILTERS)) {
    const near = await keysAt(db, where, 0, 0.01, samples)
    const deep = await keysAt(db, where, 0.985, 0.99, samples)
    await compareDepth(service.port, name, filters, { near, deep })
  }
  const walk = (await keysAt(db, 'true', 0, 0.99, pages)).map((key) => pathOf({}, key))
  const { body } = await answerOf(service.port, walk[0])
  const bare = await startBarePostgres(URL, SCHEMA, body.length)
  const asked = {
    'pages from all over a walk': walk,
    'one page again and again': walk.slice(0, 1),
    'the first page': ['/v1/forecasts?limit=50'],
  }
  for (const [name, paths] of Object.entries(asked)) {
    const loads = { limit: [bare, paths], ours: [service, paths] }
    const { limit, ours } = await compareLoads(load, loads)
    promise('bare / ours', limit.micros / ours.micros, { least: 0.6, of: name })
  }
  await bare.stop()
  await service.stop()
}

const db = new pg.Client({ connectionString: URL })
await db.connect()
try {
  await db.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`)
  await initHistory(`${URL}?schema=${SCHEMA}`)
  await db.query(FILL)
  // Else the server does it in the middle of what is timed.
  await db.query(`VACUUM ANALYZE ${SCHEMA}.origins, ${SCHEMA}.forecasts`)
  await inFolder((folder) => compareAll(folder, db))
} finally {
  await db.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`)
  await db.end()
}
