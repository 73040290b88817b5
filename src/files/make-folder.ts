import { mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/*
 * Node's own `recursive` tries for ever where the system says of a folder that it has that something
 * is missing, as `/proc` does. Both ways below try each folder at most twice.
 */

/** Makes a folder and those above it. @throws the system's error; `EEXIST` where a file has its name. */
export function makeFolderSync(folder: string): void {
  const cause = tried(folder)
  if (cause === undefined) return
  makeFolderSync(missingAbove(folder, cause))
  const again = tried(folder)
  if (again !== undefined) throw again
}

/** The same for who must not wait for a file system that hangs. */
export async function makeFolder(folder: string): Promise<void> {
  const cause = await triedMeanwhile(folder)
  if (cause === undefined) return
  await makeFolder(missingAbove(folder, cause))
  const again = await triedMeanwhile(folder)
  if (again !== undefined) throw again
}

/** The folder that has to be made first. @throws the cause where that would not help. */
function missingAbove(folder: string, cause: NodeJS.ErrnoException): string {
  const above = dirname(folder)
  if (cause.code !== 'ENOENT' || above === folder) throw cause
  return above
}

/** Why the folder could not be made; one that is there is no reason. */
function tried(folder: string): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(folder)
    return undefined
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException
    const isThere = error.code === 'EEXIST' && statSync(folder).isDirectory()
    return isThere ? undefined : error
  }
}

async function triedMeanwhile(folder: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(folder)
    return undefined
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException
    const isThere = error.code === 'EEXIST' && (await stat(folder)).isDirectory()
    return isThere ? undefined : error
  }
}
