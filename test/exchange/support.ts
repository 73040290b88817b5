import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import { temporaryFolder } from '../support/folder.js'

/**
 * Makes a folder for every test of a file.
 * @returns a path in it; without a name its own.
 */
export function folderOfEach(): (name?: string) => string {
  let work = ''
  beforeEach(() => {
    work = temporaryFolder()
    return () => rmSync(work, { recursive: true, force: true })
  })
  return (name = '') => join(work, name)
}

/** The files below a folder, by their paths in it. */
export function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
