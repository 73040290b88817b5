import { opendirSync } from 'node:fs'
import { join } from 'node:path'
import { fileError } from '../../contract/error.js'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { otherKind } from '../../files/regular.js'
import { FILES } from './folder.js'

/** A folder with more entries is none that `score` wrote: the rest is not looked at. */
const MAX_ENTRIES = 1000
const OWN: ReadonlySet<string> = new Set(Object.values(FILES))

/**
 * Whether a folder holds files only, and which of them `score` did not write. What lies beside the
 * files of a run takes part in nothing; but a person may take it for a part of the evidence.
 * @returns an error for what is no regular file; a warning for files of other names.
 */
export function entryFindings(folder: string): Finding[] {
  const findings: Finding[] = []
  const others: string[] = []
  try {
    const opened = opendirSync(folder)
    try {
      for (let seen = 0; seen < MAX_ENTRIES; seen++) {
        const entry = opened.readSync()
        if (entry === null) break
        const kind = otherKind(entry)
        if (kind !== undefined) findings.push(notAFile(folder, entry.name, kind))
        else if (!OWN.has(entry.name)) others.push(entry.name)
      }
    } finally {
      opened.closeSync()
    }
  } catch (cause) {
    throw fileError(cause, folder)
  }
  if (findings.length > 0) return findings
  return others.length === 0 ? [] : [foreign(folder, others.sort())]
}

const notAFile = (folder: string, name: string, kind: string) =>
  finding('evidence-not-a-file', { name, kind }, { file: join(folder, name) })

const foreign = (folder: string, names: readonly string[]) =>
  finding('evidence-foreign-files', { names, count: names.length }, { file: folder })
