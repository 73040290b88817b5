import { ForeproofError } from '../contract/error.js'
import { compareText } from '../contract/order.js'
import type { PairingRow } from '../forecast/row.js'
import type { TaskPlace } from '../task/types.js'

/** Sees that rows come by origin, series, horizon and model: pairing would silently miss the others. */
export class RowOrder {
  #origin: TaskPlace = Number.NEGATIVE_INFINITY
  #row: PairingRow | undefined

  constructor(private readonly textOf: (origin: TaskPlace) => string) {}

  /** @throws {ForeproofError} `invalid-input` for a row that comes too late. */
  check(origin: TaskPlace, row: PairingRow): void {
    const before = this.#row
    const late =
      origin < this.#origin ||
      (origin === this.#origin && before !== undefined && compareWithinOrigin(before, row) > 0)
    if (late && before !== undefined) throw this.#outOfOrder(before, origin, row)
    this.#origin = origin
    this.#row = row
  }

  #outOfOrder(row: PairingRow, nextOrigin: TaskPlace, next: PairingRow): ForeproofError {
    const key = (at: TaskPlace, { series, horizon, model }: PairingRow) =>
      `${this.textOf(at)}:${series === '' ? '' : `${series}:`}${model}:${horizon}`
    return new ForeproofError(
      'invalid-input',
      `the rows are not in order: ${key(nextOrigin, next)} comes after ${key(this.#origin, row)}`,
      { help: 'Give them by origin, then horizon, then model name.' },
    )
  }
}

/** Series by code point, horizon, then model by code point; a horizon that is no number comes last. */
export function compareWithinOrigin(
  a: Pick<PairingRow, 'series' | 'horizon' | 'model'>,
  b: Pick<PairingRow, 'series' | 'horizon' | 'model'>,
): number {
  if (a.series !== b.series) return compareText(a.series, b.series)
  if (a.horizon !== b.horizon) {
    const last = Number.POSITIVE_INFINITY
    const x = Number.isNaN(a.horizon) ? last : a.horizon
    const y = Number.isNaN(b.horizon) ? last : b.horizon
    if (x !== y) return x - y
  }
  return a.model === b.model ? 0 : compareText(a.model, b.model)
}
