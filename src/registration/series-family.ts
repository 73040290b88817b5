import type { SeriesProtocol, SeriesRegistration } from '../contract/types.js'
import { originsADay } from '../inference/days.js'
import type { Memory } from '../inference/ewc.js'
import type { EwcDesign } from '../inference/ewc-judge.js'
import { expectedFrom } from '../periods/expected.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesTimes } from '../periods/series-times.js'
import { groupOf } from '../protocol/rules/groups.js'
import { WITHOUT_OTHERS } from '../protocol/rules/weights.js'
import { askedIn } from '../scoring/baselines/reach.js'
import { namePart } from './family.js'
import { windowOrigins } from './series-plan-rules.js'
import { MEASURE_MEMORY, type VerdictMeasure } from './types.js'

/** One test of a registration of version 2: candidate minus comparator, on the primary score or on direction. */
export interface SeriesTestDefinition {
  /** Unique within the family: `mine/last_value/wis/overall/all`, `mine/last_value/wis/-1/all`, `…/wis/overall/group=state`. */
  readonly name: string
  readonly candidate: string
  readonly comparator: string
  /** Id of the score. */
  readonly measure: string
  /** What the score is to a verdict. */
  readonly role: VerdictMeasure
  /** In steps, or the mean over all cells. */
  readonly horizon: number | 'overall'
  /** The cells of one group of series alone, or `all`. */
  readonly group: string | 'all'
  /** Always true: every test of this family has an equal part of the weight `deciding`. */
  readonly decides: boolean
}

/** The one method of version 2. */
export const SERIES_INFERENCE: SeriesRegistration['inference'] = {
  method: 'ewc-t',
  weights: WITHOUT_OTHERS,
}

/** With fewer of either, four degrees of freedom are too many: a 5 % test of 28 origins was wrong in 7 %. */
const LEAST_SERIES_BLOCKS = 10
const LEAST_SERIES_ORIGINS = 30

/** What a protocol says of its tests, in the terms of inference. */
export function seriesDesign({
  dependence,
  uncertainty,
}: Pick<SeriesProtocol, 'dependence' | 'uncertainty'>): Omit<EwcDesign, 'originsADay'> {
  return {
    blockLength: dependence.block_origins,
    minimumBlocks: dependence.minimum_blocks,
    minimumPairs: Math.max(LEAST_SERIES_ORIGINS, dependence.minimum_pairs),
    alpha: Number(uncertainty.alpha),
    leastBlocks: LEAST_SERIES_BLOCKS,
    counted: 'any',
  }
}

/** Most of some origins of one day. */
export const seriesOriginsADay = (
  origins: readonly number[],
  { due }: Pick<SeriesTimes, 'due'>,
): number => originsADay(origins.map(due))()

/** How long differences of a test remember. */
export const testMemory = (
  { role }: Pick<SeriesTestDefinition, 'role'>,
  protocol: Pick<SeriesProtocol, 'scores'>,
): Memory => (role === 'direction_error' ? MEASURE_MEMORY[role] : seriesMemory(protocol))

/** How long differences of the primary score remember: widths of intervals for longer than errors of points. */
export const seriesMemory = ({ scores }: Pick<SeriesProtocol, 'scores'>): Memory =>
  scores.some(({ primary, kind }) => primary && kind === 'absolute_error') ? 'hours' : 'days'

/** Series at steps that are registered for tests: the calendar gives them as many keys in a window as a test needs. */
export function registeredCells(
  protocol: SeriesProtocol,
  periods: PeriodList,
  origins: readonly number[],
): { readonly series: string; readonly horizon: number }[] {
  const { horizons, dependence } = protocol
  const steps = origins.map((origin) => new Set(periods[origin]?.steps ?? horizons))
  return protocol.series.flatMap((each) => {
    const from = expectedFrom(each, periods)
    const isKey = (horizon: number) => (origin: number, at: number) =>
      steps[at]?.has(horizon) === true && origin + horizon >= from
    return horizons
      .filter((horizon) => origins.filter(isKey(horizon)).length >= dependence.minimum_pairs)
      .map((horizon) => ({ series: each.id, horizon }))
  })
}

/** What of a registration its family follows from. */
export interface SeriesFamilyBasis
  extends Pick<SeriesRegistration, 'candidates' | 'comparators' | 'not_asked' | 'groups'> {
  readonly window: RegisteredOrigins
}

/** Which origins a window has: its ends by their labels, and how many. */
export type RegisteredOrigins = Pick<SeriesRegistration['window'], 'from' | 'to' | 'origins'>

/**
 * Every test in its fixed order: by candidate and comparator the mean over all cells, each horizon, then each group;
 * then the direction at each horizon and in each group, where a score asks for it. A horizon or a group without a cell
 * that is registered for tests has no test, and against persistence, which calls no direction, there is none of it.
 * Against a comparator the cells are those of the series that it is asked of.
 */
export function seriesFamily(
  { window, candidates, comparators, not_asked: unasked, groups }: SeriesFamilyBasis,
  protocol: SeriesProtocol,
  periods: PeriodList,
): SeriesTestDefinition[] {
  const { horizons, scores, baselines } = protocol
  const cells = registeredCells(protocol, periods, windowOrigins(periods, window))
  const groupIn = groupOf(protocol)
  const isAsked = askedIn(unasked)
  const all = 'all' as const
  const scopesOf = (comparator: string): readonly Scope[] => {
    const own = cells.filter(({ series }) => isAsked(comparator, series))
    const tested = horizons.filter((step) => own.some(({ horizon }) => horizon === step))
    const withCell = groups.filter((group) =>
      own.some(({ series }) => groupIn.get(series) === group),
    )
    return [
      ...tested.map((horizon) => ({ horizon, group: all })),
      ...withCell.map((group) => ({ horizon: 'overall' as const, group })),
    ]
  }
  const loss = scores.find(({ primary }) => primary)?.id ?? ''
  const direction = scores.find(({ kind }) => kind === 'direction')?.id
  const isStill = (name: string) =>
    baselines.some(({ id, kind }) => id === name && kind === 'persistence')
  const pairs = candidates.flatMap(({ name: candidate }) =>
    comparators.map(({ name: comparator }) => ({ candidate, comparator })),
  )
  return pairs.flatMap((pair) => {
    const each = scopesOf(pair.comparator)
    const of = (measure: string, role: VerdictMeasure, scopes: readonly Scope[]) =>
      scopes.map((scope) => testOf({ ...pair, measure, role, ...scope }))
    const losses = of(loss, 'point_loss', [{ horizon: 'overall', group: all }, ...each])
    if (direction === undefined || isStill(pair.comparator)) return losses
    return [...losses, ...of(direction, 'direction_error', each)]
  })
}

type Scope = Pick<SeriesTestDefinition, 'horizon' | 'group'>

function testOf(test: Omit<SeriesTestDefinition, 'name' | 'decides'>): SeriesTestDefinition {
  const { candidate, comparator, measure, horizon, group } = test
  const where = group === 'all' ? 'all' : `group=${namePart(group)}`
  const name = [...[candidate, comparator, measure].map(namePart), horizon, where].join('/')
  return { name, ...test, decides: true }
}
