import { linkSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { makeFolderSync } from '../../files/new-folder.js'
import { folderEntries } from '../../files/regular.js'
import { WAITING_FOLDER } from '../layout.js'

/** What a file system without hard links answers, and what one has that allows a file no more names. */
const NO_LINK = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EMLINK'])

/**
 * Gives a file a second name.
 * @throws {ForeproofError} `refused` where files cannot have two names.
 */
export function createLink(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (cause) {
    throw linkFault(cause, to)
  }
}

/** Says what to do where it is links that are refused; any other fault stays what it is. */
export function linkFault(cause: unknown, file: string): unknown {
  const { code } = cause as NodeJS.ErrnoException
  if (code === undefined || !NO_LINK.has(code)) return cause
  return new ForeproofError('refused', `${file}: no hard link can be made here (${code})`, {
    file,
    help: 'Name a folder on a file system that has them, or build with --in-place, which needs none.',
    cause,
  })
}

/** Gives `to`, a new folder, every file of `from` but one, shared rather than copied. */
export function shareFolder(from: string, to: string, but: string): void {
  const made = new Set<string>()
  makeFolderSync(to)
  for (const path of pathsBelow(from)) {
    if (path === but) continue
    const parent = dirname(path)
    if (!made.has(parent)) makeFolderSync(join(to, parent))
    made.add(parent)
    createLink(join(from, path), join(to, path))
  }
}

/** Makes one file of `to` what it is in `from`: the same file, or absent. */
export function shareFile(from: string, to: string, path: string): void {
  rmSync(join(to, path), { force: true })
  try {
    makeFolderSync(dirname(join(to, path)))
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
 * A build follows no link inside a site: what it writes and removes would lie elsewhere. Hidden names
 * beside the site, like `.git`, are not looked into; a folder that is not there has no links.
 * @throws {ForeproofError} `refused` when a link is found, `io`.
 */
export function assertNoLinks(folder: string): void {
  for (const entry of folderEntries(folder)) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') && entry.name !== WAITING_FOLDER) continue
    if (entry.isSymbolicLink()) throw linkInside(path)
    if (entry.isDirectory()) assertNoLinks(path)
  }
}

/** What is said of a link where a file or a folder of a site should be. */
export function linkInside(path: string): ForeproofError {
  return new ForeproofError('refused', `${path}: is a link, and foreproof publish follows none`, {
    file: path,
    help: 'Remove the link, then write the whole site again with --full. Nothing was changed.',
  })
}
