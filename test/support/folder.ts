import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at-end.js'

/** Where a sync to the disk costs nothing, which many a test would wait for. */
export const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** A new folder, which is removed after the last test of the file. */
export function temporaryFolder(start = 'foreproof-', below = tmpdir()): string {
  const folder = mkdtempSync(join(below, start))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Paths in a folder, each of another name. */
export function freshPaths(folder = temporaryFolder()) {
  let made = 0
  return (ending = 'sqlite') => join(folder, `${++made}.${ending}`)
}
