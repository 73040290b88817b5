/**
 * `pair` against the sqlite3 shell printing the rows that pairing reads, joined and in the same order, from one
 * database; its memory, and that of a tenth of the attempts. Needs sqlite3.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addRows, HORIZONS, HOUR, rows } from './parts/made-forecasts.mjs'
import {
  foreproof,
  inFolder,
  inTurns,
  least,
  promise,
  ROOT,
  sizes,
  spent,
} from './parts/measured.mjs'

const { attempts, rounds } = sizes({ attempts: [1_000_000, 10_000], rounds: [3, 1] })
const MADE = {
  models: Array.from({ length: 16 }, (_, index) => `model_${String(index).padStart(2, '0')}`),
  start: Date.UTC(2024, 0, 1),
}

/** Some forecasts are missing. */
function* someRows(count) {
  let n = 0
  for (const row of rows(0, count, MADE)) if (++n % 50 > 0) yield row
}

function closesFor(count) {
  const hours = Math.ceil(count / MADE.models.length / HORIZONS.length) + Math.max(...HORIZONS)
  const lines = Array.from({ length: hours + 1 }, (_, hour) => {
    const at = new Date(MADE.start + hour * HOUR).toISOString().replace('.000Z', 'Z')
    return `${at},${50_000.5 + (hour % 997)}\n`
  })
  return `close_at,close_usd\n${lines.join('')}`
}

const QUERY = `
  SELECT p.origin_at, p.model_name, p.horizon_hours, p.target_at, p.predicted_price_usd,
    p.q10_usd, p.q50_usd, p.q90_usd, o.generated_at, o.source_price_usd
  FROM forecast_predictions p LEFT JOIN forecast_origins o ON o.origin_at = p.origin_at
  ORDER BY p.origin_at, p.horizon_hours, p.model_name`

await inFolder(async (folder) => {
  const printed = openSync(join(folder, 'rows.txt'), 'w')
  const work = (count) => {
    const [history, closes, out] = ['sqlite', 'csv', 'ndjson'].map((end) =>
      join(folder, `${count}.${end}`),
    )
    addRows(history, someRows(count))
    writeFileSync(closes, closesFor(count))
    const protocol = join(ROOT, 'protocols', 'btcusd-hourly-1.json')
    const inputs = ['--protocol', protocol, '--history', history, '--outcomes', closes]
    return {
      shell: () =>
        spent('sqlite3', ['-readonly', history, QUERY], { stdio: ['ignore', printed, 'pipe'] }),
      ours: () => foreproof(['pair', ...inputs, '--out', out]),
    }
  }
  const { shell, ours } = await inTurns(rounds, work(attempts))
  const [tenth] = (await inTurns(1, work(attempts / 10))).ours
  closeSync(printed)
  const megabytes = Math.max(...ours.map((run) => run.megabytes))
  promise('pair / sqlite3 shell', least(ours) / least(shell), { most: 4 })
  promise('memory in MB', megabytes, { most: 200 })
  promise('memory / that of a tenth', megabytes / tenth.megabytes, { most: 1.2 })
})
