import { finding } from '../contract/findings/finding.js'
import { checkedInstant, formatUtc, type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import type { Vintage } from '../outcomes/types.js'
import { readVintage } from '../outcomes/vintage.js'
import { type Broken, broken, guarded } from './links.js'

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
    return broken('outcomes', [finding('not-matured-yet', args, { file: path })])
  }
  const read = await guarded('outcomes', () => readVintage(path))
  if (!read.ok) return read
  const vintage = read.value
  const { manifest } = vintage
  const { outcomes } = registration
  if (outcomes.vintage_sha256 !== null && outcomes.vintage_sha256 !== manifest.sha256) {
    const args = { registered: outcomes.vintage_sha256, found: manifest.sha256 }
    return broken('outcomes', [finding('outcomes-not-registered', args, { file: path })])
  }
  if (outcomes.vintage_id !== null && outcomes.vintage_id !== manifest.vintage_id) {
    const args = { registered: outcomes.vintage_id, found: manifest.vintage_id }
    return broken('outcomes', [finding('outcomes-id-differs', args, { file: path })])
  }
  if (outcomes.vintage_sha256 === null && outcomes.source !== manifest.source) {
    const args = { registered: outcomes.source, found: manifest.source }
    return broken('outcomes', [finding('outcomes-source-differs', args, { file: path })])
  }
  const horizon = Math.max(...registration.horizons_hours)
  const needed = checkedInstant(registration.window.to) + horizon * MICROS_PER_HOUR
  if (vintage.last < needed) {
    const args = { needed: formatUtc(needed), last: manifest.last }
    return broken('outcomes', [finding('outcomes-too-short', args, { file: path })])
  }
  return { ok: true, vintage }
}
