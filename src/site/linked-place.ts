import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { syncFolder, temporaryBeside } from '../files/atomic.js'
import { makeFolder, share, shareAll } from './files.js'
import { API_FOLDER, RECORD_FILE } from './layout.js'
import { lockSite } from './lock.js'
import type { Place } from './place.js'
import { readRecord } from './record.js'

const NAMES = ['a', 'b'] as const

/**
 * A site behind a symbolic link. Two build folders lie beside it, and the link names one; a build
 * makes the other one equal (only what the last build changed has to be linked anew, whatever the
 * size of the site), changes it, and moves the link by one rename.
 */
export function openLinkedPlace(out: string): Place {
  const builds = buildsFolder(out)
  inspectLinkedPlace(out)
  try {
    mkdirSync(builds, { recursive: true })
  } catch (cause) {
    throw fileError(cause, builds)
  }
  const release = lockSite(join(builds, 'lock'))
  try {
    const { live, current, record } = inspectLinkedPlace(out)
    const spare = live === 'a' ? 'b' : 'a'
    return {
      current,
      record,
      release() {
        const built = inspectLinkedPlace(out).current !== undefined
        if (!built) for (const name of NAMES) discard(join(builds, name))
        release()
        if (!built) discardEmpty(builds)
      },
      begin(keep) {
        const folder = join(builds, spare)
        // Nothing is shared with a site before the first one, so the other folder is filled with it: it
        // is made ready now, for an update should cost what is new.
        const twin = current === undefined ? join(builds, spare === 'a' ? 'b' : 'a') : undefined
        if (twin !== undefined) discard(twin)
        if (!keep || current === undefined) discard(folder)
        else catchUp(current, folder)
        makeFolder({ folder, twin }, join(API_FOLDER, 'forecasts'))
        return {
          folder,
          visible: false,
          ...(twin !== undefined && { twin }),
          publish() {
            syncFolder(folder)
            pointTo(out, join(basename(builds), spare))
          },
        }
      },
    }
  } catch (cause) {
    release()
    throw cause
  }
}

/** The site that lies there now; nothing is written. */
export function inspectLinkedPlace(out: string) {
  const builds = buildsFolder(out)
  const live = currentName(out, builds)
  const current = live === undefined ? undefined : join(builds, live)
  return { live, current, record: current === undefined ? undefined : readRecord(current) }
}

/** Whether a link lies there that a linked build has made. */
export function isLinkedSite(out: string): boolean {
  try {
    const target = resolve(dirname(resolve(out)), readlinkSync(out))
    return dirname(target) === buildsFolder(out)
  } catch {
    return false
  }
}

function buildsFolder(out: string): string {
  return join(dirname(resolve(out)), `.${basename(resolve(out))}.builds`)
}

function discard(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** A first build that failed leaves nothing behind; another one may be beginning already. */
function discardEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Not empty, or gone.
  }
}

/** Makes the spare folder equal to the current site. */
function catchUp(current: string, spare: string): void {
  const now = readRecord(current)
  const then = readRecord(spare)
  // Without a record, a build died in there: it may hold anything.
  if (now === undefined || then === undefined || then.sequence < now.sequence - 1) {
    shareAll(current, spare)
    rmSync(join(spare, RECORD_FILE))
    return
  }
  rmSync(join(spare, RECORD_FILE))
  if (then.sequence === now.sequence - 1) {
    for (const path of now.changed) share(current, spare, path)
  }
}

/** The build folder that the link names, or undefined where nothing lies there yet. */
function currentName(out: string, builds: string): (typeof NAMES)[number] | undefined {
  let found: ReturnType<typeof lstatSync>
  try {
    found = lstatSync(out)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw fileError(cause, out)
  }
  const target = found.isSymbolicLink() ? resolve(dirname(resolve(out)), readlinkSync(out)) : ''
  const name = NAMES.find((each) => join(builds, each) === target)
  if (name === undefined) {
    throw new ForeproofError('refused', `${out}: is there and was not made by foreproof publish`, {
      file: out,
      help: 'Name a path where nothing is; --in-place builds into an empty folder.',
    })
  }
  return existsSync(target) ? name : undefined
}

function pointTo(out: string, target: string): void {
  const link = temporaryBeside(resolve(out))
  try {
    symlinkSync(target, link)
    renameSync(link, out)
    syncFolder(dirname(resolve(out)))
  } catch (cause) {
    rmSync(link, { force: true })
    throw fileError(cause, out)
  }
}
