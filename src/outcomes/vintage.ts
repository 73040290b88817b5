import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import { isObject } from '../contract/is-object.js'
import { isDigest, sha256Hex } from '../document/digest.js'
import { StagedFolder } from '../files/new-folder.js'
import { readRegular } from '../files/regular.js'
import {
  type CloseSeries,
  closeIn,
  closesText,
  gapsOf,
  lastOf,
  parseNormalForm,
  seriesOf,
} from './series.js'
import type { Vintage, VintageInput, VintageManifest } from './types.js'

const CLOSES_FILE = 'closes.csv'
const MANIFEST_FILE = 'manifest.json'

/** Hourly closes of several centuries. */
const MAX_BYTES = 256 * 1_048_576

const REIMPORT = 'Make it again with: foreproof outcomes import'

/**
 * Reads a vintage: its folder, its manifest.json, or its closes.csv. A normalised series without
 * a manifest beside it is read too, and named by its digest. The series must have the digest that
 * its manifest says and be in normal form but for line ends.
 * @throws {ForeproofError} `not-found`, `io`, or `invalid-input` naming the file and the line.
 */
export function readVintage(path: string): Vintage {
  const { dataPath, manifestPath } = locateVintage(path, CLOSES_FILE)
  const { text, sha256 } = readVintageText(dataPath)
  const series = parseNormalForm(text, dataPath)
  const manifestOf = (source: string) => makeManifest({ series, sha256, source, input: null })
  if (manifestPath === undefined) return vintageOf(manifestOf('unspecified'), series)
  const manifest = readVintageManifest<VintageManifest>(manifestPath, manifestFault)
  const made = manifestOf(manifest.source)
  const members = ['sha256', 'count', 'first', 'last', 'pair', 'bar_interval_hours'] as const
  demandAgreement(manifest, made, [...members, 'vintage_id'], [manifestPath, CLOSES_FILE])
  if (JSON.stringify(manifest.gaps) !== JSON.stringify(made.gaps)) {
    throw faulty(`gaps are not those of ${CLOSES_FILE}`, manifestPath, '/gaps')
  }
  return vintageOf(manifest, series)
}

/**
 * That a manifest says of its data what they are, and nothing else.
 * @throws {ForeproofError} `invalid-input` naming the first member that differs, or that it does not have.
 */
export function demandAgreement<T extends object>(
  manifest: T,
  made: T,
  members: readonly (keyof T & string)[],
  [file, data]: readonly [manifest: string, data: string],
): void {
  const unknown = Object.keys(manifest).find((member) => !Object.hasOwn(made, member))
  if (unknown !== undefined) {
    throw faulty(`${unknown} is no member of a manifest`, file, `/${unknown}`)
  }
  const key = members.find((member) => manifest[member] !== made[member])
  if (key === undefined) return
  const says = `${key} is ${JSON.stringify(manifest[key])}, but that of ${data} is ${made[key]}`
  const help = `One of the two was changed. ${REIMPORT}`
  throw new ForeproofError('invalid-input', says, { file, pointer: `/${key}`, help })
}

/** A vintage of closes at hand, by their instants: at least one, all on the hour. */
export function makeVintage(closes: ReadonlyMap<Instant, number>, source: string): Vintage {
  const series = seriesOf(closes)
  const sha256 = sha256Hex(closesText(series))
  return vintageOf(makeManifest({ series, sha256, source, input: null }), series)
}

function vintageOf(manifest: VintageManifest, series: CloseSeries): Vintage {
  return {
    manifest,
    first: series.first,
    last: lastOf(series),
    closeAt: (instant) => closeIn(series, instant),
  }
}

/**
 * Where the data of a vintage are, and its manifest where it has one.
 * @param path - its folder, its manifest, or its data.
 * @throws {ForeproofError} `not-found`, `io`.
 */
export function locateVintage(
  path: string,
  dataFile: string,
): { dataPath: string; manifestPath: string | undefined } {
  let folder = dirname(path)
  try {
    if (statSync(path).isDirectory()) folder = path
    else if (basename(path) !== MANIFEST_FILE && basename(path) !== dataFile) {
      return { dataPath: path, manifestPath: undefined }
    }
  } catch (cause) {
    throw fileError(cause, path)
  }
  const manifestPath = join(folder, MANIFEST_FILE)
  const dataPath = join(folder, dataFile)
  if (!existsSync(dataPath)) {
    const help = 'Name the folder that foreproof outcomes import wrote.'
    throw new ForeproofError('not-found', `${path}: holds no ${dataFile}`, { file: path, help })
  }
  if (existsSync(manifestPath)) return { dataPath, manifestPath }
  if (folder !== path) return { dataPath, manifestPath: undefined }
  const says = `${path}: holds no ${MANIFEST_FILE}`
  throw new ForeproofError('not-found', says, { file: path, help: REIMPORT })
}

/**
 * The text of a vintage in its normal form, and the digest of that: a checkout may have changed its line ends.
 * @throws {ForeproofError} `not-found`, `io`, or `invalid-input` for what is no text.
 */
export function readVintageText(path: string): { text: string; sha256: string } {
  try {
    const bytes = readRegular(path, MAX_BYTES)
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!text.includes('\r\n')) return { text, sha256: sha256Hex(bytes) }
    const normal = text.replaceAll('\r\n', '\n')
    return { text: normal, sha256: sha256Hex(normal) }
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw fileError(cause, path)
    throw faulty('not UTF-8 text', path)
  }
}

/**
 * @param faultOf - the pointer of the first member that is not what such a manifest has there.
 * @throws {ForeproofError} as `readVintageText`, and where there is such a member.
 */
export function readVintageManifest<T>(
  path: string,
  faultOf: (value: unknown) => string | undefined,
): T {
  const { text } = readVintageText(path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw faulty(cause instanceof Error ? cause.message : 'not JSON', path)
  }
  const fault = faultOf(value)
  if (fault === undefined) return value as T
  throw faulty(`${fault.slice(1)} is missing or of a wrong type`, path, fault)
}

const faulty = (says: string, file: string, pointer?: string) =>
  new ForeproofError('invalid-input', says, {
    ...{ file, help: REIMPORT },
    ...(pointer !== undefined && { pointer }),
  })

const TEXTS = ['vintage_id', 'source', 'pair', 'first', 'last', 'sha256'] as const

/** The pointer of the first member that is not what a manifest has there. */
function manifestFault(value: unknown): string | undefined {
  if (!isObject(value)) return ''
  const manifest = value
  if (manifest.schema_version !== 1) return '/schema_version'
  const text = TEXTS.find((key) => typeof manifest[key] !== 'string' || manifest[key] === '')
  if (text !== undefined) return `/${text}`
  if (!Array.isArray(manifest.gaps)) return '/gaps'
  return inputFault(manifest.input)
}

/** The pointer of the first member that is not what a manifest says of the file that it was made of. */
export function inputFault(input: unknown): string | undefined {
  if (input === null) return undefined
  if (!isObject(input)) return '/input'
  const { file, bytes, sha256, format } = input
  if (typeof file !== 'string' || file === '') return '/input/file'
  if (!Number.isSafeInteger(bytes) || Number(bytes) < 0) return '/input/bytes'
  if (!isDigest(sha256)) return '/input/sha256'
  return typeof format === 'string' && format !== '' ? undefined : '/input/format'
}

interface ManifestParts {
  readonly series: CloseSeries
  /** Lowercase hex SHA-256 of the series in its normal form. */
  readonly sha256: string
  readonly source: string
  readonly input: VintageInput | null
}

export function makeManifest({ series, sha256, ...parts }: ManifestParts): VintageManifest {
  const first = formatUtc(series.first)
  const last = formatUtc(lastOf(series))
  const gaps = gapsOf(series)
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

/** The name of a source as the beginning of a folder's. */
export function sourceSlug(source: string): string {
  const slug = source.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return slug.replaceAll(/^-+|-+$/g, '') || 'source'
}

/** `coinbase-btcusd-1h-20240101T01Z-20250801T00Z-702527da`: safe as a name of a folder. */
function vintageName(source: string, first: string, last: string, sha256: string): string {
  const hour = (instant: string) => `${instant.slice(0, 13).replaceAll('-', '')}Z`
  return `${sourceSlug(source)}-btcusd-1h-${hour(first)}-${hour(last)}-${sha256.slice(0, 8)}`
}

/**
 * Writes a vintage as a folder that is there whole or not at all. The same vintage written again
 * changes nothing.
 * @returns `unchanged` when the folder already holds exactly this vintage.
 * @throws {ForeproofError} `refused` when something else lies there; `io` or `not-found`.
 */
export function writeVintage(
  folder: string,
  manifest: object,
  data: string,
  dataFile = CLOSES_FILE,
): 'written' | 'unchanged' {
  const texts = [
    [dataFile, data],
    [MANIFEST_FILE, `${JSON.stringify(manifest, null, 2)}\n`],
  ] as const
  if (isUnchanged(folder, texts)) return 'unchanged'
  const staged = new StagedFolder(folder)
  try {
    for (const [name, text] of texts) staged.append(name, text)
    staged.commit()
    return 'written'
  } catch (cause) {
    throw occupied(cause) ? taken(folder) : fileError(cause, folder)
  } finally {
    staged.discard()
  }
}

/** @throws {ForeproofError} `refused` when the folder holds something else. */
function isUnchanged(folder: string, texts: readonly (readonly [string, string])[]): boolean {
  if (!existsSync(folder)) return false
  try {
    const isSame = ([name, text]: readonly [string, string]) =>
      readVintageText(join(folder, name)).text === text
    if (texts.every(isSame)) return true
  } catch {
    // No vintage, or no folder: the rename says so, except for an empty folder, which it may take.
    return false
  }
  throw taken(folder)
}

function occupied(cause: unknown): boolean {
  const errno = (cause as { code?: unknown } | null)?.code
  return errno === 'ENOTEMPTY' || errno === 'EEXIST' || errno === 'ENOTDIR' || errno === 'EBUSY'
}

function taken(folder: string): ForeproofError {
  return new ForeproofError('refused', `${folder}: something else is there already`, {
    file: folder,
    help: 'Nothing was written. Choose another folder with --out; vintages are never replaced.',
  })
}
