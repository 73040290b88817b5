import { formatUtc } from '../contract/instant.js'
import { type CloseSeries, gapsOf, lastOf } from './series.js'
import type { VintageInput, VintageManifest } from './types.js'

export interface ManifestParts {
  readonly series: CloseSeries
  /** Lowercase hex SHA-256 of the series in its normal form. */
  readonly sha256: string
  readonly source: string
  readonly input: VintageInput | null
  /** A name of the user's own; otherwise one is made from what the vintage is. */
  readonly vintageId?: string
}

export function makeManifest({ series, sha256, ...parts }: ManifestParts): VintageManifest {
  const first = formatUtc(series.first)
  const last = formatUtc(lastOf(series))
  const gaps = gapsOf(series)
  return {
    schema_version: 1,
    vintage_id: parts.vintageId ?? vintageName(parts.source, first, last, sha256),
    source: parts.source,
    pair: 'BTC/USD',
    bar_interval_hours: 1,
    first,
    last,
    count: series.closes.length - gaps.reduce((sum, gap) => sum + gap.hours, 0),
    gaps,
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
