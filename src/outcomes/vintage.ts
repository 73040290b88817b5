import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { type Instant, isOnTheHour, MICROS_PER_HOUR, parseTimestamp } from '../contract/instant.js'
import { CLOSES_HEADER, closesText, makeManifest } from './manifest.js'
import { parsePrice } from './price.js'
import type { Vintage, VintageManifest } from './types.js'

export const CLOSES_FILE = 'closes.csv'
export const MANIFEST_FILE = 'manifest.json'

const REIMPORT = 'Make it again with: foreproof outcomes import'

/**
 * Reads a vintage: its folder, its manifest.json, or its closes.csv. A normalised series without
 * a manifest beside it is read too, and named by its digest. The series must have the digest that
 * its manifest says and be in normal form to the byte.
 * @throws {ForeproofError} `not-found`, `io`, or `invalid-input` naming the file and the line.
 */
export function readVintage(path: string): Vintage {
  const { closesPath, manifestPath } = locate(path)
  const text = readText(closesPath)
  const closes = parseNormal(text, closesPath)
  const made = makeManifest({ closes, text, source: 'unspecified', input: null })
  if (manifestPath === undefined) return vintageOf(made, closes)
  const manifest = readManifest(manifestPath)
  for (const key of ['sha256', 'count', 'first', 'last', 'pair', 'bar_interval_hours'] as const) {
    if (manifest[key] === made[key]) continue
    throw new ForeproofError(
      'invalid-input',
      `${key} is ${JSON.stringify(manifest[key])}, but that of ${CLOSES_FILE} is ${made[key]}`,
      { file: manifestPath, pointer: `/${key}`, help: `One of the two was changed. ${REIMPORT}` },
    )
  }
  if (JSON.stringify(manifest.gaps) !== JSON.stringify(made.gaps)) {
    throw new ForeproofError('invalid-input', `gaps are not those of ${CLOSES_FILE}`, {
      file: manifestPath,
      pointer: '/gaps',
      help: REIMPORT,
    })
  }
  return vintageOf(manifest, closes)
}

/** A vintage of closes at hand; `closes` needs at least one. */
export function vintageOf(
  manifest: VintageManifest,
  closes: ReadonlyMap<Instant, number>,
): Vintage {
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const at of closes.keys()) {
    if (at < first) first = at
    if (at > last) last = at
  }
  // An hour without a close is NaN; an array answers ten times as fast as the map.
  const series = new Float64Array((last - first) / MICROS_PER_HOUR + 1).fill(Number.NaN)
  for (const [at, price] of closes) series[(at - first) / MICROS_PER_HOUR] = price
  const closeAt = (instant: Instant) => {
    const close = series[(instant - first) / MICROS_PER_HOUR]
    return close === undefined || Number.isNaN(close) ? undefined : close
  }
  return { manifest, first, last, closeAt }
}

function locate(path: string): { closesPath: string; manifestPath: string | undefined } {
  let folder = dirname(path)
  try {
    if (statSync(path).isDirectory()) folder = path
    else if (basename(path) !== MANIFEST_FILE && basename(path) !== CLOSES_FILE) {
      return { closesPath: path, manifestPath: undefined }
    }
  } catch (cause) {
    throw fileError(cause, path)
  }
  const manifestPath = join(folder, MANIFEST_FILE)
  const closesPath = join(folder, CLOSES_FILE)
  if (!existsSync(closesPath)) {
    throw new ForeproofError('not-found', `${path}: holds no ${CLOSES_FILE}`, {
      file: path,
      help: 'Name the folder that foreproof outcomes import wrote.',
    })
  }
  if (existsSync(manifestPath)) return { closesPath, manifestPath }
  if (folder !== path) return { closesPath, manifestPath: undefined }
  throw new ForeproofError('not-found', `${path}: holds no ${MANIFEST_FILE}`, {
    file: path,
    help: REIMPORT,
  })
}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw fileError(cause, path)
    throw new ForeproofError('invalid-input', 'not UTF-8 text', { file: path, help: REIMPORT })
  }
}

/** Reads the normal form and nothing else: each line must be what the importer would write. */
function parseNormal(text: string, file: string): Map<Instant, number> {
  const lines = text.split('\n')
  const bad = (line: number, says: string): never => {
    throw new ForeproofError('invalid-input', says, {
      file,
      position: { line, column: 1 },
      help: 'A vintage is what foreproof outcomes import writes: import this file first.',
    })
  }
  if (lines[0] !== CLOSES_HEADER) bad(1, `the header is not ${CLOSES_HEADER}`)
  if (lines.pop() !== '')
    bad(lines.length + 1, 'the last line has no line break: it may be cut off')
  if (lines.length < 2) bad(1, 'no closes')
  const closes = new Map<Instant, number>()
  let previous = Number.NEGATIVE_INFINITY
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const comma = line.indexOf(',')
    const time = parseTimestamp(line.slice(0, comma))
    const price = parsePrice(line.slice(comma + 1))
    if (!time.ok || !isOnTheHour(time.instant))
      return bad(index + 1, 'no close instant on the hour')
    if (!price.ok) return bad(index + 1, 'no price greater than zero')
    if (time.instant <= previous) bad(index + 1, 'not later than the line before')
    previous = time.instant
    closes.set(time.instant, price.price)
  }
  if (closesText(closes) !== text) bad(1, 'the series is not in its normal form')
  return closes
}

function readManifest(path: string): VintageManifest {
  const text = readText(path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const says = cause instanceof Error ? cause.message : 'not JSON'
    throw new ForeproofError('invalid-input', says, { file: path, help: REIMPORT, cause })
  }
  const fault = manifestFault(value)
  if (fault === undefined) return value as VintageManifest
  throw new ForeproofError('invalid-input', `${fault.slice(1)} is missing or of a wrong type`, {
    file: path,
    pointer: fault,
    help: REIMPORT,
  })
}

const TEXTS = ['vintage_id', 'source', 'pair', 'first', 'last', 'sha256'] as const

/** The pointer of the first member that is not what a manifest has there. */
function manifestFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return ''
  const manifest = value as Record<string, unknown>
  if (manifest.schema_version !== 1) return '/schema_version'
  const text = TEXTS.find((key) => typeof manifest[key] !== 'string' || manifest[key] === '')
  if (text !== undefined) return `/${text}`
  if (!Array.isArray(manifest.gaps)) return '/gaps'
  return manifest.input === null || typeof manifest.input === 'object' ? undefined : '/input'
}
