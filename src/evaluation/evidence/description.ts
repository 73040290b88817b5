import { sha256Hex } from '../../document/digest.js'
import type { EvaluationResult } from '../result/types.js'
import type { DigestedFile } from './file-digests.js'
import { FILES } from './folder.js'
import { crateText } from './ro-crate.js'
import { statementText } from './statement.js'

/** The two files that say what the others are, as texts. The statement covers the RO-Crate, too. */
export interface Description {
  readonly [FILES.crate]: string
  readonly [FILES.statement]: string
}

/** @param at when the result was written, RFC 3339. */
export function describe(
  result: EvaluationResult,
  files: readonly DigestedFile[],
  at: string,
): Description {
  const crate = crateText(result, files, at)
  const covered = [...files, digested(FILES.crate, crate)].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  return { [FILES.crate]: crate, [FILES.statement]: statementText(result, covered) }
}

/** What is to be said of a file of this text. */
export function digested(name: string, text: string): DigestedFile {
  return { name, size: Buffer.byteLength(text), sha256: sha256Hex(text) }
}
