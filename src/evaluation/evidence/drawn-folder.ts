import { readdirSync } from 'node:fs'
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { writeNewFolder } from '../../files/new-folder.js'

/** Files by their names, and the folder that they are to make. */
export interface DrawnFolder {
  readonly out: string
  readonly files: Readonly<Record<string, string>>
}

/**
 * Refuses folders that must not be written to; nothing is touched.
 * @param outs - what is to be written, each folder apart from the others.
 * @throws {ForeproofError} `refused` where something has the name of one; `usage` where one lies in the
 * evidence or in another.
 */
export function checkOuts(outs: readonly string[], evidence: readonly string[]): void {
  for (const out of outs) {
    for (const folder of evidence) refuseInside(folder, out)
    if (outs.some((other) => other !== out && isWithin(other, out))) throw together(out)
    refuseTaken(out)
  }
  if (new Set(outs.map((out) => resolve(out))).size < outs.length) throw together(outs[0] ?? '')
}

/**
 * Writes folders, each of which is there whole or not at all.
 * @returns the paths of the files.
 * @throws {ForeproofError} `io` when one cannot be written.
 */
export function writeFolders(folders: readonly DrawnFolder[]): string[] {
  for (const { out, files } of folders) writeNewFolder(out, files)
  return folders.flatMap(({ out, files }) => Object.keys(files).map((name) => join(out, name)))
}

function isWithin(folder: string, path: string): boolean {
  const within = relative(resolve(folder), resolve(path))
  return !(within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within))
}

/**
 * An evidence folder stays as it was written.
 * @throws {ForeproofError} `usage` when `out` lies in it.
 */
export function refuseInside(folder: string, out: string): void {
  if (!isWithin(folder, out)) return
  throw new ForeproofError('usage', `${out} is inside the evidence folder`, {
    help: 'Choose a place outside it: the evidence must not change.',
  })
}

const together = (out: string) =>
  new ForeproofError('usage', `${out} is inside the other folder that is to be written`, {
    help: 'Give the reports and the figures folders of their own.',
  })

function refuseTaken(out: string): void {
  let names: readonly string[]
  try {
    names = readdirSync(out)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return
    names = [basename(out)]
  }
  if (names.length === 0) return
  throw new ForeproofError('refused', `${out}: already exists`, {
    file: out,
    help: 'Nothing was overwritten. Name a folder that does not exist, or an empty one.',
  })
}
