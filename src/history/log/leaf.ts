import type { Attempt } from '../../contract/types.js'
import type { StoredResource } from '../../forecast/resource.js'
import type { LogKey, NewLeaf } from '../store/log-types.js'
import { attemptEntry, forecastEntry } from './entry.js'
import { leafHash } from './merkle.js'

/** A leaf of which it is known what it is of. */
export interface KeyedLeaf extends NewLeaf {
  readonly key: LogKey
}

/** The leaf of a forecast in its stored form. @param entry - what it is made of, where that is written already. */
export function forecastLeaf(resource: StoredResource, entry = forecastEntry(resource)): KeyedLeaf {
  const { origin_at: originAt, model, horizon_hours: horizonHours } = resource
  const key: LogKey = { kind: 'forecast', originAt, model: model.name, horizonHours }
  return { leaf: leafHash(entry), key }
}

/** The leaf of a recorded attempt in its stored form. */
export function attemptLeaf(attempt: Attempt): KeyedLeaf {
  const { origin_at: originAt, model_name: model, horizon_hours: horizonHours } = attempt
  const key: LogKey = { kind: 'attempt', originAt, model, horizonHours }
  return { leaf: leafHash(attemptEntry(attempt)), key }
}

/** The row of a leaf, for messages. */
export function nameOfLeaf({ kind, originAt, model, horizonHours }: LogKey): string {
  return `${kind === 'attempt' ? 'the attempt of ' : ''}${originAt}, ${model}, ${horizonHours} h`
}
