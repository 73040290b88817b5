import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it. Node's own `recursive` tries for ever where the system says of a folder
 * that it has that something is missing, as `/proc` does.
 */
export async function makeFolder(folder: string): Promise<void> {
  const cause = await tried(folder)
  if (cause === undefined) return
  const above = dirname(folder)
  if (cause.code !== 'ENOENT' || above === folder) throw cause
  await makeFolder(above)
  const again = await tried(folder)
  if (again !== undefined) throw again
}

/** Why the folder could not be made; one that is there is no reason. */
async function tried(folder: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(folder)
    return undefined
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException
    return error.code === 'EEXIST' ? undefined : error
  }
}
