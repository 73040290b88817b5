import { ForeproofError } from '../contract/error.js'
import type { WindowOrigins } from '../pairing/grid.js'
import type { PairedAttempt } from '../pairing/paired-attempt.js'
import type { ScoredPairs } from './scored-pairs.js'

/** The dimensions of a panel. */
export interface PanelShape {
  /** Of the window, gaps included. */
  readonly origins: WindowOrigins
  readonly models: readonly string[]
  /** Their ids. */
  readonly cells: readonly number[]
  /** Number of quantiles per forecast. */
  readonly levels: number
}

/** The scored pairs of a window: for every model and cell, arrays over the origins. */
export class Panel {
  readonly shape: PanelShape
  readonly #cells = new Map<string, Map<number, ScoredPairs>>()
  readonly #vintages = new Map<string, number>()

  constructor(shape: PanelShape) {
    this.shape = shape
    const { origins, models, cells, levels } = shape
    for (const model of models) {
      const pairs = cells.map((cell) => [cell, emptyPairs(origins.count, levels)] as const)
      this.#cells.set(model, new Map(pairs))
    }
  }

  /**
   * Adds one attempt. It ignores attempts that are not scored or not on the expected grid: they have no value to score,
   * and pairing counts them.
   * @throws {ForeproofError} `bug` if the attempt belongs to another window, model or cell.
   */
  add(attempt: PairedAttempt): void {
    const { cell, p0, p1, forecast, quantiles } = attempt
    if (cell === undefined || attempt.status !== 'scored') return
    const pairs = this.pairs(attempt.model, cell)
    const index = this.shape.origins.indexOf(attempt.origin ?? Number.NaN)
    if (index === undefined) {
      throw new ForeproofError('bug', `an origin outside the window was scored: ${attempt.origin}`)
    }
    if (p1 === null || forecast === null) {
      throw new ForeproofError('bug', 'a scored attempt lacks a value')
    }
    if (p0 !== null) pairs.p0[index] = p0
    pairs.p1[index] = p1
    pairs.forecast[index] = forecast
    pairs.vintage[index] = this.#vintage(attempt.vintageId, attempt.vintageSha256)
    if (attempt.intervalStatus !== 'scored') return
    for (const [at, values] of pairs.quantiles.entries()) {
      const value = quantiles[at] ?? null
      if (value === null) throw new ForeproofError('bug', 'a scored interval lacks a bound')
      values[index] = value
    }
  }

  /**
   * @throws {ForeproofError} `bug` if the panel has no such model or cell.
   */
  pairs(model: string, cell: number): ScoredPairs {
    const pairs = this.#cells.get(model)?.get(cell)
    if (pairs) return pairs
    throw new ForeproofError('bug', `the panel holds no ${model} in the cell ${cell}`)
  }

  #vintage(id: string | null, sha256: string | null): number {
    if (id === null && sha256 === null) return 0
    const key = JSON.stringify([id, sha256])
    const index = this.#vintages.get(key)
    if (index !== undefined) return index
    const number = this.#vintages.size + 1
    this.#vintages.set(key, number)
    return number
  }
}

/** Pairs of which none is scored. */
export function emptyPairs(origins: number, levels: number): ScoredPairs {
  const column = () => new Float64Array(origins).fill(Number.NaN)
  return {
    p0: column(),
    p1: column(),
    forecast: column(),
    quantiles: Array.from({ length: levels }, column),
    vintage: new Uint32Array(origins),
  }
}
