import { statSync } from 'node:fs'
import { ForeproofError, fileError } from '../contract/error.js'
import type { Instant } from '../contract/instant.js'
import type { HistoryReader } from '../history/store/types.js'
import { buildSite } from './build.js'
import { attemptFacts, gatherFacts } from './facts.js'
import { inspectLinkedPlace, openLinkedPlace } from './linked-place.js'
import type { Place } from './place.js'
import { inspectPlainPlace, openPlainPlace } from './plain-place.js'
import {
  buildsUpon,
  type HistoryFacts,
  planSite,
  type SitePlan,
  type SiteSettings,
} from './plan.js'
import type { BuildRecord } from './record.js'
import { HistoryMoved } from './rows.js'
import { PageThreads } from './threads.js'

export interface PublishOptions extends SiteSettings {
  readonly reader: HistoryReader
  readonly out: string
  /** Build into a plain folder instead of behind a symbolic link. */
  readonly inPlace: boolean
  readonly now: Instant
  readonly onProgress?: ((page: number, of: number) => void) | undefined
}

export interface PublishResult {
  readonly plan: SitePlan
  readonly record: BuildRecord
}

const TRIES = 3
/** A history of so many bytes has more pages than threads are started for, if its rows are like most. */
const LARGE_BYTES = 16 << 20

/** What `publish` would do now; nothing is written. */
export async function planPublish(options: PublishOptions): Promise<SitePlan> {
  const { inPlace, out } = options
  const place = inPlace ? inspectPlainPlace(named(out)) : inspectLinkedPlace(named(out))
  return (await prepare(place, options)).plan
}

/**
 * Builds the static site of a history, or brings it up to date.
 * @throws {ForeproofError} `invalid-input` when a row cannot be shown, `refused` when `out` is not
 * ours to write, `unavailable` when another build runs or the history does not hold still, `io`.
 */
export async function publish(options: PublishOptions): Promise<PublishResult> {
  const place = openPlace(options)
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(place, options, attempt > 1)
      } catch (cause) {
        if (!(cause instanceof HistoryMoved)) throw cause
        if (attempt === TRIES) throw restless(options.reader.path)
      }
    }
  } catch (cause) {
    throw isSystemError(cause) ? fileError(cause, options.out) : cause
  } finally {
    place.release()
  }
}

async function once(place: Place, options: PublishOptions, count: boolean): Promise<PublishResult> {
  const threads = startsEarly(place, options) ? new PageThreads(options.reader.path) : undefined
  try {
    return await planned(place, options, count, threads)
  } finally {
    await threads?.dismiss()
  }
}

/**
 * Whether every page is to be written, and so many that threads will be wanted for it: while they load,
 * this one can look at the history.
 */
function startsEarly({ record }: Place, options: PublishOptions): boolean {
  if (usable(record, options) !== undefined) return false
  try {
    return statSync(options.reader.path).size >= LARGE_BYTES
  } catch {
    // Whoever reads it says what is wrong with it.
    return false
  }
}

async function planned(
  place: Place,
  options: PublishOptions,
  count: boolean,
  threads: PageThreads | undefined,
): Promise<PublishResult> {
  const { reader, now, staleAfterSeconds } = options
  const { facts, plan } = await prepare(place, options, count)
  const newestOrigin = await reader.newestOrigin()
  const work = place.begin(plan.kind === 'update')
  const record = await buildSite(work, {
    reader,
    plan,
    facts,
    settings: options,
    snapshot: { now, staleAfterSeconds, newestOrigin },
    current: plan.kind === 'update' ? place.current : undefined,
    record: place.record,
    onProgress: options.onProgress,
    threads,
  })
  work.publish()
  return { plan, record }
}

async function prepare(
  place: Pick<Place, 'current' | 'record'>,
  options: PublishOptions,
  count = false,
): Promise<{ facts: HistoryFacts; plan: SitePlan }> {
  const { record, current } = place
  const before = usable(record, options)
  const facts = {
    ...(await gatherFacts(options.reader, current, before, count)),
    attempts: options.withoutAttempts
      ? undefined
      : await attemptFacts(options.reader, current, before),
  }
  return { facts, plan: planSite(facts, record, options) }
}

/** The build before, where its pages can be kept. */
function usable(record: BuildRecord | undefined, options: PublishOptions): BuildRecord | undefined {
  return record !== undefined && buildsUpon(record, options) ? record : undefined
}

function openPlace({ inPlace, out }: PublishOptions): Place {
  return inPlace ? openPlainPlace(named(out)) : openLinkedPlace(named(out))
}

/** `site/` is `site`: with the slash, a link's target would be meant and not the link. */
function named(out: string): string {
  return out.replace(/(?<=.)\/+$/, '')
}

function isSystemError(cause: unknown): boolean {
  return cause instanceof Error && typeof (cause as NodeJS.ErrnoException).syscall === 'string'
}

function restless(path: string): ForeproofError {
  return new ForeproofError('unavailable', 'the history changed while it was being read', {
    file: path,
    help: 'Nothing was published; run again when its producer is at rest.',
  })
}
