// Does the cost of a page depend on where it lies? On 1,000,000 rows, in a file of foreproof's own and in
// a producer's, with and without the index in reading order:
//   node bench/serve-depth.mjs [--rows 1000000] [--samples 400]
// Pages near the start and at 99 % of the depth are asked for in turns, each once, so that none was
// kept; medians must differ by less than 20 %. Exits 1 otherwise. Needs `npm run build`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSqlite } from '../dist/history/store/sqlite/driver.js'
import { FILTER_INDEXES } from '../dist/history/store/sqlite/tables.js'
import { writeCursor } from '../dist/service/api/cursor.js'
import { Client, median } from './serve/client.mjs'
import { makeHistory } from './serve/history.mjs'
import { startService } from './serve/processes.mjs'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    samples: { type: 'string', default: '400' },
  },
})
const ROWS = Number(values.rows)
const SAMPLES = Number(values.samples)
const MOST = 1.2

const FILTERS = [
  { name: 'no filter', filters: {}, query: '', where: '1' },
  {
    name: 'model',
    filters: { model: 'ridge_lags' },
    query: '&model=ridge_lags',
    where: "model_name = 'ridge_lags'",
  },
  {
    name: 'horizon',
    filters: { horizonHours: 8 },
    query: '&horizon_hours=8',
    where: 'horizon_hours = 8',
  },
  {
    name: 'model and horizon',
    filters: { model: 'persistence', horizonHours: 2 },
    query: '&model=persistence&horizon_hours=2',
    where: "model_name = 'persistence' AND horizon_hours = 2",
  },
]

/** Keys of single rows, evenly spread over a stretch of the depth. */
function keysAt(db, where, from, to) {
  const origins = db.prepare('SELECT count(*) FROM forecast_origins').pluck().get()
  const first = db.prepare(
    'SELECT origin_at FROM forecast_origins ORDER BY origin_at DESC LIMIT 1 OFFSET ?',
  )
  const row = db.prepare(
    `SELECT model_name AS model, horizon_hours AS horizonHours FROM forecast_predictions
     WHERE origin_at = ? AND ${where} ORDER BY horizon_hours, model_name LIMIT 1`,
  )
  return Array.from({ length: SAMPLES }, (_, index) => {
    const depth = from + ((to - from) * index) / SAMPLES
    const origin = first.pluck().get(Math.floor(depth * origins))
    return { ...row.get(origin), origin: Date.parse(origin) * 1000 }
  })
}

function addFilterIndexes(path) {
  const db = openSqlite(path)
  db.exec(FILTER_INDEXES)
  db.close()
}

async function timed(client, path) {
  const began = performance.now()
  await client.get(path)
  return performance.now() - began
}

let kept = true
const KINDS = ["foreproof's own", 'with the index', 'without the index']
for (const kind of KINDS) {
  const own = kind === KINDS[0]
  const folder = mkdtempSync(join(tmpdir(), 'foreproof-bench-'))
  try {
    const history = join(folder, 'history.sqlite')
    makeHistory(history, ROWS, { index: kind !== KINDS[2] })
    if (own) addFilterIndexes(history)
    const db = openSqlite(history, { readonly: true })
    const service = await startService(folder, history)
    const client = new Client(service.port)
    console.log(`${ROWS.toLocaleString('en')} rows, ${kind}`)
    for (const { name, filters, query, where } of FILTERS) {
      const near = keysAt(db, where, 0, 0.01)
      const deep = keysAt(db, where, 0.985, 0.99)
      const times = { near: [], deep: [], none: [] }
      for (let at = 0; at < SAMPLES; at++) {
        const pair = [
          ['near', near[at]],
          ['deep', deep[at]],
        ]
        // Whichever comes first after another kind of query finds colder caches: they take turns.
        for (const [place, key] of at % 2 === 0 ? pair : pair.reverse()) {
          const cursor = writeCursor(filters, ['', ''], { last: key, newest: key.origin })
          times[place].push(await timed(client, `/v1/forecasts?limit=50${query}&cursor=${cursor}`))
        }
        const nothing = `&${query === '' ? 'origin_from=2200-01-01T00:00:00Z&' : ''}run_id=none-${at}`
        times.none.push(await timed(client, `/v1/forecasts?limit=50${query}${nothing}`))
      }
      const [start, depth, none] = [times.near, times.deep, times.none].map(median)
      const ratio = depth / start
      // What is nowhere is looked for in every row where the file has no index for it.
      const holds = ratio < MOST && ratio > 1 / MOST && (!own || none < MOST * start)
      kept &&= holds
      console.log(
        `${holds ? 'ok  ' : 'MISS'} ${name.padEnd(18)} start ${start.toFixed(3)} ms, ` +
          `99 % ${depth.toFixed(3)} ms (${ratio.toFixed(2)}), nothing ${none.toFixed(3)} ms`,
      )
    }
    client.close()
    db.close()
    await service.stop()
  } finally {
    rmSync(folder, { recursive: true })
  }
}
process.exitCode = kept ? 0 : 1
