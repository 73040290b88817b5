import type { Attempt, ForecastResource } from '../../contract/types.js'

/** What an import puts into a history. */
export type Given = ForecastResource | Attempt

export function isAttempt(given: Given): given is Attempt {
  return 'model_name' in given
}

/** The key under which it is stored. */
export function keyOf(given: Given) {
  const model = isAttempt(given) ? given.model_name : given.model.name
  return { originAt: given.origin_at, horizonHours: given.horizon_hours, model }
}

/** As findings name it. */
export function nameOf(given: Given): string {
  const { originAt, model, horizonHours } = keyOf(given)
  return `${originAt}, ${model}, ${horizonHours} h`
}
