// The dynamic service on a history in PostgreSQL, against a bare node:http server that asks the same
// query of the same server and sends as many bytes, in one run:
//   node bench/serve-postgres.mjs postgres://user:password@127.0.0.1:5432/database [--rows 1000000]
//     [--samples 300] [--seconds 4] [--rounds 5]
// Makes a schema of its own there, and drops it. Pages near the start and at 99 % of the depth are asked for in
// turns; no page of a walk is kept: medians must differ by less than 20 %. Exits 1 when a promise is
// not kept. Needs `npm run build` and wrk, and a quiet machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { initHistory } from '../dist/history/init.js'
import { writeCursor } from '../dist/service/api/cursor.js'
import { Client, median } from './serve/client.mjs'
import { loadPaths } from './serve/load.mjs'
import { answerOf, startBarePostgres, startService } from './serve/processes.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '1000000' },
    samples: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
  },
})
const ROWS = Number(values.rows)
const SAMPLES = Number(values.samples)
const MOST = 1.2
const LEAST = 0.6
/** Of a walk, whose pages no service keeps. */
const PAGES = 8000
const FIRST_PAGE = '/v1/forecasts?limit=50'
const SCHEMA = 'foreproof_bench'

const FILTERS = [
  { name: 'no filter', filters: {}, where: 'true' },
  { name: 'model', filters: { model: 'ridge' }, where: "model = 'ridge'" },
  { name: 'horizon', filters: { horizonHours: 8 }, where: 'horizon_hours = 8' },
  { name: 'run', filters: { runId: 'run-1' }, where: "run_id = 'run-1'" },
  {
    name: 'model and horizon',
    filters: { model: 'seer', horizonHours: 2 },
    where: "model = 'seer' AND horizon_hours = 2",
  },
]
const QUERY_NAMES = { model: 'model', horizonHours: 'horizon_hours', runId: 'run_id' }

/** Five models, four horizons, hourly origins up to this hour; two runs take turns. */
const FILL = `
  INSERT INTO ${SCHEMA}.origins
  SELECT at, at + 60000000, 'made', 'BTC/USD', 50000 + n % 997, NULL, at, at, 'run-' || n % 2, 'c-1',
    '{"schema_version":1,"input_digest":"' || repeat(md5(n::text), 2) || '","horizons":[2,4,8,16]}'
  FROM (SELECT n, (floor(extract(epoch FROM now()) / 3600)::bigint - n) * 3600000000 AS at
        FROM generate_series(0, $ROWS / 20 - 1) n) o;
  INSERT INTO ${SCHEMA}.forecasts (origin_at, horizon_hours, model, target_at, price_usd, change_pct,
    q10_usd, q50_usd, q90_usd, model_agreement, run_id, has_provenance)
  SELECT origin_at, horizon, model, origin_at + horizon * 3600000000, source_price_usd * 1.01, 1,
    source_price_usd * 0.99, source_price_usd * 1.01, source_price_usd * 1.03, 0.75, run_id, false
  FROM ${SCHEMA}.origins, unnest('{2,4,8,16}'::int[]) horizon,
    unnest('{ensemble,kernel,persistence,ridge,seer}'::text[]) model
  ORDER BY origin_at;
  UPDATE ${SCHEMA}.state SET revision = revision + 1`.replace('$ROWS', String(ROWS))

let kept = true
function promise(holds, text) {
  kept &&= holds
  console.log(`${holds ? 'ok  ' : 'MISS'} ${text}`)
}

async function timed(client, path) {
  const began = performance.now()
  await client.get(path)
  return performance.now() - began
}

function pathOf(filters, key) {
  const query = Object.entries(filters).map(([name, value]) => `&${QUERY_NAMES[name]}=${value}`)
  const cursor = writeCursor(filters, ['', ''], { last: key, newest: key.origin })
  return `/v1/forecasts?limit=50${query.join('')}&cursor=${cursor}`
}

/** Keys of single rows, each of another origin, evenly spread over a stretch of the depth. */
async function keysAt(db, where, from, to, count) {
  const { rows } = await db.query(
    `SELECT f.origin_at, f.horizon_hours, f.model
     FROM (SELECT min(origin_at) AS first, max(origin_at) AS last FROM ${SCHEMA}.origins) ends,
       generate_series(0, ${count - 1}) n,
       LATERAL (SELECT (last - (last - first) * (${from} + (${to} - ${from}) * n / ${count}.0))::bigint) p (at),
       LATERAL (SELECT * FROM ${SCHEMA}.forecasts WHERE origin_at <= p.at AND ${where}
                ORDER BY origin_at DESC, horizon_hours, model LIMIT 1) f`,
  )
  return rows.map((row) => ({
    origin: Number(row.origin_at),
    horizonHours: row.horizon_hours,
    model: row.model,
  }))
}

async function compareDepth(db, port) {
  for (const { name, filters, where } of FILTERS) {
    const near = await keysAt(db, where, 0, 0.01, SAMPLES)
    const deep = await keysAt(db, where, 0.985, 0.99, SAMPLES)
    const times = { near: [], deep: [] }
    const client = new Client(port)
    for (let at = 0; at < SAMPLES; at++) {
      const pair = [
        ['near', near[at]],
        ['deep', deep[at]],
      ]
      // Whichever comes first after another kind of query finds colder caches: they take turns.
      for (const [place, key] of at % 2 === 0 ? pair : pair.reverse()) {
        times[place].push(await timed(client, pathOf(filters, key)))
      }
    }
    client.close()
    const ratio = median(times.deep) / median(times.near)
    promise(
      ratio < MOST && ratio > 1 / MOST,
      `${name}: a page at 99 % of the depth takes ${ratio.toFixed(2)} times one at the start (1 ± 20 %)`,
    )
  }
}

/** @param paths - of the service; the bare server takes the same. */
async function compareRate(folder, service, bare, what, paths) {
  const rounds = []
  for (let round = -1; round < Number(values.rounds); round++) {
    const seconds = round < 0 ? 1 : Number(values.seconds)
    const limit = await loadPaths(folder, bare.port, paths, seconds)
    const ours = await loadPaths(folder, service.port, paths, seconds)
    if (round >= 0) rounds.push({ ratio: ours / limit, limit })
  }
  const ratio = median(rounds.map((round) => round.ratio))
  promise(
    ratio >= LEAST,
    `${what}: ${Math.round(100 * ratio)} % of the bare server's requests (at least ${100 * LEAST} %)`,
  )
}

const [url] = positionals
const folder = mkdtempSync(join(tmpdir(), 'foreproof-bench-'))
const db = new pg.Client({ connectionString: url })
await db.connect()
try {
  const history = `${url}${url.includes('?') ? '&' : '?'}schema=${SCHEMA}`
  await db.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`)
  await initHistory(history)
  await db.query(FILL)
  // Else the server does it in the middle of what is timed.
  await db.query(`VACUUM ANALYZE ${SCHEMA}.origins, ${SCHEMA}.forecasts`)
  console.log(`${ROWS.toLocaleString('en')} rows in PostgreSQL`)
  const service = await startService(folder, history)
  await compareDepth(db, service.port)
  const keys = await keysAt(db, 'true', 0, 0.99, PAGES)
  const walk = keys.map((key) => pathOf({}, key))
  const { body } = await answerOf(service.port, walk[0])
  const bare = await startBarePostgres(url, SCHEMA, body.length)
  await compareRate(folder, service, bare, 'pages of 50 from all over a walk', walk)
  await compareRate(folder, service, bare, 'one of them again and again', walk.slice(0, 1))
  await compareRate(folder, service, bare, 'the first page of 50, kept', [FIRST_PAGE])
  await bare.stop()
  await service.stop()
} finally {
  await db.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`)
  await db.end()
  rmSync(folder, { recursive: true })
}
process.exitCode = kept ? 0 : 1
