import { ForeproofError } from '../contract/error.js'
import { formatUtc, type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import { Clock, type Target, targetOf } from './clock.js'
import { type Grid, gridOf } from './grid.js'
import { faultOfTimes, judge, judgeInterval } from './judge.js'
import { compareNames } from './order.js'
import {
  type PairedAttempt,
  type PairingPlan,
  type PairingRow,
  type Reason,
  STATUS_OF,
} from './types.js'

/** What pairing needs of a vintage. */
export interface Closes {
  closeAt(instant: Instant): number | undefined
}

/**
 * Gives every expected attempt of the plan exactly one status and reason, in origin, horizon, model
 * order, and lists rows that are not expected beside them. Rows come by origin, ascending as
 * instants, those whose origin is no timestamp anywhere; rows of other windows are passed over.
 * Times are compared to the microsecond: nothing is joined to a nearest neighbour. Memory holds the
 * rows of one origin.
 * @throws {ForeproofError} `invalid-input` for a plan that contradicts itself or rows out of order.
 */
export function* pairAttempts(
  plan: PairingPlan,
  vintage: Closes,
  rows: Iterable<PairingRow>,
): Generator<PairedAttempt, void, undefined> {
  const pairing = new Pairing(plan, vintage)
  let group: PairingRow[] = []
  let origin = Number.NEGATIVE_INFINITY
  for (const row of rows) {
    const at = pairing.clock.read(row.originAt)
    if (Number.isNaN(at)) {
      yield pairing.withoutOrigin(row)
      continue
    }
    if (at !== origin) {
      yield* pairing.close(origin, group)
      if (at < origin) throw outOfOrder(origin, at)
      group = []
      origin = at
    }
    group.push(row)
  }
  yield* pairing.close(origin, group)
  yield* pairing.rest()
}

class Pairing {
  readonly clock = new Clock()
  private readonly grid: Grid
  /** The next hourly origin of the grid that has not been given out. */
  private next: Instant

  constructor(
    private readonly plan: PairingPlan,
    private readonly vintage: Closes,
  ) {
    this.grid = gridOf(plan)
    this.next = this.grid.first
  }

  /** Gives out everything up to and including this origin. */
  *close(origin: Instant, rows: readonly PairingRow[]): Generator<PairedAttempt> {
    if (rows.length === 0) return
    const { plan, grid } = this
    if (origin < plan.from || origin > plan.to) return
    while (this.next < origin && this.next <= grid.last) yield* this.expected(this.next, [])
    if (origin === this.next && origin <= grid.last) yield* this.expected(origin, rows)
    else yield* rows.map((row) => this.beside(row, origin, targetsOf(this.vintage))).sort(byKey)
  }

  *rest(): Generator<PairedAttempt> {
    while (this.next <= this.grid.last) yield* this.expected(this.next, [])
  }

  withoutOrigin(row: PairingRow): PairedAttempt {
    const attempt = verdict(row, null, null, 'timestamp_invalid', false, null, null)
    return { ...attempt, originText: row.originAt }
  }

  private expected(origin: Instant, rows: readonly PairingRow[]): PairedAttempt[] {
    this.next = origin + MICROS_PER_HOUR
    const { grid, plan, vintage, clock } = this
    const width = grid.models.length
    const slots: (PairingRow | undefined)[] = new Array(grid.horizons.length * width)
    const targets = targetsOf(vintage)
    const beside: PairedAttempt[] = []
    for (const row of rows) {
      const horizon = grid.horizonIndex.get(row.horizon)
      const model = grid.modelIndex.get(row.model)
      const slot = horizon === undefined || model === undefined ? -1 : horizon * width + model
      if (slot !== -1 && slots[slot] === undefined) slots[slot] = row
      else beside.push(this.beside(row, origin, targets))
    }
    const originClose = vintage.closeAt(origin)
    const attempts: PairedAttempt[] = []
    for (let index = 0; index < slots.length; index++) {
      const row = slots[index]
      const horizon = grid.horizons[Math.floor(index / width)]!
      const model = grid.models[index % width]!
      const target = targets(origin, horizon)
      const reason = judge(plan, origin, originClose, target, row, clock)
      const key = row ?? { ...NOTHING, model, horizon }
      const scored = reason === 'scored'
      attempts.push(
        verdict(
          key,
          origin,
          target.instant,
          reason,
          true,
          scored ? originClose! : null,
          scored ? target.close! : null,
        ),
      )
    }
    return beside.length === 0 ? attempts : attempts.concat(beside).sort(byKey)
  }

  /** A row that no key of the grid stands for: it is listed, and counted apart. */
  private beside(row: PairingRow, origin: Instant, targets: Targets): PairedAttempt {
    const target = targets(origin, row.horizon)
    const reason = faultOfTimes(row, target, this.clock) ?? this.reasonBeside(row, origin)
    const instant = Number.isNaN(target.instant) ? null : target.instant
    return verdict(row, origin, instant, reason, false, null, null)
  }

  private reasonBeside(row: PairingRow, origin: Instant): Reason {
    if (!this.grid.horizonIndex.has(row.horizon)) return 'horizon_not_in_protocol'
    if (origin % MICROS_PER_HOUR !== 0) return 'origin_off_grid'
    // What is left is a second spelling of a key that is taken.
    return this.grid.modelIndex.has(row.model) ? 'timestamp_invalid' : 'model_not_in_plan'
  }
}

type Targets = (origin: Instant, horizon: number) => Target

/** The targets of one origin, each looked up once. */
function targetsOf(vintage: Closes): Targets {
  const known = new Map<number, Target>()
  return (origin, horizon) => {
    let target = known.get(horizon)
    if (target === undefined) {
      const instant = origin + horizon * MICROS_PER_HOUR
      target = Number.isSafeInteger(instant)
        ? targetOf(instant, (at) => vintage.closeAt(at))
        : { instant: Number.NaN, text: '', close: undefined }
      known.set(horizon, target)
    }
    return target
  }
}

const NOTHING: Omit<PairingRow, 'model' | 'horizon'> = {
  originAt: '',
  targetAt: null,
  generatedAt: null,
  sourcePrice: null,
  forecast: null,
  q10: null,
  q50: null,
  q90: null,
  level: 0.8,
  attempt: null,
  inputAvailableAt: null,
  selectionDataThrough: null,
  vintageId: null,
  vintageSha256: null,
}

function verdict(
  row: PairingRow,
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
    horizon: row.horizon,
    model: row.model,
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

/** Horizon, then model; a horizon that is no number comes last. */
function byKey(a: PairedAttempt, b: PairedAttempt): number {
  if (a.horizon !== b.horizon) {
    if (Number.isNaN(a.horizon)) return Number.isNaN(b.horizon) ? compareNames(a.model, b.model) : 1
    return Number.isNaN(b.horizon) ? -1 : a.horizon - b.horizon
  }
  return compareNames(a.model, b.model)
}

function outOfOrder(before: Instant, after: Instant): ForeproofError {
  return new ForeproofError(
    'invalid-input',
    `the rows are not in the order of their origins: ${formatUtc(after)} after ${formatUtc(before)}`,
    { help: 'Find the rows with: foreproof history verify' },
  )
}
