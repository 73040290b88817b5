import type { Finding } from '../../contract/findings/finding.js'
import type { Broken } from '../links.js'
import type { CodeVersion, EvaluationResult } from '../result/types.js'
import { checkOuts, writeFolders } from './drawn-folder.js'
import { openEvidence } from './open.js'

export interface CompareOptions<Part> {
  /** The evidence folders, two or more; of each result.json is read, and nothing else. */
  readonly folders: readonly string[]
  /** The folder to write; it must not exist, or be empty. */
  readonly out: string
  readonly code: CodeVersion
  /** What is kept of a result: they are read one after the other, and may be many and large. */
  readonly take: (result: EvaluationResult, folder: string, index: number) => Part
  /** The page, from all that was kept. */
  readonly page: (parts: readonly Part[]) => string
}

export type CompareResult =
  | Broken
  | { readonly ok: true; readonly files: readonly string[]; readonly findings: readonly Finding[] }

/** The one file of a comparison. */
const COMPARISON = 'comparison.html'

/**
 * Draws several results into one page. Nothing is written where one of them is not whole.
 * @throws {ForeproofError} as `drawReport`.
 */
export async function drawComparison<Part>(of: CompareOptions<Part>): Promise<CompareResult> {
  const { folders, out, code, take, page } = of
  checkOuts([out], folders)
  const parts: Part[] = []
  for (const [index, folder] of folders.entries()) {
    const read = await openEvidence(folder, code)
    if (!read.ok) return read
    parts.push(take(read.result, folder, index))
  }
  return {
    ok: true,
    files: writeFolders([{ out, files: { [COMPARISON]: page(parts) } }]),
    findings: [],
  }
}
