import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { finding } from '../../contract/findings/finding.js'
import { canonicalize } from '../../document/canonical.js'
import { digestWithout } from '../../document/digest.js'
import { readDocument } from '../../document/read.js'
import { readRegular } from '../../files/regular.js'
import { locateFindings } from '../../protocol/rules/check.js'
import { type Broken, broken, guarded } from '../links.js'
import { checkResult } from '../result/check.js'
import type { EvaluationResult } from '../result/types.js'
import { FILES, type FileName, MAX_BYTES_OF } from './folder.js'

/** @throws {ForeproofError} `not-found` when there is no such folder or it is no evidence. */
export function requireEvidence(folder: string): void {
  try {
    if (!statSync(folder).isDirectory()) {
      throw new ForeproofError('not-found', `${folder}: is not a folder`, {
        file: folder,
        help: 'Name the folder that foreproof score wrote.',
      })
    }
  } catch (cause) {
    throw fileError(cause, folder)
  }
  if (existsSync(join(folder, FILES.result))) return
  throw new ForeproofError('not-found', `${folder}: holds no ${FILES.result}`, {
    file: folder,
    help: 'Name the folder that foreproof score wrote.',
  })
}

/**
 * Reads a file of an evidence folder: a regular file in the folder itself, of a size that it can have.
 * @throws {ForeproofError} as `readRegular`.
 */
export function readEvidence(folder: string, name: FileName): Buffer {
  return readRegular(join(folder, name), MAX_BYTES_OF[name], { links: 'refuse' })
}

/** Reads a result and proves that it is one, in its one spelling, with the digest it names. */
export async function readResult(
  folder: string,
): Promise<{ readonly ok: true; readonly result: EvaluationResult } | Broken> {
  const file = join(folder, FILES.result)
  const read = await guarded('result', () => readEvidence(folder, FILES.result), 'is-a-finding')
  if (!read.ok) return read
  const bytes = read.value
  const document = readDocument(bytes, file, { maxBytes: MAX_BYTES_OF[FILES.result] })
  if (!document.ok) return broken('result', document.findings)
  const findings = locateFindings(checkResult(document.value), document)
  if (findings.length > 0) return broken('result', findings)
  const result = document.value as EvaluationResult
  const computed = digestWithout(result, 'result_sha256')
  if (computed !== result.result_sha256) {
    return broken('result', [
      finding('result-edited', { computed, declared: result.result_sha256 }, { file }),
    ])
  }
  if (!bytes.equals(Buffer.from(`${canonicalize(result)}\n`)))
    return broken('result', [finding('result-spelling', {}, { file })])
  return { ok: true, result }
}
