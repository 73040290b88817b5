// How often a candidate that is better by a share of the loss is found eligible, predicted and simulated:
//   node bench/power.mjs --closes closes.csv
// prints a table, the same each time. Needs `npm run build`. The closes are a vintage's
// (`close_at,close_usd`, hourly, without gaps); without them, those of a made market. Options:
//   --evaluations N   simulated of each line (2000)
//   --days LIST       lengths of the window (60,180,365)
//   --candidates LIST how many share the weight of the verdict hypotheses (1,3)
//   --lag N           minutes until a forecast is due (2)
//   --correlation X   of the errors of candidate and reference (0.95)
//   --smoke           one evaluation of one line
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createCosineTables } from '../dist/inference/cosines.js'
import { planPower } from '../dist/lint/power/planned-design.js'
import { predictions, REDUCTIONS } from '../dist/lint/power/predict.js'
import { computePastComparators, createCandidates } from '../dist/lint/power/run.js'
import { bindPlan } from '../dist/protocol/rules/bind.js'
import { compileRules } from '../dist/protocol/rules/compile.js'
import { parseNormalForm } from '../dist/truth/closes/close-series.js'
import { wilson } from './null-calibration.mjs'
import { madeMarket, madeRandom } from './parts/made-market.mjs'
import { ROOT } from './parts/measured.mjs'
import { powerOnce } from './parts/power-simulation.mjs'

const SEED = 1
const protocol = JSON.parse(readFileSync(`${ROOT}/protocols/btcusd-hourly-4.json`, 'utf8'))
const { required, simple_baseline_pool: pool } = protocol.estimands.comparisons

/** As much of a registration under the reference protocol as power reads: no provenance. */
function registrationOf(days, candidates, lag) {
  return {
    mode: 'prospective',
    provenance_required: false,
    candidates: Array.from({ length: candidates }, (_, at) => ({ name: `a${at + 1}` })),
    comparators: required.map((name) => ({ source: 'built_in', name, required_as: [name] })),
    rules: { ...bindPlan(compileRules(protocol), { due_minutes: lag }), strata: [] },
    window: { origins: days * 24 },
  }
}

function closesOf(file, smoke) {
  if (file !== undefined) {
    const { first, closes: values } = parseNormalForm(readFileSync(file, 'utf8'), file)
    return { first, values }
  }
  const size = { origins: (smoke ? 60 : 8 * 365) * 24, longestHorizon: 16 }
  return madeMarket(size, madeRandom('power/closes')).closes
}

async function lines(closes, days, candidates, { correlation, evaluations, lag }) {
  const planned = planPower(registrationOf(days, candidates, lag), protocol)
  const { design } = planned
  const past = computePastComparators(closes, planned, pool)
  const all = createCandidates(past, [{ correlation, candidate: null, pairs: null }], SEED)
  // The last is the one that is asked for; the others are always there.
  const made = { ...all, laws: all.laws.slice(-1) }
  const [predicted] = await predictions(design, made, SEED)
  const simulation = { ...made, design, closes, seed: SEED, tables: createCosineTables() }
  const hits = REDUCTIONS.map(() => 0)
  for (let index = 0; index < evaluations; index++) {
    for (const [at, each] of powerOnce(simulation, index)[0].entries()) hits[at] += Number(each)
  }
  const percent = (share) => (100 * share).toFixed(1)
  return REDUCTIONS.map((reduction, at) => {
    const [low, high] = wilson(hits[at], evaluations).map(percent)
    const simulated = `${percent(hits[at] / evaluations)} (${low} to ${high})`
    const power = percent(predicted.power(design.origins, reduction))
    return `| ${[days, candidates, percent(reduction), power, evaluations, simulated].join(' | ')} |`
  })
}

const text = { type: 'string' }
const { values } = parseArgs({
  options: {
    closes: text,
    evaluations: { ...text, default: '2000' },
    days: { ...text, default: '60,180,365' },
    candidates: { ...text, default: '1,3' },
    lag: { ...text, default: '2' },
    correlation: { ...text, default: '0.95' },
    smoke: { type: 'boolean' },
  },
})
if (values.smoke) Object.assign(values, { days: '20', candidates: '1', evaluations: '1' })
const options = {
  ...{ correlation: Number(values.correlation), lag: Number(values.lag) },
  evaluations: Number(values.evaluations),
}
const closes = closesOf(values.closes, values.smoke)
for (const days of values.days.split(',').map(Number)) {
  for (const candidates of values.candidates.split(',').map(Number)) {
    for (const line of await lines(closes, days, candidates, options)) console.log(line)
  }
}
