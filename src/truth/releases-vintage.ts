import { ForeproofError } from '../contract/error.js'
import { type ArgsOf, finding, formatMessage } from '../contract/findings/finding.js'
import { formatUtc, type Instant, parseInstant } from '../contract/instant.js'
import { isObject } from '../contract/is-object.js'
import { isValue, LARGEST_VALUE_TEXT } from '../contract/limits.js'
import type { TableFormat } from '../table/table.js'
import { ReleaseColumns, type ReleaseTable, type SeriesReleases } from './release-columns.js'
import {
  ALWAYS,
  type Domain,
  type DomainFault,
  findDomainFault,
  type Release,
  type Releases,
} from './releases.js'
import {
  inputFault,
  normalRows,
  notNormal,
  readVintageFiles,
  sourceSlug,
  type VintageSource,
} from './vintage-files.js'

const HEADER = 'series,period,value,as_of'

/** The content of manifest.json beside releases.csv; the same input and options give the same bytes. */
export interface TruthManifest {
  readonly schema_version: 2
  readonly vintage_id: string
  /** The publisher of the outcomes. */
  readonly source: string
  /** Number of series, and of rows. */
  readonly series: number
  readonly rows: number
  /** Over the rows that state when they became public; null if none does. */
  readonly first_as_of: string | null
  readonly last_as_of: string | null
  /** Until when it includes everything that became public; null if unknown. */
  readonly complete_to: string | null
  /** Lowercase hex SHA-256 of releases.csv, the digest of the vintage. */
  readonly sha256: string
  readonly input: TruthInput | null
}

/** A manifest of values of which nothing says when they became public, nor where they came from. */
export const undatedManifest = (
  of: Omit<TruthManifest, 'schema_version' | 'first_as_of' | 'last_as_of' | 'input'>,
): TruthManifest => ({
  ...{ schema_version: 2, first_as_of: null, last_as_of: null, input: null },
  ...of,
})

/** Where the rows came from. */
export interface TruthInput extends VintageSource {
  readonly format: TableFormat | 'mixed'
  /** For a folder, whose digest covers one line per file: its SHA-256, two spaces, its path within. */
  readonly files?: number
}

/** The outcomes of some series, with all their releases. */
export interface TruthVintage {
  readonly manifest: TruthManifest
  /** Releases of one period, by its label; empty if it has no row. */
  releases(series: string, period: string): Releases
}

const PIECE = 65_536

/**
 * The normal form, in pieces: sorted by series, period and instant, with only rows that change the value in force.
 */
export function* releasePieces(table: ReleaseTable): Generator<string, void, undefined> {
  let piece = `${HEADER}\n`
  for (const series of [...table.keys()].sort()) {
    const periods = table.get(series) as SeriesReleases
    for (const period of [...periods.keys()].sort()) {
      for (const release of periods.get(period) as Releases) {
        piece += `${releaseLine(series, period, release)}\n`
      }
      if (piece.length < PIECE) continue
      yield piece
      piece = ''
    }
  }
  yield piece
}

function releaseLine(series: string, period: string, { asOf, value }: Release): string {
  return `${series},${period},${value ?? ''},${asOf === ALWAYS ? '' : formatUtc(asOf)}`
}

/** @param completeTo - default: the latest instant of a row. */
export function createTruthManifest(parts: {
  readonly table: ReleaseTable
  readonly sha256: string
  readonly source: string
  readonly input: TruthInput | null
  readonly completeTo?: Instant | undefined
}): TruthManifest {
  const { table, sha256, source, input } = parts
  let [count, rows, first, last] = [0, 0, Number.POSITIVE_INFINITY, ALWAYS]
  for (const series of table.keys()) {
    count++
    for (const releases of table.get(series)?.values() ?? []) {
      rows += releases.length
      for (const { asOf } of releases) {
        if (asOf !== ALWAYS) first = Math.min(first, asOf)
        last = Math.max(last, asOf)
      }
    }
  }
  const text = (at: Instant) => (Number.isFinite(at) && at !== ALWAYS ? formatUtc(at) : null)
  const complete_to = text(parts.completeTo ?? last)
  const until = complete_to?.slice(0, 13).replaceAll('-', '').concat('Z') ?? 'undated'
  return {
    schema_version: 2,
    vintage_id: `${sourceSlug(source)}-series-${until}-${sha256.slice(0, 8)}`,
    source,
    series: count,
    rows,
    first_as_of: text(first),
    last_as_of: text(last),
    complete_to,
    sha256,
    input,
  }
}

/** The parts of rules, or of a document of version 2, that say which values can be scored. */
interface ValueRules {
  readonly series: readonly { readonly id: string }[]
  readonly forecast: Domain
}

/**
 * Reads a vintage of outcomes with their releases: its folder, its manifest.json, or its releases.csv.
 * @throws {ForeproofError} as `readVintageFiles`, and if the protocol cannot score a value.
 */
export function readTruth(path: string, rules: ValueRules): TruthVintage {
  const { data, manifest } = readVintageFiles<ReleaseTable, TruthManifest>(path, {
    version: 2,
    parse: (pieces, file) => {
      const table = parseReleases(pieces, file)
      assertInDomain(table, rules, file)
      return table
    },
    fault: manifestFault,
    manifest: (table, sha256, given) =>
      createTruthManifest({
        ...{ table, sha256, source: given?.source ?? 'unspecified', input: null },
        completeTo: parseInstant(given?.complete_to),
      }),
    members: ['series', 'rows', 'first_as_of', 'last_as_of', 'complete_to'],
  })
  return createTruth(manifest, data)
}

/** A vintage from releases in memory. */
export function createTruth(manifest: TruthManifest, table: ReleaseTable): TruthVintage {
  return { manifest, releases: (series, period) => table.get(series)?.get(period) ?? [] }
}

/**
 * @throws {ForeproofError} `invalid-input` if `outcomes import` would have refused a value.
 */
function assertInDomain(table: ReleaseTable, { series, forecast }: ValueRules, file: string): void {
  const first = new Map<DomainFault, ArgsOf<'truth-domain'>>()
  for (const { id } of series) {
    const releases = table.get(id)
    for (const period of releases?.keys() ?? []) {
      for (const { value: found } of releases?.get(period) ?? []) {
        const fault = found === undefined ? undefined : findDomainFault(found, forecast)
        if (found === undefined || fault === undefined) continue
        const minimum = String(forecast.minimum ?? '')
        const same = first.get(fault) ?? { series: id, period, found, minimum, count: 0 }
        first.set(fault, { ...same, fault, taken: 'cannot be scored', count: same.count + 1 })
      }
    }
  }
  const findings = [...first.values()].map((args) => finding('truth-domain', args, { file }))
  const [wrong] = findings
  if (wrong === undefined) return
  const { text, help } = formatMessage(wrong)
  throw new ForeproofError('invalid-input', text, { file, findings, help })
}

/** The pointer of the first invalid member of a manifest. */
function manifestFault(value: unknown): string | undefined {
  if (!isObject(value) || value.schema_version !== 2) return '/schema_version'
  const { input, complete_to } = value
  const isText = (key: string) => typeof value[key] === 'string' && value[key] !== ''
  const text = ['vintage_id', 'source', 'sha256'].find((key) => !isText(key))
  if (text !== undefined) return `/${text}`
  if (complete_to !== null && parseInstant(complete_to) === undefined) return '/complete_to'
  return inputFault(input)
}

function parseReleases(pieces: Iterable<string>, file: string): ReleaseTable {
  const table = new ReleaseColumns()
  let [series, period] = ['', '']
  let before: Release | undefined
  for (const [row, line] of normalRows(pieces, HEADER, file)) {
    const [itsSeries = '', itsPeriod = '', value = '', asOf = ''] = row.split(',')
    const isSame = itsSeries === series && itsPeriod === period
    const time = asOf === '' ? ALWAYS : parseInstant(asOf)
    const release = { asOf: time ?? 0, value: value === '' ? undefined : Number(value) }
    if (time === undefined || releaseLine(itsSeries, itsPeriod, release) !== row) {
      notNormal(file, line, 'not in normal form')
    }
    if (release.value !== undefined && !isValue(release.value)) {
      notNormal(file, line, `${value} is no value: values lie within ±${LARGEST_VALUE_TEXT}`)
    }
    const follows = isSame
      ? release.asOf > (before?.asOf ?? ALWAYS)
      : itsSeries > series || (itsSeries === series && itsPeriod > period)
    if (!follows) notNormal(file, line, 'not behind the line before in the order of the form')
    if (release.value === (isSame ? before?.value : undefined)) {
      notNormal(file, line, 'it changes nothing')
    }
    ;[series, period, before] = [itsSeries, itsPeriod, release]
    table.add(series, period, release)
  }
  if (before === undefined) notNormal(file, 1, 'no rows')
  return table
}
