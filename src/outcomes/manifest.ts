import { createHash } from 'node:crypto'
import { formatUtc, type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import { priceText } from './price.js'
import type { VintageGap, VintageInput, VintageManifest } from './types.js'

export const CLOSES_HEADER = 'close_at,close_usd'

/** The normal form of a series: header, one line per bar, ascending, each line ended by \n. */
export function closesText(closes: ReadonlyMap<Instant, number>): string {
  const lines = [...closes.keys()]
    .sort((a, b) => a - b)
    .map((at) => `${formatUtc(at)},${priceText(closes.get(at) ?? Number.NaN)}\n`)
  return `${CLOSES_HEADER}\n${lines.join('')}`
}

/** Runs of missing hours between the first and the last of ascending instants. */
export function gapsOf(instants: readonly Instant[]): VintageGap[] {
  const gaps: VintageGap[] = []
  for (let index = 1; index < instants.length; index++) {
    const before = instants[index - 1] ?? 0
    const after = instants[index] ?? 0
    const hours = (after - before) / MICROS_PER_HOUR - 1
    if (hours === 0) continue
    gaps.push({
      from: formatUtc(before + MICROS_PER_HOUR),
      to: formatUtc(after - MICROS_PER_HOUR),
      hours,
    })
  }
  return gaps
}

export interface ManifestParts {
  readonly closes: ReadonlyMap<Instant, number>
  readonly text: string
  readonly source: string
  readonly input: VintageInput | null
  /** A name of the user's own; otherwise one is made from what the vintage is. */
  readonly vintageId?: string
}

/** The manifest of a series with at least one close. */
export function makeManifest(parts: ManifestParts): VintageManifest {
  const instants = [...parts.closes.keys()].sort((a, b) => a - b)
  const first = formatUtc(instants[0] ?? 0)
  const last = formatUtc(instants.at(-1) ?? 0)
  const sha256 = createHash('sha256').update(parts.text).digest('hex')
  return {
    schema_version: 1,
    vintage_id: parts.vintageId ?? vintageName(parts.source, first, last, sha256),
    source: parts.source,
    pair: 'BTC/USD',
    bar_interval_hours: 1,
    first,
    last,
    count: instants.length,
    gaps: gapsOf(instants),
    sha256,
    input: parts.input,
  }
}

/** `coinbase-btcusd-1h-20240101T01Z-20250801T00Z-702527da`: safe as a name of a folder. */
function vintageName(source: string, first: string, last: string, sha256: string): string {
  const slug = source
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  const hour = (instant: string) => `${instant.slice(0, 13).replaceAll('-', '')}Z`
  return `${slug || 'source'}-btcusd-1h-${hour(first)}-${hour(last)}-${sha256.slice(0, 8)}`
}
