/**
 * `history import` of forecasts as CSV and as Parquet against NDJSON of the same columns, as whole processes, and
 * the memory of each against that of a tenth of the rows.
 */
import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tableBytes } from '../dist/table/write.js'
import { rows as madeRows } from './parts/made-forecasts.mjs'
import { foreproof, inFolder, inTurns, least, promise, sizes } from './parts/measured.mjs'

const { rows, rounds } = sizes({ rows: [1_000_000, 2400], rounds: [2, 1] })
const FORMATS = ['csv', 'parquet', 'ndjson']
const COLUMNS = [
  ['origin_at', 'instant', 'origin'],
  ['horizon_hours', 'integer', 'horizon'],
  ['model', 'text', 'model'],
  ['price_usd', 'number', 'predicted'],
  ['q10_usd', 'number', 'low'],
  ['q50_usd', 'number', 'predicted'],
  ['q90_usd', 'number', 'high'],
  ['generated_at', 'instant', 'generated'],
  ['run_id', 'text', 'run'],
  ['source_price_usd', 'number', 'price'],
]

async function* batches(count) {
  let batch = []
  for (const row of madeRows(0, count)) {
    batch.push(COLUMNS.map(([, , member]) => row[member]))
    if (batch.length < 10_000) continue
    yield batch
    batch = []
  }
  yield batch
}

async function writeTable(path, count, format) {
  const columns = COLUMNS.map(([name, type]) => ({ name, type }))
  const out = createWriteStream(path)
  for await (const bytes of tableBytes({ columns, rows: batches(count) }, format)) {
    if (!out.write(bytes)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

await inFolder(async (folder) => {
  const history = join(folder, 'history.sqlite')
  const imports = {}
  for (const format of FORMATS) {
    for (const [part, count] of Object.entries({ all: rows, tenth: rows / 10 })) {
      const file = join(folder, `${part}.${format}`)
      await writeTable(file, count, format)
      imports[`${part}.${format}`] = () => {
        rmSync(history, { force: true })
        return foreproof(['history', 'import', file, '--history', history])
      }
    }
  }
  const taken = await inTurns(rounds, imports)
  const most = (runs) => Math.max(...runs.map(({ megabytes }) => megabytes))
  for (const format of FORMATS) {
    const all = taken[`all.${format}`]
    const memory = most(all) / most(taken[`tenth.${format}`])
    promise('memory / that of a tenth', memory, { most: 1.5, of: format })
    if (format === 'ndjson') continue
    promise('table / ndjson', least(all) / least(taken['all.ndjson']), { most: 1.2, of: format })
  }
})
