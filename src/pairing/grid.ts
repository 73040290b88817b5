import { ForeproofError } from '../contract/error.js'
import { formatStored, type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import { compareText } from '../contract/order.js'
import type { PairingRow } from '../forecast/row.js'
import type { PairingPlan } from './types.js'

/** The expected keys of a plan: every hourly origin × every horizon × every model, in that order. */
export interface Grid {
  /** First and last hourly origin; `first > last` when the window holds none. */
  readonly first: Instant
  readonly last: Instant
  readonly origins: number
  readonly horizons: readonly number[]
  readonly models: readonly string[]
  readonly horizonIndex: ReadonlyMap<number, number>
  readonly modelIndex: ReadonlyMap<string, number>
}

/** @throws {ForeproofError} `invalid-input` when the plan contradicts itself. */
export function gridOf(plan: PairingPlan): Grid {
  checkPlan(plan)
  const first = Math.ceil(plan.from / MICROS_PER_HOUR) * MICROS_PER_HOUR
  const last = Math.floor(plan.to / MICROS_PER_HOUR) * MICROS_PER_HOUR
  const horizons = [...new Set(plan.horizons)].sort((a, b) => a - b)
  const models = [...new Set(plan.models)].sort(compareText)
  return {
    first,
    last,
    origins: Math.max(0, (last - first) / MICROS_PER_HOUR + 1),
    horizons,
    models,
    horizonIndex: new Map(horizons.map((horizon, index) => [horizon, index])),
    modelIndex: new Map(models.map((model, index) => [model, index])),
  }
}

function checkPlan(plan: PairingPlan): void {
  const refuse = (says: string, help: string): never => {
    throw new ForeproofError('invalid-input', says, { help })
  }
  for (const name of ['from', 'to', 'asOf'] as const) {
    if (!Number.isSafeInteger(plan[name])) refuse(`${name} is not an instant`, 'Give microseconds.')
  }
  if (plan.from > plan.to) refuse('the window ends before it begins', 'Swap from and to.')
  if (Math.ceil(plan.from / MICROS_PER_HOUR) > Math.floor(plan.to / MICROS_PER_HOUR)) {
    refuse('the window holds no full hour, so no origin is expected', 'Widen it to an hour.')
  }
  if (plan.models.length === 0) refuse('no models are expected', 'Name at least one model.')
  if (plan.horizons.length === 0) refuse('no horizons are expected', 'Give those of the protocol.')
  if (plan.horizons.some((horizon) => !Number.isInteger(horizon) || horizon < 1)) {
    refuse('a horizon is not a positive whole number of hours', 'Give those of the protocol.')
  }
  if (plan.mode === 'prospective' && plan.registeredAt === undefined) {
    refuse('a prospective evaluation without the time of its registration', 'Give registeredAt.')
  }
}

/** What pairing needs of a vintage. */
export interface CloseLookup {
  closeAt(instant: Instant): number | undefined
}

/** One horizon of one origin: what all models share. */
export interface MatchTarget {
  /** NaN where origin and horizon give no instant. */
  readonly instant: Instant
  /** The target as histories store it, to compare without reading it again. */
  readonly text: string
  /** The close at the target; undefined where the vintage has none. */
  readonly close: number | undefined
}

export function targetOf(origin: Instant, horizon: number, vintage: CloseLookup): MatchTarget {
  const instant = origin + horizon * MICROS_PER_HOUR
  if (!Number.isSafeInteger(instant)) return { instant: Number.NaN, text: '', close: undefined }
  return { instant, text: formatStored(instant), close: vintage.closeAt(instant) }
}

/** The expected keys one after another: by origin, then horizon, then model. */
export class Cursor {
  origin: Instant
  originClose: number | undefined
  #targets: readonly MatchTarget[] = []
  #horizon = 0
  #model = 0

  constructor(
    readonly grid: Grid,
    private readonly vintage: CloseLookup,
  ) {
    this.origin = grid.first
    this.#enter()
  }

  /** False when every key was given out. */
  get open(): boolean {
    return this.origin <= this.grid.last
  }

  get horizon(): number {
    return this.grid.horizons[this.#horizon]!
  }

  get model(): string {
    return this.grid.models[this.#model]!
  }

  get target(): MatchTarget {
    return this.#targets[this.#horizon]!
  }

  isAt(origin: Instant, row: PairingRow): boolean {
    return (
      origin === this.origin &&
      this.open &&
      row.horizon === this.horizon &&
      row.model === this.model
    )
  }

  /** True when the key here comes before that of the row; a horizon that is no number comes last. */
  comesBefore(origin: Instant, row: PairingRow): boolean {
    if (!this.open) return false
    if (this.origin !== origin) return this.origin < origin
    if (this.horizon !== row.horizon) return !(this.horizon > row.horizon)
    return this.model !== row.model && compareText(this.model, row.model) < 0
  }

  advance(): void {
    this.#model++
    if (this.#model < this.grid.models.length) return
    this.#model = 0
    this.#horizon++
    if (this.#horizon < this.grid.horizons.length) return
    this.#horizon = 0
    this.origin += MICROS_PER_HOUR
    this.#enter()
  }

  /** Looks the closes of an origin up, once for all its models. */
  #enter(): void {
    const { origin, vintage } = this
    this.originClose = vintage.closeAt(origin)
    this.#targets = this.grid.horizons.map((horizon) => targetOf(origin, horizon, vintage))
  }
}
