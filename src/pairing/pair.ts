import { ForeproofError } from '../contract/error.js'
import { instantOrNaN } from '../contract/instant.js'
import { INTERVAL_LEVEL } from '../contract/limits.js'
import { compareText } from '../contract/order.js'
import { FEW, remembering } from '../contract/remembering.js'
import { NO_FORECAST, type PairingRow } from '../forecast/row.js'
import { cellsBySeries, type GridCell, type PeriodPosition } from './grid.js'
import { decideReason, faultOfTimes } from './judge.js'
import { isLate, type PairedAttempt, type Reason, STATUS_OF } from './paired-attempt.js'
import type { PairingPlan, Seen, Target } from './plan.js'

/**
 * Gives every expected attempt of the plan exactly one status and reason, in series, origin, horizon, model order, and
 * includes rows that are not expected. Rows must come in the same order; rows with an unreadable origin may come
 * anywhere, and rows of other windows are skipped. Times are compared to the microsecond and never matched to a nearest
 * neighbour. Memory holds one batch of rows: read its attempts before requesting the next.
 * @throws {ForeproofError} `invalid-input` for a plan that expects nothing, or rows out of order.
 */
export async function* pairAttempts(
  plan: PairingPlan,
  batches: AsyncIterable<Iterable<PairingRow>>,
): AsyncGenerator<Iterable<PairedAttempt>, void, undefined> {
  const pairing = new Pairing(plan)
  for await (const rows of batches) yield pairing.take(rows)
  yield pairing.rest()
}

/** The state of a pairing while it reads the rows. */
class Pairing {
  readonly #plan: PairingPlan
  readonly #cursor: Cursor
  /** Looked up by key, because a history may have far more rows outside the grid than on it. */
  readonly #cells: ReadonlyMap<string, GridCell>
  /** Cached, because rows of one origin share most of their times. */
  readonly #read = remembering(instantOrNaN, FEW)
  /** The previous row and its origin. */
  #before: { readonly origin: PeriodPosition; readonly row: PairingRow } | undefined

  constructor(plan: PairingPlan) {
    this.#plan = plan
    this.#cursor = new Cursor(plan)
    this.#cells = new Map(plan.cells.map((cell) => [cellName(cell), cell]))
  }

  /** Yields the attempts up to the last of the next rows. */
  *take(rows: Iterable<PairingRow>): Generator<PairedAttempt, void, undefined> {
    const { from, to, rules } = this.#plan
    for (const row of rows) {
      const origin = rules.position(row.originAt)
      if (Number.isNaN(origin)) {
        yield { ...this.#attempt(row, null, 'timestamp_invalid'), originText: row.originAt }
        continue
      }
      this.#assertOrder(origin, row)
      if (origin < from || origin > to) continue
      while (this.#cursor.comesBefore(origin, row)) yield this.#expected(undefined)
      if (this.#cursor.isAt(origin, row)) yield this.#expected(row)
      else yield this.#recorded(origin, row)
    }
  }

  /** Yields the expected attempts after the last row. */
  *rest(): Generator<PairedAttempt, void, undefined> {
    while (this.#cursor.open) yield this.#expected(undefined)
  }

  /** Judges the key at the cursor, with its row or without, and advances. */
  #expected(row: PairingRow | undefined): PairedAttempt {
    const { origin, target, seen, cell, model } = this.#cursor
    const reason = decideReason(this.#plan, this.#cursor, row, this.#read)
    const isTwo = this.#plan.isReadTwice && isLate(reason)
    const secondReason = isTwo
      ? decideReason(this.#plan, this.#cursor, row, this.#read, true)
      : undefined
    const { series, horizon } = cell
    this.#cursor.advance()
    const key = row ?? { ...NOTHING, series, horizon, model }
    const as = (its: Reason) => this.#attempt(key, origin, its, target, seen, cell.id)
    const attempt = as(reason)
    if (secondReason !== undefined) return { ...attempt, second: as(secondReason) }
    return reason === 'outcome_missing' ? { ...attempt, intervalStatus: 'missing' } : attempt
  }

  /** A row without a key on the grid: it is listed, and counted separately. */
  #recorded(origin: PeriodPosition, row: PairingRow): PairedAttempt {
    const target = this.#plan.rules.target(origin, row)
    const reason = faultOfTimes(row, target, this.#read) ?? this.#reasonBeside(origin, row)
    return this.#attempt(row, origin, reason, target)
  }

  #reasonBeside(origin: PeriodPosition, row: PairingRow): Reason {
    const { origins, models, rules } = this.#plan
    const cell = this.#cells.get(cellName(row))
    if (cell === undefined) return 'horizon_not_in_protocol'
    if (origins.indexOf(origin) === undefined) return 'origin_off_grid'
    if (!rules.hasCell(origin, cell)) return 'horizon_not_in_protocol'
    // The remaining case is a second spelling of a key that already has a row.
    return models.includes(row.model) ? 'timestamp_invalid' : 'model_not_in_plan'
  }

  /**
   * @throws {ForeproofError} `invalid-input` for a row out of order, because pairing would silently miss it.
   */
  #assertOrder(origin: PeriodPosition, row: PairingRow): void {
    const before = this.#before
    this.#before = { origin, row }
    if (before === undefined || compareAttempts(before.origin, before.row, origin, row) <= 0) return
    const key = (at: PeriodPosition, { series, horizon, model }: PairingRow) =>
      `${this.#plan.rules.label(at)}:${series}:${model}:${horizon}`
    const message = `${key(origin, row)} comes after ${key(before.origin, before.row)}`
    throw new ForeproofError('invalid-input', `the rows are not in order: ${message}`, {
      help: 'Give them by series, origin, horizon, then model name.',
    })
  }

  /**
   * @param cell - given, like `seen`, if the attempt is expected.
   */
  #attempt(
    row: PairingRow,
    origin: PeriodPosition | null,
    reason: Reason,
    target?: Target,
    seen?: Seen,
    cell?: number,
  ): PairedAttempt {
    const status = STATUS_OF[reason]
    const position = target?.position ?? Number.NaN
    const late = cell !== undefined && isLate(reason)
    const { fault, interval } = this.#plan.rules
    const { outcome } = target ?? {}
    const hasOutcome = cell !== undefined && outcome !== undefined
    const counts = hasOutcome && (reason === 'scored' || (late && fault(row) === undefined))
    return {
      origin,
      target: Number.isNaN(position) ? null : position,
      series: row.series,
      horizon: row.horizon,
      cell,
      model: row.model,
      expected: cell !== undefined,
      status,
      reason,
      intervalStatus: interval(row, status),
      seen: seen !== undefined && target?.matured ? seen.seen : null,
      p0: counts ? (seen?.base ?? null) : null,
      p1: counts ? outcome : null,
      forecast: row.forecast,
      levels: row.levels,
      quantiles: late ? ofOwnLevel(row) : row.quantiles,
      vintageId: row.vintageId,
      vintageSha256: row.vintageSha256,
    }
  }
}

/** Drops bounds of another level: a second reading is made from attempts, which do not record their level. */
const ofOwnLevel = ({ level, quantiles }: PairingRow): PairedAttempt['quantiles'] =>
  level === INTERVAL_LEVEL ? quantiles : quantiles.map(() => null)

const cellName = ({ series, horizon }: Pick<PairingRow, 'series' | 'horizon'>) =>
  `${horizon} ${series}`

/** What an expected attempt without a row records. */
const NOTHING: Omit<PairingRow, 'series' | 'model' | 'horizon'> = {
  originAt: '',
  ...NO_FORECAST,
  attempt: null,
  inputAvailableAt: null,
  selectionDataThrough: null,
  vintageId: null,
  vintageSha256: null,
}

/**
 * @throws {ForeproofError} `invalid-input` if the plan expects nothing.
 */
function checkPlan({ origins, models }: PairingPlan): void {
  const throwOrder = (message: string, help: string): never => {
    throw new ForeproofError('invalid-input', message, { help })
  }
  if (origins.count === 0)
    throwOrder('the window holds no origin, so nothing is expected', 'Widen it.')
  if (models.length === 0) throwOrder('no models are expected', 'Name at least one model.')
}

/** Iterates over the expected keys: by series, then origin, step and model. */
class Cursor {
  origin: PeriodPosition = Number.NaN
  seen: Seen = { seen: null, base: null }
  /** Cells of each series. */
  readonly #series: readonly (readonly GridCell[])[]
  /** Of the series and the origin: those of its cells. */
  #cells: readonly GridCell[] = []
  #targets: readonly Target[] = []
  #at = 0
  #index = 0
  #cell = 0
  #model = 0

  constructor(private readonly plan: PairingPlan) {
    checkPlan(plan)
    this.#series = [...cellsBySeries(plan.cells).values()]
    this.#enter()
  }

  /** False after the last key. */
  get open(): boolean {
    return this.#at < this.#series.length
  }

  get cell(): GridCell {
    return this.#cells[this.#cell]!
  }

  get model(): string {
    return this.plan.models[this.#model]!
  }

  get target(): Target {
    return this.#targets[this.#cell]!
  }

  isAt(origin: PeriodPosition, row: PairingRow): boolean {
    return (
      origin === this.origin &&
      this.open &&
      row.horizon === this.cell.horizon &&
      row.model === this.model &&
      row.series === this.cell.series
    )
  }

  /** True if the current key comes before that of the row. */
  comesBefore(origin: PeriodPosition, row: PairingRow): boolean {
    if (!this.open) return false
    const { series, horizon } = this.cell
    return compareAttempts(this.origin, { series, horizon, model: this.model }, origin, row) < 0
  }

  advance(): void {
    this.#model++
    if (this.#model < this.plan.models.length) return
    this.#model = 0
    this.#cell++
    if (this.#cell < this.#cells.length) return
    this.#cell = 0
    this.#index++
    this.#enter()
  }

  /** Looks up the targets of the next origin that has any, once for all its models. */
  #enter(): void {
    const { origins, rules } = this.plan
    for (; this.open; this.#at++, this.#index = 0) {
      const cells = this.#series[this.#at] as readonly GridCell[]
      for (; this.#index < origins.count; this.#index++) {
        const origin = origins.position(this.#index)
        this.#cells = cells.filter((cell) => rules.hasCell(origin, cell))
        if (this.#cells.length === 0) continue
        this.origin = origin
        this.seen = rules.seen(origin, this.cell.series)
        this.#targets = this.#cells.map((cell) => rules.target(origin, cell))
        return
      }
    }
  }
}

type KeyOfRow = Pick<PairingRow, 'series' | 'horizon' | 'model'>

/** Series by code point, origin, horizon, then model by code point; an invalid horizon comes last. */
export function compareAttempts(
  originA: PeriodPosition,
  a: KeyOfRow,
  originB: PeriodPosition,
  b: KeyOfRow,
): number {
  if (a.series !== b.series) return compareText(a.series, b.series)
  if (originA !== originB) return originA < originB ? -1 : 1
  if (a.horizon !== b.horizon) {
    const x = Number.isNaN(a.horizon) ? Number.POSITIVE_INFINITY : a.horizon
    const y = Number.isNaN(b.horizon) ? Number.POSITIVE_INFINITY : b.horizon
    if (x !== y) return x - y
  }
  return a.model === b.model ? 0 : compareText(a.model, b.model)
}
