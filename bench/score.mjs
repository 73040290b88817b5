/**
 * `score` end to end, as a process: 19 months of hourly closes, 3 candidates, 4 comparators, 7
 * strata levels, a family of 2,784. Targets: 200,000 replicates take at most six times as long as
 * 10,000, with less than 1 GB.
 *
 * node bench/score.mjs [closes.csv in normal form; made ones without it]
 */
import { spawn } from 'node:child_process'
import {
  copyFileSync,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import seedrandom from 'seedrandom'
import { enterRegistration } from '../dist/evaluation/enter-registration.js'
import { buildRegistration } from '../dist/registration/build.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const HOUR = 3_600_000
const CLOSES = 13_872
const LEAD_IN = 721
const COMPARATORS = ['persistence', 'seasonal_naive_24h', 'ar1', 'strongest_simple']
const MODELS = [
  ['alpha', 0.05],
  ['beta', 0.01],
  ['gamma', -0.02],
]
const random = seedrandom('bench score')
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const stamp = (millis, zone) => `${new Date(millis).toISOString().slice(0, 19)}${zone}`

function madeCloses() {
  const lines = ['close_at,close_usd']
  let price = 42_000
  for (let hour = 0; hour < CLOSES; hour++) {
    price *= Math.exp(0.005 * normal())
    lines.push(`${stamp(Date.UTC(2024, 0, 1, 1) + hour * HOUR, 'Z')},${price.toFixed(2)}`)
  }
  return `${lines.join('\n')}\n`
}

function resource(origin, price, [name, sight], horizon, later) {
  const at = stamp(origin, '+00:00')
  const forecast = price * Math.exp(sight * Math.log(later / price) + 0.0005 * normal())
  const spread = 0.006 * Math.sqrt(horizon)
  return JSON.stringify({
    forecast_id: `${at}:${name}:${horizon}`,
    origin_at: at,
    target_at: stamp(origin + horizon * HOUR, '+00:00'),
    horizon_hours: horizon,
    model: { name, configuration_id: null },
    estimate: { price_usd: forecast, change_pct: 100 * (forecast / price - 1) },
    interval: {
      level: 0.8,
      lower_usd: forecast * (1 - spread),
      median_usd: forecast,
      upper_usd: forecast * (1 + spread),
    },
    confidence: { score: 0, label: 'unknown', evidence: { reason: 'made' } },
    run: { id: null, generated_at: at },
    lineage: {
      history_key: { origin_at: at, model_name: name, horizon_hours: horizon },
      source: { name: 'made', pair: 'BTC/USD', price_usd: price },
      manifest: { made: true },
    },
    freshness: { observed_at: at, age_seconds: 0, status: 'fresh' },
  })
}

async function writeForecasts(path, rows) {
  const out = createWriteStream(path)
  for (let index = LEAD_IN; index < rows.length - 16; index++) {
    const [time, price] = rows[index]
    for (const horizon of [2, 4, 8, 16]) {
      for (const model of MODELS) {
        const line = resource(Date.parse(time), price, model, horizon, rows[index + horizon][1])
        if (!out.write(`${line}\n`)) await new Promise((resolve) => out.once('drain', resolve))
      }
    }
  }
  await new Promise((resolve) => out.end(resolve))
}

const stratum = (name, by, levels, more = {}) => ({ name, by, levels, ...more })
const hours = (from, to) => Array.from({ length: to - from }, (_, index) => from + index)
const planOf = (rows) => ({
  plan_version: 1,
  name: 'bench',
  mode: 'retrospective',
  window: { from: rows[LEAD_IN][0], to: rows[rows.length - 17][0] },
  candidates: MODELS.map(([name]) => ({ source: 'history', name })),
  comparators: Object.fromEntries(COMPARATORS.map((name) => [name, { source: 'built_in', name }])),
  strata: [
    stratum(
      'volatility',
      'volatility',
      [{ level: 'low', below: 0.0035 }, { level: 'middle', below: 0.0055 }, { level: 'high' }],
      { lookback_hours: 24 },
    ),
    stratum('session', 'hour_of_day', [
      { level: 'night', hours: hours(0, 12) },
      { level: 'day', hours: hours(12, 24) },
    ]),
    stratum('week_part', 'weekday', [
      { level: 'week', days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
      { level: 'weekend', days: ['sat', 'sun'] },
    ]),
  ],
  provenance_required: false,
  outcomes: { source: 'made' },
})

function run(cwd, args) {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn('/usr/bin/env', ['time', '-f', '%M', process.execPath, ...args], { cwd })
    let err = ''
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.stdout.resume()
    child.on('error', reject)
    child.on('close', (code) => {
      if (code !== 0) reject(new Error(`${args.join(' ')}: exit ${code}\n${err}`))
      else
        resolve({
          seconds: (performance.now() - started) / 1000,
          megabytes: Number(err.trim()) / 1024,
        })
    })
  })
}

const folder = mkdtempSync(join(tmpdir(), 'foreproof-bench-score-'))
const foreproof = (...args) => run(folder, [join(ROOT, 'bin', 'foreproof.js'), ...args])
try {
  const given = process.argv[2]
  if (given) copyFileSync(given, join(folder, 'closes.csv'))
  else writeFileSync(join(folder, 'closes.csv'), madeCloses())
  const rows = readFileSync(join(folder, 'closes.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([time, price]) => [time, Number(price)])
  await writeForecasts(join(folder, 'forecasts.ndjson'), rows)
  await foreproof('outcomes', 'import', 'closes.csv', '--out', 'vintage', '--source', 'made')
  await foreproof('history', 'import', 'forecasts.ndjson', '--history', 'history.sqlite')
  const own = JSON.parse(readFileSync(join(ROOT, 'protocols', 'btcusd-hourly-1.json'), 'utf8'))
  const runs = []
  for (const replicates of [10_000, 200_000]) {
    const version = `bench-${replicates}`
    const draft = structuredClone({ ...own, protocol_version: version })
    draft.estimands.comparisons.required = COMPARATORS
    draft.uncertainty.replicates = replicates
    writeFileSync(join(folder, 'draft.json'), JSON.stringify(draft))
    await foreproof('freeze', 'draft.json')
    const path = join(folder, 'protocols', `${version}.json`)
    // Not by `register`: it rightly refuses 10,000 replicates for a family of this size.
    const protocol = JSON.parse(readFileSync(path, 'utf8'))
    const registration = buildRegistration(planOf(rows), protocol, Date.now() * 1000)
    const file = `${version}-registration.json`
    enterRegistration(registration, join(folder, file), join(folder, 'protocols', 'ledger.jsonl'))
    const took = await foreproof(
      ...['score', '--registration', file, '--history', 'history.sqlite'],
      ...['--outcomes', 'vintage', '--out', `evidence-${replicates}`],
    )
    runs.push(took)
  }
  const [few, many] = runs
  const ratio = many.seconds / few.seconds
  const held = ratio < 6 && many.megabytes < 1024
  console.log(
    `200,000 replicates against 10,000, ${availableParallelism()} processors: ${ratio.toFixed(1)} times (target 6), ` +
      `${Math.round(many.megabytes)} MB (1024): ${held ? 'met' : 'MISSED'}`,
  )
  if (!held) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
