import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatStored, type Instant, instantOrNaN } from '../../../contract/instant.js'
import { parseChecksums } from '../../checksums.js'
import { headerRules } from '../../headers.js'
import { ATTEMPTS_INDEX_FILE, CHECKSUMS_FILE, isMonth, RECORD_FILE } from '../../layout.js'
import { type BuildRecord, parseRecord, type Superseded } from '../../record.js'
import { type BuiltObjects, checksumsOf } from './built.js'
import { HEADS, isSiteObject, neverRewritten, objectHeaders } from './names.js'
import { inParallel, type SiteObjects } from './store.js'
import { isTicket, type Ticket } from './tickets.js'

export interface Upload {
  /** Where the new files lie, and what they are. */
  readonly folder: string
  readonly files: readonly string[]
  readonly ticket: Ticket
  /** Ends where the user wants it to end. */
  readonly store: SiteObjects
  /** Does not: from the record on it is a matter of a few requests. */
  readonly last: SiteObjects
  /** Objects to remove before anything else. */
  readonly withdrawn: readonly string[]
  /** The build before, where nothing but its files can be left over. */
  readonly before: BuiltObjects | undefined
  readonly onUpload?: ((done: number, of: number) => void) | undefined
}

/** Brings a build to its place, in the order that the target's comment gives. */
export async function upload(work: Upload): Promise<void> {
  const { folder, files, last } = work
  const record = parseRecord(readFileSync(join(folder, RECORD_FILE))) as BuildRecord
  const rules = headerRules(record.pages, record.sealed_pages, record.log !== undefined)
  let done = 0
  const put = async (store: SiteObjects, path: string, from = path) => {
    await store.put(path, readFileSync(join(folder, from)), objectHeaders(path, rules))
    work.onUpload?.(++done, files.length + 1)
  }
  const late = new Set([...HEADS.flat(), CHECKSUMS_FILE, RECORD_FILE])
  const early = files.filter((path) => !late.has(path))
  await inParallel(work.withdrawn, (path) => work.store.remove(path))
  await inParallel(early, (path) => put(work.store, path))
  await put(work.store, checksumsOf(record), CHECKSUMS_FILE)
  const there = new Set(files)
  for (const step of [[RECORD_FILE], ...HEADS, [CHECKSUMS_FILE]]) {
    const paths = step.filter((path) => there.has(path))
    // A process may have been stopped between any two requests, and another build begun.
    if (paths.length > 0) await work.ticket.demand()
    await inParallel(paths, (path) => put(last, path))
  }
  const checksums = readFileSync(join(folder, CHECKSUMS_FILE), 'utf8')
  const dropped = await droppedObjects(last, record, checksums, work.before)
  await work.ticket.demand()
  await inParallel(dropped, (path) => last.remove(path))
}

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
async function droppedObjects(
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
