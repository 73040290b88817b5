import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import { temporaryFolder } from '../support/folder.js'

let work = ''
beforeEach(() => {
  rmSync(work, { recursive: true, force: true })
  work = temporaryFolder()
})

/** A path in the folder of a test, which is new for each; without a name the folder itself. */
export const at = (name = '') => join(work, name)

/** The files below a folder of it, by their paths in that folder. */
export function filesOf(folder: string): string[] {
  const entries = readdirSync(at(folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(at(folder).length + 1))
    .sort()
}
