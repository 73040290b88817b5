import { checkedInstant, formatUtc, type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import type { Vintage } from '../outcomes/types.js'
import { readVintage } from '../outcomes/vintage.js'
import { type Broken, broken, fault, guarded } from './links.js'

export type OutcomesResult = { readonly ok: true; readonly vintage: Vintage } | Broken

/**
 * Reads the outcomes and proves that they are the registered ones and reach far enough.
 * @param now undefined where the time of day plays no part, as in an audit.
 */
export async function loadOutcomes(
  path: string,
  registration: Registration,
  now?: Instant,
): Promise<OutcomesResult> {
  const asOf = checkedInstant(registration.as_of)
  if (now !== undefined && now < asOf) {
    const args = { asOf: formatUtc(asOf), now: formatUtc(now) }
    return broken('outcomes', [fault('not-matured-yet', path, args)])
  }
  const vintage = await guarded('outcomes', () => readVintage(path))
  if ('ok' in vintage) return vintage
  const { manifest } = vintage
  const { outcomes } = registration
  if (outcomes.vintage_sha256 !== null && outcomes.vintage_sha256 !== manifest.sha256) {
    const args = { registered: outcomes.vintage_sha256, found: manifest.sha256 }
    return broken('outcomes', [fault('outcomes-not-registered', path, args)])
  }
  if (outcomes.vintage_id !== null && outcomes.vintage_id !== manifest.vintage_id) {
    const args = { registered: outcomes.vintage_id, found: manifest.vintage_id }
    return broken('outcomes', [fault('outcomes-id-differs', path, args)])
  }
  if (outcomes.vintage_sha256 === null && outcomes.source !== manifest.source) {
    const args = { registered: outcomes.source, found: manifest.source }
    return broken('outcomes', [fault('outcomes-source-differs', path, args)])
  }
  const horizon = Math.max(...registration.horizons_hours)
  const needed = checkedInstant(registration.window.to) + horizon * MICROS_PER_HOUR
  if (vintage.last < needed) {
    const args = { needed: formatUtc(needed), last: manifest.last }
    return broken('outcomes', [fault('outcomes-too-short', path, args)])
  }
  return { ok: true, vintage }
}
