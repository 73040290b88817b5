/**
 * Every built-in baseline with its quantiles over 19 months of hours, against numpy computing the
 * quantiles alone (a sliding window view and one vectorised call for each baseline and horizon).
 * Target: at least 40 times faster for all of it. Needs `npm run build`, and numpy.
 *
 * node bench/baselines.mjs
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { hourlyCloses } from '../dist/scoring/baselines/closes.js'
import { computeBaselines } from '../dist/scoring/baselines/compute.js'
import { BASELINE_NAMES } from '../dist/scoring/baselines/names.js'

const HOURS = 13_872
const HORIZONS = [2, 4, 8, 16]
const TARGET = 40
const PEER = fileURLToPath(new URL('./peers/baseline_quantiles.py', import.meta.url))

let state = 1
const random = () => {
  state = (state * 1103515245 + 12345) % 2147483648
  return state / 2147483648 - 0.5
}
let price = 60_000
const prices = Array.from({ length: HOURS }, () => {
  price *= Math.exp(0.01 * random())
  return price
})
const closes = { first: 0, last: (HOURS - 1) * 3.6e9, closeAt: (at) => prices[at / 3.6e9] }
const pool = BASELINE_NAMES.filter((name) => name !== 'strongest_simple')

let ours = Number.POSITIVE_INFINITY
for (let run = 0; run < 5; run++) {
  const start = performance.now()
  computeBaselines(hourlyCloses(closes), { names: BASELINE_NAMES, horizons: HORIZONS, pool })
  ours = Math.min(ours, (performance.now() - start) / 1000)
}
const cells = BASELINE_NAMES.length * HORIZONS.length
console.log(`${cells} baselines and horizons, ${HOURS} hours, with quantiles: ${ours.toFixed(3)} s`)
const peer = spawnSync('/usr/bin/python3', [PEER, cells, HOURS].map(String), { encoding: 'utf8' })
if (peer.status !== 0) {
  console.log('numpy is not installed: nothing to compare with')
} else {
  const ratio = Number(peer.stdout) / ours
  console.log(
    `numpy, the quantiles alone: ${Number(peer.stdout).toFixed(3)} s, ${ratio.toFixed(1)}x`,
  )
  process.exitCode = ratio >= TARGET ? 0 : 1
}
