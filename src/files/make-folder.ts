import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'

/**
 * Makes a folder and those above it. Node's own `recursive` tries for ever where the system says of a folder
 * that it has that something is missing, as `/proc` does: here each folder is tried at most twice.
 * @param made called with each folder that was not there.
 * @throws the system's error; `EEXIST` where a file has its name.
 */
export function makeFolderSync(folder: string, made?: (folder: string) => void): void {
  const above = dirname(folder)
  let cause = tried(folder, made)
  if (cause?.code === 'ENOENT' && above !== folder) {
    makeFolderSync(above, made)
    cause = tried(folder, made)
  }
  if (cause !== undefined) throw cause
}

/**
 * The same, in words for a user.
 * @param help what to do where a file has its name.
 * @throws {ForeproofError} `not-found` where a file has its name, `io`.
 */
export function demandFolder(folder: string, help: string): void {
  try {
    makeFolderSync(folder)
  } catch (cause) {
    // Node says "exists" where a file is in the place of a folder.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(cause, folder)
    const message = `${folder}: is a file, not a folder`
    throw new ForeproofError('not-found', message, { file: folder, help, cause })
  }
}

/** Why the folder could not be made; one that is there is no reason. */
function tried(
  folder: string,
  made: ((folder: string) => void) | undefined,
): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(folder)
    made?.(folder)
    return undefined
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException
    const isThere = error.code === 'EEXIST' && statSync(folder).isDirectory()
    return isThere ? undefined : error
  }
}
