import { formatStored, formatUtc, MICROS_PER_DAY } from '../../../contract/instant.js'
import { compareText } from '../../../contract/order.js'
import { remembering } from '../../../contract/remembering.js'
import type { Plan, Registration } from '../../../contract/types.js'
import { sha256Hex } from '../../../document/digest.js'
import { type PairedSeries, pairRegistered } from '../../../evaluation/pair.js'
import { knownTo, type SeriesTaskBasis } from '../../../evaluation/plan.js'
import { seriesTask } from '../../../evaluation/task.js'
import { NO_FORECAST, type PairingRow } from '../../../forecast/row.js'
import type { GridCell } from '../../../pairing/grid.js'
import { lastSettled } from '../../../periods/series-times.js'
import type { Rules } from '../../../protocol/rules/compile.js'
import { createRegistration } from '../../../registration/build.js'
import { originsIn } from '../../../registration/series-plan-rules.js'
import { type ScoredCell, scoreCell } from '../../../scoring/cells.js'
import type { Panel } from '../../../scoring/panel.js'
import type { SeriesScale } from '../../../scoring/scales.js'
import type { ScoredPairs } from '../../../scoring/scored-pairs.js'
import { listScores, type ScoreMeasure } from '../../../scoring/scores.js'
import { average } from '../../../scoring/sum.js'

/** If the past is much longer than the window, only its newest part is used. */
const MOST_WINDOWS = 8
/** With fewer origins no window is drawn. */
const LEAST_PAST = 30

export type AskedComparator = Registration['comparators'][number]

/** The source of drawn windows: forecasts of baselines before the window, and their outcomes. */
export interface SeriesPast {
  /** Positions in the list, ascending. */
  readonly origins: readonly number[]
  readonly cells: readonly GridCell[]
  /** Required baselines of the protocol. */
  readonly comparators: readonly AskedComparator[]
  readonly scores: readonly ScoreMeasure[]
  /** The data of a comparator in a cell. */
  readonly getCell: (model: string, cell: number) => ScoredCell
  /** Outcomes and forecasts of persistence, by cell: the reference for any forecast. */
  readonly asked: (cell: number) => Pick<ScoredCell['pairs'], 'p0' | 'p1'>
}

/** All inputs except the window and the registration. */
export type PowerSetting = Omit<
  SeriesTaskBasis,
  'registration' | 'origins' | 'commitments' | 'tooLax'
>

/** Origins of the list whose outcomes were final before the window, and before the vintage ends. */
export function pastOrigins({ periods, rules, vintage }: PowerSetting, window: readonly number[]) {
  const until = Math.min(rules.due(window[0] as number), knownTo(vintage))
  const before = originsIn(periods).filter(
    (at) => at < (window[0] as number) && lastSettled(rules, [at]) <= until,
  )
  return before.slice(-MOST_WINDOWS * window.length)
}

/**
 * Pairs the baselines over past origins.
 * @param scales - those of the planned registration. @param asked - its comparators.
 */
export async function pairSeriesPast(
  setting: PowerSetting,
  plan: Plan,
  scales: readonly SeriesScale[],
  origins: readonly number[],
  asked: readonly AskedComparator[],
): Promise<SeriesPast> {
  const basis = registeredOver(setting, plan, scales, origins, asked)
  const candidate = plan.candidates[0] as string
  const paired = await pairedWith(basis, [candidate])
  const cells = paired.flatMap(({ plan: of }) => of.cells)
  const panels = new Map(
    paired.flatMap(({ plan: of, panel }) => of.cells.map(({ id }) => [id, panel])),
  )
  const getPanel = (cell: number) => panels.get(cell) as Panel
  const scores = listScores(setting.rules, scales)
  const indices = new Map(setting.rules.series.map(({ id }, at) => [id, at]))
  const all = asked.map((comparator) => {
    const forecasts = cells.map(({ id }) => getPanel(id).pairs(comparator.name, id).forecast)
    return { comparator, begin: findBegin(forecasts) }
  })
  // A comparator that begins too late would leave too little to draw from.
  const latest = Math.max(0, origins.length - Math.min(origins.length, LEAST_PAST))
  const comparators = all.flatMap(({ comparator, begin }) => (begin <= latest ? [comparator] : []))
  const begin = Math.max(0, ...all.map(({ begin: own }) => (own <= latest ? own : 0)))
  const getPairs = remembering((model: string, cell: number) =>
    pairsFrom(getPanel(cell).pairs(model, cell), begin),
  )
  return {
    ...{ origins: origins.slice(begin), cells, scores, comparators },
    getCell: remembering((model: string, cell: number) => {
      const series = indices.get(cells[cell]?.series ?? '') ?? Number.NaN
      return scoreCell(getPairs(model, cell), scores, series)
    }),
    asked: (cell) => getPairs(candidate, cell),
  }
}

/** The first origin at which a model has forecasts in half of the cells; Infinity if there is none. */
function findBegin(forecasts: readonly Float64Array[]): number {
  const share = (at: number) => forecasts.filter((own) => !Number.isNaN(own[at])).length
  const begin = forecasts[0]?.findIndex((_, at) => 2 * share(at) >= forecasts.length) ?? -1
  return begin < 0 ? Number.POSITIVE_INFINITY : begin
}

/** Pairs without those of the first origins. */
function pairsFrom({ quantiles, vintage, ...columns }: ScoredPairs, begin: number): ScoredPairs {
  const from = (column: Float64Array) => column.subarray(begin)
  const { p0, p1, forecast } = columns
  const cut = { p0: from(p0), p1: from(p1), forecast: from(forecast) }
  return { ...cut, quantiles: quantiles.map(from), vintage: vintage.subarray(begin) }
}

/**
 * The plan as it would be registered over some origins, without comparators of a history, because no vintage contains
 * them.
 * @param comparators - replaces those that are required for these origins.
 */
export function registeredOver(
  setting: PowerSetting,
  plan: Plan,
  scales: readonly SeriesScale[],
  origins: readonly number[],
  comparators?: readonly AskedComparator[],
): SeriesTaskBasis {
  const { periods, rules } = setting
  const labelAt = (at: number | undefined) => periods[at ?? -1]?.label ?? ''
  const window = { from: labelAt(origins[0]), to: labelAt(origins.at(-1)) }
  const before = rules.due(origins[0] as number) - MICROS_PER_DAY
  const planned = { ...plan, mode: 'prospective' as const, window }
  const made = createRegistration(planned, rules, before, periods, { scales, at: before })
  const chosen = comparators ?? made.comparators.filter(({ source }) => source === 'built_in')
  const registration = { ...made, registered_at: formatUtc(before), comparators: [...chosen] }
  return { ...setting, registration, origins, tooLax: [] }
}

/** Pairs the built-ins together with models that have some forecast, in time, at every key. */
export async function pairedWith(
  basis: SeriesTaskBasis,
  models: readonly string[],
): Promise<PairedSeries[]> {
  const task = seriesTask(basis)
  const rows = async function* () {
    for (const { id } of task.plan.cells.filter(firstOfSeries)) {
      yield [...anything(basis, task.plan.cells[id]?.series ?? '', models)]
    }
  }
  const silent = { ...task, writer: { header: '', line: () => '' } }
  const series: PairedSeries[] = []
  await pairRegistered(
    silent,
    rows(),
    () => undefined,
    {},
    (first) => series.push(first),
  )
  return series
}

const firstOfSeries = ({ series }: GridCell, at: number, all: readonly GridCell[]) =>
  all[at - 1]?.series !== series

function* anything(
  { periods, rules, origins }: SeriesTaskBasis,
  series: string,
  models: readonly string[],
): Generator<PairingRow> {
  const { levels, minimum } = rules.forecast
  const value = Math.max(1, Math.ceil(minimum ?? 1))
  const quantiles = levels.map(() => value)
  const sorted = [...models].sort(compareText)
  for (const origin of origins) {
    const at = formatStored(rules.due(origin))
    const when = { generatedAt: at, inputAvailableAt: at, selectionDataThrough: at }
    for (const horizon of rules.targetsAt(origin)) {
      for (const model of sorted) {
        const key = { series, originAt: periods[origin]?.label ?? '', horizon, model }
        const given = { forecast: value, levels, quantiles, attempt: null }
        yield { ...NO_FORECAST, vintageId: null, vintageSha256: null, ...key, ...when, ...given }
      }
    }
  }
}

/** Comparators with their mean losses over cells, smallest first; those without a loss are left out. */
export function comparatorLosses(
  { comparators, getCell, scores }: SeriesPast,
  cells: readonly GridCell[],
): { readonly name: string; readonly mean_loss: number }[] {
  const primary = scores.find(({ primary: is }) => is)?.id ?? ''
  const means = comparators.flatMap(({ name }) => {
    const losses = cells.flatMap(
      ({ id }) => average(getCell(name, id).columns[primary]!).mean ?? [],
    )
    const mean = losses.reduce((sum, each) => sum + each, 0) / losses.length
    return losses.length === 0 ? [] : [{ name, mean_loss: mean }]
  })
  return means.sort((a, b) => a.mean_loss - b.mean_loss)
}

/** The comparator with the smallest loss at each step, then the next ones. */
export function hardestByStep(past: SeriesPast): ReadonlyMap<number, readonly string[]> {
  const steps = [...new Set(past.cells.map(({ horizon }) => horizon))].sort((a, b) => a - b)
  return new Map(
    steps.map((step) => {
      const cells = past.cells.filter(({ horizon }) => horizon === step)
      return [step, comparatorLosses(past, cells).map(({ name }) => name)] as const
    }),
  )
}

/** Of more series the chance to be eligible would take hours to compute. */
const MOST_SERIES = 200

/**
 * Rules with at most 200 of its series: those that strata go by, then those whose ids have the smallest SHA-256,
 * so that nobody chooses them.
 */
export function withFewSeries(rules: Rules): Rules {
  const { series, strata } = rules
  if (series.length <= MOST_SERIES) return rules
  const named = new Set(strata.flatMap((stratum) => ('series' in stratum ? [stratum.series] : [])))
  const drawKey = (id: string) => `${named.has(id) ? '' : 'x'}${sha256Hex(id)}`
  const inOrder = series.map(({ id }) => ({ id, key: drawKey(id) }))
  inOrder.sort((a, b) => (a.key < b.key ? -1 : 1))
  const used = new Set(inOrder.slice(0, MOST_SERIES).map(({ id }) => id))
  return { ...rules, series: series.filter(({ id }) => used.has(id)) }
}
