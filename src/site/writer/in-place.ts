import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { makeFolderSync } from '../../files/make-folder.js'
import { RECORD_FILE, WAITING_FOLDER } from '../layout.js'
import { builtFolder, lockSite, stagedFolder } from './folder.js'
import { isLinkedSite } from './linked.js'
import { demandNoLinks } from './links.js'
import type { BuiltSite, SiteTarget } from './types.js'

const LOCK = '.foreproof-lock'

/**
 * A site in a plain folder, for hosts that cannot follow a link. Each file is replaced whole; a
 * reader may meet pages of the new build before its heads, and never the other way round.
 */
export function openPlainTarget(out: string): SiteTarget {
  inspectPlainTarget(out)
  try {
    makeFolderSync(out)
  } catch (cause) {
    throw fileError(cause, out)
  }
  const release = lockSite(join(out, LOCK))
  const waiting = join(out, WAITING_FOLDER)
  return {
    current: async () => inspectPlainTarget(out),
    stage: async ({ durable }) => {
      rmSync(waiting, { recursive: true, force: true })
      makeFolderSync(waiting)
      return stagedFolder({ folder: out, visible: true, durable }, () =>
        rmSync(waiting, { recursive: true, force: true }),
      )
    },
    release: async () => release(),
  }
}

/** The site that lies there now; nothing is written. */
export function inspectPlainTarget(out: string): BuiltSite | undefined {
  if (isLinkedSite(out)) {
    throw new ForeproofError('refused', `${out}: is a link to the builds of a site`, {
      file: out,
      help: 'Leave --in-place away, or name another folder.',
    })
  }
  const site = builtFolder(out)
  if (site.record !== undefined || existsSync(join(out, WAITING_FOLDER))) demandNoLinks(out)
  if (site.record !== undefined) return site
  if (existsSync(out) && !statSync(out).isDirectory()) {
    throw new ForeproofError('refused', `${out}: is not a folder`, { file: out })
  }
  // A first build that was stopped has no record yet, but its waiting folder shows whose files these are.
  const ours = !existsSync(out) || existsSync(join(out, WAITING_FOLDER))
  if (!ours && readdirSync(out).some((name) => !name.startsWith('.'))) {
    throw existsSync(join(out, RECORD_FILE)) ? brokenRecord(join(out, RECORD_FILE)) : foreign(out)
  }
  return undefined
}

function foreign(out: string): ForeproofError {
  return new ForeproofError('refused', `${out}: holds files that foreproof did not write`, {
    file: out,
    help: 'Name an empty folder; nothing was changed.',
  })
}

function brokenRecord(file: string): ForeproofError {
  return new ForeproofError('refused', `${file}: is not the record of a build`, {
    file,
    help: 'Empty the folder if all in it is the site, or name another one; nothing was changed.',
  })
}
