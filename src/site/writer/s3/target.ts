import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatStored, type Instant, instantOrNaN } from '../../../contract/instant.js'
import { parseChecksums } from '../../checksums.js'
import { headerRules } from '../../headers.js'
import {
  ATTEMPTS_INDEX_FILE,
  CHECKSUMS_FILE,
  GENERATIONS,
  isMonth,
  RECORD_FILE,
} from '../../layout.js'
import { type BuildRecord, parseRecord, type Superseded } from '../../record.js'
import { stageFolder } from '../folder.js'
import { pathsBelow } from '../links.js'
import type { BuiltSite, SiteTarget, TargetOptions } from '../site-writer.js'
import { parseObjectLocation } from './address.js'
import { assertOwnBuild, type BuiltObjects, checksumsFile, readBuilt } from './built.js'
import { HEADS, isSiteObject, isWrittenOnce, objectHeaders } from './names.js'
import { inParallel, openSiteObjects, type SiteObjects } from './store.js'
import { hasTickets, isTicket, type Ticket, takeTicket } from './tickets.js'

/**
 * A site in a store of objects, where one object changes at a time and nothing else is guaranteed.
 *
 * Objects that a head leads to are never overwritten. A build draws a generation, a number of nine digits, and ends the
 * name of every page that it writes with it: `page-12482913075.json` is page 12, counted from the oldest, of the
 * generation 482913075. So a late row, another base URL and `--full` make new pages beside the old ones. A head of
 * either build leads through a whole history, also among other files: the old head until the one request that replaces
 * it is done, and the new head after it. Months of recorded attempts are named in the same way, and the only files of a
 * log that change are its heads.
 *
 * The order of an upload, with each step done before the next:
 *
 * 1. a ticket, against a second build; it stays if this build is killed;
 * 2. pages, months, tiles, checkpoints, stamps and the fixed files, many at a time;
 * 3. `checksums-GENERATION.txt`, then `build.json`, from which the next build starts;
 * 4. the heads: `forecasts.json`, `latest.json`, `attempts.json`, the log's list, `log/checkpoint`. Between them a
 *    reader sees a `latest.json` that is one build behind `forecasts.json`, which contains its forecast; attempts and a
 *    log that are one build behind cover a part of the pages;
 * 5. `checksums.txt`, for people; then files that are no longer needed are removed, and last the ticket.
 *
 * Files that an older head led to stay for an hour after they were superseded, as `build.json` notes; a later build
 * removes them. So a reader who walks during an upload, or has a cached head, reaches the end. A leftover ticket shows
 * the next build that one was killed. Then it trusts only sealed pages, which cannot have changed, and writes all other
 * files again. It removes files that are neither in its own list nor in that note. It also restarts the hour, because
 * the old head may have been visible until now.
 *
 * A restarted log has other tiles under the same names. So its heads are removed first: meanwhile there is no log,
 * instead of an inconsistent one.
 */
export async function openObjectTarget(options: TargetOptions): Promise<SiteTarget> {
  const location = parseObjectLocation(options.out, options)
  const store = await openSiteObjects(location, options.signal)
  const last = await openSiteObjects(location)
  // Without permission nothing is written, not even a ticket.
  if ((await store.get(RECORD_FILE)) === undefined)
    await assertOwnBuild(store, await hasTickets(store))
  const generation = randomInt(1, GENERATIONS)
  const ticket = await takeTicket(last, generation)
  const { afterFailure } = ticket
  let built: BuiltObjects | undefined
  let folder: string | undefined
  let outcome: 'untouched' | 'failed' | 'done' = 'untouched'
  const discard = () => folder && rmSync(folder, { recursive: true, force: true })
  return {
    current: async () => {
      built = await readBuilt(store, afterFailure)
      return built
    },
    stage: async ({ keep }) => {
      discard()
      const into = mkdtempSync(join(tmpdir(), 'foreproof-publish-'))
      folder = into
      const withdrawn: string[] = []
      return {
        ...stageFolder({ folder: into, visible: false, durable: false }, () => undefined),
        // Unneeded objects are removed after the heads are written.
        lying: async () => [],
        remove: async (path) => {
          withdrawn.push(path)
        },
        objects: {
          generation,
          buildRecord: (files, now) => ({
            generation,
            superseded: supersededBy(files, built, now, afterFailure),
          }),
        },
        publish: async () => {
          outcome = 'failed'
          const before = keep && !afterFailure ? built : undefined
          const { onUpload } = options
          const files = pathsBelow(into)
          await upload({ store, last, ticket, folder: into, files, withdrawn, before, onUpload })
          outcome = 'done'
        },
      }
    },
    release: async () => {
      discard()
      await ticket.end(outcome).catch((cause) => {
        // Report the error that ended the build instead of this one.
        if (outcome === 'done') throw cause
      })
    },
  }
}

/** The site that exists now; nothing is written or locked. */
export async function inspectObjectTarget(options: TargetOptions): Promise<BuiltSite | undefined> {
  const store = await openSiteObjects(parseObjectLocation(options.out, options), options.signal)
  return readBuilt(store, await hasTickets(store))
}

interface Upload {
  /** Folder and list of the new files. */
  readonly folder: string
  readonly files: readonly string[]
  readonly ticket: Ticket
  /** Stops on the user's signal. */
  readonly store: SiteObjects
  /** Ignores the signal: after the record, only a few requests are left. */
  readonly last: SiteObjects
  /** Objects to remove first. */
  readonly withdrawn: readonly string[]
  /** The previous build, if only its files can be left over. */
  readonly before: BuiltObjects | undefined
  readonly onUpload?: ((done: number, of: number) => void) | undefined
}

/** Uploads a build in the order that the comment of the target explains. */
async function upload(work: Upload): Promise<void> {
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
  await put(work.store, checksumsFile(record), CHECKSUMS_FILE)
  const there = new Set(files)
  for (const step of [[RECORD_FILE], ...HEADS, [CHECKSUMS_FILE]]) {
    const paths = step.filter((path) => there.has(path))
    // This process may have been suspended between two requests, and another build started.
    if (paths.length > 0) await work.ticket.demand()
    await inParallel(paths, (path) => put(last, path))
  }
  const checksums = readFileSync(join(folder, CHECKSUMS_FILE), 'utf8')
  const dropped = await droppedObjects(last, record, checksums, work.before)
  await work.ticket.demand()
  await inParallel(dropped, (path) => last.remove(path))
}

/** How long a file stays that only older heads lead to: for readers who are following them, and heads in caches. */
const KEPT_MICROS = 3_600_000_000

/**
 * Files that older heads lead to and the new ones do not, except those superseded for more than an hour.
 * @param files of the new site.
 * @param anew whether an older head may have been visible until now.
 */
function supersededBy(
  files: ReadonlySet<string>,
  built: BuiltObjects | undefined,
  now: Instant,
  anew: boolean,
): Superseded[] {
  if (built === undefined) return []
  const since = formatStored(now)
  const noted = (built.record.superseded ?? []).map((each) => (anew ? { ...each, since } : each))
  const paths = new Set(noted.map(({ path }) => path))
  const fresh = [...parseChecksums(String(built.checksums)).keys()]
    .filter((path) => !paths.has(path))
    .map((path) => ({ path, since }))
  // Attempts that the user withdraws are removed at once.
  const withAttempts = files.has(ATTEMPTS_INDEX_FILE)
  return [...noted, ...fresh].filter(
    ({ path, since }) =>
      isWrittenOnce(path) &&
      !files.has(path) &&
      (withAttempts || !isMonth(path)) &&
      !(instantOrNaN(since) <= now - KEPT_MICROS),
  )
}

/**
 * Objects that are no longer needed.
 * @param before the build whose files may be left over; if undefined, any file that a build can have written.
 */
async function droppedObjects(
  store: SiteObjects,
  record: BuildRecord,
  checksums: string,
  before: BuiltObjects | undefined,
): Promise<string[]> {
  const needed = new Set([...namedBy(record, checksums), CHECKSUMS_FILE, RECORD_FILE])
  const there = before
    ? namedBy(before.record, String(before.checksums))
    : (await store.list('')).objects.map(({ path }) => path)
  return there.filter((path) => isSiteObject(path) && !needed.has(path) && !isTicket(path))
}

/** Files of a build, including those that it superseded, and their list. */
function namedBy(record: BuildRecord, checksums: string): string[] {
  const superseded = (record.superseded ?? []).map(({ path }) => path)
  return [...parseChecksums(checksums).keys(), ...superseded, checksumsFile(record)]
}
