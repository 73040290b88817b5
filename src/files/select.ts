import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { STDIN } from './input.js'

const PATTERN = /[*?[\]{}!]/
/** Of the files that a folder stands for. */
const SUFFIX = '.json'

/**
 * The files that arguments of a command line name: a file means itself, a folder for the files
 * below it that end in `.json`, a pattern for what it matches. Order is that of the arguments, and
 * alphabetical within a folder or pattern; a file named twice, however it is spelled, counts once.
 * @throws {ForeproofError} `not-found` when an argument names or matches nothing.
 */
export async function selectFiles(args: readonly string[]): Promise<readonly string[]> {
  const files = new Map<string, string>()
  for (const argument of args) {
    for (const file of await filesOf(argument)) {
      const place = file === STDIN ? STDIN : resolve(file)
      if (!files.has(place)) files.set(place, file)
    }
  }
  return [...files.values()]
}

async function filesOf(argument: string): Promise<readonly string[]> {
  if (argument === STDIN) return [argument]
  // A name that exists is that file, even if it looks like a pattern.
  if (!existsSync(argument) && PATTERN.test(argument)) return matching(argument)
  let isFolder: boolean
  try {
    isFolder = statSync(argument).isDirectory()
  } catch (cause) {
    throw fileError(cause, argument)
  }
  if (!isFolder) return [argument]
  const found = filesBelow(argument)
  if (found.length > 0) return found
  const says = `${argument}: the folder has no file that ends in ${SUFFIX}`
  const help = 'Name the files, or another folder.'
  throw new ForeproofError('not-found', says, { file: argument, help })
}

/** Files below a folder, without those in hidden folders, in the order of their paths. */
function filesBelow(folder: string): string[] {
  const found: string[] = []
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch (cause) {
    throw fileError(cause, folder)
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    // Reading a named pipe that happens to lie there would wait for ever.
    const isReadable = entry.isFile() || entry.isSymbolicLink()
    if (entry.isDirectory()) found.push(...filesBelow(path))
    else if (entry.name.endsWith(SUFFIX) && isReadable) found.push(path)
  }
  return found
}

async function matching(pattern: string): Promise<readonly string[]> {
  const { globSync } = await import('tinyglobby')
  const options = { dot: false, expandDirectories: false, absolute: isAbsolute(pattern) }
  const found = globSync(pattern.replaceAll('\\', '/'), options)
  if (found.length > 0) return found.sort()
  throw new ForeproofError('not-found', `${pattern}: no file matches`, {
    help: 'Check the pattern, and quote it if the shell should leave it alone.',
  })
}
