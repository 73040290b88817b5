// How often somebody with true skill is found eligible, under the rules and as it was before them:
//   node bench/honest.mjs
// prints the table of docs/reference/measured-power.md, the same each time. Needs `npm run build`. Every evaluation is a made world of parts/power-worlds.mjs that is paired,
// scored and judged whole. Skill is against the best of the standard comparators at each step. *Before* is the cosine test against persistence
// alone: fewer waves, nothing charged for waiting, what is missing left out. Options:
//   --evaluations N   of each line (200)
//   --only NAME       one design
//   --why             also how often each reason decided, to stderr
//   --smoke           one evaluation of one line
import { parseArgs } from 'node:util'
import { pairRegistered } from '../dist/evaluation/pair.js'
import { seriesInput } from '../dist/evaluation/reading/inputs.js'
import { SeriesSums } from '../dist/evaluation/reading/series-sums.js'
import { decide, infer } from '../dist/evaluation/steps.js'
import { seriesTask } from '../dist/evaluation/task.js'
import { createCosineTables } from '../dist/inference/cosines.js'
import { runEwcTest } from '../dist/inference/ewc.js'
import { weightedHolm } from '../dist/inference/holm.js'
import { prepareTest } from '../dist/inference/prepare.js'
import { studentTail } from '../dist/inference/student-t.js'
import { createMeanSums } from '../dist/inference/sums.js'
import { registeredOver } from '../dist/lint/power/series/past.js'
import { testDesign } from '../dist/registration/design.js'
import { primaryMemory } from '../dist/registration/family.js'
import { seriesBaselineRows } from '../dist/scoring/baselines/series-baselines.js'
import { listScores } from '../dist/scoring/scores.js'
import { average, averageMeans } from '../dist/scoring/sum.js'
import { madeRandom } from './parts/made-market.mjs'
import { madeWorld } from './parts/power-worlds.mjs'
import { METADATA, OWN, rowsOf, sizesOf, worldsOf } from './parts/series-power-simulation.mjs'

const DAY = 86_400_000_000
const SKILLS = [0, 0.1, 0.2]
const CORRELATION = 0.95
const WORLDS = 12

const missing = (isMissing) => () => ({ judged: { isMissing } })
const late = (waiting) => () => ({
  lag: DAY,
  outcome: {
    known: { anchor: 'end', offset: 'P1D' },
    release: { rule: 'unrevised', wait: 'P2D' },
  },
  origins: waiting === 'charged' ? {} : { waiting, waiting_reason: 'published a day late' },
})
const byChance = (seed) => {
  const random = madeRandom(`missing/${seed}`)
  const gaps = Uint8Array.from({ length: 20_000 }, () => Number(random.uniform() < 0.01))
  return { judged: { isMissing: (_, at) => gaps[at] === 1 } }
}
const none = () => ({})
/** A design of parts/power-worlds.mjs each, and what is otherwise, by the number of the evaluation. */
const LINES = [
  ['two seasons of a hub, weekly', 'weekly', none],
  ['four seasons of a hub, weekly', 'weekly', () => ({ window: 100 })],
  ['daily', 'daily', none],
  ['monthly', 'monthly', none],
  ['hourly load', 'load', none],
  ['daily, one value missing', 'daily', missing((_, at, past) => at === past + 50)],
  ['daily, 1 % of values missing', 'daily', byChance],
  ['hourly load, one value missing', 'load', missing((_, at, past) => at === past + 50)],
  ['hourly load, 1 % of values missing', 'load', byChance],
  [
    'weekly, a series begins late',
    'weekly',
    () => ({ judged: { from: (place, past) => (place === 0 ? past + 20 : undefined) } }),
  ],
  ['daily, published a day late, charged', 'daily', late('charged')],
  ['daily, published a day late, part of the task', 'daily', late('part_of_the_task')],
]

/** The baseline with the smallest loss at each step, over some worlds. */
function hardestOf(name, over) {
  const sums = new Map()
  for (let seed = 0; seed < WORLDS; seed++) {
    const { all, origins, scales } = madeWorld(name, `hardest/${seed}`, over)
    const { protocol, periods, rules, truth } = all
    const { of: loss } = listScores(protocol, scales).find(({ primary }) => primary)
    const places = new Map(periods.map(({ label }, at) => [label, at]))
    const series = new Map(protocol.series.map(({ id }, at) => [id, at]))
    const ids = protocol.baselines.map(({ id }) => id)
    for (const row of seriesBaselineRows({ ...protocol, ...rules }, periods, truth, ids, origins)) {
      const place = series.get(row.series)
      const value = truth.value(place, places.get(row.originAt) + row.horizon)
      const own = sums.get(row.horizon) ?? new Map()
      const { sum, count } = own.get(row.model) ?? { sum: 0, count: 0 }
      const lost = loss(row.forecast, Float64Array.from(row.quantiles), value, place)
      own.set(row.model, { sum: sum + lost, count: count + 1 })
      sums.set(row.horizon, own)
    }
  }
  return new Map(
    [...sums].map(([step, own]) => {
      const most = Math.max(...[...own.values()].map(({ count }) => count))
      const whole = [...own].filter(([, { count }]) => count > most / 2)
      const [[model]] = whole.sort(([, a], [, b]) => a.sum / a.count - b.sum / b.count)
      return [step, model]
    }),
  )
}

/** As it was: the one comparator is persistence. */
function isEligibleBefore(basis, plan, series) {
  const { rules } = basis
  const primary = rules.scores.find((each) => each.primary).id
  const { id: persistence } = rules.baselines.find(({ kind }) => kind === 'persistence')
  const { scored } = seriesInput(basis, plan)
  const cells = series
    .map(scored)
    .flatMap((read) => read.cells.map((cell) => ({ ...cell, getCell: read.getCell })))
    .filter(({ withOutcome, inTest }) => inTest && withOutcome >= 0.9 * basis.origins.length)
    .map(({ id, horizon, getCell }) => {
      const [own, other] = ['mine', persistence].map((name) => getCell(name, id).columns[primary])
      const values = own.map((value, at) => value - other[at])
      const shared = other.filter((_, at) => !Number.isNaN(values[at]))
      return { horizon, values, loss: average(shared).mean }
    })
  const design = testDesign(rules)
  const most = primaryMemory(rules) === 'hours' ? 16 : 8
  const steps = [...new Set(cells.map(({ horizon }) => horizon))]
  const tests = ['overall', ...steps].map((scope) => {
    const own = cells.filter(({ horizon }) => scope === 'overall' || horizon === scope)
    const components = own.map(({ values }) => ({ values }))
    const sums = createMeanSums(components, design.blockLength)
    const { counts, reasons } = prepareTest({ name: '', sums }, design)
    const nu = Math.min(most, Math.max(4, Math.floor(counts.effectiveBlocks / 4)))
    const loss = averageMeans(own.map((cell) => cell.loss))
    return {
      ...runEwcTest(sums.centred(), nu, TABLES),
      nu,
      loss,
      reasons,
      harm: scope === 'overall' ? 0 : 0.05,
    }
  })
  if (tests.some(({ reasons }) => reasons.length > 0)) return false
  const parts = tests.map(({ estimate, standardError, nu, loss, harm }) => {
    const room = harm * loss - estimate
    return room > 0 ? studentTail(room / standardError, nu) : 1
  })
  const weights = [...tests.map(() => 0.4 / tests.length), 0.6]
  const ladder = weightedHolm(
    [...tests.map(({ p }) => p), Math.max(...parts)],
    weights,
    design.alpha,
    new Map([[tests.length, [0]]]),
  )
  const [{ estimate, loss }] = tests
  return -estimate >= rules.limits.practical_effect * loss && ladder.at(-1)?.rejected === true
}

const TABLES = createCosineTables()

async function evaluate(name, seed, over, law) {
  const [world, ...twins] = worldsOf(name, OWN, seed, over)
  const { judged, all } = world
  const basis = registeredOver(judged, world.plan, world.scales, world.origins)
  const whole = seriesTask(basis)
  const ofBuiltIns = [...whole.builtInRows()]
  const writer = { header: '', line: () => '' }
  const task = { ...whole, writer, builtInRows: () => ofBuiltIns }
  const begins = new Map(judged.protocol.series.map(({ id, from }) => [id, from ?? '']))
  const places = new Map(all.periods.map(({ label }, at) => [label, at]))
  const isKey = ({ series, originAt, horizon }) =>
    all.periods[places.get(originAt) + horizon].label >= begins.get(series)
  const found = []
  for (const skill of SKILLS) {
    const rows = rowsOf(world, twins, law, skill).filter(isKey)
    const history = async function* () {
      yield rows
    }
    const none = () => undefined
    const sums = new SeriesSums(task.input(), none)
    const series = []
    const onSeries = (...of) => {
      series.push(of[0])
      sums.add(...of)
    }
    const paired = await pairRegistered(task, history(), none, {}, onSeries)
    const { result } = decide(await infer({ run: METADATA, options: {}, summed: { paired, sums } }))
    const [{ disposition, reasons }] = result.reading.dispositions
    const after = disposition.startsWith('eligible')
    found.push({
      after,
      before: isEligibleBefore(basis, paired.plan, series),
      why: reasons[0]?.code,
      disposition,
    })
  }
  return found
}

const { values } = parseArgs({
  options: {
    evaluations: { type: 'string', default: '200' },
    only: { type: 'string' },
    why: { type: 'boolean' },
    smoke: { type: 'boolean' },
  },
})
if (values.smoke) Object.assign(values, { only: 'daily', evaluations: '1' })
const size = values.smoke ? { past: 300, window: 90, steps: [1, 2] } : {}
const evaluations = Number(values.evaluations)
for (const [line, name, overOf] of LINES) {
  if (values.only !== undefined && line !== values.only) continue
  const over = { ...overOf(0), ...size }
  const hardest = hardestOf(name, over)
  const law = { correlation: CORRELATION, hardest, over }
  law.sizes = sizesOf(name, law, values.smoke ? 1 : WORLDS)
  const counts = SKILLS.map(() => ({ before: 0, after: 0, why: new Map() }))
  for (let seed = 0; seed < evaluations; seed++) {
    const found = await evaluate(name, seed, { ...overOf(seed), ...size }, law)
    for (const [at, { before, after, why, disposition }] of found.entries()) {
      const own = counts[at]
      own.before += Number(before)
      own.after += Number(after)
      const code = after ? disposition : why
      own.why.set(code, (own.why.get(code) ?? 0) + 1)
    }
  }
  const cell = (hits) => {
    const share = hits / evaluations
    const error = Math.sqrt((share * (1 - share)) / evaluations)
    return `${(100 * share).toFixed(1)} ± ${(100 * error).toFixed(1)}`
  }
  const cells = counts.flatMap(({ before, after }) => [cell(before), cell(after)])
  console.log(`| ${[line, evaluations, ...cells].join(' | ')} |`)
  if (values.why)
    for (const { why } of counts)
      console.error(line, JSON.stringify([...why]), JSON.stringify([...new Set(hardest.values())]))
}
