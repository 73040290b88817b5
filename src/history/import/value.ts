import type { Attempt, ForecastResource } from '../../contract/types.js'

/** What an import puts into a history. */
export type ImportValue = ForecastResource | Attempt

export function isAttempt(given: ImportValue): given is Attempt {
  return 'model_name' in given
}

/** The key under which it is stored. */
export function keyOfValue(given: ImportValue) {
  const model = isAttempt(given) ? given.model_name : given.model.name
  return { originAt: given.origin_at, horizonHours: given.horizon_hours, model }
}

/** As findings name it. */
export function nameOfValue(given: ImportValue): string {
  const { originAt, model, horizonHours } = keyOfValue(given)
  return `${originAt}, ${model}, ${horizonHours} h`
}
