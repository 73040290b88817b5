import type { CellLine, Reading } from '../../contract/types.js'
import { cumulativeDifference, hlnTest, weekMemory } from '../../inference/beside.js'
import { cosineTables } from '../../inference/cosines.js'
import type { EwcResult } from '../../inference/types.js'
import { namePart, scopeName } from '../../registration/family.js'
import type { VerdictMeasure } from '../../registration/types.js'
import { meanOf, meanOfMeans } from '../../scoring/sum.js'
import type { EvaluateOptions } from '../pair.js'
import { boundsOf, ewcFiguresOf, familyOf, testFigures, verdictsOf } from '../result/shared.js'
import type { ChargedWaiting } from '../waiting.js'
import { cellsIn, type ReadingCell } from './cells.js'
import { type DecidedBasis, decideReading, waitingBasisIn, worthOfWaiting } from './decide.js'
import { inferReading, type ReadingBasis, type ReadingTests } from './infer.js'
import { sumOfKeys } from './keys.js'
import type { ScopedTest } from './registered.js'
import { newestKnown, otherRules, type ReadingRelease } from './releases.js'
import { spreadOf } from './spread.js'
import {
  belowName,
  boundedMeasures,
  type CellSums,
  cellSums,
  type ModelInCell,
  type OwnPlace,
  ownMeans,
  ownName,
  placeOfCell,
  type ShownCounts,
} from './sum.js'

/** The input of a reading. */
export interface ReadingInput extends ReadingBasis, ReadingRelease {
  readonly valueAt: DecidedBasis['valueAt']
}

/** A reading, and one line per cell. */
export interface MadeReading {
  readonly reading: Reading
  readonly lines: readonly CellLine[]
  /** What waiting is worth against persistence, over all deciding steps. */
  readonly worth: number
}

/** Computes one reading of the forecasts: sums, tests, decisions, and the result. */
export async function makeReading(
  input: ReadingInput,
  options: EvaluateOptions,
): Promise<MadeReading> {
  const sums = cellSums(input)
  const tested = await inferReading(input, ownMeans(input, sums), options)
  const basis: Assembled = { ...input, tested, sums, keysOf: sums.keysOf }
  const worth = worthOfWaiting(basis)
  return {
    reading: readingIn(basis, worth),
    lines: input.cells.map((cell) => lineOf(basis, cell)),
    worth: waitingBasisIn(basis, worth).worth,
  }
}

interface Assembled extends DecidedBasis, ReadingRelease {
  readonly tested: ReadingTests
  readonly sums: CellSums
}

function readingIn(basis: Assembled, worth: readonly ChargedWaiting[]): Reading {
  const { registered, paired, waiting, tested } = basis
  const tests = testsIn(basis)
  return {
    accounting: accountingIn(basis),
    beside_grid: Object.fromEntries(paired.accounting.outside),
    measures: measuresIn(basis),
    differences: differencesIn(basis),
    waiting: worth.map(({ comparator, horizon, worth: w }) => ({ comparator, step: horizon, w })),
    nowcasts: [...waiting.nowcasts],
    far_off: [...tested.farOff],
    family: familyOf(tests, registered.familySha256),
    tests,
    verdicts: verdictsIn(basis),
    dispositions: dispositionsIn(basis, worth),
    other_rules: otherRules(basis, basis.sums),
    newest_known: newestKnown(basis),
    spread: spreadOf(basis, basis.sums),
  }
}

/** All origins and series, every level of a stratum, and every group: a cell counts in each scope that contains it. */
function scopesIn({ registered, sums }: Assembled) {
  return [
    ...sums.levels.map((level) => ({
      ...{ level, group: 'all' as const, scope: scopeName(level, 'all') },
    })),
    ...registered.groups.map((group) => {
      return { level: 'all' as const, group, scope: scopeName('all', group) }
    }),
  ]
}

function accountingIn(basis: Assembled): Reading['accounting'] {
  const { registered, cells, sums } = basis
  const stepsAndAll = [...registered.rules.steps, 'overall' as const]
  return sums.models.flatMap((model) =>
    scopesIn(basis).flatMap(({ level, group, scope }) =>
      stepsAndAll.map((step) => {
        // Of all attempts, including nowcasts.
        const own = cells.filter(
          (cell) =>
            (step === 'overall' || cell.horizon === step) &&
            (group === 'all' || cell.group === group),
        )
        const counts = own.map((cell) => sums.modelIn(model, cell, level).counts)
        return { model, step, scope, ...sumOfCounts(counts) }
      }),
    ),
  )
}

function sumOfCounts(all: readonly ShownCounts[]): ShownCounts {
  const sum = (of: (counts: ShownCounts) => number) =>
    all.reduce((total, counts) => total + of(counts), 0)
  const statuses = (member: 'point' | 'interval') => ({
    scored: sum((counts) => counts[member].scored),
    failed: sum((counts) => counts[member].failed),
    abstained: sum((counts) => counts[member].abstained),
    missing: sum((counts) => counts[member].missing),
    ineligible: sum((counts) => counts[member].ineligible),
  })
  const reasons = new Map<string, number>()
  for (const counts of all) {
    for (const [reason, count] of Object.entries(counts.reasons)) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + count)
    }
  }
  return {
    expected: sum(({ expected }) => expected),
    without_outcome: sum((counts) => counts.without_outcome),
    point: statuses('point'),
    interval: statuses('interval'),
    reasons: Object.fromEntries(reasons),
  }
}

type Figures = Pick<Reading['measures'][number], 'pairs' | 'means' | 'bounds' | 'below'>

function measuresIn(basis: Assembled): Reading['measures'] {
  const { registered, cells, sums } = basis
  const steps = registered.rules.steps
  return sums.models.flatMap((model) =>
    scopesIn(basis).flatMap(({ level, group, scope }) =>
      (['overall', ...steps] as const).flatMap((step) => {
        // Groups, like their tests, have only the mean over all steps.
        if (group !== 'all' && step !== 'overall') return []
        const own = cellsIn(cells, { step, group }).filter(
          ({ isShown, series }) => isShown && sums.isAsked(model, series),
        )
        const each = own.map((cell) => sums.modelIn(model, cell, level))
        const place = scope === 'all' ? step : undefined
        return [{ model, step, scope, ...figuresIn(basis, model, each, place, own) }]
      }),
    ),
  )
}

/** Means of a model over cells. @param place - where it has bounds; undefined for a part. */
function figuresIn(
  basis: Assembled,
  model: string,
  each: readonly ModelInCell[],
  place: OwnPlace | undefined,
  own: readonly ReadingCell[],
): Figures {
  const { registered, tested, sums } = basis
  const ids = sums.measures
  const by = <T>(names: readonly string[], of: (name: string) => T) =>
    Object.fromEntries(names.map((name) => [name, of(name)]))
  const bound = (measure: string) =>
    place === undefined ? undefined : tested.ownBounds.get(ownName(model, measure, place))
  const isBelow = place !== undefined && place !== 'overall' && registered.rules.weights !== null
  const below = isBelow ? registered.rules.forecast.levels : []
  return {
    pairs: by(ids, (id) => each.reduce((sum, { means }) => sum + (means[id]?.count ?? 0), 0)),
    means: by(ids, (id) => meanOfMeans(each.map(({ means }) => means[id]?.mean ?? null))),
    bounds: by(place === undefined ? [] : boundedMeasures(basis), (id) => boundsOf(bound(id))),
    below: by(below, (level) => {
      const means = own.map(({ id }) => meanOf(sums.belowIn(model, id, level)))
      const share = meanOfMeans(means.map(({ mean }) => mean))
      return {
        pairs: means.reduce((sum, { count }) => sum + count, 0),
        share,
        // If all outcomes are on one side there is no variation, so no error can be estimated.
        bounds: share === 0 ? null : boundsOf(bound(belowName(level))),
      }
    }),
  }
}

function differencesIn(basis: Assembled): Reading['differences'] {
  const { registered, cells, sums } = basis
  const { steps, scores } = registered.rules
  return sums.pairs.flatMap((pair) =>
    steps.flatMap((step) =>
      scopesIn(basis).map(({ level, group, scope }) => {
        const own = cellsIn(cells, { step, group })
        const shown = own.filter(
          ({ isShown, series }) => isShown && sums.isAsked(pair.comparator, series),
        )
        const compared = shown.map((cell) => sums.comparedIn(pair, cell, level).scores)
        const by = (member: 'observed' | 'comparator_mean') =>
          Object.fromEntries(
            scores.map(({ id }) => [id, meanOfMeans(compared.map((of) => of[id]![member]))]),
          )
        return {
          ...{ ...pair, step, scope },
          ...sumOfKeys(own.map((cell) => sums.keysOf(pair, cell, level))),
          ...{ observed: by('observed'), comparator_mean: by('comparator_mean') },
        }
      }),
    ),
  )
}

function testsIn({ registered, paired, tested }: Assembled): Reading['tests'] {
  const { series, judged, weights, cellsOf, groups } = tested
  const tables = cosineTables()
  const distance = smallestDistance(paired.plan.origins)
  const bounds = new Map(groups.map(({ test, found }) => [test, found]))
  return registered.tests.map((test, at) => {
    const { name, candidate, comparator, measure: score, step, decides } = test
    const found = judged[at]!
    const weight = weights?.[at]
    const ewc = weight === undefined ? undefined : ewcFiguresOf(found as EwcResult, weight)
    const { components } = series[at]!
    const isTested = found.status === 'tested' && weight !== undefined
    const isOverall = isTested && isWholeDeciding(test) && step === 'overall'
    const lead = typeof step === 'number' ? Math.max(1, Math.ceil(step / distance)) : undefined
    const isOne = isTested && isWholeDeciding(test) && components.length === 1
    return {
      ...{
        name,
        candidate,
        comparator,
        score,
        step,
        scope: scopeName(test.stratum, test.group),
        decides,
      },
      cells: cellsOf(test).length,
      ...testFigures(found, series[at]!.comparatorMean),
      degrees_of_freedom: ewc?.degrees_of_freedom ?? null,
      weight: weight ?? null,
      level_adjusted: ewc?.level_adjusted ?? null,
      bounds_simultaneous: found.simultaneousBounds ?? null,
      group_bound: bounds.get(name) ?? null,
      by_verdict: ewc?.by_verdict ?? false,
      hln: isOne && lead !== undefined ? hlnTest(components[0]!, lead) : null,
      memory: isOverall ? weekMemory(components, found.effectiveBlocks, tables) : null,
      cumulative: isOverall ? cumulativeDifference(components) : null,
    }
  })
}

const isWholeDeciding = ({ decides, group, stratum }: ScopedTest): boolean =>
  decides && group === 'all' && stratum === 'all'

/** The smallest distance between origins, in positions. */
function smallestDistance({ count, position }: ReadingBasis['paired']['plan']['origins']): number {
  let smallest = Number.POSITIVE_INFINITY
  for (let at = 1; at < count; at++) smallest = Math.min(smallest, position(at) - position(at - 1))
  return smallest
}

/** Of what a verdict rests on, the ids of scores. */
function scoreOf({ registered: { rules } }: Assembled, measure: VerdictMeasure): string {
  const isMeant = (score: (typeof rules.scores)[number]) =>
    measure === 'point_loss' ? score.primary : score.kind === 'direction'
  return rules.scores.find(isMeant)?.id ?? ''
}

function verdictsIn(basis: Assembled): Reading['verdicts'] {
  return verdictsOf(basis.tested.verdicts ?? []).map(({ parts, ...verdict }) => ({
    ...verdict,
    parts: parts.map(({ test, comparator, horizon: step, measure, observed, limit, p }) => {
      return { test, comparator, step, score: scoreOf(basis, measure), observed, limit, p }
    }),
  }))
}

function dispositionsIn(
  basis: Assembled,
  worth: readonly ChargedWaiting[],
): Reading['dispositions'] {
  const decided = decideReading(basis, worth)
  if (decided === null) return null
  return decided.map(({ candidate, disposition, reasons }) => ({
    ...{ candidate, disposition },
    reasons: reasons.map(({ horizon: step, measure, ...reason }) => ({
      ...{ ...reason, step },
      score: measure === null ? null : scoreOf(basis, measure),
    })),
  }))
}

function lineOf(basis: Assembled, cell: ReadingCell): CellLine {
  const { sums } = basis
  const place = placeOfCell(basis, cell)
  const models = sums.models.map((model) => {
    const own = sums.modelIn(model, cell, 'all')
    return [model, { ...own.counts, ...figuresIn(basis, model, [own], place, [cell]) }]
  })
  const comparisons = sums.pairs.map((pair) => {
    const { keys, scores } = sums.comparedIn(pair, cell, 'all')
    const bounds = boundsOf(sums.boundsIn(pair, cell))
    const differences = basis.registered.rules.scores.map(({ id, primary }) => {
      return [id, { ...scores[id], bounds: primary ? bounds : null }]
    })
    const name = [pair.candidate, pair.comparator].map(namePart).join('/')
    return [name, { ...keys, differences: Object.fromEntries(differences) }]
  })
  const { series, horizon: step, group = null, keys, withOutcome, inTest, isShown } = cell
  return {
    ...{ series, step, group, registered: keys, with_outcome: withOutcome },
    ...{ in_test: inTest, in_means: isShown, scales: [] },
    models: Object.fromEntries(models),
    comparisons: Object.fromEntries(comparisons),
    second: null,
  }
}
