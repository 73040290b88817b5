import { ForeproofError } from '../../../contract/error.js'
import { sha256Hex } from '../../../document/digest.js'
import { pageLines, parseChecksumPath } from '../../checksums.js'
import { CHECKSUMS_FILE, RECORD_FILE } from '../../layout.js'
import { type BuildRecord, NOTHING_SEALED, parseRecord } from '../../record.js'
import type { BuiltSite, CheckedSite } from '../site-writer.js'
import { type ObjectStoreOptions, parseObjectLocation } from './address.js'
import { isSiteObject } from './names.js'
import { inParallel, openSiteObjects, type SiteObjects } from './store.js'
import { hasTickets, isTicket } from './tickets.js'

/** A site in a store of objects. */
export interface BuiltObjects extends BuiltSite {
  readonly record: BuildRecord
  /** Checksums of its files, in the file that the record names. */
  readonly checksums: Buffer
}

/** The file of the checksums of a record. It is written before the record and never changes. */
export function checksumsFile({ generation }: Pick<BuildRecord, 'generation'>): string {
  return generation === undefined ? CHECKSUMS_FILE : `checksums-${generation}.txt`
}

/**
 * Reads the site that exists now.
 * @param unfinished whether a build was killed there, so that its list of files may be wrong.
 * @returns undefined if no build has written its record yet.
 * @throws {ForeproofError} `refused` if other files are there.
 */
export async function readBuilt(
  store: SiteObjects,
  unfinished: boolean,
): Promise<BuiltObjects | undefined> {
  const bytes = await store.get(RECORD_FILE)
  if (bytes === undefined) {
    await assertOwnBuild(store, unfinished)
    return undefined
  }
  const record = parseRecord(bytes)
  if (record === undefined) {
    const message = `${store.location.shown}/${RECORD_FILE}: is not the record of a build`
    const help =
      'Empty the prefix if all below it is the site, or name another one; nothing was changed.'
    throw new ForeproofError('refused', message, { help })
  }
  const checksums = (await store.get(checksumsFile(record))) ?? Buffer.alloc(0)
  const pages = pageLines(checksums.toString().split('\n')).map(parseChecksumPath)
  // Without the names of its pages, no page can be kept.
  const usable = pages.length < record.sealed_pages ? { ...record, ...NOTHING_SEALED } : record
  return {
    record: unfinished ? { ...usable, building: true } : usable,
    checksums,
    read: async (path) => (path === CHECKSUMS_FILE ? checksums : store.get(path)),
    page: async (position) => {
      const path = pages[position - 1]
      return path === undefined ? undefined : store.get(path)
    },
  }
}

/**
 * Only a killed build, which leaves a ticket, leaves files without a record. Without a ticket even an `index.html`
 * belongs to others. A console makes an empty object for the folder itself.
 * @param unfinished whether such a ticket exists.
 * @throws {ForeproofError} `refused`.
 */
export async function assertOwnBuild(store: SiteObjects, unfinished: boolean): Promise<void> {
  const { objects } = await store.list('', 1)
  const mayBeOurs = unfinished ? isSiteObject : isTicket
  if (objects.every(({ path }) => path === '' || mayBeOurs(path))) return
  const message = `${store.location.shown}: holds objects that foreproof did not write`
  const help = 'Name an empty prefix; nothing was changed.'
  throw new ForeproofError('refused', message, { help })
}

/**
 * Opens a site in a store of objects for a check; a running or killed build makes it unfinished.
 * @throws {ForeproofError} `not-found` if there is no site; `usage`, `refused`, `io`.
 */
export async function checkedObjects(
  out: string,
  options: ObjectStoreOptions,
): Promise<CheckedSite> {
  const store = await openSiteObjects(parseObjectLocation(out, options))
  const { shown } = store.location
  const built = await readBuilt(store, await hasTickets(store))
  if (built === undefined) {
    throw new ForeproofError('not-found', `${shown}: there is no site`, {
      help: 'Build it first, without --check.',
    })
  }
  const { record } = built
  const ours = new Set([
    ...[RECORD_FILE, CHECKSUMS_FILE, checksumsFile(record)],
    ...(record.superseded ?? []).map(({ path }) => path),
  ])
  return {
    record,
    checksums: String(built.checksums),
    locate: (path) => `${shown}/${path}`,
    digests: async (paths) => {
      const digests = new Map<string, string | undefined>()
      await inParallel(paths, async (path) => {
        const bytes = await store.get(path)
        digests.set(path, bytes && sha256Hex(bytes))
      })
      return digests
    },
    others: async (published) => {
      const { objects } = await store.list('')
      return objects
        .map(({ path }) => path)
        .filter((path) => path !== '' && !published.has(path) && !ours.has(path) && !isTicket(path))
    },
  }
}
