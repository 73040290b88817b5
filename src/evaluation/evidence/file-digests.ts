import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileError } from '../../contract/error.js'
import { breathe } from '../../files/breathe.js'
import { digestOfFile } from '../../files/regular.js'
import type { EvaluationResult } from '../result/types.js'
import { FILES, type FileName, MAX_BYTES_OF, TIME } from './folder.js'
import { ownFiles } from './folder-entries.js'
import { LOG } from './time-files.js'

/** What a statement and a description say of a file. */
export interface DigestedFile {
  /** Below the evidence folder. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly sha256: string
}

/** Files that are not described by what they hold: paths may change, and these two name all others. */
const UNDIGESTED: ReadonlySet<string> = new Set([FILES.inputs, FILES.crate, FILES.statement])

/**
 * The files that bear a result out, in the order of their names. The pairs are not read a second time:
 * the result has their digest.
 * @throws {ForeproofError} when one cannot be read; `interrupted`.
 */
export async function digestedFiles(
  folder: string,
  { inputs, time }: EvaluationResult,
  signal: AbortSignal | undefined,
): Promise<DigestedFile[]> {
  const files: DigestedFile[] = []
  for (const name of ownFiles(folder)) {
    const stray = time === undefined && name.startsWith(`${TIME}/`)
    if (stray || UNDIGESTED.has(name)) continue
    const path = join(folder, name)
    const sha256 =
      name === FILES.pairs
        ? inputs.pairs.sha256
        : await digestOfFile(path, limitOf(name), () => breathe(signal))
    files.push({ name, size: sizeOf(path), sha256 })
  }
  return files
}

function limitOf(name: string): number {
  if (Object.hasOwn(MAX_BYTES_OF, name)) return MAX_BYTES_OF[name as FileName]
  return name === LOG.entries ? MAX_BYTES_OF[FILES.pairs] : MAX_BYTES_OF[FILES.result]
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch (cause) {
    throw fileError(cause, path)
  }
}
