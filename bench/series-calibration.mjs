// How often a verdict over many series, or one, is wrong where there is nothing to find:
//   node bench/series-calibration.mjs
// At 5 steps, forecast each period; two forecasters of equal skill, or a copy of the newest value (parts/series-laws.mjs). Prints a table of
// docs/reference/measured-errors.md, the same each time. Needs `npm run build`. Options:
//   --evaluations N   of each line (1000)
//   --only TEXT       only the lines whose name holds the text: `late/20/100/absolute`
//   --json            the counts, a line of JSON each
//   --smoke           one evaluation of one line
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { remembering } from '../dist/contract/remembering.js'
import { createCosineTables } from '../dist/inference/cosines.js'
import { ewcFamily } from '../dist/inference/ewc-family.js'
import { judgedBounds } from '../dist/inference/ewc-judge.js'
import { simultaneousLevel } from '../dist/inference/verdict.js'
import { average, averageMeans } from '../dist/scoring/sum.js'
import { wilson } from './null-calibration.mjs'
import { filledIn, judgeComponents } from './parts/family-series.mjs'
import { GAPS, leftOut } from './parts/left-out.mjs'
import { madeRandom } from './parts/made-market.mjs'
import { HORIZONS, madeLosses } from './parts/series-laws.mjs'

/** Blocks are as long as errors depend on each other; with 50 origins there are 10 of them. */
const BLOCKS = { blockLength: 5, minimumPairs: 30, minimumBlocks: 10, leastBlocks: 10 }
const DESIGN = { ...BLOCKS, alpha: 0.05, counted: 'any', originsADay: () => 1 }
const HARM = 0.05
const WEIGHTS = { verdict: 0.6, deciding: 0.4 }
const SCOPES = ['overall', ...HORIZONS]

const linesOf = (law, places, score, lengths) =>
  lengths.map((origins) => ({ law, places, origins, score }))
const ALL_LENGTHS = [50, 100, 300]
const COPIES = ['6 h late', '12 h late', 'a day late'].flatMap((copy) =>
  ['normal', 't4'].map((steps) => `copy ${copy}, ${steps}`),
)
export const LINES = [
  ...['block', 'longer', 'much longer'].flatMap((law) => linesOf(law, 1, 'absolute', ALL_LENGTHS)),
  ...['regimes of 10', 'regimes of 30', 'yearly cycle'].flatMap((law) =>
    linesOf(law, 1, 'absolute', ALL_LENGTHS),
  ),
  ...COPIES.flatMap((law) => linesOf(law, 1, 'absolute', ALL_LENGTHS)),
  ...['absolute', 'weighted_interval'].flatMap((score) => linesOf('block', 20, score, [50, 100])),
  ...['longer', 'late', 'half way'].flatMap((law) => linesOf(law, 20, 'absolute', [100])),
]
const nameOf = ({ law, places, origins, score }) => `${law}/${places}/${origins}/${score}`
const KINDS = ['alone', ...GAPS.flatMap((gaps) => [`eligible ${gaps}`, `negative ${gaps}`])]

/** One evaluation: the overall test by itself, and verdicts by what is left out: the worst for *eligible*, the best for *negative*. */
function evaluate(line, number) {
  const random = madeRandom(`${nameOf(line)}/${number}`)
  const cells = madeLosses(line, random).flatMap(({ own, other, left, ...of }, at) => {
    const keys = own.filter((value) => !Number.isNaN(value)).length
    if (keys < DESIGN.minimumPairs) return []
    const differences = own.map((value, i) => value - other[i])
    const charged = left === 1 ? differences : own.map((value, i) => value - left * other[i])
    return [{ ...of, id: at, horizon: of.h, other, differences, charged, mostlyMissing: false }]
  })
  const sums = sumsOf(line, cells)
  const found = GAPS.map((gaps) => {
    const settingAt = (end) => settingOf(line, cells, leftOut(gaps, end, sums, random))
    const worst = settingAt('worst')
    // Chance has no end.
    return [worst, gaps.startsWith('worst') ? settingAt('best') : worst]
  })
  const alone = found[0][0].judge(found[0][0].pairsIn('overall')).p
  return Object.fromEntries([
    ['alone', alone !== null && alone < DESIGN.alpha],
    ...found.flatMap(([worst, best], at) => [
      [`eligible ${GAPS[at]}`, isEligible(worst)],
      [`negative ${GAPS[at]}`, isNegative(best)],
    ]),
  ])
}

const periodsOf = ({ origins }) => origins + HORIZONS.at(-1) + 1

/** Of the differences by outcome: of each series its periods. */
function sumsOf({ places, origins }, cells) {
  const periods = periodsOf({ origins })
  const sums = new Float64Array(places * periods).fill(Number.NaN)
  for (const { series, h, charged } of cells) {
    for (let origin = 0; origin < origins; origin++) {
      if (Number.isNaN(charged[origin])) continue
      const at = series * periods + origin + h
      sums[at] = (Number.isNaN(sums[at]) ? 0 : sums[at]) + charged[origin]
    }
  }
  return sums
}

/** Everything that a verdict is read from. @param missing - by outcome, as `sumsOf` has them */
function settingOf(line, all, missing) {
  const memory = line.score === 'absolute' ? 'hours' : 'days'
  const isWhole = !missing.includes(1)
  const cells = all.map((cell) => cellWithout(cell, line, isWhole ? undefined : missing))
  const byId = new Map(cells.map((cell) => [cell.id, cell]))
  const cellsIn = (scope) => cells.filter(({ h }) => scope === 'overall' || h === scope)
  const testOf = (scope, components) => ({ name: String(scope), components, memory })
  const fills = remembering((of, end) => filledIn(cells, (id) => byId.get(id)[of], end))
  const filled = (scope, end, of = 'values') =>
    testOf(
      scope,
      cellsIn(scope).map(({ id }) => fills(of, end).get(id)),
    )
  const tables = createCosineTables()
  const pairsIn = (scope) => testOf(scope, cellsIn(scope))
  const lossIn = (scope) =>
    averageMeans(
      cellsIn(scope).map(({ other, values }) => {
        return average(other.filter((_, at) => !Number.isNaN(values[at]))).mean
      }),
    )
  const chargedMean = averageMeans(cells.map(({ charged }) => average(charged).mean))
  const judge = (test) => judgeComponents(test, DESIGN, tables)
  return { filled, pairsIn, lossIn, chargedMean, judge }
}

/** A cell as it is where outcomes are missing; undefined: none is. */
function cellWithout(cell, { origins }, missing) {
  const gaps = new Uint8Array(origins)
  if (missing === undefined) return { ...cell, missing: gaps, values: cell.differences }
  const [values, charged] = [cell.differences.slice(), cell.charged.slice()]
  const first = cell.series * periodsOf({ origins }) + cell.h
  for (let origin = 0; origin < origins; origin++) {
    if (missing[first + origin] === 0 || Number.isNaN(charged[origin])) continue
    gaps[origin] = 1
    values[origin] = Number.NaN
    charged[origin] = Number.NaN
  }
  return { ...cell, missing: gaps, values, charged }
}

const limitOf = (scope, { lossIn }) => (scope === 'overall' ? 0 : HARM * lossIn(scope))

/** The ladder is asked only where the overall loss alone would do. */
function isEligible(setting) {
  const { filled, pairsIn, judge } = setting
  // What is filled is the worst, so no mean is smaller than that of pairs.
  if (!(setting.chargedMean < 0)) return false
  const overall = filled('overall', 'worst', 'charged')
  const { p, counts } = judge(overall)
  if (p === null || p > DESIGN.alpha || counts.observed >= 0) return false
  const parts = SCOPES.map((scope) => {
    const test = scope === 'overall' ? overall : filled(scope, 'worst')
    const limit = limitOf(scope, setting)
    const judged = judge(test)
    return { comparator: 'other', horizon: scope, measure: 'point_loss', judged, limit }
  })
  const weight = WEIGHTS.deciding / SCOPES.length
  const tests = SCOPES.map((scope) => ({ judged: judge(pairsIn(scope)), weight }))
  const hypothesis = { candidate: 'own', weight: WEIGHTS.verdict, parts, implies: [0] }
  return ewcFamily(tests, DESIGN.alpha, [hypothesis]).verdicts[0].holm?.rejected === true
}

function isNegative(setting) {
  return SCOPES.some((scope) => {
    const tests = scope === 'overall' ? 1 : HORIZONS.length
    const means = setting.pairsIn(scope).components.map(({ values }) => average(values).mean)
    const mean = averageMeans(means)
    if (!(mean > 0)) return false
    const limit = limitOf(scope, setting)
    // What is filled is the best, so no mean is larger than that of pairs.
    if (!(mean > limit)) return false
    const bounds = judgedBounds(
      setting.judge(setting.filled(scope, 'best')),
      simultaneousLevel(DESIGN.alpha, tests),
    )
    return bounds?.lower > limit
  })
}

/** @param numbers - of evaluations, each a seed of its own. */
export function countSeriesNull(line, numbers) {
  const counts = { evaluations: numbers.length, ...Object.fromEntries(KINDS.map((of) => [of, 0])) }
  for (const number of numbers) {
    const found = evaluate(line, number)
    for (const kind of KINDS) if (found[kind]) counts[kind]++
  }
  return counts
}

const percent = (share) => (100 * share).toFixed(1)

/** A row of the table in docs/reference/measured-errors.md. */
export function tableRow(counted) {
  const { law, places, origins, score, evaluations } = counted
  const shares = KINDS.map((kind) => {
    const share = percent(counted[kind] / evaluations)
    if (kind.includes('%')) return share
    return `${share} (${wilson(counted[kind], evaluations).map(percent).join(' to ')})`
  })
  return `| ${[law, places, origins, score, evaluations, ...shares].join(' | ')} |`
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
