import { remembering } from '../../contract/remembering.js'
import { createCosineTables } from '../../inference/cosines.js'
import { boundsBeside } from '../../inference/ewc-judge.js'
import { createMeanSums } from '../../inference/sums.js'
import type { Bounds } from '../../inference/test-result.js'
import type { CellCounts } from '../../pairing/accounting.js'
import type { StratumLevel } from '../../pairing/plan.js'
import type { MeasureColumns } from '../../scoring/cells.js'
import { comparatorMean, keyCodes, pairDifferences } from '../../scoring/differences.js'
import { average, type Mean } from '../../scoring/sum.js'
import { countAttempts } from '../result/shared.js'
import { estimandIn, memoryIn, primaryIn, type ReadingPlan } from './basis.js'
import type { ReadingCell, SeriesReading } from './cells.js'
import { type ComparedKeys, createKeyCounter, type KeyCounter } from './keys.js'

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

/** The sums of a series: one cell at a time, over all origins or those of a level. */
export interface CellSums {
  /** The measures with means: the scores, and those that are only shown. */
  readonly measures: readonly string[]
  readonly getColumns: (model: string, cell: number) => MeasureColumns
  readonly modelIn: (model: string, cell: ReadingCell, level: StratumLevel) => ModelInCell
  readonly comparedIn: (
    pair: ComparedPair,
    cell: ReadingCell,
    level: StratumLevel,
  ) => ComparedInCell
  /** For the primary score; undefined if they cannot be computed. */
  readonly boundsIn: (pair: ComparedPair, cell: ReadingCell) => Bounds | undefined
  /** Of a mean of one model in a cell. */
  readonly ownBoundsIn: (values: Float64Array, measure: string) => Bounds | undefined
  readonly countKeys: KeyCounter
  /** Whether the outcome lies below a level. */
  readonly belowIn: (model: string, cell: number, level: string) => Float64Array
}

/** The models of a reading, candidates first. */
export const modelNames = ({ registered: { candidates, comparators } }: ReadingPlan): string[] => [
  ...new Set([...candidates, ...comparators].map(({ name }) => name)),
]

export const comparedPairs = ({
  registered: { candidates, comparators },
}: ReadingPlan): ComparedPair[] =>
  candidates.flatMap(({ name: candidate }) =>
    comparators.map(({ name: comparator }) => ({ candidate, comparator })),
  )

/** Sums over origins of the scores of a series, each computed once. */
export function createCellSums(of: ReadingPlan, own: SeriesReading): CellSums {
  const { rules } = of.registered
  const { getCell, cells } = own
  const [first = ''] = modelNames(of)
  return {
    measures: Object.keys(getCell(first, cells[0]!.id).columns),
    getColumns: (model, cell) => getCell(model, cell).columns,
    modelIn: modelSums(own),
    ...comparedSums(of, own),
    belowIn: remembering((model: string, cell: number, level: string) => {
      const { pairs } = getCell(model, cell)
      const quantile = pairs.quantiles[rules.forecast.levels.indexOf(level)] as Float64Array
      return quantile.map((value, at) => {
        const outcome = pairs.p1[at] as number
        return Number.isNaN(value + outcome) ? Number.NaN : Number(outcome < value)
      })
    }),
  }
}

function modelSums({ paired, getCell }: SeriesReading): CellSums['modelIn'] {
  const once = remembering((model: string, cell: number, level: StratumLevel) => {
    const { columns } = getCell(model, cell)
    const membership = paired.memberships.of(level)
    const means = Object.entries(columns).map(([id, column]) => {
      return [id, average(column, membership?.mask)] as const
    })
    const { without_outcome = 0, ...counts } = countAttempts(paired, {
      ...{ model, cell },
      ...(membership && { levels: [membership] }),
    })
    return { counts: { ...counts, without_outcome }, means: Object.fromEntries(means) }
  })
  return (model, { id }, level) => once(model, id, level)
}

function comparedSums(
  of: ReadingPlan,
  { paired, getCell, cells }: SeriesReading,
): Pick<CellSums, 'comparedIn' | 'boundsIn' | 'ownBoundsIn' | 'countKeys'> {
  const { rules } = of.registered
  const byId = new Map(cells.map((cell) => [cell.id, cell]))
  const keysIn = createKeyCounter(rules, paired, getCell)
  const keysOnce = remembering(
    (candidate: string, comparator: string, cell: number, level: StratumLevel) =>
      keysIn({ candidate, comparator }, byId.get(cell) as ReadingCell, level),
  )
  const differencesIn = ({ candidate, comparator }: ComparedPair, cell: number, score: string) => {
    const [ours, theirs] = [getCell(candidate, cell), getCell(comparator, cell)]
    const codes = keyCodes(ours.pairs, theirs.pairs, estimandIn(rules, score))
    const losses = ours.charged?.[score] ?? ours.columns[score]!
    return {
      values: pairDifferences(losses, theirs.columns[score]!, codes),
      of: theirs.columns[score]!,
    }
  }
  const comparedOnce = remembering(
    (candidate: string, comparator: string, cell: number, level: StratumLevel) => {
      const mask = paired.memberships.of(level)?.mask
      const scores = rules.scores.map(({ id }) => {
        const { values, of } = differencesIn({ candidate, comparator }, cell, id)
        const comparator_mean = comparatorMean(of, values, mask)
        return [id, { observed: average(values, mask).mean, comparator_mean }] as const
      })
      const keys = keysOnce(candidate, comparator, cell, level)
      return { keys, scores: Object.fromEntries(scores) }
    },
  )
  const [tables, primary] = [createCosineTables(), primaryIn(rules)]
  const isDrawn = rules.test.method === 'percentile-bootstrap'
  const computeBounds = (values: Float64Array, measure: string) => {
    if (isDrawn || average(values).count === 0) return undefined
    const sums = createMeanSums([{ values }], of.design.blockLength)
    return boundsBeside({ name: '', sums, memory: memoryIn(rules, measure) }, of.design, tables)
  }
  return {
    comparedIn: ({ candidate, comparator }, { id }, level) =>
      comparedOnce(candidate, comparator, id, level),
    boundsIn: (pair, { id }) => computeBounds(differencesIn(pair, id, primary).values, primary),
    ownBoundsIn: computeBounds,
    countKeys: ({ candidate, comparator }, { id }, level) =>
      keysOnce(candidate, comparator, id, level),
  }
}
