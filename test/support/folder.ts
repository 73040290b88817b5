import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at-end.js'

/** A new folder, which is removed after the last test of the file. */
export function temporaryFolder(start = 'foreproof-'): string {
  const folder = mkdtempSync(join(tmpdir(), start))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
