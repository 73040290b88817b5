import { type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import { NO_FORECAST, type PairingRow } from '../forecast/row.js'
import { type CloseLookup, Cursor, type Grid, gridOf, targetOf } from './grid.js'
import { faultOfTimes, judge, judgeInterval } from './judge.js'
import { Clock, RowOrder } from './row-order.js'
import { type PairedAttempt, type PairingPlan, type Reason, STATUS_OF } from './types.js'

/**
 * Gives every expected attempt of the plan exactly one status and reason, in origin, horizon, model
 * order, and lists rows that are not expected among them. Rows come in the same order, origins
 * compared as instants, those whose origin is no timestamp anywhere; rows of other windows are
 * passed over. Times are compared to the microsecond: nothing is joined to a nearest neighbour.
 * Memory holds one batch of rows, whose attempts are to be read before the next is asked for.
 * @throws {ForeproofError} `invalid-input` for a plan that contradicts itself or rows out of order.
 */
export async function* pairAttempts(
  plan: PairingPlan,
  vintage: CloseLookup,
  batches: AsyncIterable<Iterable<PairingRow>>,
): AsyncGenerator<Iterable<PairedAttempt>, void, undefined> {
  const pairing = new Pairing(plan, vintage)
  for await (const rows of batches) yield pairing.take(rows)
  yield pairing.rest()
}

/** A pairing on its way through the rows. */
export class Pairing {
  readonly #plan: PairingPlan
  readonly #vintage: CloseLookup
  readonly #cursor: Cursor
  readonly #clock = new Clock()
  readonly #order = new RowOrder()

  constructor(plan: PairingPlan, vintage: CloseLookup) {
    this.#plan = plan
    this.#vintage = vintage
    this.#cursor = new Cursor(gridOf(plan), vintage)
  }

  /** The attempts up to the last of the next rows. */
  *take(rows: Iterable<PairingRow>): Generator<PairedAttempt, void, undefined> {
    for (const row of rows) {
      const origin = this.#clock.read(row.originAt)
      if (Number.isNaN(origin)) {
        yield withoutOrigin(row)
        continue
      }
      this.#order.check(origin, row)
      if (origin < this.#plan.from || origin > this.#plan.to) continue
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
    const { origin, originClose, target, horizon, model } = this.#cursor
    const reason = judge(this.#plan, this.#cursor, row, this.#clock)
    const scored = reason === 'scored'
    const p0 = scored ? originClose! : null
    const p1 = scored ? target.close! : null
    this.#cursor.advance()
    const key = [horizon, model, origin, target.instant] as const
    const attempt = verdict(row ?? NOTHING, ...key, reason, true, p0, p1)
    const isApart = reason === 'outcome_missing' && this.#plan.forVerdict
    return isApart ? { ...attempt, intervalStatus: 'missing' } : attempt
  }

  /** A row without a key of the grid: it is listed, and counted apart. */
  #beside(origin: Instant, row: PairingRow): PairedAttempt {
    const target = targetOf(origin, row.horizon, this.#vintage)
    const reason =
      faultOfTimes(row, target, this.#clock) ?? reasonBeside(this.#cursor.grid, origin, row)
    const instant = Number.isNaN(target.instant) ? null : target.instant
    return verdict(row, row.horizon, row.model, origin, instant, reason, false, null, null)
  }
}

function withoutOrigin(row: PairingRow): PairedAttempt {
  const reason = 'timestamp_invalid'
  return {
    ...verdict(row, row.horizon, row.model, null, null, reason, false, null, null),
    originText: row.originAt,
  }
}

function reasonBeside(grid: Grid, origin: Instant, row: PairingRow): Reason {
  if (!grid.horizonIndex.has(row.horizon)) return 'horizon_not_in_protocol'
  if (origin % MICROS_PER_HOUR !== 0) return 'origin_off_grid'
  // What is left is a second spelling of a key that is taken.
  return grid.modelIndex.has(row.model) ? 'timestamp_invalid' : 'model_not_in_plan'
}

/** What an expected attempt without a row has recorded. */
const NOTHING: Omit<PairingRow, 'model' | 'horizon'> = {
  originAt: '',
  ...NO_FORECAST,
  attempt: null,
  inputAvailableAt: null,
  selectionDataThrough: null,
  vintageId: null,
  vintageSha256: null,
}

function verdict(
  row: Omit<PairingRow, 'model' | 'horizon'>,
  horizon: number,
  model: string,
  origin: Instant | null,
  target: Instant | null,
  reason: Reason,
  expected: boolean,
  p0: number | null,
  p1: number | null,
): PairedAttempt {
  const status = STATUS_OF[reason]
  return {
    origin,
    target,
    horizon,
    model,
    expected,
    status,
    reason,
    intervalStatus: judgeInterval(row, status),
    p0,
    p1,
    forecast: row.forecast,
    q10: row.q10,
    q50: row.q50,
    q90: row.q90,
    vintageId: row.vintageId,
    vintageSha256: row.vintageSha256,
  }
}
