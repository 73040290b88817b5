import { linkSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { createFolderSync } from '../../files/new-folder.js'
import { folderEntries } from '../../files/regular.js'
import { WAITING_FOLDER } from '../layout.js'

/** Errors of a file system without hard links, and of one that allows no more names for a file. */
const NO_LINK = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EMLINK'])

/**
 * Gives a file a second name.
 * @throws {ForeproofError} `refused` if files cannot have two names.
 */
export function createLink(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (cause) {
    throw linkFault(cause, to)
  }
}

/** Explains what to do if links are refused; returns any other error unchanged. */
export function linkFault(cause: unknown, file: string): unknown {
  const { code } = cause as NodeJS.ErrnoException
  if (code === undefined || !NO_LINK.has(code)) return cause
  return new ForeproofError('refused', `${file}: no hard link can be made here (${code})`, {
    file,
    help: 'Name a folder on a file system that has them, or build with --in-place, which needs none.',
    cause,
  })
}

/** Links every file of `from`, except one, into the new folder `to`, instead of copying. */
export function shareFolder(from: string, to: string, but: string): void {
  const made = new Set<string>()
  createFolderSync(to)
  for (const path of pathsBelow(from)) {
    if (path === but) continue
    const parent = dirname(path)
    if (!made.has(parent)) createFolderSync(join(to, parent))
    made.add(parent)
    createLink(join(from, path), join(to, path))
  }
}

/** Makes one file of `to` the same as in `from`: linked, or absent. */
export function shareFile(from: string, to: string, path: string): void {
  rmSync(join(to, path), { force: true })
  try {
    createFolderSync(dirname(join(to, path)))
    createLink(join(from, path), join(to, path))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
  }
}

/** Every file below a folder, as paths from it. */
export function pathsBelow(folder: string, at = ''): string[] {
  return readdirSync(join(folder, at), { withFileTypes: true }).flatMap((entry) => {
    const path = at === '' ? entry.name : `${at}/${entry.name}`
    return entry.isDirectory() ? pathsBelow(folder, path) : [path]
  })
}

/**
 * Rejects links inside a site, because a build would write and remove files outside it. Hidden names beside the site,
 * like `.git`, are not searched; a missing folder has no links.
 * @throws {ForeproofError} `refused` if a link is found, `io`.
 */
export function assertNoLinks(folder: string): void {
  for (const entry of folderEntries(folder)) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') && entry.name !== WAITING_FOLDER) continue
    if (entry.isSymbolicLink()) throw linkInside(path)
    if (entry.isDirectory()) assertNoLinks(path)
  }
}

/** The error for a link at the path of a site's file or folder. */
export function linkInside(path: string): ForeproofError {
  return new ForeproofError('refused', `${path}: is a link, and foreproof publish follows none`, {
    file: path,
    help: 'Remove the link, then write the whole site again with --full. Nothing was changed.',
  })
}
