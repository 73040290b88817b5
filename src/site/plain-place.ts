import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { WAITING_FOLDER } from './files.js'
import { API_FOLDER } from './layout.js'
import { isLinkedSite } from './linked-place.js'
import { lockSite } from './lock.js'
import type { Place } from './place.js'
import { readRecord } from './record.js'

const LOCK = '.foreproof-lock'

/**
 * A site in a plain folder, for hosts that cannot follow a link. Each file is replaced whole; a
 * reader may meet pages of the new build before its heads, and never the other way round.
 */
export function openPlainPlace(out: string): Place {
  inspectPlainPlace(out)
  try {
    mkdirSync(out, { recursive: true })
  } catch (cause) {
    throw fileError(cause, out)
  }
  const release = lockSite(join(out, LOCK))
  const waiting = join(out, WAITING_FOLDER)
  return {
    // A build that has to begin again has changed both.
    get current() {
      return inspectPlainPlace(out).current
    },
    get record() {
      return readRecord(out)
    },
    begin() {
      rmSync(waiting, { recursive: true, force: true })
      mkdirSync(waiting, { recursive: true })
      mkdirSync(join(out, API_FOLDER, 'forecasts'), { recursive: true })
      return {
        folder: out,
        visible: true,
        publish: () => rmSync(waiting, { recursive: true, force: true }),
      }
    },
    release,
  }
}

/** The site that lies there now; nothing is written. */
export function inspectPlainPlace(out: string) {
  if (isLinkedSite(out)) {
    throw new ForeproofError('refused', `${out}: is a link to the builds of a site`, {
      file: out,
      help: 'Leave --in-place away, or name another folder.',
    })
  }
  const record = readRecord(out)
  if (record !== undefined) return { current: out, record }
  if (existsSync(out) && !statSync(out).isDirectory()) {
    throw new ForeproofError('refused', `${out}: is no folder`, { file: out })
  }
  // A first build that was stopped has no record yet, but its waiting folder tells whose files these are.
  const ours = !existsSync(out) || existsSync(join(out, WAITING_FOLDER))
  if (!ours && readdirSync(out).some((name) => !name.startsWith('.'))) {
    throw new ForeproofError('refused', `${out}: holds files that are no site of foreproof`, {
      file: out,
      help: 'Name an empty folder; nothing was changed.',
    })
  }
  return { current: undefined, record: undefined }
}
