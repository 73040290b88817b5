import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { readDocument } from '../../document/read.js'
import type { CodeVersion, EvaluationResult } from '../result/types.js'
import { readAccess } from './access.js'
import { type Description, describe, digestedFiles } from './description.js'
import { firstDifference } from './differences.js'
import { FILES, MAX_BYTES_OF } from './folder.js'
import { readEvidence } from './open.js'

const NAMES = [FILES.statement, FILES.crate] as const
type Name = (typeof NAMES)[number]

/** Whether a folder has a statement and a description, or has to: earlier versions wrote none. */
export function isDescribed(
  folder: string,
  result: EvaluationResult,
  { sha256 }: CodeVersion,
): boolean {
  return result.code.sha256 === sha256 || NAMES.some((name) => existsSync(join(folder, name)))
}

/**
 * Whether the statement and the RO-Crate description are those of this folder. Both are made again from
 * the other files, which have been found to be sound.
 * @throws {ForeproofError} when a file of the folder cannot be read; `interrupted`.
 */
export async function descriptionFaults(
  result: EvaluationResult,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<Finding[]> {
  const files = await digestedFiles(folder, result, signal)
  const { sha256 } = result.inputs.registration
  const access = join(folder, FILES.access)
  const { entries } = readAccess(readEvidence(folder, FILES.access), access, sha256)
  const expected = describe(result, files, entries.at(-1)?.at ?? '')
  for (const name of NAMES) {
    const found = documentFaults(folder, name, expected)
    if (found !== undefined) return [found]
  }
  return []
}

function documentFaults(folder: string, name: Name, expected: Description): Finding | undefined {
  const file = join(folder, name)
  const bytes = readEvidence(folder, name)
  if (bytes.equals(Buffer.from(expected[name]))) return undefined
  const document = readDocument(bytes, file, { maxBytes: MAX_BYTES_OF[name] })
  const spelling = finding('description-differs', { name, fault: 'spelling' }, { file })
  if (!document.ok) return document.findings[0] ?? spelling
  const computed: unknown = JSON.parse(expected[name])
  const other = fileDifference(FILES_OF[name](document.value), FILES_OF[name](computed))
  if (other !== undefined) return finding('description-differs', { name, ...other }, { file })
  const found = firstDifference(document.value, computed)
  if (found === undefined) return spelling
  const args = { name, fault: 'value', stored: found.stored, found: found.computed } as const
  return finding('description-differs', args, { file, pointer: found.pointer })
}

type Files = ReadonlyMap<string, unknown>

/** What a document says of each file; entries of any other form are left to the comparison of the whole. */
const FILES_OF: Readonly<Record<Name, (document: unknown) => Files>> = {
  [FILES.statement]: (document) => filesOf(document, 'subject', 'name'),
  [FILES.crate]: (document) => filesOf(document, '@graph', '@id'),
}

function filesOf(document: unknown, list: string, key: string): Files {
  const entries = (document as Record<string, unknown> | null)?.[list]
  if (!Array.isArray(entries)) return new Map()
  return new Map(entries.map((entry) => [String(entry?.[key]), entry]))
}

type Difference = Omit<ArgsOf<'description-differs'>, 'name'>

function fileDifference(stored: Files, computed: Files): Difference | undefined {
  for (const of of stored.keys()) if (!computed.has(of)) return { of, fault: 'added' }
  for (const [of, entry] of computed) {
    if (!stored.has(of)) return { of, fault: 'missing' }
    const found = firstDifference(stored.get(of), entry)
    if (found) return { of, fault: 'other', stored: found.stored, found: found.computed }
  }
  return undefined
}
