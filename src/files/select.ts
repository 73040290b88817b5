import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { folderEntries } from './regular.js'
import { STDIN } from './stdin.js'

/** Only these files of a folder are selected. */
const SUFFIX = '.json'

/**
 * The files that command-line arguments name: a file names itself, a folder names the files below it that end in
 * `.json`. They come in the order of the arguments, and alphabetically within a folder; a file named twice, in any
 * spelling, counts once.
 * @throws {ForeproofError} `not-found` if an argument names nothing.
 */
export function selectFiles(args: readonly string[]): readonly string[] {
  const files = new Map<string, string>()
  for (const argument of args) {
    for (const file of expandPath(argument)) {
      const resolved = file === STDIN ? STDIN : resolve(file)
      if (!files.has(resolved)) files.set(resolved, file)
    }
  }
  return [...files.values()]
}

function expandPath(argument: string): readonly string[] {
  if (argument === STDIN) return [argument]
  let isFolder: boolean
  try {
    isFolder = statSync(argument).isDirectory()
  } catch (cause) {
    throw fileError(cause, argument)
  }
  if (!isFolder) return [argument]
  const paths = filesBelow(argument)
  if (paths.length > 0) return paths
  const message = `${argument}: the folder has no file that ends in ${SUFFIX}`
  const help = 'Name the files, or another folder.'
  throw new ForeproofError('not-found', message, { file: argument, help })
}

/** Files below a folder, without those in hidden folders, in the order of their paths. */
function filesBelow(folder: string): string[] {
  const paths: string[] = []
  for (const entry of folderEntries(folder)) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    // Reading a named pipe would wait forever.
    const isReadable = entry.isFile() || entry.isSymbolicLink()
    if (entry.isDirectory()) paths.push(...filesBelow(path))
    else if (entry.name.endsWith(SUFFIX) && isReadable) paths.push(path)
  }
  return paths
}

/** The paths that a pattern names, in their order: `*` stands for any text within one name. */
export function expandPattern(pattern: string): readonly string[] {
  if (!pattern.includes('*')) return [pattern]
  const [above, name] = [dirname(pattern), basename(pattern)]
  const folders = expandPattern(above)
  if (!name.includes('*')) {
    return folders.map((folder) => join(folder, name)).filter((path) => existsSync(path))
  }
  const escaped = name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  const isMeant = new RegExp(`^${escaped}$`, 's')
  return folders.flatMap((folder) =>
    folderEntries(folder)
      .filter((entry) => !entry.name.startsWith('.') && isMeant.test(entry.name))
      .map((entry) => join(folder, entry.name)),
  )
}
