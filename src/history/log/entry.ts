import type { Attempt } from '../../contract/types.js'
import { canonicalize } from '../../document/canonical.js'
import type { StoredResource } from '../../forecast/resource.js'

/**
 * What a leaf of the log is made of: a forecast as it is published, in canonical form (RFC 8785), without its
 * freshness, which changes from hour to hour.
 */
export function forecastEntry(resource: StoredResource): string {
  const { freshness, ...entry } = resource as StoredResource & { readonly freshness?: unknown }
  return canonicalize(entry)
}

/** The same of a recorded attempt: the line that `history export` and a published site have of it. */
export function attemptEntry(attempt: Attempt): string {
  return canonicalize(attempt)
}
