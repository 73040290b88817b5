import { createHash } from 'node:crypto'
import { checkAttempt } from '../../contract/check-payload.js'
import { type Finding, holds } from '../../contract/finding.js'
import { readDocument } from '../../document/read.js'
import { type AttemptsFile, readAttemptsIndex } from '../../remote/attempts.js'
import type { Deployment } from '../../remote/deployment.js'
import type { HistoryImport } from '../import.js'

const TRIES = 2

/**
 * Mirrors the recorded attempts of a static deployment, where it publishes any: the files that have
 * changed since the last time, by their digests.
 * @returns what is wrong with them; the files before that are kept
 */
export async function pullAttempts(deployment: Deployment, run: HistoryImport): Promise<Finding[]> {
  const { attempts: index } = deployment
  if (index === undefined) return []
  const note = `pull ${deployment.id} attempts`
  const known = new Map<string, string>(Object.entries(noted(run.noted(note))))
  for (let attempt = 1; ; attempt++) {
    const fetched = await deployment.read(index)
    const text = fetched && Buffer.from(fetched.bytes).toString()
    // A host that answers every address with a page has no attempts there.
    if (fetched === undefined || text === undefined || !/^\s*[{[]/.test(text)) return []
    const listed = readAttemptsIndex(text)
    if (listed === undefined) return [fault('attempts-unreadable', fetched.where)]
    const findings = await pullFiles(listed.files, known, deployment, index, run)
    run.note(note, JSON.stringify(Object.fromEntries(known)))
    run.commit()
    // Another build may have come in between the index and its file: then the index is another now.
    if (!findings.some(({ code }) => code === 'attempts-changed') || attempt === TRIES) {
      return findings
    }
  }
}

async function pullFiles(
  files: readonly AttemptsFile[],
  known: Map<string, string>,
  deployment: Deployment,
  index: string,
  run: HistoryImport,
): Promise<Finding[]> {
  for (const { path, sha256 } of files) {
    if (known.get(path) === sha256) continue
    const place = `${index.slice(0, index.lastIndexOf('/') + 1)}${path}`
    const file = await deployment.read(place)
    if (file === undefined) return [fault('attempts-changed', place)]
    if (createHash('sha256').update(file.bytes).digest('hex') !== sha256) {
      return [fault('attempts-changed', file.where)]
    }
    const faults = addLines(Buffer.from(file.bytes).toString(), file.where, run)
    if (faults.length > 0) return faults
    if (run.refused) return []
    known.set(path, sha256)
  }
  return []
}

function addLines(text: string, file: string, run: HistoryImport): Finding[] {
  const values: unknown[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue
    const read = readDocument(Buffer.from(line), file)
    const findings = read.ok ? checkAttempt(read.value) : read.findings
    if (!holds(findings)) {
      const position = { line: index + 1, column: 1 }
      return findings.map((finding) => ({ ...finding, file, position }))
    }
    if (read.ok) values.push(read.value)
  }
  for (const [index, value] of values.entries()) run.add(value, { file, line: index + 1 })
  return []
}

function fault(code: string, file: string): Finding {
  return { code, severity: 'error', file, args: {} }
}

function noted(text: string | undefined): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, string>) : {}
  } catch {
    return {}
  }
}
