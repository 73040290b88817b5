import { formatUtc, type Instant } from '../../contract/instant.js'
import { isObject } from '../../contract/is-object.js'
import { sha256Hex } from '../../document/digest.js'
import { inputFault, readVintageFiles, sourceSlug, type VintageSource } from '../vintage-files.js'
import {
  type CloseSeries,
  closeIn,
  closesText,
  createCloseSeries,
  findGaps,
  lastInstant,
  parseNormalForm,
  type VintageGap,
} from './close-series.js'
import type { Closes } from './closes-truth.js'
import type { OutcomeFormat, Stamp } from './layout.js'

/** The source of the closes and how the file was read. */
export interface VintageInput extends VintageSource {
  readonly format: OutcomeFormat
  readonly stamp: Stamp
  /** Rows that repeated a bar with the same price. */
  readonly duplicates: number
}

/** The content of manifest.json beside closes.csv; the same input and options give the same bytes. */
export interface VintageManifest {
  readonly schema_version: 1
  readonly vintage_id: string
  /** The exchange or collector of the closes: `coinbase`. */
  readonly source: string
  readonly pair: 'BTC/USD'
  readonly bar_interval_hours: 1
  /** Close instants of the first and the last bar, in UTC. */
  readonly first: string
  readonly last: string
  /** Closes in the series; `count` plus the hours of all gaps fill first..last. */
  readonly count: number
  readonly gaps: readonly VintageGap[]
  /** Lowercase hex SHA-256 of closes.csv, the digest of the vintage. */
  readonly sha256: string
  readonly input: VintageInput | null
}

/** Hourly closes with their digest and source. */
export interface Vintage extends Closes {
  readonly manifest: VintageManifest
}

/**
 * Reads a vintage of closes: its folder, its manifest.json, or its closes.csv.
 * @throws {ForeproofError} as `readVintageFiles`.
 */
export function readVintage(path: string): Vintage {
  const { data, manifest } = readVintageFiles<CloseSeries, VintageManifest>(path, {
    version: 1,
    parse: parseNormalForm,
    fault: manifestFault,
    manifest: (series, sha256, given) =>
      createManifest({ series, sha256, source: given?.source ?? 'unspecified', input: null }),
    members: ['count', 'first', 'last', 'pair', 'bar_interval_hours', 'gaps'],
  })
  return toVintage(manifest, data)
}

/** A vintage from closes in memory, by their instants: at least one, all on the hour. */
export function createVintage(closes: ReadonlyMap<Instant, number>, source: string): Vintage {
  const series = createCloseSeries(closes)
  const sha256 = sha256Hex(closesText(series))
  return toVintage(createManifest({ series, sha256, source, input: null }), series)
}

function toVintage(manifest: VintageManifest, series: CloseSeries): Vintage {
  return {
    manifest,
    first: series.first,
    last: lastInstant(series),
    closeAt: (instant) => closeIn(series, instant),
  }
}

const TEXTS = ['vintage_id', 'source', 'pair', 'first', 'last', 'sha256'] as const

/** The pointer of the first invalid member of a manifest. */
function manifestFault(value: unknown): string | undefined {
  if (!isObject(value)) return ''
  const manifest = value
  if (manifest.schema_version !== 1) return '/schema_version'
  const text = TEXTS.find((key) => typeof manifest[key] !== 'string' || manifest[key] === '')
  if (text !== undefined) return `/${text}`
  if (!Array.isArray(manifest.gaps)) return '/gaps'
  return inputFault(manifest.input)
}

interface ManifestParts {
  readonly series: CloseSeries
  /** Lowercase hex SHA-256 of the series in its normal form. */
  readonly sha256: string
  readonly source: string
  readonly input: VintageInput | null
}

export function createManifest({ series, sha256, ...parts }: ManifestParts): VintageManifest {
  const first = formatUtc(series.first)
  const last = formatUtc(lastInstant(series))
  const gaps = findGaps(series)
  return {
    schema_version: 1,
    vintage_id: vintageName(parts.source, first, last, sha256),
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

/** `coinbase-btcusd-1h-20240101T01Z-20250801T00Z-702527da`: safe as a folder name. */
function vintageName(source: string, first: string, last: string, sha256: string): string {
  const hour = (instant: string) => `${instant.slice(0, 13).replaceAll('-', '')}Z`
  return `${sourceSlug(source)}-btcusd-1h-${hour(first)}-${hour(last)}-${sha256.slice(0, 8)}`
}
