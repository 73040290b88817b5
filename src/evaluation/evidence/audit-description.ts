import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { isObject } from '../../contract/is-object.js'
import { briefly, firstDifference } from '../../document/difference.js'
import { readDocument } from '../../document/read.js'
import type { AnyResult, CodeVersion } from '../result/types.js'
import { readAccess } from './access.js'
import { type Description, describe, digestedFiles } from './description.js'
import { FILES, MAX_BYTES_OF } from './folder.js'
import { readEvidence } from './open.js'

const NAMES = [FILES.statement, FILES.crate] as const
type Name = (typeof NAMES)[number]

/** Whether a folder has a statement and a description, or has to: earlier versions wrote none. */
export function isDescribed(folder: string, result: AnyResult, { sha256 }: CodeVersion): boolean {
  return result.code.sha256 === sha256 || NAMES.some((name) => existsSync(join(folder, name)))
}

/**
 * Whether the statement and the RO-Crate description are those of this folder. Both are made again from
 * the other files, which have been found to be sound.
 * @throws {ForeproofError} when a file of the folder cannot be read; `interrupted`.
 */
export async function descriptionFaults(
  result: AnyResult,
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
  if (!document.ok) return document.findings[0]
  const found = firstDifference(byName(document.value), byName(JSON.parse(expected[name])))
  if (found === undefined) return finding('description-differs', { name, of: null }, { file })
  const args = {
    name,
    of: found.pointer,
    stored: briefly(found.stored),
    found: briefly(found.computed),
  }
  return finding('description-differs', args, { file })
}

/** A document with the list that names files as members, so that a difference names the file. */
function byName(document: unknown): unknown {
  const value = isObject(document) ? document : {}
  const named = (list: unknown, key: string): unknown =>
    Array.isArray(list) ? Object.fromEntries(list.map((of) => [String(of?.[key]), of])) : list
  const { subject, '@graph': graph } = value
  return { ...value, '@graph': named(graph, '@id'), subject: named(subject, 'name') }
}
