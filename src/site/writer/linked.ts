import {
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { syncFolder } from '../../files/atomic.js'
import { createFolderSync } from '../../files/new-folder.js'
import { temporaryName } from '../../files/temporary.js'
import { RECORD_FILE } from '../layout.js'
import { readRecord } from '../record.js'
import { lockSite, openBuiltFolder, stageFolder } from './folder.js'
import { assertNoLinks, linkInside, shareFile, shareFolder } from './links.js'
import type { BuiltSite, SiteTarget, StagedSite, StageOptions } from './site-writer.js'

/** A file in the folder of the builds that says which site owns it. */
const MARKER = '.foreproof-builds'
const MARKER_TEXT =
  'The builds of a site. foreproof publish writes and removes what is in this folder.\n'

/** Two build folders: readers see one, and the next build is staged in the other. */
type Name = 'a' | 'b'

/**
 * Opens a site behind a symbolic link. Two build folders are beside it, and the link names one. A build makes the other
 * folder equal, changes it, and moves the link by one rename. Only files that the last build changed have to be
 * relinked, at any size of the site.
 */
export function openLinkedTarget(out: string): SiteTarget {
  const builds = buildsFolder(out)
  // Check first, before anything is created: the path may belong to something else.
  liveName(out)
  prepareBuilds(builds)
  const release = lockSite(join(builds, 'lock'))
  return {
    current: async () => inspectLinkedTarget(out),
    stage: async (options) => stage(out, options),
    release: async () => {
      let built = true
      try {
        built = liveName(out) !== undefined
        if (!built) for (const name of ['a', 'b']) discard(join(builds, name))
      } finally {
        release()
      }
      if (!built) discardEmpty(builds)
    },
  }
}

/** The site that exists now; nothing is written. */
export function inspectLinkedTarget(out: string): BuiltSite | undefined {
  const live = liveName(out)
  return live === undefined ? undefined : openBuiltFolder(join(buildsFolder(out), live))
}

/** Whether a linked build made the link at this path. */
export function isLinkedSite(out: string): boolean {
  try {
    const target = resolve(dirname(resolve(out)), readlinkSync(out))
    return dirname(target) === buildsFolder(out)
  } catch {
    return false
  }
}

function stage(out: string, { keep, durable }: StageOptions): StagedSite {
  const builds = buildsFolder(out)
  const live = liveName(out)
  const staging: Name = live === 'a' ? 'b' : 'a'
  const folder = join(builds, staging)
  if (keep && live !== undefined) {
    for (const each of [folder, join(builds, live)]) {
      if (lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink()) throw linkInside(each)
      assertNoLinks(each)
    }
    catchUp(join(builds, live), folder)
  } else discard(folder)
  // The first build has no site to share files with. Fill the other folder now, so that an update costs only what is
  // new.
  const other = join(builds, staging === 'a' ? 'b' : 'a')
  const nextStaging = live === undefined ? other : undefined
  if (nextStaging !== undefined) discard(nextStaging)
  return stageFolder({ folder, visible: false, durable, nextStaging }, () => {
    syncFolder(folder)
    pointTo(out, join(basename(builds), staging))
  })
}

function buildsFolder(out: string): string {
  return join(dirname(resolve(out)), `.${basename(resolve(out))}.builds`)
}

/**
 * Removes a build, its record first: a half-removed build must not look complete. Of a link only the link is removed.
 */
function discard(folder: string): void {
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder) rmSync(join(folder, RECORD_FILE), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

/** A failed first build leaves nothing behind; another build may be starting already. */
function discardEmpty(builds: string): void {
  try {
    if (readdirSync(builds).join() === MARKER) rmSync(join(builds, MARKER))
    rmdirSync(builds)
  } catch {
    // Not empty, or already removed.
  }
}

/**
 * Creates the folder of the builds and marks it as ours, because builds remove its files without asking.
 * @throws {ForeproofError} `refused` if it exists and is neither marked nor empty; `io`.
 */
function prepareBuilds(builds: string): void {
  try {
    createFolderSync(builds)
    const names = readdirSync(builds)
    if (names.includes(MARKER)) return
    if (names.length > 0) {
      const message = `${builds}: is there and was not made by foreproof publish`
      const help = 'Move it away, or name another path with --out. Nothing was changed.'
      throw new ForeproofError('refused', message, { file: builds, help })
    }
    writeFileSync(join(builds, MARKER), MARKER_TEXT)
  } catch (cause) {
    throw fileError(cause, builds)
  }
}

/**
 * Makes the staging folder equal to the current site, but without a record, so that a killed build does not look
 * complete.
 */
function catchUp(current: string, staging: string): void {
  const now = readRecord(current)
  const then = readRecord(staging)
  const behind = (now?.sequence ?? 0) - (then?.sequence ?? 0)
  // Without a record, or with one of another time, a build was killed in this folder: it may hold anything.
  if (now === undefined || then === undefined || (behind !== 0 && behind !== 1)) {
    discard(staging)
    shareFolder(current, staging, RECORD_FILE)
  } else if (behind === 1) {
    for (const path of now.changed) shareFile(current, staging, path)
  }
  rmSync(join(staging, RECORD_FILE), { force: true })
}

/** The build folder that the link names, or undefined if there is none yet. */
function liveName(out: string): Name | undefined {
  let stats: ReturnType<typeof lstatSync>
  try {
    stats = lstatSync(out)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw fileError(cause, out)
  }
  const target = stats.isSymbolicLink() ? resolve(dirname(resolve(out)), readlinkSync(out)) : ''
  const name = (['a', 'b'] as const).find((each) => join(buildsFolder(out), each) === target)
  if (name === undefined) {
    throw new ForeproofError('refused', `${out}: is there and was not made by foreproof publish`, {
      file: out,
      help: 'Name a path where nothing is; --in-place builds into an empty folder.',
    })
  }
  return existsSync(target) ? name : undefined
}

function pointTo(out: string, target: string): void {
  const link = temporaryName(resolve(out))
  try {
    symlinkSync(target, link)
    renameSync(link, out)
    syncFolder(dirname(resolve(out)))
  } catch (cause) {
    rmSync(link, { force: true })
    throw fileError(cause, out)
  }
}
