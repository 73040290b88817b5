/**
 * Every built-in baseline with its quantiles over 19 months of hours, against numpy computing the
 * quantiles alone (a sliding window view and one vectorised call for each baseline and horizon). Needs numpy.
 */
import { fileURLToPath } from 'node:url'
import { BASELINE_NAMES } from '../dist/contract/baseline-names.js'
import { createHourlyCloses } from '../dist/scoring/baselines/closes.js'
import { computeBaselines } from '../dist/scoring/baselines/compute.js'
import { HORIZONS } from './parts/made-forecasts.mjs'
import { inTurns, least, numbers, promise, sizes, spent, worked } from './parts/measured.mjs'

const PEER = fileURLToPath(new URL('./peers/baseline_quantiles.py', import.meta.url))
const { hours, runs } = sizes({ hours: [13_872, 1000], runs: [5, 1] })

const random = numbers(1)
let price = 60_000
const prices = Array.from({ length: hours }, () => {
  price *= Math.exp(0.01 * (random() - 0.5))
  return price
})
const closes = { first: 0, last: (hours - 1) * 3.6e9, closeAt: (at) => prices[at / 3.6e9] }
const pool = BASELINE_NAMES.filter((name) => name !== 'strongest_simple')
const asked = { names: BASELINE_NAMES, horizons: HORIZONS, pool }
const { ours } = await inTurns(runs, {
  ours: () => worked(() => computeBaselines(createHourlyCloses(closes), asked)),
})
const cells = BASELINE_NAMES.length * HORIZONS.length
const { stdout } = spent('/usr/bin/python3', [PEER, cells, hours].map(String))
promise('numpy / baselines', Number(stdout) / least(ours), { least: 40 })
