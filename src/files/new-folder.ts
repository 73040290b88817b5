import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { makeFolderSync } from './make-folder.js'
import { StagedFolder, type StagedFolderOptions } from './staged-folder.js'

/** @throws {ForeproofError} `refused` when something has this name. */
export function refuseExistingFolder(out: string): void {
  if (!existsSync(out)) return
  throw new ForeproofError('refused', `${out}: already exists`, {
    file: out,
    help: `Nothing was overwritten. Choose a folder other than ${basename(resolve(out))}.`,
  })
}

/**
 * Begins a folder that is there whole or not at all, and makes those around it.
 * @throws {ForeproofError} `not-found` or `io` when no folder can be made there.
 */
export function stageFolder(out: string, options: StagedFolderOptions = {}): StagedFolder {
  const path = resolve(out)
  makeParent(dirname(path))
  try {
    return new StagedFolder(path, options)
  } catch (cause) {
    throw fileError(cause, out)
  }
}

/**
 * Writes a folder from the texts of its files, by their names: whole or not at all. An empty folder of the
 * name is taken.
 * @throws {ForeproofError} as `stageFolder`; `refused` when something else has the name.
 */
export function writeNewFolder(out: string, files: Readonly<Record<string, string>>): void {
  const staged = stageFolder(out)
  try {
    for (const [name, text] of Object.entries(files)) staged.put(name, text)
    staged.commit()
  } catch (cause) {
    throw fileError(cause, out)
  } finally {
    staged.discard()
  }
}

/** Makes the folder that another one is to lie in. */
function makeParent(folder: string): void {
  try {
    makeFolderSync(folder)
  } catch (cause) {
    // Node says "exists" where a file stands in the place of a folder.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(cause, folder)
    throw new ForeproofError('not-found', `${folder}: is a file, not a folder`, {
      file: folder,
      help: 'Name a new folder inside an existing one.',
      cause,
    })
  }
}
