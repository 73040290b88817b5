import { randomBytes } from 'node:crypto'
import { equal } from '../../contract/equal.js'
import { isObject, objectIn } from '../../contract/is-object.js'
import { canonicalize } from '../../document/canonical.js'
import { valueDifferences } from '../../document/difference.js'
import {
  type ManifestMembers,
  readManifest,
  resourceWith,
  type StoredResource,
  toAttempt,
  toResource,
} from '../../forecast/resource.js'
import type {
  ForecastOrigin,
  ForecastRow,
  HistoryRow,
  OriginRow,
  SoundAttempt,
} from '../../forecast/row.js'
import { isSeriesAttempt, type SeriesRow } from '../../forecast/series-row.js'
import { leafHash, sameHash } from '../../log/merkle.js'
import type { HistoryWriter } from '../../store/history-writer.js'
import { seriesKey } from '../../store/series-rows.js'
import { attemptLeaf, createEntryWriter, forecastLeaf } from '../leaf.js'
import type { ImportRow } from '../natural/natural-rows.js'

/** The result of writing one row into a history. */
export type PutResult =
  | { readonly kind: 'added' | 'unchanged' }
  /** The key has another value, which stays; `differs` are JSON Pointers into the new row. */
  | {
      readonly kind: 'conflict'
      readonly differs: readonly string[]
      readonly with: 'forecast' | 'attempt'
    }

/**
 * Writes a row.
 * @param said - the resource of a forecast in the stored form, which may have more members than the row.
 */
export type PutRow = (row: ImportRow, resource?: StoredResource) => Promise<PutResult>

/** The row of an origin, and its parsed manifest. */
interface KnownOrigin {
  readonly row: OriginRow
  readonly manifest: ManifestMembers
}

const ADDED: PutResult = { kind: 'added' }
const UNCHANGED: PutResult = { kind: 'unchanged' }
const MAX_DIFFERENCES = 8
/**
 * Number of cached origins. Forecasts of one origin are mostly consecutive, and a manifest may be large.
 */
const CACHED_ORIGINS = 64

/**
 * Creates a function that writes rows into a history; the first write of a key wins.
 * @param salt - whether forecasts without a salt get one, or the stored one.
 */
export function createRowWriter(writer: HistoryWriter, salt = false): PutRow {
  const origins = new Map<string, KnownOrigin>()
  const toEntry = createEntryWriter()

  const findOrigin = async ({ originAt, origin }: ForecastRow): Promise<KnownOrigin> => {
    const kept = origins.get(originAt)
    if (kept !== undefined) return kept
    const before: OriginRow | undefined = await writer.origin(originAt)
    if (before === undefined) await writer.addOrigin(origin)
    const row = before ?? origin
    const stored = { row, manifest: readManifest(row.manifestJson) }
    if (origins.size >= CACHED_ORIGINS) origins.clear()
    origins.set(originAt, stored)
    return stored
  }
  const putForecast = async (row: ForecastRow, given?: StoredResource): Promise<PutResult> => {
    const stored = salt ? await withSalt(writer, row, given ?? toResource(row)) : given
    // If the key has an attempt, only a forecast that was in the log before may come back; its leaf proves this.
    const isBeside = (await writer.attempt(row)) !== undefined
    if (isBeside && !(await isInLog(writer, stored ?? toResource(row))))
      return conflictWith('attempt')
    const { row: origin, manifest } = await findOrigin(row)
    const shown = toResourceWithManifest({ ...row, origin }, manifest)
    const fits =
      shown !== undefined &&
      (stored === undefined ? isSameOrigin(row.origin, origin) : equal(shown, stored))
    const resource = fits ? shown : (stored ?? toResource(row))
    const fullText = fits ? null : JSON.stringify(resource)
    if (await writer.addForecast({ ...row, whole: fullText })) {
      await writer.appendLeaf(
        forecastLeaf(resource, toEntry({ origin, whole: fullText }, resource)),
      )
      return ADDED
    }
    return compareForecast(await writer.forecast(row), resource)
  }
  const putAttempt = async (attempt: SoundAttempt): Promise<PutResult> => {
    const before = await writer.attempt(attempt)
    if (before !== undefined) return compareValues('attempt', toAttempt(attempt), toAttempt(before))
    if ((await writer.forecast(attempt)) !== undefined) return conflictWith('forecast')
    await writer.addAttempt(attempt)
    await writer.appendLeaf(attemptLeaf(toAttempt(attempt)))
    return ADDED
  }
  const putSeries = async (row: SeriesRow): Promise<PutResult> => {
    const key = seriesKey(row)
    const other = key.kind === 'forecast' ? 'attempt' : 'forecast'
    if ((await writer.seriesEntry({ ...key, kind: other })) !== undefined)
      return conflictWith(other)
    const before = await writer.seriesEntry(key)
    const stored = before === undefined ? undefined : (objectIn(before) ?? {})
    const entry = canonicalize(salt ? withRowSalt(row, stored) : row)
    if (entry === before) return UNCHANGED
    if (before !== undefined) return compareValues(key.kind, JSON.parse(entry), stored)
    await writer.addSeriesEntry({ key, entry })
    await writer.appendLeaf({ key, leaf: leafHash(entry) })
    return ADDED
  }
  return async (row, resource) => {
    if ('series' in row) return await putSeries(row)
    return 'status' in row ? await putAttempt(row) : await putForecast(row, resource)
  }
}

/** The key has a row of the other kind. */
const conflictWith = (other: 'forecast' | 'attempt'): PutResult => ({
  kind: 'conflict',
  differs: [''],
  with: other,
})

function withRowSalt(
  row: SeriesRow,
  before: Readonly<Record<string, unknown>> | undefined,
): object {
  if (isSeriesAttempt(row) || row.salt !== undefined) return row
  const salt = before === undefined ? newSalt() : before.salt
  return salt === undefined ? row : { ...row, salt }
}

const newSalt = () => randomBytes(SALT_BYTES).toString('base64url')

/** Bytes of a salt that is made here. */
const SALT_BYTES = 16

async function withSalt(
  writer: HistoryWriter,
  row: ForecastRow,
  resource: StoredResource,
): Promise<StoredResource> {
  if (resource.lineage.salt !== undefined) return resource
  const before = await writer.forecast(row)
  const salt = before === undefined ? newSalt() : readSalt(before)
  return salt === undefined ? resource : { ...resource, lineage: { ...resource.lineage, salt } }
}

function readSalt({ whole }: HistoryRow): string | undefined {
  const { lineage } = objectIn(String(whole)) ?? {}
  return isObject(lineage) && typeof lineage.salt === 'string' ? lineage.salt : undefined
}

async function isInLog(writer: HistoryWriter, resource: StoredResource): Promise<boolean> {
  const { leaf, key } = forecastLeaf(resource)
  const entry = await writer.logEntry(key)
  return entry !== undefined && sameHash(entry.leaf, leaf)
}

/**
 * The resource of a row with the manifest of its origin; undefined if a producer's origin row is not valid.
 */
function toResourceWithManifest(
  row: HistoryRow,
  manifest: ManifestMembers,
): StoredResource | undefined {
  try {
    return resourceWith(row, () => manifest)
  } catch {
    return undefined
  }
}

/** Whether an origin equals the one in a forecast, exactly. */
function isSameOrigin(origin: ForecastOrigin, stored: OriginRow): boolean {
  return (Object.keys(origin) as (keyof OriginRow)[]).every(
    (column) => origin[column] === stored[column],
  )
}

function compareForecast(before: HistoryRow | undefined, resource: StoredResource): PutResult {
  let stored: unknown
  try {
    stored = before && toResource(before)
  } catch {
    // The stored row is not a valid resource, so it differs in any case.
  }
  return compareValues('forecast', resource, stored)
}

function compareValues(kind: 'forecast' | 'attempt', given: unknown, stored: unknown): PutResult {
  const differs = findDifferences(given, stored, MAX_DIFFERENCES)
  return differs.length === 0 ? UNCHANGED : { kind: 'conflict', differs, with: kind }
}

/** JSON Pointers to the first places where two values differ, in the order of `a`'s members. JSON has one zero. */
export function findDifferences(a: unknown, b: unknown, limit: number): string[] {
  const pointers: string[] = []
  for (const { pointer, stored, computed } of valueDifferences(b, a)) {
    if (stored === computed) continue
    pointers.push(pointer)
    if (pointers.length === limit) break
  }
  return pointers
}
