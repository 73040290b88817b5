/**
 * `score` end to end, as a whole process, with many replicates against few: hourly closes of 19 months, 3 candidates,
 * 4 comparators, 7 levels of strata, a family of 2,784.
 */

import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import seedrandom from 'seedrandom'
import { enterRegistration } from '../dist/evaluation/enter-registration.js'
import { compileRules } from '../dist/protocol/rules/compile.js'
import { createRegistration } from '../dist/registration/build.js'
import { draftPlan } from '../dist/registration/template.js'
import { stamp } from '../test/store/producer-tables.mjs'
import { HORIZONS, HOUR, writeLines } from './parts/made-forecasts.mjs'
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

const { closes, few, many } = sizes({
  ...{ closes: [13_872, 1200], few: [10_000, 1000], many: [200_000, 2000] },
})
const FIRST = Date.UTC(2024, 0, 1, 1)
const LEAD_IN = 721
const LAST = closes - 17
const COMPARATORS = ['persistence', 'seasonal_naive_24h', 'ar1', 'strongest_simple']
/** How much each sees of what is to come. */
const SIGHT = { alpha: 0.05, beta: 0.01, gamma: -0.02 }
const random = seedrandom('bench score')
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const utc = (hour) => new Date(FIRST + hour * HOUR).toISOString().replace('.000Z', 'Z')

function madePrices() {
  let price = 42_000
  return Array.from({ length: closes }, () => {
    price *= Math.exp(0.005 * normal())
    return Math.round(price * 100) / 100
  })
}

function* forecasts(prices) {
  for (let hour = LEAD_IN; hour <= LAST; hour++) {
    const [origin, price] = [stamp(FIRST + hour * HOUR), prices[hour]]
    for (const horizon of HORIZONS) {
      for (const [model, sight] of Object.entries(SIGHT)) {
        const seen = sight * Math.log(prices[hour + horizon] / price)
        const predicted = price * Math.exp(seen + 0.0005 * normal())
        const spread = 0.006 * Math.sqrt(horizon)
        yield {
          ...{ origin, generated: origin, target: stamp(FIRST + (hour + horizon) * HOUR) },
          ...{ model, horizon, price, predicted, change: 100 * (predicted / price - 1) },
          ...{ low: predicted * (1 - spread), high: predicted * (1 + spread) },
          ...{ run: 'run-1', manifest: { made: true } },
        }
      }
    }
  }
}

const stratum = (name, by, levels, more = {}) => ({ name, by, levels, ...more })
const hours = (from, to) => Array.from({ length: to - from }, (_, index) => from + index)
const PLAN = {
  ...draftPlan({
    mode: 'backtest',
    window: { from: utc(LEAD_IN), to: utc(LAST) },
    source: 'made',
  }),
  name: 'bench',
  due_minutes: 2,
  candidates: Object.keys(SIGHT),
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
}

/** Enters an evaluation with so many replicates. @returns what `score` is given of it. */
function registered(cwd, replicates) {
  const sample = join(ROOT, 'protocols', 'btcusd-hourly-1.json')
  const draft = JSON.parse(readFileSync(sample, 'utf8'))
  draft.protocol_version = `bench-${replicates}`
  draft.estimands.comparisons.required = COMPARATORS
  draft.uncertainty.replicates = replicates
  writeFileSync(join(cwd, 'draft.json'), JSON.stringify(draft))
  foreproof(['freeze', 'draft.json'], { cwd })
  const frozen = join(cwd, 'protocols', `${draft.protocol_version}.json`)
  // Not by `register`: it rightly refuses few replicates for a family of this size.
  const protocol = JSON.parse(readFileSync(frozen, 'utf8'))
  const registration = createRegistration(PLAN, compileRules(protocol), Date.now() * 1000)
  const file = `registration-${replicates}.json`
  enterRegistration(registration, join(cwd, file), join(cwd, 'protocols', 'ledger.jsonl'))
  return ['--registration', file, '--history', 'history.sqlite', '--outcomes', 'vintage']
}

/** The program with the logarithms of the engine in the place of its own. */
function withLogarithmsOfEngine(cwd) {
  const clone = join(cwd, 'other')
  for (const name of ['bin', 'dist', 'protocols', 'package.json']) {
    cpSync(join(ROOT, name), join(clone, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  const text = 'export const { exp, log: ln, log10 } = Math\n'
  writeFileSync(join(clone, 'dist', 'contract', 'logarithm.js'), text)
  return join(clone, 'bin', 'foreproof.js')
}

await inFolder(async (cwd) => {
  const prices = madePrices()
  const lines = prices.map((price, hour) => `${utc(hour)},${price.toFixed(2)}\n`)
  writeFileSync(join(cwd, 'closes.csv'), `close_at,close_usd\n${lines.join('')}`)
  await writeLines(join(cwd, 'forecasts.ndjson'), forecasts(prices))
  foreproof(['outcomes', 'import', 'closes.csv', '--out', 'vintage', '--source', 'made'], { cwd })
  foreproof(['history', 'import', 'forecasts.ndjson', '--history', 'history.sqlite'], { cwd })
  const given = { less: registered(cwd, few), more: registered(cwd, many) }
  const scored = (what, out) => ['score', ...given[what], '--out', out]
  const other = withLogarithmsOfEngine(cwd)
  const { own, engine } = await inTurns(3, {
    own: (round) => foreproof(scored('less', `own-${round}`), { cwd }),
    engine: (round) =>
      spent(process.execPath, [other, ...scored('less', `engine-${round}`)], { cwd }),
  })
  promise('own logarithms / those of the engine', least(own) / least(engine), { most: 1.1 })
  const [less, more] = [own[0], foreproof(scored('more', 'more'), { cwd })]
  promise('many replicates / few', more.cpu / less.cpu, { most: 20 })
  promise('memory in MB', more.megabytes, { most: 1024 })
})
