import type { WaitingBasis } from '../../inference/disposition.js'
import { negativeDirection } from '../../protocol/rules/lax.js'
import { askedIn } from '../../scoring/baselines/reach.js'
import { meanOf, meanOfColumns } from '../../scoring/sum.js'
import { type AvailabilityPart, availabilityOf, dispositionsOf } from '../disposition.js'
import { type MissingOutcomes, missingBefore, missingOutcomes, mostlyMissing } from '../gaps.js'
import { type ChargedWaiting, chargedWaiting, largestWorth, worthAgainst } from '../waiting.js'
import { cellsIn, testedSteps } from './cells.js'
import { primaryIn, type ReadingBasis, type ReadingTests } from './infer.js'
import type { KeysOf } from './keys.js'
import { isPersistence, type ScopedTest } from './registered.js'

/** The input of a verdict. */
export interface DecidedBasis extends ReadingBasis {
  readonly tested: ReadingTests
  readonly keysOf: KeysOf
  /** The value that counts; NaN if missing. Series by their position in the rules. */
  readonly valueAt: (series: number, period: number) => number
}

/** What waiting until forecasts are due is worth, against every comparator that is charged for it. */
export function worthOfWaiting({
  registered,
  cells,
  cellOf,
  tested,
}: Pick<DecidedBasis, 'registered' | 'cells' | 'cellOf' | 'tested'>): ChargedWaiting[] {
  const { rules, comparators, notAsked } = registered
  // Without hypotheses nothing is decided, so nothing is charged.
  if (tested.verdicts === null) return []
  const primary = primaryIn(rules)
  const isAsked = askedIn(notAsked)
  return chargedWaiting({
    comparators,
    horizons: rules.steps,
    charged: tested.charged,
    cellsIn: (comparator, step) =>
      cellsIn(cells, { step, group: 'all' })
        .filter(({ isShown, series }) => isShown && isAsked(comparator, series))
        .map(({ id }) => id),
    lossOf: (comparator, cell) => cellOf(comparator, cell).columns[primary]!,
  })
}

/** The part of waiting that can prevent a verdict, measured by persistence. */
export function waitingBasisIn(
  { registered: { rules }, cells, waiting: { nowcasts } }: ReadingBasis,
  all: readonly ChargedWaiting[],
): WaitingBasis {
  const named = rules.baselines.filter(isPersistence).map(({ id }) => id)
  const shown = all.filter(({ comparator }) => named.includes(comparator))
  const steps = testedSteps(rules, cells)
  return {
    worth: largestWorth(shown.length > 0 ? shown : all),
    nowcasts: nowcasts.filter((step) => steps.includes(step)),
    isOnly: steps.length > 0 && steps.every((step) => nowcasts.includes(step)),
    isGivenAway: rules.origins.waiting === 'part_of_the_task',
  }
}

/** The disposition of every candidate, by the limits of the rules; null if nothing is decided. */
export function decideReading(basis: DecidedBasis, worth: readonly ChargedWaiting[]) {
  const { registered, paired, cells, tested } = basis
  const { find, judged, verdicts, testOf, isAsked, groups } = tested
  if (verdicts === null) return null
  const { rules, tests, mode, candidates, comparators, isShortened, tooLax } = registered
  const { limits, scores, baselines } = rules
  const waiting = waitingBasisIn(basis, worth)
  const directed = scores.find(({ kind }) => kind === 'direction')
  const testAt = (at: number) => tests[at] as ScopedTest
  const found = dispositionsOf({
    registration: { mode, candidates, comparators },
    ...{ paired, verdicts, tooLax, waiting },
    practicalFloor: limits.practical_effect,
    regressionLimit: limits.harm,
    directionLimit: negativeDirection(
      limits.direction ?? Number.POSITIVE_INFINITY,
      directed?.epsilon ?? 0,
    ),
    availabilityLimits: { all: limits.availability ?? 1, level: limits.availability_stratum ?? 1 },
    shortened: isShortened,
    alpha: rules.alpha,
    isBuiltIn: (name) => baselines.some(({ id }) => id === name),
    missingOutcomes: missingIn(basis),
    found: (candidate, { name: comparator, source }) => {
      const pair = { candidate, comparator }
      const judgedAt = (at: number) => {
        const { comparatorMean: comparatorLoss, components } = testOf(testAt(at), 'worst')
        return { test: judged[at]!, comparatorLoss, estimate: meanOfColumns(components) }
      }
      const charged = waiting.isGivenAway ? 0 : worthAgainst(worth, comparator)
      // None against persistence, or if the comparator calls a direction too rarely, because nothing can be lost to it
      // there.
      const direction = (step: number) => {
        const at = find({ ...pair, role: 'direction_error', step })
        return at !== undefined && isAsked(testAt(at)) ? judged[at]! : null
      }
      const overall = find({ ...pair, role: 'point_loss', step: 'overall' }) as number
      return {
        availability: availabilityIn(basis, pair, source === 'history'),
        overall: { ...judgedAt(overall), waiting: charged },
        horizons: testedSteps(rules, cells).flatMap((step) => {
          const at = find({ ...pair, role: 'point_loss', step })
          if (at === undefined) return []
          const isDirected = directed !== undefined && !waiting.nowcasts.includes(step)
          const asked = isDirected ? direction(step) : undefined
          return [{ horizon: step, point: judgedAt(at), direction: asked }]
        }),
        groups: groups.filter(
          ({ of }) => of.candidate === candidate && of.comparator === comparator,
        ),
      }
    },
  })
  return found
}

interface Pair {
  readonly candidate: string
  readonly comparator: string
}

/** What was left out in a comparison. @param ofHistory - as in `availabilityOf`. */
function availabilityIn(basis: DecidedBasis, pair: Pair, ofHistory: boolean) {
  const { registered, cells, keysOf } = basis
  const { rules, levels, notAsked } = registered
  const isAsked = askedIn(notAsked)
  const tested = cells.filter(({ inTest, series }) => inTest && isAsked(pair.comparator, series))
  const own = tested.map((cell) => ({ ...keysOf(pair, cell, 'all'), horizon: cell.horizon, cell }))
  const ofLevels = levels.map((level): AvailabilityPart => {
    const counts = tested.map((cell) => ({ ...keysOf(pair, cell, level), horizon: cell.horizon }))
    return { level: `${level.name}: ${level.level}`, cells: counts }
  })
  const shareOf = lossShares(basis, pair.comparator)
  // With one series, its share equals the overall share.
  const several = rules.series.length > 1 ? rules.series : []
  const bySeries = several.map(
    ({ id }): AvailabilityPart => ({
      level: `series: ${id}`,
      isSeries: true,
      lossShare: shareOf(id),
      cells: own.filter(({ cell }) => cell.series === id),
    }),
  )
  return availabilityOf(own, [...ofLevels, ...bySeries], ofHistory)
}

/** The share of a comparator's loss that comes from a series, over all tested cells. */
function lossShares(
  { registered: { rules, notAsked }, cells, cellOf }: DecidedBasis,
  comparator: string,
): (series: string) => number {
  const isAsked = askedIn(notAsked)
  const own = new Map<string, number>()
  for (const { id, inTest, series } of cells) {
    if (!inTest || !isAsked(comparator, series)) continue
    const { mean } = meanOf(cellOf(comparator, id).columns[primaryIn(rules)]!)
    own.set(series, (own.get(series) ?? 0) + (mean ?? 0))
  }
  const all = [...own.values()].reduce((sum, one) => sum + one, 0)
  return (series) => (all === 0 ? 0 : (own.get(series) ?? 0) / all)
}

/** Reports if more of the expected outcomes are missing than a verdict allows. */
function missingIn({ registered, paired, cells, valueAt }: DecidedBasis): MissingOutcomes[] {
  const { rules } = registered
  const { calendar, periods, series, scaling } = rules
  const groups = new Map(cells.map((cell) => [cell.series, cell.group]))
  const first = periods.kind === 'list' ? periods.first : undefined
  // A calendar of all full hours has no first period.
  const before = series.flatMap(({ id, from }, at) => {
    const start = from ?? first
    if (start === undefined) return []
    const hasValue = (period: number) => !Number.isNaN(valueAt(at, period))
    return [{ id, from: calendar.position(start), hasValue }]
  })
  return [
    ...missingOutcomes(cells, (of) => groups.get(of)),
    ...(scaling.kind === 'none' ? mostlyMissing(cells) : []),
    ...missingBefore(before, paired.plan.origins.position(0), calendar.label),
  ]
}
