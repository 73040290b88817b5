import { remembering } from '../../../contract/remembering.js'
import type { Plan } from '../../../contract/types.js'
import type { PairedSeries } from '../../../evaluation/pair.js'
import { knownTo, type SeriesTaskBasis, seriesEvaluationPlan } from '../../../evaluation/plan.js'
import { createReadingPlan, type ReadingPlan } from '../../../evaluation/reading/basis.js'
import { readSeries } from '../../../evaluation/reading/cells.js'
import { decideReading } from '../../../evaluation/reading/decide.js'
import { DecidedSums } from '../../../evaluation/reading/decided.js'
import { inferReading } from '../../../evaluation/reading/infer.js'
import { createKeyCounter } from '../../../evaluation/reading/keys.js'
import { registeredBy } from '../../../evaluation/reading/registered.js'
import { TestSums } from '../../../evaluation/reading/tests.js'
import { type ShareLeft, shareLeftIn } from '../../../evaluation/waiting.js'
import { newestPublic } from '../../../protocol/rules/expected-waiting.js'
import { findWindowOrigins } from '../../../registration/series-plan-rules.js'
import { computeMeasures, type ScoredCell } from '../../../scoring/cells.js'
import type { SeriesScale } from '../../../scoring/scales.js'
import { listTruth } from '../../../truth/shown-values.js'
import { assumedTruth } from '../../silence.js'
import { STEPS } from '../draw.js'
import { betweenSteps, smallestFound } from '../predict.js'
import { seededRandom } from '../random.js'
import { ASSUMED } from '../run.js'
import { type DrawnIndices, type MadeLaw, MadeSeries, type SeriesNoise } from './made.js'
import {
  type AskedComparator,
  comparatorLosses,
  hardestByStep,
  type PowerSetting,
  pairedWith,
  pairSeriesPast,
  pastOrigins,
  registeredOver,
  type SeriesPast,
} from './past.js'

/** Drawn windows, each with its mirror image: 150 windows have a standard error of at most 4 points. */
const PAIRS = 75

/** The reductions to report: with a few dozen blocks, little less than a fifth is found. */
export const SERIES_REDUCTIONS = [0.03, 0.05, 0.1, 0.2] as const

/** What a plan under a protocol of version 2 can find: the chance to be eligible, by how much better a candidate is. */
export interface SeriesPower {
  /** Number of origins in the window, and in the past that windows were drawn from. */
  readonly origins: number
  readonly drawn_from: number
  /** With their mean losses there, smallest first. */
  readonly comparators: readonly { readonly name: string; readonly mean_loss: number }[]
  /** At each step the one with the smallest loss there, which simulated candidates resemble. */
  readonly hardest: readonly { readonly horizon: number; readonly name: string }[]
  /** Comparators of the history, and baselines with too few forecasts before the window. */
  readonly not_computed: readonly string[]
  readonly windows: number
  readonly predictions: readonly {
    /** Correlation between the errors of candidate and comparator. */
    readonly correlation: number
    /** Found with 80 %; null if there is none. */
    readonly smallest_reduction: number | null
    readonly power: readonly { readonly reduction: number; readonly power: number }[]
    /** For the largest drawn reduction: how often each reason prevented a candidate from being eligible. */
    readonly kept_by: Readonly<Record<string, number>>
  }[]
}

interface SeriesPowerInput extends PowerSetting {
  readonly plan: Plan
  readonly scales: readonly SeriesScale[]
  readonly seed: number
  /** Number of windows with their mirror images. */
  readonly pairs?: number
  /** Awaited before each window; an error in it stops the work. */
  readonly beforeWindow?: () => Promise<void>
}

/**
 * The chance that a simulated candidate is eligible in the planned window. Windows are drawn from the past, and each is
 * judged like in `score`: by the same tests and reasons, with the cells and instants of the planned window.
 * @returns undefined if there is no past to simulate a candidate from.
 */
export async function predictSeries(input: SeriesPowerInput): Promise<SeriesPower | undefined> {
  const { plan, scales, seed, pairs = PAIRS, beforeWindow, ...setting } = input
  const window = findWindowOrigins(setting.periods, plan.window)
  const before = pastOrigins(setting, window)
  if (before.length === 0) return undefined
  const { registration } = registeredOver(setting, plan, scales, window)
  const past = await pairSeriesPast(setting, plan, scales, before, registration.comparators)
  const means = comparatorLosses(past, past.cells)
  if (means.length === 0) return undefined
  const { origins } = past
  const names = past.comparators.map(({ name }) => name)
  const asked = registration.comparators.map(({ name }) => name)
  const ofHistory = setting.rules.required.flatMap(({ model }) =>
    'history' in model ? [model.history] : [],
  )
  const planned = await plannedWindow(setting, plan, scales, window, past.comparators)
  const made = new MadeSeries(past, setting.rules)
  const laws = ASSUMED.map(({ correlation }) => made.law(correlation, seededRandom(`${seed}/law`)))
  const detections = laws.map(() => STEPS.map(() => 0))
  const kept = laws.map(() => new Map<string, number>())
  const random = seededRandom(`${seed}/predict/${window.length}`)
  for (let pair = 0; pair < pairs; pair++) {
    await beforeWindow?.()
    // At equal distances, while the past lasts; then from its start again.
    const fitting = origins.length - window.length + 1
    const start = Math.floor(((pair + 0.5) / pairs) * (fitting > 0 ? fitting : origins.length))
    const indices = Int32Array.from(window, (_, at) => (start + at) % origins.length)
    const decide = decideIn(planned, { past, made, indices }, made.noise(indices, random))
    for (const [at, law] of laws.entries()) {
      for (const sign of [1, -1] as const) {
        const codeAt = decide({ ...law, sign })
        const firstFound = findFirst(STEPS.length, (step) => codeAt(step) === undefined)
        for (let step = firstFound; step < STEPS.length; step++) detections[at]![step]!++
        const code = firstFound === STEPS.length ? codeAt(STEPS.length - 1) : undefined
        if (code !== undefined) kept[at]!.set(code, (kept[at]!.get(code) ?? 0) + 1)
      }
    }
  }
  const windows = 2 * pairs
  return {
    ...{ origins: window.length, drawn_from: origins.length, windows, comparators: means },
    hardest: [...hardestByStep(past)].flatMap(([horizon, [name]]) =>
      name === undefined ? [] : [{ horizon, name }],
    ),
    not_computed: [...ofHistory, ...asked.filter((name) => !names.includes(name))],
    predictions: laws.map(({ correlation }, at) => {
      const power = betweenSteps((step) => detections[at]![step]! / windows)
      return {
        correlation,
        smallest_reduction: smallestFound(power),
        power: SERIES_REDUCTIONS.map((reduction) => ({ reduction, power: power(reduction) })),
        kept_by: Object.fromEntries([...kept[at]!].map(([code, count]) => [code, count / windows])),
      }
    }),
  }
}

/** The first position from which a condition holds; `count` if it never does. */
function findFirst(count: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

interface PlannedSeries {
  readonly paired: PairedSeries
  readonly left: ShareLeft
  /** Of which periods there is a value that counts. */
  readonly there: Uint8Array
}

interface PlannedWindow {
  readonly basis: SeriesTaskBasis
  readonly of: ReadingPlan
  readonly all: readonly PlannedSeries[]
}

/** The planned window with its own cells and instants; unknown outcomes are filled in. */
async function plannedWindow(
  setting: PowerSetting,
  plan: Plan,
  scales: readonly SeriesScale[],
  window: readonly number[],
  comparators: readonly AskedComparator[],
): Promise<PlannedWindow> {
  const { periods, rules, vintage } = setting
  const truth = assumedTruth(rules, periods, vintage)
  const manifest = { ...vintage.manifest, complete_to: '9999-12-31T00:00:00Z' }
  const ahead = { ...setting, truth, vintage: { ...vintage, manifest } }
  const basis = registeredOver(ahead, plan, scales, window, comparators)
  const models = plan.candidates
  // No outcome of the window is known yet: baselines see values as soon as they may be public.
  const newest = newestPublic(rules)
  const seen = Float64Array.from(window, (origin) => newest(origin) ?? Number.NaN)
  const indices = new Map(rules.series.map(({ id }, at) => [id, at]))
  const series = await pairedWith(basis, models)
  const all = series.map((each) => {
    const paired = { ...each, seen: () => seen }
    const position = indices.get(each.plan.cells[0]?.series ?? '') as number
    const there = Uint8Array.from(periods, (_, at) =>
      Number(!Number.isNaN(truth.value(position, at))),
    )
    return { paired, left: shareLeftIn(paired, basis.rules), there }
  })
  const shown = listTruth(truth, periods, rules)
  const planned = seriesEvaluationPlan(basis, shown, knownTo(ahead.vintage))
  const windowOrigins = findWindowOrigins(periods, basis.registration.window)
  return { basis, of: createReadingPlan(registeredBy(basis, windowOrigins, false), planned), all }
}

interface DrawnPast {
  readonly past: SeriesPast
  readonly made: MadeSeries
  readonly indices: DrawnIndices
}

/**
 * Judges simulated candidates in a window.
 * @returns for a law, by step: undefined if the first candidate is eligible, else the code of its first reason.
 */
function decideIn(
  { basis, of, all }: PlannedWindow,
  { past, made, indices }: DrawnPast,
  noise: SeriesNoise,
) {
  const { scores, cells } = past
  const { registration, rules } = basis
  const gather = (column: Float64Array) =>
    Float64Array.from(indices, (index) => column[index] as number)
  const comparatorCell = remembering((model: string, cell: number): ScoredCell => {
    const { pairs, columns } = past.getCell(model, cell)
    const gathered = Object.entries(columns).map(([id, column]) => [id, gather(column)] as const)
    const vintage = new Uint32Array(indices.length)
    const drawn = { ...pairs, forecast: gather(pairs.forecast), vintage }
    return { pairs: drawn, columns: Object.fromEntries(gathered) }
  })
  const outcomes = remembering((cell: number) =>
    Uint8Array.from(indices, (index) => Number(!Number.isNaN(past.asked(cell).p1[index]))),
  )
  const windows = all.map(({ paired, left, there: values }) => {
    const there = (cell: number) => {
      const planned = paired.outcomes(cell)
      return outcomes(cell).map((one, at) => one & (planned[at] as number))
    }
    const reading = readSeries(of, { ...paired, outcomes: there }, comparatorCell, left)
    return { ...reading, hasValue: (period: number) => values[period] === 1 }
  })
  const [first] = registration.candidates.map(({ name }) => name)
  const directions = scores.filter(({ kind }) => kind === 'direction')
  const primary = scores.find(({ primary: is }) => is)?.id ?? ''
  const positions = new Map(rules.series.map(({ id }, at) => [id, at]))
  return (law: MadeLaw) => {
    const fullCell = remembering((cell: number) => {
      const pairs = made.pairs(cell, indices, noise, law)
      return { pairs, losses: made.losses(cell, pairs) }
    })
    const cellAt = (cell: number, share: number): ScoredCell => {
      const { pairs: same, losses } = fullCell(cell)
      // A loss shrinks in proportion to its errors.
      const loss = { [primary]: losses.map((each) => share * each) }
      if (directions.length === 0) return { pairs: same, columns: loss }
      const pairs = made.pairs(cell, indices, noise, law, share)
      const series = positions.get(cells[cell]?.series ?? '') as number
      const called = computeMeasures(pairs, directions, series, (index) => pairs.p1[index]!)
      const charged = directions.map(
        ({ id, charged: of }) => [id, of!(called[id]!, pairs)] as const,
      )
      return { pairs, columns: { ...loss, ...called }, charged: Object.fromEntries(charged) }
    }
    // The other candidates of a plan are as good as the comparator: they share the weight.
    const others = remembering((cell: number) => cellAt(cell, 1))
    return (step: number): string | undefined => {
      const better = remembering((cell: number) => cellAt(cell, 1 - (STEPS[step] as number)))
      const getCell = (model: string, cell: number) => {
        if (model === first) return better(cell)
        const isCandidate = registration.candidates.some(({ name }) => name === model)
        return isCandidate ? others(cell) : comparatorCell(model, cell)
      }
      const [tests, decided] = [new TestSums(of), new DecidedSums(of)]
      for (const [at, window] of windows.entries()) {
        const reading = { ...window, getCell }
        tests.add(reading, at === windows.length - 1)
        const countKeys = createKeyCounter(basis.rules, reading.paired, getCell)
        decided.add({ ...reading, countKeys })
      }
      const tested = inferReading(of, tests.finish(), decided.farOff())
      const { disposition, reasons } = decideReading(of, tested, decided)![0]!
      return disposition.startsWith('eligible') ? undefined : reasons[0]?.code
    }
  }
}
