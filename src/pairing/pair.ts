import { NO_FORECAST, type PairingRow } from '../forecast/row.js'
import { Clock } from '../task/clock.js'
import type { TaskPlace } from '../task/types.js'
import { CellIndex, Cursor } from './grid.js'
import { faultOfTimes, judge } from './judge.js'
import { RowOrder } from './row-order.js'
import {
  type PairedAttempt,
  type PairingPlan,
  type Reason,
  STATUS_OF,
  type Target,
} from './types.js'

/**
 * Gives every expected attempt of the plan exactly one status and reason, in origin, series, horizon, model
 * order, and lists rows that are not expected among them. Rows come in the same order, those whose origin
 * cannot be read anywhere; rows of other windows are passed over. Times are compared to the microsecond: nothing is joined to a nearest neighbour.
 * Memory holds one batch of rows, whose attempts are to be read before the next is asked for.
 * @throws {ForeproofError} `invalid-input` for a plan that contradicts itself or rows out of order.
 */
export async function* pairAttempts(
  plan: PairingPlan,
  batches: AsyncIterable<Iterable<PairingRow>>,
): AsyncGenerator<Iterable<PairedAttempt>, void, undefined> {
  const pairing = new Pairing(plan)
  for await (const rows of batches) yield pairing.take(rows)
  yield pairing.rest()
}

/** A pairing on its way through the rows. */
export class Pairing {
  readonly #plan: PairingPlan
  readonly #cursor: Cursor
  readonly #cells: CellIndex
  readonly #clock = new Clock()
  readonly #order: RowOrder

  constructor(plan: PairingPlan) {
    this.#plan = plan
    this.#cursor = new Cursor(plan)
    this.#cells = new CellIndex(plan.cells)
    this.#order = new RowOrder(plan.rules.textOf)
  }

  /** The attempts up to the last of the next rows. */
  *take(rows: Iterable<PairingRow>): Generator<PairedAttempt, void, undefined> {
    const { from, to, rules } = this.#plan
    for (const row of rows) {
      const origin = rules.place(row.originAt)
      if (Number.isNaN(origin)) {
        yield { ...this.#attempt(row, null, 'timestamp_invalid'), originText: row.originAt }
        continue
      }
      this.#order.check(origin, row)
      if (origin < from || origin > to) continue
      while (this.#cursor.comesBefore(origin, row)) yield this.#expected(undefined)
      if (this.#cursor.isAt(origin, row)) yield this.#expected(row)
      else yield this.#beside(origin, row)
    }
  }

  /** The attempts that are expected after the last row. */
  *rest(): Generator<PairedAttempt, void, undefined> {
    while (this.#cursor.open) yield this.#expected(undefined)
  }

  /** Judges the key the cursor is at, with its row or without, and moves on. */
  #expected(row: PairingRow | undefined): PairedAttempt {
    const { origin, target, cell, model } = this.#cursor
    const reason = judge(this.#plan, this.#cursor, row, this.#clock)
    const { series, horizon } = cell
    this.#cursor.advance()
    const key = row ?? { ...NOTHING, series, horizon, model }
    const attempt = this.#attempt(key, origin, reason, target, cell.id)
    const isApart = reason === this.#plan.rules.absent && this.#plan.forVerdict
    return isApart ? { ...attempt, intervalStatus: 'missing' } : attempt
  }

  /** A row without a key of the grid: it is listed, and counted apart. */
  #beside(origin: TaskPlace, row: PairingRow): PairedAttempt {
    const target = this.#plan.rules.target(origin, row)
    const reason = faultOfTimes(row, target, this.#clock) ?? this.#reasonBeside(origin, row)
    return this.#attempt(row, origin, reason, target)
  }

  #reasonBeside(origin: TaskPlace, row: PairingRow): Reason {
    const { origins, models, rules } = this.#plan
    const cell = this.#cells.find(row)
    if (cell === undefined) return 'horizon_not_in_protocol'
    if (origins.indexOf(origin) === undefined) return 'origin_off_grid'
    if (rules.hasCell?.(origin, cell) === false) return 'horizon_not_in_protocol'
    // What is left is a second spelling of a key that is taken.
    return models.includes(row.model) ? 'timestamp_invalid' : 'model_not_in_plan'
  }

  /** @param cell - given where the attempt is expected. */
  #attempt(
    row: PairingRow,
    origin: TaskPlace | null,
    reason: Reason,
    target?: Target,
    cell?: number,
  ): PairedAttempt {
    const status = STATUS_OF[reason]
    const place = target?.place ?? Number.NaN
    const scored = cell !== undefined && reason === 'scored'
    return {
      origin,
      target: Number.isNaN(place) ? null : place,
      series: row.series,
      horizon: row.horizon,
      cell,
      model: row.model,
      expected: cell !== undefined,
      status,
      reason,
      intervalStatus: this.#plan.rules.interval(row, status),
      p0: scored ? (target?.base ?? null) : null,
      p1: scored ? (target?.outcome ?? null) : null,
      forecast: row.forecast,
      levels: row.levels,
      quantiles: row.quantiles,
      vintageId: row.vintageId,
      vintageSha256: row.vintageSha256,
    }
  }
}

/** What an expected attempt without a row has recorded. */
const NOTHING: Omit<PairingRow, 'series' | 'model' | 'horizon'> = {
  originAt: '',
  ...NO_FORECAST,
  attempt: null,
  inputAvailableAt: null,
  selectionDataThrough: null,
  vintageId: null,
  vintageSha256: null,
}
