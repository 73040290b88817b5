import { lstatSync, mkdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { AtomicFile } from './atomic.js'

export interface NewFile {
  readonly path: string
  readonly text: string
}

/**
 * Creates files and the folders they lie in: all of them, or none. Nothing is overwritten.
 * @throws {ForeproofError} `refused` with the names of all that is in the way; `io` where the system
 * does not let them be written.
 */
export function createAll(files: readonly NewFile[]): void {
  const taken = [...new Set(files.flatMap(({ path }) => inTheWayOf(path) ?? []))]
  if (taken.length > 0) {
    const are = taken.length === 1 ? 'is' : 'are'
    throw new ForeproofError('refused', `in the way ${are} ${taken.join(', ')}`, {
      help: 'Nothing was written. Move what is in the way, or choose another folder.',
    })
  }
  const undo: (() => void)[] = []
  try {
    for (const { path } of files) makeFolder(dirname(path), undo)
    const begun = files.map(({ path, text }) => {
      const file = new AtomicFile(path)
      undo.push(() => file.discard())
      file.write(text)
      return { file, path }
    })
    for (const { file, path } of begun) {
      file.create()
      undo.push(() => unlinkSync(path))
    }
  } catch (cause) {
    for (const step of undo.reverse()) attempt(step)
    throw cause
  }
}

/** What stands where the file, or a folder around it, has to be. */
function inTheWayOf(path: string): string | undefined {
  if (isThere(path)) return path
  for (let at = dirname(path); dirname(at) !== at; at = dirname(at)) {
    if (isThere(at)) return isFolder(at) ? undefined : at
  }
  return undefined
}

/** Also for a symbolic link that leads nowhere. */
function isThere(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw fileError(cause, path)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Makes a folder and those above it that are not there, and remembers how to take each away. */
function makeFolder(folder: string, undo: (() => void)[]): void {
  if (isThere(folder)) return
  makeFolder(dirname(folder), undo)
  try {
    mkdirSync(folder)
  } catch (cause) {
    throw fileError(cause, folder)
  }
  undo.push(() => rmdirSync(folder))
}

function attempt(step: () => void): void {
  try {
    step()
  } catch {
    // What went wrong first is what has to be told.
  }
}
