import { ForeproofError } from '../../../contract/error.js'
import { sha256Hex } from '../../../document/digest.js'
import { CHECKSUMS_FILE, RECORD_FILE } from '../../layout.js'
import type { CheckedSite } from '../types.js'
import { type ObjectStoreOptions, readObjectPlace } from './address.js'
import { checksumsOf, readBuilt } from './built.js'
import { openSiteObjects } from './store.js'
import { hasTickets, isTicket } from './tickets.js'
import { inParallel } from './upload.js'

/**
 * A site in a store of objects, for a check; a build that is at work or was killed makes it unfinished.
 * @throws {ForeproofError} `not-found` where no site is; `usage`, `refused`, `io`.
 */
export async function checkedObjects(
  out: string,
  options: ObjectStoreOptions,
): Promise<CheckedSite> {
  const store = await openSiteObjects(readObjectPlace(out, options))
  const { shown } = store.place
  const built = await readBuilt(store, await hasTickets(store))
  if (built === undefined) {
    throw new ForeproofError('not-found', `${shown}: there is no site`, {
      help: 'Build it first, without --check.',
    })
  }
  const { record } = built
  const ours = new Set([
    ...[RECORD_FILE, CHECKSUMS_FILE, checksumsOf(record)],
    ...(record.superseded ?? []).map(({ path }) => path),
  ])
  return {
    record,
    checksums: String(built.checksums),
    place: (path) => `${shown}/${path}`,
    digests: async (paths) => {
      const digests = new Map<string, string | undefined>()
      await inParallel(paths, async (path) => {
        const bytes = await store.get(path)
        digests.set(path, bytes && sha256Hex(bytes))
      })
      return digests
    },
    others: async (known) => {
      const { objects } = await store.list('')
      return objects
        .map(({ path }) => path)
        .filter((path) => path !== '' && !known.has(path) && !ours.has(path) && !isTicket(path))
    },
  }
}
