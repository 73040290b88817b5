// How often an evaluation rejects something although nothing is there to be found:
//   node bench/null-calibration.mjs [--evaluations 500]
// prints the table of docs/statistics.md, the same each time. Needs `npm run build`.
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { runFamily } from '../dist/inference/run-family.js'
import { nullFamily } from './null-market.mjs'

const BLOCK = 24
const REPLICATES = 10_000
export const BLOCK_COUNTS = [8, 20, 60]

/** Wilson's 95 % interval of a binomial share. */
export function wilson(hits, trials) {
  const z = 1.959963984540054
  const share = hits / trials
  const middle = (share + (z * z) / (2 * trials)) / (1 + (z * z) / trials)
  const half =
    (z / (1 + (z * z) / trials)) *
    Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials))
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

const decides = ({ name }) => /\/(overall|.*\/point_loss|.*\/direction_error)$/.test(name)

/** Counts, over made evaluations with this many blocks, of what was wrongly found. */
export async function calibrate(memory, blocks, evaluations) {
  const counts = { evaluations, single: 0, family: 0, deciding: 0, better: 0, betterThanAll: 0 }
  for (let evaluation = 0; evaluation < evaluations; evaluation++) {
    const origins = blocks * BLOCK
    const { tests } = await runFamily({
      ...{ origins, blockLength: BLOCK, replicates: REPLICATES, seed: evaluation, alpha: 0.05 },
      ...{ minimumPairs: 100, minimumBlocks: 8 },
      tests: nullFamily(origins, 7919 * evaluation + blocks, memory),
    })
    const tested = tests.filter((test) => test.status === 'tested')
    if (tested.length !== tests.length) throw new Error('a test of the made family is blocked')
    const overall = tested.filter((test) => test.name.endsWith('/overall'))
    const better = overall.filter((test) => test.holm.rejected && test.side === 'below')
    const rejected = tested.filter((test) => test.holm.rejected)
    counts.single += Number(overall[0].p <= 0.05)
    counts.family += Number(rejected.length > 0)
    counts.deciding += Number(rejected.some(decides))
    counts.better += Number(better.length > 0)
    counts.betterThanAll += Number(better.length === overall.length)
  }
  return counts
}

export function tableRow(memory, blocks, counts) {
  const share = (hits) => {
    const [low, high] = wilson(hits, counts.evaluations)
    const percent = (x) => (100 * x).toFixed(1)
    return `${percent(hits / counts.evaluations)} (${percent(low)} to ${percent(high)})`
  }
  const { single, family, deciding, better, betterThanAll } = counts
  const shares = [single, family, deciding, better, betterThanAll].map(share)
  return `| ${[memory, blocks, ...shares].join(' | ')} |`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { evaluations: { type: 'string', default: '500' } } })
  for (const memory of ['hours', 'days']) {
    for (const blocks of BLOCK_COUNTS) {
      console.log(
        tableRow(memory, blocks, await calibrate(memory, blocks, Number(values.evaluations))),
      )
    }
  }
}
