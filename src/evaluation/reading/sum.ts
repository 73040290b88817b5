import { remembering } from '../../contract/remembering.js'
import { cosineTables } from '../../inference/cosines.js'
import { boundsBeside } from '../../inference/ewc-judge.js'
import type { Bounds, Series } from '../../inference/types.js'
import type { CellCounts } from '../../pairing/accounting.js'
import type { StratumLevel } from '../../pairing/types.js'
import { askedIn } from '../../scoring/baselines/reach.js'
import { comparatorSide, differencesOf, keysOf } from '../../scoring/differences.js'
import { type Mean, meanOf } from '../../scoring/sum.js'
import { shownCounts } from '../result/shared.js'
import type { ReadingCell } from './cells.js'
import {
  designIn,
  estimandIn,
  memoryIn,
  type OwnMean,
  primaryIn,
  type ReadingBasis,
} from './infer.js'
import { type ComparedKeys, comparedKeys, type KeysOf } from './keys.js'

/** The values kept of a model in a cell; a result contains only sums of these. */
export interface ModelInCell {
  readonly counts: ShownCounts
  /** By measure. */
  readonly means: Readonly<Record<string, Mean>>
}

export interface ShownCounts extends CellCounts {
  readonly without_outcome: number
}

/** For a candidate and a comparator in a cell. */
export interface ComparedInCell {
  readonly keys: ComparedKeys
  /** By score. */
  readonly scores: Readonly<Record<string, ComparedMeans>>
}

export interface ComparedMeans {
  readonly observed: number | null
  readonly comparator_mean: number | null
}

export interface ComparedPair {
  readonly candidate: string
  readonly comparator: string
}

/** The scope of a mean of one model: a step, all deciding steps, or one cell. */
export type OwnPlace = number | 'overall' | `cell ${number}`

/** All sums: one cell at a time, over all origins or those of a level. */
export interface CellSums {
  readonly models: readonly string[]
  readonly pairs: readonly ComparedPair[]
  /** The measures with means: the scores, and those that are only shown. */
  readonly measures: readonly string[]
  /** The groups of origins for counts: all, then every level. */
  readonly levels: readonly StratumLevel[]
  readonly modelIn: (model: string, cell: ReadingCell, level: StratumLevel) => ModelInCell
  readonly comparedIn: (
    pair: ComparedPair,
    cell: ReadingCell,
    level: StratumLevel,
  ) => ComparedInCell
  /** For the primary score; null if they cannot be computed. */
  readonly boundsIn: (pair: ComparedPair, cell: ReadingCell) => Bounds | undefined
  readonly keysOf: KeysOf
  /** Whether the outcome lies below a level. */
  readonly belowIn: (model: string, cell: number, level: string) => Float64Array
  readonly isAsked: (model: string, series: string) => boolean
}

/** Sums over origins of the scores, each computed once. */
export function cellSums(basis: ReadingBasis): CellSums {
  const { registered, cellOf, cells } = basis
  const { rules, candidates, comparators } = registered
  const models = [...new Set([...candidates, ...comparators].map(({ name }) => name))]
  return {
    models,
    pairs: candidates.flatMap(({ name: candidate }) =>
      comparators.map(({ name: comparator }) => ({ candidate, comparator })),
    ),
    measures: Object.keys(cellOf(models[0] as string, cells[0]!.id).columns),
    levels: ['all', ...registered.levels],
    modelIn: modelSums(basis),
    ...comparedSums(basis),
    belowIn: remembering((model: string, cell: number, level: string) => {
      const { pairs } = cellOf(model, cell)
      const quantile = pairs.quantiles[rules.forecast.levels.indexOf(level)] as Float64Array
      return quantile.map((value, at) => {
        const outcome = pairs.p1[at] as number
        return Number.isNaN(value + outcome) ? Number.NaN : Number(outcome < value)
      })
    }),
    isAsked: askedIn(registered.notAsked),
  }
}

function modelSums({ paired, cellOf }: ReadingBasis): CellSums['modelIn'] {
  const once = remembering((model: string, cell: number, level: StratumLevel) => {
    const { columns } = cellOf(model, cell)
    const membership = paired.memberships.of(level)
    const means = Object.entries(columns).map(([id, column]) => {
      return [id, meanOf(column, membership?.mask)] as const
    })
    const { without_outcome = 0, ...counts } = shownCounts(paired, {
      ...{ model, cell },
      ...(membership && { levels: [membership] }),
    })
    return { counts: { ...counts, without_outcome }, means: Object.fromEntries(means) }
  })
  return (model, { id }, level) => once(model, id, level)
}

function comparedSums(basis: ReadingBasis): Pick<CellSums, 'comparedIn' | 'boundsIn' | 'keysOf'> {
  const { registered, paired, cellOf, cells } = basis
  const { rules } = registered
  const byId = new Map(cells.map((cell) => [cell.id, cell]))
  const keysIn = comparedKeys(rules, paired, cellOf)
  const keysOnce = remembering(
    (candidate: string, comparator: string, cell: number, level: StratumLevel) =>
      keysIn({ candidate, comparator }, byId.get(cell) as ReadingCell, level),
  )
  const differencesIn = ({ candidate, comparator }: ComparedPair, cell: number, score: string) => {
    const [ours, theirs] = [cellOf(candidate, cell), cellOf(comparator, cell)]
    const codes = keysOf(ours.pairs, theirs.pairs, estimandIn(rules, score))
    const own = ours.charged?.[score] ?? ours.columns[score]!
    return { values: differencesOf(own, theirs.columns[score]!, codes), of: theirs.columns[score]! }
  }
  const comparedOnce = remembering(
    (candidate: string, comparator: string, cell: number, level: StratumLevel) => {
      const mask = paired.memberships.of(level)?.mask
      const scores = rules.scores.map(({ id }) => {
        const { values, of } = differencesIn({ candidate, comparator }, cell, id)
        const { mean } = comparatorSide(of, values, mask)
        return [id, { observed: meanOf(values, mask).mean, comparator_mean: mean }] as const
      })
      const keys = keysOnce(candidate, comparator, cell, level)
      return { keys, scores: Object.fromEntries(scores) }
    },
  )
  const [tables, design, primary] = [cosineTables(), designIn(basis), primaryIn(rules)]
  const memory = memoryIn(rules, primary)
  const isDrawn = rules.test.method === 'percentile-bootstrap'
  return {
    comparedIn: ({ candidate, comparator }, { id }, level) =>
      comparedOnce(candidate, comparator, id, level),
    boundsIn: (pair, { id }) => {
      const { values } = differencesIn(pair, id, primary)
      if (isDrawn || meanOf(values).count === 0) return undefined
      return boundsBeside({ name: '', components: [{ values }], memory }, design, tables)
    },
    keysOf: ({ candidate, comparator }, { id }, level) =>
      keysOnce(candidate, comparator, id, level),
  }
}

/** The name of a mean of one model: a measure, or the share below a level. */
export const ownName = (model: string, measure: string, place: OwnPlace): string =>
  JSON.stringify([model, measure, place])

/** The measures whose means have bounds: the primary score, and coverage. */
export function boundedMeasures({ registered: { rules } }: ReadingBasis): string[] {
  const coverage = rules.scores.filter(({ kind }) => kind === 'coverage')
  return [primaryIn(rules), ...coverage.map(({ id }) => id)]
}

/** The name of a share below a level, as a measure. */
export const belowName = (level: string): string => `below ${level}`

/** Where a cell's bounds are found: at its step if it is the only cell there. */
export const placeOfCell = (
  { registered }: Pick<ReadingBasis, 'registered'>,
  { id, horizon }: ReadingCell,
): OwnPlace => (registered.rules.series.length === 1 ? horizon : `cell ${id}`)

/** All means with bounds outside of the family: over all deciding steps, by step and by cell. */
export function ownMeans(basis: ReadingBasis, sums: CellSums): OwnMean[] {
  const { registered, cells, cellOf } = basis
  const { rules } = registered
  const isSeveral = rules.series.length > 1
  const levels = rules.weights === null ? [] : rules.forecast.levels
  return sums.models.flatMap((model) => {
    const shown = cells.filter(({ isShown, series }) => isShown && sums.isAsked(model, series))
    const places: (readonly [OwnPlace, readonly ReadingCell[]])[] = [
      ['overall', shown.filter(({ decides }) => decides)],
      ...rules.steps.map(
        (step) => [step, shown.filter(({ horizon }) => horizon === step)] as const,
      ),
      ...(isSeveral ? cells.map((cell) => [`cell ${cell.id}`, [cell]] as const) : []),
    ]
    const of = (measure: string, valuesIn: (cell: number) => Float64Array, from: number) =>
      places.slice(from).flatMap(([place, own]): OwnMean[] => {
        const components = own.map(({ id }): Series => ({ values: valuesIn(id) }))
        if (components.length === 0) return []
        const memory = memoryIn(rules, measure)
        return [{ name: ownName(model, measure, place), components, memory }]
      })
    const measures = boundedMeasures(basis)
    return [
      ...measures.flatMap((id) => of(id, (cell) => cellOf(model, cell).columns[id]!, 0)),
      ...levels.flatMap((level) =>
        of(belowName(level), (cell) => sums.belowIn(model, cell, level), 1),
      ),
    ]
  })
}
