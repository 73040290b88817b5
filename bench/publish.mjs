/**
 * `publish` of 1,000,000 forecasts, whole process.
 * - The first build against `cp -r` of the site it makes. Target: at least a tenth of cp's speed.
 * - A rebuild after 24 new rows against the same rebuild of a history of 10,000 rows. Target: at most
 *   1.5 times its cost. Medians of several, each with 24 rows more, the two taken in turn.
 *
 * node bench/publish.mjs [rows] [rebuilds]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSqlite } from '../dist/history/store/sqlite/driver.js'
import { PRODUCER_TABLES, READING_ORDER, stamp } from '../test/history/producer-tables.mjs'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const REBUILDS = Number(process.argv[3] ?? 7)
const ROUNDS = 3
const SMALL = 10_000
const EXECUTABLE = fileURLToPath(new URL('../bin/foreproof.js', import.meta.url))
const HOUR = 3_600_000
const MODELS = ['alpha', 'beta', 'gamma']
const HORIZONS = [2, 4, 8, 16]
const END = Math.floor((performance.timeOrigin + performance.now()) / HOUR) * HOUR - 200 * HOUR
const MANIFEST = JSON.stringify({
  manifest_version: 1,
  code: { commit: 'a'.repeat(40) },
  configuration: { models: MODELS, horizons: HORIZONS, bars: 720 },
  inputs: { window_hours: 720, sha256: 'f'.repeat(64) },
})

/** Adds the hours `from` to `to`, counted from the end of the first build; 12 rows each. */
function add(file, from, to) {
  const db = openSqlite(file)
  if (db.prepare('SELECT count(*) FROM sqlite_master').pluck().get() === 0)
    db.exec(PRODUCER_TABLES + READING_ORDER)
  const origin = db.prepare(
    `INSERT INTO forecast_origins VALUES (?, ?, 'made', 'BTC/USD', ?, NULL, '{}', ?, ?, ?, 'c-1', ?)`,
  )
  const prediction = db.prepare(
    'INSERT INTO forecast_predictions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  let noise = 12_345
  const random = () => {
    noise = (noise * 1_103_515_245 + 12_345) & 0x7fffffff
    return noise / 0x7fffffff
  }
  db.transaction(() => {
    for (let hour = from; hour < to; hour++) {
      const at = END + hour * HOUR
      const text = stamp(at)
      const price = 50_000 + random() * 9000
      origin.run(text, stamp(at + 90_000), price, text, text, `run-${hour}`, MANIFEST)
      for (const model of MODELS) {
        for (const horizon of HORIZONS) {
          const p = price * (1 + (random() - 0.5) / 50)
          const change = (p / price - 1) * 100
          const target = stamp(at + horizon * HOUR)
          prediction.run(text, model, horizon, target, p, change, p * 0.98, p, p * 1.02, random())
        }
      }
    }
  })()
  db.close()
}

function timed(command, args) {
  // Else one command pays for what the one before has left to be written.
  spawnSync('sync')
  const began = performance.now()
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
  return (performance.now() - began) / 1000
}

const build = (history, out) =>
  timed(process.execPath, [EXECUTABLE, 'publish', '--history', history, '--out', out])

const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1]

const folder = mkdtempSync(join(tmpdir(), 'foreproof-bench-'))
try {
  const large = { history: join(folder, 'large.sqlite'), site: join(folder, 'large') }
  const small = { history: join(folder, 'small.sqlite'), site: join(folder, 'small') }
  add(large.history, -Math.ceil(ROWS / 12), 0)
  add(small.history, -Math.ceil(SMALL / 12), 0)

  // In turn, and the best of each: a file system is slow to make files for a while after it has
  // removed many (ext4 for five minutes), so nothing is removed in between, and little should be before.
  const firsts = []
  const copies = []
  for (let round = 1; round <= ROUNDS; round++) {
    const out = round === ROUNDS ? large.site : join(folder, `site-${round}`)
    firsts.push(build(large.history, out))
    copies.push(timed('cp', ['-r', realpathSync(out), join(folder, `copy-${round}`)]))
  }
  build(small.history, small.site)
  const first = Math.min(...firsts)
  const copy = Math.min(...copies)
  console.log(
    `first build of ${ROWS} rows: ${((100 * copy) / first).toFixed(0)} % of the speed of cp -r (target: at least 10 %)`,
  )

  const times = { large: [], small: [] }
  for (let n = 0; n < REBUILDS; n++) {
    for (const [name, { history, site: out }] of Object.entries({ large, small })) {
      add(history, 2 * n, 2 * n + 2)
      times[name].push(build(history, out))
    }
  }
  const record = JSON.parse(readFileSync(join(large.site, 'build.json'), 'utf8'))
  const pages = record.changed.filter((path) => path.includes('/page-')).length / 3
  const ratio = median(times.large) / median(times.small)
  console.log(
    `rebuild after 24 rows, ${ROWS} against ${SMALL}: ${ratio.toFixed(2)} times (target: at most 1.5); ` +
      `the last one wrote ${pages} pages`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
