import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { acquireLock } from '../../files/lock.js'
import { createFolderSync } from '../../files/new-folder.js'
import { API_FOLDER, pageFile, WAITING_FOLDER } from '../layout.js'
import { NOTHING_SEALED, readRecord } from '../record.js'
import { createLink, pathsBelow } from './links.js'
import type { BuiltSite, StagedSite } from './site-writer.js'

interface FolderOptions {
  readonly folder: string
  /** Readers see this folder already, so every file must appear complete, by a rename. */
  readonly visible: boolean
  /** Whether to wait until the bytes are on disk. */
  readonly durable: boolean
  /** The folder that the next build is staged in, if it is to share the same files by links. */
  readonly nextStaging?: string | undefined
}

/** A build in a folder, made visible by `publish`. */
export function stageFolder(options: FolderOptions, publish: () => void): StagedSite {
  const { folder, visible } = options
  return {
    visible,
    put: async (path, bytes) => putFile(options, path, bytes),
    lying: async () => (existsSync(join(folder, API_FOLDER)) ? pathsBelow(folder, API_FOLDER) : []),
    remove: async (path) => rmSync(join(folder, path), { force: true }),
    publish: async () => publish(),
  }
}

/** A site in a folder. */
export function openBuiltFolder(folder: string): BuiltSite {
  const read = async (path: string) => {
    try {
      return readFileSync(join(folder, path))
    } catch {
      return undefined
    }
  }
  const stored = readRecord(folder)
  // In a copy of a site from a bucket, page names include their builds, so no page can be kept.
  const record = stored?.generation === undefined ? stored : { ...stored, ...NOTHING_SEALED }
  return { record, read, page: (position) => read(pageFile(position)) }
}

/**
 * Prevents a second build from running at the same time.
 * @returns a function that releases the lock.
 * @throws {ForeproofError} `unavailable` if another build is running.
 */
export function lockSite(file: string): () => void {
  return acquireLock(file, {
    refuse: (holder) => {
      const help =
        holder === undefined
          ? `Wait for it; if no foreproof is running, delete ${file}.`
          : `Wait for process ${holder}, or remove ${file} if that process is not a build.`
      const message = 'another build of this site is running'
      return new ForeproofError('unavailable', message, { file, help })
    },
  })
}

function putFile(options: FolderOptions, path: string, bytes: Uint8Array): void {
  const { folder, visible, durable, nextStaging } = options
  const final = join(folder, path)
  const waiting = join(folder, WAITING_FOLDER, basename(path))
  const descriptor = visible ? openSync(waiting, 'w') : withFolder(final, () => create(final))
  try {
    writeFileSync(descriptor, bytes)
    if (durable) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  if (visible) withFolder(final, () => renameSync(waiting, final))
  if (nextStaging === undefined) return
  const shared = join(nextStaging, path)
  withFolder(shared, () => createLink(final, shared))
}

/** Creates a new file. A previous file of this name may be shared by a link and loses only this name. */
function create(path: string): number {
  try {
    return openSync(path, 'wx')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    rmSync(path, { force: true })
    return openSync(path, 'wx')
  }
}

/** Creates the folder of a file if it is missing. */
function withFolder<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    createFolderSync(dirname(path))
    return act()
  }
}
