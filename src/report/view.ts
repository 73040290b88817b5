import { type LeftOutCount, leftOutOf } from '../evaluation/disposition.js'
import { isBetween, type Rivals, relative } from '../evaluation/result/readings.js'
import type {
  AnyResult,
  EvaluationResult,
  Horizon,
  ModelMeasures,
  ResultMeasure,
  ResultStratum,
  ResultTest,
} from '../evaluation/result/types.js'
import { leastBlocks } from '../inference/ewc.js'
import { percent } from '../output/figures.js'

/** Views of a result that all report formats share. */

export function sameStratum(a: ResultStratum, b: ResultStratum): boolean {
  if (a === 'all' || b === 'all') return a === b
  return a.name === b.name && a.level === b.level
}

/** Every level of every stratum. */
export const strataLevels = ({ strata }: EvaluationResult) =>
  strata.flatMap(({ name, levels }) => levels.map((of) => ({ name, ...of })))

/** A test of a result of either version; members of only one version are missing. */
export type AnyTest = AnyResult['tests'][number]
export type AnyDisposition = AnyResult['dispositions'][number]
export type AnyReason = AnyDisposition['reasons'][number]
export type AnyVerdict = NonNullable<AnyResult['verdicts']>[number]
export type AnyPart = AnyVerdict['parts'][number]

/** How the window of a result was chosen. */
export const modeOf = ({ kind }: Pick<AnyResult, 'kind'>) =>
  kind === 'backtest' ? ('backtest' as const) : ('prospective' as const)

/** The statuses of a model's attempts, over all origins and series. */
export function accountingIn<R extends AnyResult>(
  { accounting }: R,
  model: string,
  horizon: number | 'all',
): R['accounting'][number] | undefined {
  return (accounting as readonly AnyResult['accounting'][number][]).find(
    (one) =>
      one.model === model &&
      one.horizon === horizon &&
      ('series' in one ? one.series : one.stratum) === 'all',
  )
}

/** The share left out at one horizon, of the origins that count: see `leftOutOf`. */
export interface LeftOut extends LeftOutCount {
  readonly horizon: number
}

/** The cell with the largest share left out; undefined if no cell can have one. */
export function mostOf(
  cells: readonly AnyResult['shared_keys'][number][],
  whole: boolean,
): LeftOut | undefined {
  const share = ({ notScored, origins }: LeftOut) => notScored / origins
  return cells
    .map((cell) => ({ horizon: cell.horizon, ...leftOutOf(cell, whole) }))
    .filter(({ origins }) => origins > 0)
    .reduce<LeftOut | undefined>(
      (most, cell) => (most === undefined || share(cell) > share(most) ? cell : most),
      undefined,
    )
}

/** The scores of a model, over all origins. */
export function measuresOf(
  { measures }: EvaluationResult,
  model: string,
  horizon: Horizon,
): ModelMeasures | undefined {
  return measures.find(
    (one) => one.model === model && one.horizon === horizon && one.stratum === 'all',
  )
}

export interface TestKey extends Rivals {
  readonly measure: ResultMeasure
  readonly horizon: Horizon
  readonly stratum?: ResultStratum
}

export function testOf(result: EvaluationResult, key: TestKey): ResultTest | undefined {
  return result.tests
    .filter(isBetween(key))
    .find(
      ({ measure, horizon, stratum }) =>
        measure === key.measure &&
        horizon === key.horizon &&
        sameStratum(stratum, key.stratum ?? 'all'),
    )
}

/**
 * The test of a candidate's loss against a comparator, over all origins; for any series, over all series or one group.
 */
export function lossTest(
  result: AnyResult,
  rivals: Rivals,
  horizon: Horizon,
  group = 'all',
): AnyTest | undefined {
  if (result.result_version === 1) {
    return testOf(result, { ...rivals, measure: 'point_loss', horizon })
  }
  return result.tests
    .filter(isBetween(rivals))
    .find(
      (test) =>
        test.horizon === horizon && test.group === group && !isDirection(result, test.measure),
    )
}

/** Whether a measure is the direction, whatever its name in a protocol of any series. */
export function isDirection(result: AnyResult, measure: string | null): boolean {
  if (result.result_version === 1) return measure === 'direction_error'
  return result.settings.scores.some(({ id, kind }) => id === measure && kind === 'direction')
}

/** The result of a test: the candidate is significantly better, significantly worse, or neither. */
export function toneOf({
  decision,
  observed,
}: Pick<AnyTest, 'decision' | 'observed'>): 'good' | 'bad' | 'open' {
  if (decision !== 'rejected') return 'open'
  return (observed ?? 0) < 0 ? 'good' : 'bad'
}

/** The test method of a result; results without its name are older than the choice. */
export const methodOf = ({ settings }: AnyResult) =>
  settings.inference?.method ?? 'percentile-bootstrap'

/** The nominal coverage of intervals for the alpha in use: `95 %`, `99.17 %`. */
export function nominalIn({ settings: { alpha } }: AnyResult): string {
  const isWhole = Math.abs(alpha * 100 - Math.round(alpha * 100)) < 1e-9
  return percent(1 - alpha, isWhole ? 0 : 2)
}

/** The number of effective blocks that a test of the result needed. */
export const minimumBlocksIn = (result: AnyResult) =>
  result.result_version === 2
    ? result.settings.minimum_blocks
    : leastBlocks(methodOf(result), result.settings.minimum_blocks)

/**
 * The value that orders tests on the ladder: p, or with weights p rescaled to the average weight. For weight w (the
 * weights sum to 1) among m tests it is p / (m w).
 */
export function ladderP(result: AnyResult, test: AnyTest): number | null {
  if (test.p === null || test.weight === undefined) return test.p
  return test.p / (test.weight * result.family.size)
}

/** The order of tests on the ladder, in words. */
export const orderIn = (result: AnyResult) =>
  methodOf(result) === 'ewc-t' ? 'ascending order of p over weight' : 'ascending order of p'

/** Tests in the order of Holm's ladder: ascending weighted p, ties by name, blocked ones last. */
export function ladderOf<R extends AnyResult>(result: R): readonly R['tests'][number][] {
  const byName = (a: AnyTest, b: AnyTest) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  return [...result.tests].sort((a, b) => {
    const [p, q] = [ladderP(result, a), ladderP(result, b)]
    if (p === null || q === null) return p === q ? byName(a, b) : p === null ? 1 : -1
    return p - q || byName(a, b)
  })
}

/** A difference with its bounds, as shares of the comparator's own mean. */
export function relativeInterval({
  observed,
  bounds,
  ...of
}: Pick<AnyTest, 'observed' | 'bounds' | 'comparator_mean'>) {
  return {
    observed: relative(observed, of),
    lower: relative(bounds?.lower, of),
    upper: relative(bounds?.upper, of),
  }
}

/** Horizons at which the comparator calls up or down often enough for a comparison. */
export function directedHorizons(
  result: EvaluationResult,
  candidate: string,
  comparator: string,
): number[] {
  const reasons = result.dispositions.find((of) => of.candidate === candidate)?.reasons ?? []
  return result.settings.horizons_hours.filter(
    (horizon) =>
      !reasons.some(
        (reason) =>
          reason.code === 'direction_not_comparable' &&
          reason.comparator === comparator &&
          reason.horizon === horizon,
      ),
  )
}

export const overallAndHorizons = (result: AnyResult): readonly Horizon[] => [
  'overall',
  ...horizonsIn(result),
]

/** A chart with more rows is folded, and the page shows its totals. */
export const isLong = ({ result_version: version }: AnyResult, rows: number) =>
  rows > (version === 1 ? 40 : 10)
/** With more items, each gets a short text and the rest is folded. */
export const isMany = (items: number) => items > 3
/** The limit for tables is lower, because their rows are three times as high. */
export const isLongTable = (rows: number) => rows > 10

/** In hours or in steps, as in the result. */
export const horizonsIn = ({ settings }: AnyResult): readonly number[] =>
  'horizons' in settings ? settings.horizons : settings.horizons_hours

const namesOf = ({ models }: AnyResult, role: AnyResult['models'][number]['role']) =>
  models.filter((model) => model.role === role).map(({ name }) => name)

export const candidatesOf = (result: AnyResult) => namesOf(result, 'candidate')

export const comparatorsOf = (result: AnyResult) => namesOf(result, 'comparator')

/** Every candidate with every comparator. */
export const rivalsOf = (result: AnyResult) =>
  candidatesOf(result).flatMap((candidate) =>
    comparatorsOf(result).map((comparator) => ({ candidate, comparator })),
  )

/** Groups items by key; groups and their items stay in order. */
export function groupedBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key) ?? []
    groups.set(key, group)
    group.push(item)
  }
  return groups
}
