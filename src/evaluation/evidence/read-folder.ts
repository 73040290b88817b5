import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { finding } from '../../contract/findings/finding.js'
import { canonicalize } from '../../document/canonical.js'
import { digestWithout } from '../../document/digest.js'
import { readDocument } from '../../document/read.js'
import { locateFindings } from '../../protocol/rules/check.js'
import { type Broken, broken } from '../links.js'
import type { InputPaths } from '../load.js'
import { checkResult } from '../result/check.js'
import type { EvaluationResult } from '../result/types.js'
import { FILES } from './folder.js'

/** A result of the largest family that makes sense; beyond this it is another kind of file. */
const MAX_RESULT_BYTES = 256 * 1_048_576

/** @throws {ForeproofError} `not-found` when there is no such folder or it is no evidence. */
export function requireEvidence(folder: string): void {
  try {
    if (!statSync(folder).isDirectory()) {
      throw new ForeproofError('not-found', `${folder}: is no folder`, {
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

export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw fileError(cause, path)
  }
}

/** Reads a result and proves that it is one, in its one spelling, with the digest it names. */
export function readResult(
  folder: string,
): { readonly ok: true; readonly result: EvaluationResult } | Broken {
  const file = join(folder, FILES.result)
  const text = readTextFile(file)
  const document = readDocument(Buffer.from(text), file, { maxBytes: MAX_RESULT_BYTES })
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
  if (`${canonicalize(result)}\n` !== text)
    return broken('result', [finding('result-spelling', {}, { file })])
  return { ok: true, result }
}

/** Where the inputs are: as told, else where they were, seen from the folder. */
export function inputPaths(folder: string, told: Partial<InputPaths>): InputPaths {
  const file = join(folder, FILES.inputs)
  const document = existsSync(file)
    ? readDocument(Buffer.from(readTextFile(file)), file)
    : undefined
  const recorded = document?.ok
    ? (document.value as Partial<Record<keyof InputPaths, unknown>>)
    : {}
  const path = (name: keyof InputPaths): string => {
    const given = told[name]
    if (given !== undefined) return given
    const seen = recorded?.[name]
    if (seen === null && name === 'history') return join(folder, 'no-history')
    if (typeof seen === 'string' && existsSync(join(folder, seen))) return join(folder, seen)
    if (typeof seen === 'string') {
      throw new ForeproofError('not-found', `${join(folder, seen)}: no such ${name}`, {
        file: join(folder, seen),
        help: `There it was when this was scored. Name where it is now: --${name} PATH`,
      })
    }
    throw new ForeproofError('usage', `where is the ${name} of ${folder}?`, {
      file,
      help: `${FILES.inputs} does not say. Name it: --${name} PATH`,
    })
  }
  return {
    registration: path('registration'),
    protocol: path('protocol'),
    history: path('history'),
    outcomes: path('outcomes'),
  }
}
