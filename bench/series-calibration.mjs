// How often an evaluation over many series rejects something although nothing is there to be found:
//   node bench/series-calibration.mjs
// 20 series at 5 horizons with shocks in common, forecast each period; two forecasters of equal skill. Prints a table of
// docs/statistics.md, the same each time. Needs `npm run build`. Options:
//   --evaluations N   of each line (1000)
//   --only TEXT       only the lines whose name holds the text: `late/60/block/absolute`
//   --json            the counts, a line of JSON each
//   --smoke           one evaluation of one line
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ewcFamily } from '../dist/inference/ewc-family.js'
import { fillGaps } from '../dist/scoring/gaps.js'
import { wilson } from './null-calibration.mjs'
import { autoregression, madeRandom } from './parts/made-market.mjs'

const SERIES = 20
const HORIZONS = [1, 2, 3, 4, 5]
/** Blocks are as long as errors depend on each other; with 60 origins there are 12 of them. */
const BLOCKS = { blockLength: 5, minimumPairs: 30, minimumBlocks: 10, leastBlocks: 10 }
const DESIGN = { ...BLOCKS, alpha: 0.05, counted: 'any', originsADay: () => 1 }
const HARM = 0.05

/** Where there is no outcome: for all series in some weeks; for some of them at first. */
const GAPS = {
  full: () => false,
  'missing weeks': (_, target, { missing }) => missing[target] === 1,
  // A quarter of the series begins late: some a little, some after too much of the window.
  late: (series, target, { length }) =>
    series % 4 === 0 && target < length * (series % 8 === 0 ? 0.07 : 0.3),
  'half way': (series, target, { length }) => series % 2 === 0 && target < length / 2,
}
/**
 * How much of a forecaster's errors and widths, and of the size of shocks, is that of the origin before. After a block of five origins 3, 17 and
 * 59 % are left: a block is to be so long that errors further apart are independent.
 */
const MEMORIES = { block: 0.5, longer: 0.7, 'much longer': 0.9 }
const linesOf = (gaps, memory, scores) =>
  [60, 180].flatMap((origins) => scores.map((score) => ({ gaps, origins, memory, score })))
export const LINES = [
  ...Object.keys(GAPS).flatMap((gaps) => linesOf(gaps, 'block', ['absolute', 'weighted_interval'])),
  ...linesOf('full', 'longer', ['absolute', 'weighted_interval']),
  ...linesOf('full', 'much longer', ['absolute', 'weighted_interval']),
]
const nameOf = ({ gaps, origins, memory, score }) => `${gaps}/${origins}/${memory}/${score}`

/** Losses of two forecasters of equal skill, whose order is as likely as its opposite, by cell: `[candidate, comparator]`. */
function losses({ gaps, origins, memory, score }, random) {
  const length = origins + HORIZONS.at(-1)
  const missing = Uint8Array.from({ length }, () => (random.uniform() < 0.06 ? 1 : 0))
  const path = (rho) => autoregression(length, rho, random)
  const volatility = path(MEMORIES[memory]).map((value) => Math.exp(0.4 * value))
  const common = Float64Array.from({ length }, () => random.normal())
  const own = Array.from({ length: SERIES }, () => ({
    size: Math.exp(0.5 * random.normal()),
    shocks: Float64Array.from({ length }, () => random.normal()),
  }))
  const forecasters = [0, 1].map(() => ({
    error: path(MEMORIES[memory]),
    width: path(MEMORIES[memory]),
    own: own.map(() => path(MEMORIES[memory])),
  }))
  const absent = (series, target) => GAPS[gaps](series, target, { length, missing })
  const lossOf = (made, series, origin, h) => {
    let error = 0
    for (let at = origin + 1; at <= origin + h; at++) {
      error += volatility[at] * (0.7 * common[at] + 0.7 * own[series].shocks[at])
    }
    error -= Math.sqrt(h) * (0.4 * made.error[origin] + 0.4 * made.own[series][origin])
    const { size } = own[series]
    if (score === 'absolute') return size * Math.abs(error)
    const half = 1.28 * Math.sqrt(h) * Math.exp(0.3 * made.width[origin])
    const outside = Math.max(0, Math.abs(error) - half)
    // The mean over the levels 0.1, 0.5 and 0.9 of twice the pinball loss.
    return (size * (Math.abs(error) + 0.2 * half + 2 * outside)) / 3
  }
  return own.flatMap((_, series) =>
    HORIZONS.map((h) => ({
      h,
      values: forecasters.map((made) =>
        Float64Array.from({ length: origins }, (_, origin) =>
          absent(series, origin + h) ? Number.NaN : lossOf(made, series, origin, h),
        ),
      ),
    })),
  )
}

/** Without a cell, a test that comes out blocked. */
function seriesOf(cells, origins) {
  const series = cells.map(({ values }) => ({ values }))
  return series.length > 0 ? series : [{ values: new Float64Array(origins).fill(Number.NaN) }]
}

const meanOf = (values) => {
  const there = values.filter((value) => !Number.isNaN(value))
  return there.reduce((sum, value) => sum + value, 0) / there.length
}

/** One evaluation: whether anything is rejected, and the overall test by itself. */
function evaluate(line, number) {
  const random = madeRandom(`${nameOf(line)}/${number}`)
  // What begins late says so: there are no keys before. What is missing in some weeks is filled.
  const isMissing = line.gaps === 'missing weeks'
  const cells = losses(line, random).map(({ h, values: [own, other] }, id) => {
    const missing = Uint8Array.from(own, (value) => Number(isMissing && Number.isNaN(value)))
    const keys = own.filter((value) => isMissing || !Number.isNaN(value)).length
    const values = own.map((value, at) => value - other[at])
    return { id, h, horizon: h, values, mean: meanOf(other), keys, missing, mostlyMissing: false }
  })
  const tested = cells.filter(({ keys }) => keys >= DESIGN.minimumPairs)
  const filled = fillGaps(tested, (id) => cells[id].values, 'worst')
  const scopes = ['overall', ...HORIZONS]
  const memory = line.score === 'absolute' ? 'hours' : 'days'
  const cellsIn = (scope) => tested.filter(({ h }) => scope === 'overall' || h === scope)
  const tests = scopes.map((scope) => ({
    name: String(scope),
    components: seriesOf(cellsIn(scope), line.origins),
    memory,
    weight: 0.4 / scopes.length,
  }))
  const parts = scopes.map((scope, at) => {
    const own = cellsIn(scope).map(({ id }) => filled.get(id))
    const test = { ...tests[at], components: own.length > 0 ? own : tests[at].components }
    const limit = scope === 'overall' ? 0 : HARM * meanOf(cellsIn(scope).map(({ mean }) => mean))
    return { comparator: 'other', horizon: scope, measure: 'point_loss', test, limit }
  })
  const verdict = { candidate: 'own', weight: 0.6, parts, implies: [0] }
  const { tests: judged, verdicts } = ewcFamily(tests, DESIGN, [verdict])
  const overall = judged[0]
  const rejected = [...judged, ...verdicts].some(({ holm }) => holm?.rejected)
  return {
    any: rejected,
    alone: overall.status === 'tested' && overall.p < DESIGN.alpha,
    blocked: overall.status === 'blocked',
  }
}

/** @param numbers - of evaluations, each a seed of its own. */
export function countSeriesNull(line, numbers) {
  const counts = { evaluations: numbers.length, any: 0, alone: 0, blocked: 0 }
  for (const number of numbers) {
    const found = evaluate(line, number)
    for (const kind of ['any', 'alone', 'blocked']) if (found[kind]) counts[kind]++
  }
  return counts
}

const percent = (share) => (100 * share).toFixed(1)
const cell = (hits, of) => {
  const [low, high] = wilson(hits, of)
  return `${percent(hits / of)} (${percent(low)} to ${percent(high)})`
}

/** A row of the table in docs/statistics.md: shares are of the evaluations that could be judged. */
export function tableRow({ gaps, origins, memory, score, evaluations, blocked, any, alone }) {
  const judged = evaluations - blocked
  const shares = [alone, any].map((hits) => cell(hits, judged))
  return `| ${[gaps, origins, score, memory, judged, ...shares].join(' | ')} |`
}

function main() {
  const { values } = parseArgs({
    options: {
      evaluations: { type: 'string', default: '1000' },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
      smoke: { type: 'boolean' },
    },
  })
  if (values.smoke) Object.assign(values, { only: nameOf(LINES[0]), evaluations: '1' })
  const numbers = Array.from({ length: Number(values.evaluations) }, (_, index) => index)
  for (const line of LINES.filter((each) => nameOf(each).includes(values.only))) {
    const counted = { ...line, ...countSeriesNull(line, numbers) }
    console.log(values.json ? JSON.stringify(counted) : tableRow(counted))
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
