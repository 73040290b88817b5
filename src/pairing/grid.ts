import { ForeproofError } from '../contract/error.js'
import type { PairingRow } from '../forecast/row.js'
import type { TaskCell, TaskPlace } from '../task/types.js'
import { compareWithinOrigin } from './row-order.js'
import type { CellKey, PairingPlan, Target } from './types.js'

/** @throws {ForeproofError} `invalid-input` when the plan contradicts itself. */
export function checkPlan(plan: PairingPlan): void {
  const refuse = (says: string, help: string): never => {
    throw new ForeproofError('invalid-input', says, { help })
  }
  for (const name of ['from', 'to', 'asOf'] as const) {
    if (!Number.isSafeInteger(plan[name])) refuse(`${name} is not an instant`, 'Give microseconds.')
  }
  if (plan.from > plan.to) refuse('the window ends before it begins', 'Swap from and to.')
  if (plan.origins.count === 0) refuse('the window holds no origin', 'Widen it.')
  if (plan.models.length === 0) refuse('no models are expected', 'Name at least one model.')
  if (plan.cells.length === 0) refuse('no horizons are expected', 'Give those of the protocol.')
  if (plan.mode === 'prospective' && plan.registeredAt === undefined) {
    refuse('a prospective evaluation without the time of its registration', 'Give registeredAt.')
  }
}

/** Finds cells as rows name them. */
export class CellIndex {
  readonly #bySeries = new Map<string, Map<number, TaskCell>>()

  constructor(cells: readonly TaskCell[]) {
    for (const cell of cells) {
      const own = this.#bySeries.get(cell.series) ?? new Map<number, TaskCell>()
      this.#bySeries.set(cell.series, own.set(cell.horizon, cell))
    }
  }

  find({ series, horizon }: CellKey): TaskCell | undefined {
    return this.#bySeries.get(series)?.get(horizon)
  }
}

/** The expected keys one after another: by origin, then cell, then model. */
export class Cursor {
  origin: TaskPlace = Number.NaN
  /** Of the origin: those of its cells. */
  #cells: readonly TaskCell[] = []
  #targets: readonly Target[] = []
  #index = 0
  #cell = 0
  #model = 0

  constructor(private readonly plan: PairingPlan) {
    checkPlan(plan)
    this.#enter()
  }

  /** False when every key was given out. */
  get open(): boolean {
    return this.#index < this.plan.origins.count
  }

  get cell(): TaskCell {
    return this.#cells[this.#cell]!
  }

  get model(): string {
    return this.plan.models[this.#model]!
  }

  get target(): Target {
    return this.#targets[this.#cell]!
  }

  isAt(origin: TaskPlace, row: PairingRow): boolean {
    return (
      origin === this.origin &&
      this.open &&
      row.horizon === this.cell.horizon &&
      row.model === this.model &&
      row.series === this.cell.series
    )
  }

  /** True when the key here comes before that of the row; a horizon that is no number comes last. */
  comesBefore(origin: TaskPlace, row: PairingRow): boolean {
    if (!this.open) return false
    if (this.origin !== origin) return this.origin < origin
    const { series, horizon } = this.cell
    return compareWithinOrigin({ series, horizon, model: this.model }, row) < 0
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

  /** Looks the targets of the next origin that has any up, once for all its models. */
  #enter(): void {
    const { origins, cells, rules } = this.plan
    for (; this.open; this.#index++) {
      const origin = origins.placeOf(this.#index)
      this.origin = origin
      this.#cells = rules.hasCell ? cells.filter((cell) => rules.hasCell?.(origin, cell)) : cells
      this.#targets = this.#cells.map((cell) => rules.target(origin, cell))
      if (this.#cells.length > 0) return
    }
  }
}
