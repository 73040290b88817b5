import { ForeproofError } from '../contract/error.js'
import { MICROS_PER_HOUR } from '../contract/instant.js'
import { type PairedAttempt, REASONS, type Reason, STATUS_OF, STATUSES } from '../pairing/types.js'
import type { PanelShape } from '../scoring/panel.js'
import type { Memberships } from '../scoring/strata.js'
import type { Accounting, Stratum } from './result.js'

const STATUS_AT = Object.fromEntries(STATUSES.map((status, index) => [status, index]))
const REASON_AT = Object.fromEntries(REASONS.map((reason, index) => [reason, index]))
const INTERVAL = REASONS.length
const WIDTH = INTERVAL + STATUSES.length

/**
 * Counts attempts by model, horizon and stratum level as they go by. A cell holds the reasons of
 * the points (which give their statuses) and the statuses of the intervals.
 */
export class Tallies {
  readonly #shape: PanelShape
  readonly #strata: readonly Stratum[]
  readonly #counts: Int32Array
  readonly #expected: readonly number[]
  /** For every origin the strata it belongs to, as numbers of `#strata`. */
  readonly #levels: readonly (readonly number[])[]
  readonly #models: ReadonlyMap<string, number>
  readonly #horizons: ReadonlyMap<number, number>
  readonly outside = new Map<Reason, number>()

  /** @param strata all origins first, then every level of every stratum. */
  constructor(shape: PanelShape, strata: readonly Stratum[], memberships: Memberships) {
    this.#shape = shape
    this.#strata = strata
    const { models, horizons, origins } = shape
    this.#models = new Map(models.map((model, index) => [model, index]))
    this.#horizons = new Map(horizons.map((horizon, index) => [horizon, index]))
    this.#counts = new Int32Array(models.length * horizons.length * strata.length * WIDTH)
    const masks = strata.map((one) =>
      one === 'all' ? undefined : memberships.mask(one.name, one.level),
    )
    this.#levels = Array.from({ length: origins }, (_, origin) =>
      masks.flatMap((mask, index) => (mask === undefined || mask[origin] === 1 ? [index] : [])),
    )
    this.#expected = strata.map((_, index) =>
      this.#levels.reduce((sum, levels) => sum + (levels.includes(index) ? 1 : 0), 0),
    )
  }

  add(attempt: PairedAttempt): void {
    const { reason, intervalStatus } = attempt
    if (!attempt.expected) {
      this.addOutside(reason)
      return
    }
    const model = this.#models.get(attempt.model) ?? -1
    const horizon = this.#horizons.get(attempt.horizon) ?? -1
    const levels = this.#levels[(Number(attempt.origin) - this.#shape.first) / MICROS_PER_HOUR]
    if (model < 0 || horizon < 0 || levels === undefined) {
      throw new ForeproofError('bug', `an attempt outside the grid was expected: ${attempt.model}`)
    }
    for (const level of levels) {
      const cell = this.#cell(model, horizon, level)
      this.#counts[cell + (REASON_AT[reason] as number)]!++
      this.#counts[cell + INTERVAL + (STATUS_AT[intervalStatus] as number)]!++
    }
  }

  /** Counts a row that belongs to no expected attempt. */
  addOutside(reason: Reason): void {
    this.outside.set(reason, (this.outside.get(reason) ?? 0) + 1)
  }

  #cell(model: number, horizon: number, level: number): number {
    return ((model * this.#shape.horizons.length + horizon) * this.#strata.length + level) * WIDTH
  }

  /**
   * The accounting of every model and stratum, per horizon and over all horizons.
   * @throws {ForeproofError} `bug` when counts do not add up to the grid.
   */
  accounting(): Accounting[] {
    const { models, horizons } = this.#shape
    return models.flatMap((model, m) =>
      this.#strata.flatMap((stratum, level) => {
        const each = horizons.map((horizon, h) =>
          this.#accounted({ model, horizon, stratum }, [this.#cell(m, h, level)], level),
        )
        const cells = horizons.map((_, h) => this.#cell(m, h, level))
        return [...each, this.#accounted({ model, horizon: 'all', stratum }, cells, level)]
      }),
    )
  }

  #accounted(
    place: Pick<Accounting, 'model' | 'horizon' | 'stratum'>,
    cells: readonly number[],
    level: number,
  ): Accounting {
    const total = (offset: number) =>
      cells.reduce((sum, cell) => sum + (this.#counts[cell + offset] ?? 0), 0)
    const expected = (this.#expected[level] ?? 0) * cells.length
    const point = { scored: 0, failed: 0, abstained: 0, missing: 0, ineligible: 0 }
    const reasons: Record<string, number> = {}
    REASONS.forEach((reason, index) => {
      const count = total(index)
      point[STATUS_OF[reason]] += count
      if (reason !== 'scored' && count > 0) reasons[reason] = count
    })
    const interval = { scored: 0, failed: 0, abstained: 0, missing: 0, ineligible: 0 }
    STATUSES.forEach((status, index) => {
      interval[status] = total(INTERVAL + index)
    })
    for (const counts of [point, interval]) {
      const found = STATUSES.reduce((sum, status) => sum + counts[status], 0)
      if (found === expected) continue
      const where = `${place.model} at ${place.horizon}`
      throw new ForeproofError('bug', `counts of ${where}: ${found} given, ${expected} expected`)
    }
    return { ...place, expected, point, interval, reasons }
  }
}
