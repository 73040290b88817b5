import type { RulesData } from '../../../contract/types.js'
import { primaryTransform } from '../../../protocol/rules/transforms.js'
import { computeMeasures } from '../../../scoring/cells.js'
import type { ScoredPairs } from '../../../scoring/scored-pairs.js'
import type { ScoreMeasure } from '../../../scoring/scores.js'
import { average } from '../../../scoring/sum.js'
import type { Random } from '../random.js'
import { hardestByStep, type SeriesPast } from './past.js'

/** Positions in the past, one per origin of a drawn window; after its end the past starts again. */
export type DrawnIndices = Int32Array

/** Noise for a window: errors per cell that are independent of any comparator's. */
export type SeriesNoise = readonly Float64Array[]

/**
 * Error sizes are averaged over this number of blocks on either side of an origin. With few blocks they are mostly
 * chance, and a candidate whose own errors are large where the comparator's happen to be is found too often.
 */
const SIZED_BLOCKS = 16
/** Noise is from another part of the past: further away than its length by this. */
const LEAST_SHIFT = 8

/** Number of scored forecasts for estimating the losses of a simulated candidate. */
const FORECASTS_FOR_SCALE = 400_000
const MOST_DRAWS_FOR_SCALE = 20

interface PastCell {
  readonly horizon: number
  /** Position in the protocol. */
  readonly series: number
  /** Outcomes on the deciding transform; NaN if there is none. */
  readonly outcomes: Float64Array
  readonly p0: Float64Array
  readonly p1: Float64Array
  /** Errors of the step's hardest comparator on that transform; if it makes no forecast, those of the next. */
  readonly errors: Float64Array
  /** Its quantiles minus its forecast, by level. */
  readonly widths: readonly Float64Array[]
}

/**
 * Simulates candidates that resemble, at each step, the comparator that is hardest to beat there. On the deciding
 * transform, the error of one is scale · (rho · e + sqrt(1 − rho²) · w). e is the comparator's error, and w its error
 * at another time, the same time in all cells, scaled to the current size of errors. So it has the dependence of errors
 * on neighbours, steps and series. Its quantiles are around its forecast like the comparator's. The scale of each step
 * makes its mean loss equal to the comparator's.
 */
export class MadeSeries {
  readonly #cells: readonly PastCell[]
  readonly #past: SeriesPast
  readonly #primary: ScoreMeasure
  readonly #on: ReturnType<typeof primaryTransform>
  /** The size of errors of all cells around an origin, as a share of their mean square. */
  readonly #sizes: Float64Array
  readonly #getLoss: (cell: number) => number

  constructor(past: SeriesPast, rules: Pick<RulesData, 'series' | 'scores' | 'dependence'>) {
    this.#past = past
    this.#on = primaryTransform(rules.scores)
    this.#primary = past.scores.find(({ primary }) => primary) as ScoreMeasure
    const indices = new Map(rules.series.map(({ id }, at) => [id, at]))
    const hardest = hardestByStep(past)
    this.#cells = past.cells.map(({ id, series, horizon }) =>
      this.#createCell(id, indices.get(series) as number, horizon, hardest.get(horizon) ?? []),
    )
    this.#sizes = sizesAbout(this.#cells, SIZED_BLOCKS * rules.dependence.block_origins)
    this.#getLoss = (cell) => {
      const [name = ''] = hardest.get(past.cells[cell]?.horizon ?? Number.NaN) ?? []
      return average(past.getCell(name, cell).columns[this.#primary.id]!).mean ?? Number.NaN
    }
  }

  #createCell(id: number, series: number, horizon: number, names: readonly string[]): PastCell {
    const { origins } = this.#past
    const on = this.#on.of
    const { p0, p1 } = this.#past.asked(id)
    const outcomes = p1.map(on)
    const models = names.map((name) => this.#past.getCell(name, id).pairs)
    const errors = new Float64Array(origins.length)
    const widths = (models[0]?.quantiles ?? []).map(() => new Float64Array(origins.length))
    for (let at = 0; at < origins.length; at++) {
      const model = models.find(({ forecast }) => !Number.isNaN(forecast[at]))
      if (model === undefined || Number.isNaN(outcomes[at])) continue
      const middle = on(model.forecast[at] as number)
      errors[at] = middle - (outcomes[at] as number)
      for (const [level, column] of widths.entries()) {
        column[at] = on(model.quantiles[level]![at] as number) - middle
      }
    }
    return { horizon, series, outcomes, p0, p1, errors, widths }
  }

  /** Noise for a window; when the past starts again, from another part of it. */
  noise(indices: DrawnIndices, random: Random): SeriesNoise {
    const length = this.#past.origins.length
    const apart = Math.floor(length / LEAST_SHIFT)
    const from = new Int32Array(indices.length)
    for (let i = 0, shift = 0; i < indices.length; i++) {
      if (i === 0 || indices[i]! < indices[i - 1]!) {
        shift = apart + Math.floor(random.uniform() * (length - 2 * apart))
      }
      from[i] = (indices[i]! + shift) % length
    }
    const sizes = Float64Array.from(
      from,
      (index, i) => this.#sizes[indices[i]!]! / this.#sizes[index]!,
    )
    return this.#cells.map(({ errors }) =>
      Float64Array.from(from, (index, i) => sizes[i]! * (errors[index] as number)),
    )
  }

  /**
   * Forecasts in a cell of a window.
   * @param share - factor on the errors, below 1 for better candidates.
   */
  pairs(
    cell: number,
    indices: DrawnIndices,
    noise: SeriesNoise,
    { correlation, scale, sign }: MadeLaw,
    share = 1,
  ): ScoredPairs {
    const { outcomes, p0, p1, errors, widths, horizon } = this.#cells[cell] as PastCell
    const drawn = noise[cell] as Float64Array
    const size = share * (scale.get(horizon) ?? 1)
    const apart = sign * Math.sqrt(1 - correlation ** 2)
    const at = (column: Float64Array) =>
      Float64Array.from(indices, (index) => column[index] as number)
    const column = () => new Float64Array(indices.length)
    const [forecast, quantiles] = [column(), widths.map(column)]
    for (let i = 0; i < indices.length; i++) {
      const position = indices[i] as number
      const outcome = outcomes[position] as number
      const error = correlation * (errors[position] as number) + apart * (drawn[i] as number)
      forecast[i] = this.#on.back(outcome + size * error)
      for (const [level, of] of widths.entries()) {
        quantiles[level]![i] = this.#on.back(outcome + size * (error + (of[position] as number)))
      }
    }
    return { p0: at(p0), p1: at(p1), forecast, quantiles, vintage: new Uint32Array(indices.length) }
  }

  /** Losses of forecasts in a cell. */
  losses(cell: number, pairs: ScoredPairs): Float64Array {
    const { series } = this.#cells[cell] as PastCell
    const columns = computeMeasures(pairs, [this.#primary], series, (index) => pairs.p1[index]!)
    return columns[this.#primary.id] as Float64Array
  }

  /**
   * The law of candidates with this correlation of errors to the comparator's, and the comparator's loss at each step.
   */
  law(correlation: number, random: Random): Omit<MadeLaw, 'sign'> {
    const indices = Int32Array.from(this.#past.origins, (_, at) => at)
    const forecasts = indices.length * this.#cells.length
    const draws = Math.min(MOST_DRAWS_FOR_SCALE, Math.ceil(FORECASTS_FOR_SCALE / 2 / forecasts))
    const made = new Map<number, { own: number; theirs: number }>()
    for (let draw = 0; draw < draws; draw++) {
      const noise = this.noise(indices, random)
      for (const sign of [1, -1] as const) {
        const unscaled = { correlation, scale: new Map<number, number>(), sign }
        for (const [cell, { horizon }] of this.#cells.entries()) {
          const loss = average(this.losses(cell, this.pairs(cell, indices, noise, unscaled))).mean
          const theirs = this.#getLoss(cell)
          if (loss === null || Number.isNaN(theirs)) continue
          const sums = made.get(horizon) ?? { own: 0, theirs: 0 }
          made.set(horizon, { own: sums.own + loss, theirs: sums.theirs + theirs })
        }
      }
    }
    const scale = new Map([...made].map(([step, { own, theirs }]) => [step, theirs / own] as const))
    return { correlation, scale }
  }
}

/** Root mean square of errors around each origin, with equal weights for cells. @param width - in origins */
function sizesAbout(cells: readonly PastCell[], width: number): Float64Array {
  const length = cells[0]?.errors.length ?? 0
  const squares = new Float64Array(length)
  for (const { errors } of cells) {
    const sizes = errors.map((error) => error * error)
    const mean = average(sizes).mean as number
    if (mean > 0) for (let at = 0; at < length; at++) squares[at]! += (sizes[at] as number) / mean
  }
  return squares.map((_, at) => {
    const about = squares.subarray(Math.max(0, at - width), at + width + 1)
    return Math.sqrt(average(about).mean as number) || 1
  })
}

/** The error law of a simulated candidate. */
export interface MadeLaw {
  readonly correlation: number
  /** By step. */
  readonly scale: ReadonlyMap<number, number>
  /** −1 for the mirror image of the noise, which is equally likely. */
  readonly sign: 1 | -1
}
