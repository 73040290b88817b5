import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { WAITING_FOLDER } from './folder.js'

/**
 * A build follows no link inside a site: what it writes and removes would lie elsewhere. Hidden names
 * beside the site, like `.git`, are not looked into; a folder that is not there has no links.
 * @throws {ForeproofError} `refused` when a link is found, `io`.
 */
export function demandNoLinks(folder: string): void {
  let entries: ReturnType<typeof linksAndFolders>
  try {
    entries = linksAndFolders(folder)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return
    throw fileError(cause, folder)
  }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink()) throw linkInside(path)
    demandNoLinks(path)
  }
}

function linksAndFolders(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).filter(
    (entry) =>
      (entry.isSymbolicLink() || entry.isDirectory()) &&
      (!entry.name.startsWith('.') || entry.name === WAITING_FOLDER),
  )
}

/** What is said of a link where a file or a folder of a site should be. */
export function linkInside(path: string): ForeproofError {
  return new ForeproofError('refused', `${path}: is a link, and foreproof publish follows none`, {
    file: path,
    help: 'Remove the link, then write the whole site again with --full. Nothing was changed.',
  })
}
