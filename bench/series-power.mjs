// How often a candidate that is better by a share of the loss is found eligible under a protocol of version 2, predicted and simulated:
//   node bench/series-power.mjs
// prints a table, the same each time, of the designs of parts/power-worlds.mjs. Needs `npm run build`. Every simulated evaluation is
// a world of its own that is paired, scored and judged whole; its candidate errs as the comparator does in part, and as the same
// baseline does in another world in the rest. A prediction is made from the past of each of some worlds, and their mean is shown. Options:
//   --evaluations N   simulated of each line (400)
//   --worlds N        that predictions are made in (10)
//   --pairs N         windows, each with its mirror image, that are drawn from the past of each (75)
//   --only NAME       one design
//   --smoke           one evaluation of one line
import { parseArgs } from 'node:util'
import { predictSeries } from '../dist/lint/power/series/predict.js'
import { DESIGNS, madeWorld } from './parts/power-worlds.mjs'
import { judgedWorld, sizesOf } from './parts/series-power-simulation.mjs'

const CORRELATION = 0.95
const REDUCTIONS = [0, 0.1, 0.2]
const percent = (share) => (100 * share).toFixed(1)

async function predicted(name, worlds, { over, pairs }) {
  const powers = []
  let hardest
  for (let seed = 0; seed < worlds; seed++) {
    const { past, plan, scales } = madeWorld(name, `past/${seed}`, over)
    const found = await predictSeries({ ...past, plan, scales, seed, pairs })
    const own = found.predictions.find(({ correlation }) => correlation === CORRELATION)
    // Without a reduction nothing is predicted to be found.
    const powerOf = (of) => own.power.find(({ reduction }) => reduction === of)?.power ?? 0
    powers.push(REDUCTIONS.map(powerOf))
    hardest ??= new Map(found.hardest.map(({ horizon, name }) => [horizon, name]))
  }
  return { powers: REDUCTIONS.map((_, at) => meanOf(powers.map((of) => of[at]))), hardest }
}

/** With its standard error. */
function meanOf(shares) {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const squares = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0)
  const error = Math.sqrt(squares / Math.max(1, shares.length - 1) / shares.length)
  return `${percent(mean)} ± ${percent(error)}`
}

const { values } = parseArgs({
  options: {
    evaluations: { type: 'string', default: '400' },
    worlds: { type: 'string', default: '10' },
    pairs: { type: 'string', default: '75' },
    only: { type: 'string', default: '' },
    smoke: { type: 'boolean' },
  },
})
if (values.smoke) {
  Object.assign(values, { only: 'daily', evaluations: '1', worlds: '1', pairs: '2' })
}
const size = {
  ...(values.smoke && { over: { past: 300, window: 90, steps: [1, 2] } }),
  pairs: Number(values.pairs),
}
const [evaluations, worlds] = [Number(values.evaluations), Number(values.worlds)]
for (const name of Object.keys(DESIGNS).filter((each) => each.includes(values.only))) {
  const { powers, hardest } = await predicted(name, worlds, size)
  const law = { correlation: CORRELATION, hardest, over: size.over }
  const sizes = sizesOf(name, law, Math.ceil(evaluations / 2))
  const hits = REDUCTIONS.map(() => 0)
  for (let seed = 0; seed < evaluations; seed++) {
    const found = await judgedWorld(name, seed, { ...law, sizes }, REDUCTIONS)
    for (const [at, each] of found.entries()) hits[at] += Number(each)
  }
  for (const [at, reduction] of REDUCTIONS.entries()) {
    const share = hits[at] / evaluations
    const error = Math.sqrt((share * (1 - share)) / evaluations)
    const simulated = `${percent(share)} ± ${percent(error)}`
    const cells = [name, percent(reduction), powers[at], evaluations, simulated]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
