import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { headerRules } from '../../headers.js'
import { CHECKSUMS_FILE, RECORD_FILE } from '../../layout.js'
import { type BuildRecord, parseRecord } from '../../record.js'
import { type BuiltObjects, checksumsOf } from './built.js'
import { droppedObjects } from './left.js'
import { HEADS, objectHeaders } from './names.js'
import type { SiteObjects } from './store.js'
import type { Ticket } from './tickets.js'

/** Requests that are under way at a time. */
const AT_ONCE = 16

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

/** Brings a build to its place, in the order that the target's comment tells. */
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

/** Does the same with each, several at a time; after a failure no more are begun, and none is left under way. */
export async function inParallel<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0
  const line = async (): Promise<void> => {
    while (next < items.length) {
      try {
        await act(items[next++] as T)
      } catch (cause) {
        next = items.length
        throw cause
      }
    }
  }
  const lines = Array.from({ length: Math.min(AT_ONCE, items.length) }, line)
  await Promise.allSettled(lines)
  await Promise.all(lines)
}
