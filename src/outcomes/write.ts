import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { stageFolder } from '../files/new-folder.js'
import type { VintageManifest } from './types.js'
import { CLOSES_FILE, MANIFEST_FILE } from './vintage.js'

/**
 * Writes a vintage as a folder that is there whole or not at all. The same vintage written again
 * changes nothing.
 * @returns `unchanged` when the folder already holds exactly this vintage.
 * @throws {ForeproofError} `refused` when something else lies there; `io` or `not-found`.
 */
export function writeVintage(
  folder: string,
  manifest: VintageManifest,
  closes: string,
): 'written' | 'unchanged' {
  const manifestText = `${JSON.stringify(manifest, null, 2)}\n`
  const held = unchangedVintage(folder, manifestText, closes)
  if (held !== undefined) return held
  const staged = stageFolder(folder)
  try {
    staged.append(CLOSES_FILE, closes)
    staged.append(MANIFEST_FILE, manifestText)
    staged.commit()
    return 'written'
  } catch (cause) {
    throw occupied(cause) ? taken(folder) : fileError(cause, folder)
  } finally {
    staged.discard()
  }
}

function unchangedVintage(
  folder: string,
  manifestText: string,
  closes: string,
): 'unchanged' | undefined {
  if (!existsSync(folder)) return undefined
  try {
    const same =
      readFileSync(join(folder, CLOSES_FILE), 'utf8') === closes &&
      readFileSync(join(folder, MANIFEST_FILE), 'utf8') === manifestText
    if (same) return 'unchanged'
  } catch {
    // No vintage, or no folder: the rename says so, except for an empty folder, which it may take.
    return undefined
  }
  throw taken(folder)
}

function occupied(cause: unknown): boolean {
  const errno = (cause as { code?: unknown } | null)?.code
  return errno === 'ENOTEMPTY' || errno === 'EEXIST' || errno === 'ENOTDIR' || errno === 'EBUSY'
}

function taken(folder: string): ForeproofError {
  return new ForeproofError('refused', `${folder}: something else is there already`, {
    file: folder,
    help: 'Nothing was written. Choose another folder with --out; vintages are never replaced.',
  })
}
