import { ForeproofError } from '../contract/error.js'
import { type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import { compareText } from '../contract/order.js'
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
