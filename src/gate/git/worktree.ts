import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileError } from '../../contract/error.js'

/** A file of the working tree, by its path from the top. */
export interface WorkFile {
  readonly path: string
  /** A symbolic link is not followed: what it leads to can change without git knowing. */
  readonly kind: 'file' | 'link' | 'other'
  readonly executable: boolean
}

/**
 * Every file below a folder of the working tree whose path `wanted` accepts, hidden and untracked
 * ones included; empty when there is no such folder.
 */
export function readWorkTree(
  top: string,
  folder: string,
  wanted: (path: string) => boolean,
): ReadonlyMap<string, WorkFile> {
  const files = new Map<string, WorkFile>()
  collect(top, folder, wanted, files)
  return files
}

function collect(
  top: string,
  folder: string,
  wanted: (path: string) => boolean,
  files: Map<string, WorkFile>,
): void {
  let entries: import('node:fs').Dirent[]
  try {
    entries = readdirSync(join(top, folder), { withFileTypes: true })
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return
    throw fileError(cause, join(top, folder))
  }
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) {
      if (entry.name !== '.git') collect(top, path, wanted, files)
    } else if (wanted(path)) files.set(path, workFile(top, path, entry))
  }
}

function workFile(top: string, path: string, entry: import('node:fs').Dirent): WorkFile {
  if (!entry.isFile()) {
    return { path, kind: entry.isSymbolicLink() ? 'link' : 'other', executable: false }
  }
  return { path, kind: 'file', executable: isExecutable(join(top, path)) }
}

function isExecutable(file: string): boolean {
  try {
    return (lstatSync(file).mode & 0o100) !== 0
  } catch (cause) {
    throw fileError(cause, file)
  }
}
