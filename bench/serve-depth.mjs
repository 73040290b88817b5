/**
 * A page at 99 % of the depth against one near the start, by the clock: in a file of foreproof's own and in a
 * producer's, with and without the index in reading order. Where every filter has an index, also a page that
 * nothing matches.
 */
import { join } from 'node:path'
import { openSqlite } from '../dist/store/sqlite/driver.js'
import { FILTER_INDEXES } from '../dist/store/sqlite/tables.js'
import { PRODUCER_TABLES, READING_ORDER } from '../test/store/producer-tables.mjs'
import { addRows, servedRows } from './parts/made-forecasts.mjs'
import { inFolder, sizes } from './parts/measured.mjs'
import { compareDepth } from './serve/depth.mjs'
import { startService } from './serve/processes.mjs'

const { rows, samples } = sizes({ rows: [1_000_000, 4000], samples: [400, 5] })
const TABLES = {
  "foreproof's own": PRODUCER_TABLES + READING_ORDER + FILTER_INDEXES,
  'with the index': PRODUCER_TABLES + READING_ORDER,
  'without the index': PRODUCER_TABLES,
}
const FILTERS = {
  'no filter': [{}, '1'],
  model: [{ model: 'ridge_lags' }, "model_name = 'ridge_lags'"],
  horizon: [{ horizonHours: 8 }, 'horizon_hours = 8'],
  'model and horizon': [
    { model: 'persistence', horizonHours: 2 },
    "model_name = 'persistence' AND horizon_hours = 2",
  ],
}

/** Keys of single rows, evenly spread over a stretch of the depth. */
function keysAt(db, where, from, to) {
  const { origins } = db.prepare('SELECT count(*) AS origins FROM forecast_origins').get()
  const first = db.prepare(
    'SELECT origin_at FROM forecast_origins ORDER BY origin_at DESC LIMIT 1 OFFSET ?',
  )
  const row = db.prepare(
    `SELECT model_name AS model, horizon_hours AS horizonHours FROM forecast_predictions
     WHERE origin_at = ? AND ${where} ORDER BY horizon_hours, model_name LIMIT 1`,
  )
  return Array.from({ length: samples }, (_, index) => {
    const depth = from + ((to - from) * index) / samples
    const { origin_at: origin } = first.get(Math.floor(depth * origins))
    return { ...row.get(origin), origin: Date.parse(origin) * 1000 }
  })
}

for (const [kind, tables] of Object.entries(TABLES)) {
  await inFolder(async (folder) => {
    const history = join(folder, 'history.sqlite')
    addRows(history, servedRows(rows), tables)
    const db = openSqlite(history)
    const service = await startService(folder, history)
    for (const [name, [filters, where]] of Object.entries(FILTERS)) {
      const keys = { near: keysAt(db, where, 0, 0.01), deep: keysAt(db, where, 0.985, 0.99) }
      const indexed = tables.includes(FILTER_INDEXES)
      await compareDepth(service.port, `${kind}, ${name}`, filters, keys, indexed)
    }
    db.close()
    await service.stop()
  })
}
