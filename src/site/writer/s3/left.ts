import { formatStored, type Instant, instantOrNaN } from '../../../contract/instant.js'
import { parseChecksums } from '../../checksums.js'
import { ATTEMPTS_INDEX_FILE, CHECKSUMS_FILE, RECORD_FILE } from '../../layout.js'
import type { BuildRecord, Superseded } from '../../record.js'
import { type BuiltObjects, checksumsOf } from './built.js'
import { isMonth, isSiteObject, neverRewritten } from './names.js'
import type { SiteObjects } from './store.js'
import { isTicket } from './tickets.js'

/** So long does a file stay that only older heads lead to: for readers on their way, and heads in caches. */
const KEPT_MICROS = 3_600_000_000

/**
 * What older heads lead to and the new ones do not, but for what has been so for an hour.
 * @param files of the new site.
 * @param anew whether an older head may have been there until now.
 */
export function supersededBy(
  files: ReadonlySet<string>,
  built: BuiltObjects | undefined,
  now: Instant,
  anew: boolean,
): Superseded[] {
  if (built === undefined) return []
  const since = formatStored(now)
  const noted = (built.record.superseded ?? []).map((each) => (anew ? { ...each, since } : each))
  const known = new Set(noted.map(({ path }) => path))
  const fresh = [...parseChecksums(String(built.checksums)).keys()]
    .filter((path) => !known.has(path))
    .map((path) => ({ path, since }))
  // Attempts that are taken away on request go at once.
  const withAttempts = files.has(ATTEMPTS_INDEX_FILE)
  return [...noted, ...fresh].filter(
    ({ path, since }) =>
      neverRewritten(path) &&
      !files.has(path) &&
      (withAttempts || !isMonth(path)) &&
      !(instantOrNaN(since) <= now - KEPT_MICROS),
  )
}

/**
 * Objects that nothing needs any more.
 * @param before what may be left of; all that a build can have written if undefined.
 */
export async function droppedObjects(
  store: SiteObjects,
  record: BuildRecord,
  checksums: string,
  before: BuiltObjects | undefined,
): Promise<string[]> {
  const needed = new Set([
    ...parseChecksums(checksums).keys(),
    ...(record.superseded ?? []).map(({ path }) => path),
    ...[checksumsOf(record), CHECKSUMS_FILE, RECORD_FILE],
  ])
  const there = before ? leftBy(before) : (await store.list('')).objects.map(({ path }) => path)
  return there.filter((path) => isSiteObject(path) && !needed.has(path) && !isTicket(path))
}

function leftBy({ record, checksums }: BuiltObjects): string[] {
  const superseded = (record.superseded ?? []).map(({ path }) => path)
  return [...parseChecksums(String(checksums)).keys(), ...superseded, checksumsOf(record)]
}
