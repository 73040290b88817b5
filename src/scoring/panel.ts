import { ForeproofError } from '../contract/error.js'
import { type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import type { PairedAttempt } from '../pairing/types.js'
import type { ScoredPairs } from './types.js'

/** What a panel has room for. */
export interface PanelShape {
  /** First hourly origin of the window. */
  readonly first: Instant
  /** Hourly origins of the window, gaps included. */
  readonly origins: number
  readonly models: readonly string[]
  readonly horizons: readonly number[]
}

/** The scored pairs of a window: for every model and horizon, arrays over the hourly origins. */
export class Panel {
  readonly shape: PanelShape
  readonly #cells = new Map<string, Map<number, ScoredPairs>>()
  readonly #vintages = new Map<string, number>()

  constructor(shape: PanelShape) {
    this.shape = shape
    for (const model of shape.models) {
      const cells = shape.horizons.map((horizon) => [horizon, emptyPairs(shape.origins)] as const)
      this.#cells.set(model, new Map(cells))
    }
  }

  /**
   * Takes in one attempt. What is not scored, or not of the expected grid, leaves no trace: it has
   * no price to score, and its accounting is the pairing's.
   * @throws {ForeproofError} `bug` when the attempt is of another window, model or horizon.
   */
  add(attempt: PairedAttempt): void {
    if (!attempt.expected || attempt.status !== 'scored') return
    const { p0, p1, forecast, q10, q50, q90 } = attempt
    const pairs = this.pairs(attempt.model, attempt.horizon)
    const index = (Number(attempt.origin) - this.shape.first) / MICROS_PER_HOUR
    if (!Number.isInteger(index) || index < 0 || index >= this.shape.origins) {
      throw new ForeproofError('bug', `an origin outside the window was scored: ${attempt.origin}`)
    }
    if (p0 === null || p1 === null || forecast === null) {
      throw new ForeproofError('bug', 'a scored attempt lacks a price')
    }
    pairs.p0[index] = p0
    pairs.p1[index] = p1
    pairs.forecast[index] = forecast
    pairs.vintage[index] = this.#vintage(attempt.vintageId, attempt.vintageSha256)
    if (attempt.intervalStatus !== 'scored') return
    if (q10 === null || q50 === null || q90 === null) {
      throw new ForeproofError('bug', 'a scored interval lacks a bound')
    }
    pairs.q10[index] = q10
    pairs.q50[index] = q50
    pairs.q90[index] = q90
  }

  /** @throws {ForeproofError} `bug` when the panel has no such model or horizon. */
  pairs(model: string, horizon: number): ScoredPairs {
    const pairs = this.#cells.get(model)?.get(horizon)
    if (pairs) return pairs
    throw new ForeproofError('bug', `the panel holds no ${model} at ${horizon} hours`)
  }

  #vintage(id: string | null, sha256: string | null): number {
    if (id === null && sha256 === null) return 0
    const key = JSON.stringify([id, sha256])
    const known = this.#vintages.get(key)
    if (known !== undefined) return known
    const number = this.#vintages.size + 1
    this.#vintages.set(key, number)
    return number
  }
}

function emptyPairs(origins: number): ScoredPairs {
  const column = () => new Float64Array(origins).fill(Number.NaN)
  return {
    p0: column(),
    p1: column(),
    forecast: column(),
    q10: column(),
    q50: column(),
    q90: column(),
    vintage: new Uint32Array(origins),
  }
}
