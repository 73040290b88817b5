import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { parseTimestamp } from '../../contract/instant.js'
import { digestWithout } from '../../document/digest.js'
import { readDocument } from '../../document/read.js'

/** What a scoring run reads, as far as the outcome of the run depends on it. */
export interface ReadInputs {
  readonly vintage_sha256: string
  readonly history_sha256: string
  readonly code_sha256: string
}

/** `outcomes_read` is entered before the first score is computed, `result_written` after the last. */
export interface AccessFields extends ReadInputs {
  readonly event: 'outcomes_read' | 'result_written'
  /** RFC 3339, UTC. */
  readonly at: string
  readonly registration_sha256: string
  readonly exploratory: boolean
  /** Null until there is a result. */
  readonly result_sha256: string | null
}

/** One line of access.jsonl. */
export interface AccessEntry extends AccessFields {
  /** From 1. */
  readonly seq: number
  /** `entry_sha256` of the line before; the digest of the registration for the first. */
  readonly previous: string
  /** SHA-256 of the RFC 8785 form of this entry without this member. */
  readonly entry_sha256: string
}

const HEX = /^[0-9a-f]{64}$/
const isDigest = (value: unknown) => typeof value === 'string' && HEX.test(value)
const MEMBERS: Readonly<Record<keyof AccessEntry, (value: unknown) => boolean>> = {
  seq: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
  event: (value) => value === 'outcomes_read' || value === 'result_written',
  at: (value) => typeof value === 'string' && parseTimestamp(value).ok,
  registration_sha256: isDigest,
  vintage_sha256: isDigest,
  history_sha256: isDigest,
  code_sha256: isDigest,
  exploratory: (value) => typeof value === 'boolean',
  result_sha256: (value) => value === null || isDigest(value),
  previous: isDigest,
  entry_sha256: isDigest,
}

/** Chains a new entry behind the last one. */
export function chained(fields: AccessFields, last: AccessEntry | undefined): AccessEntry {
  const entry = {
    seq: (last?.seq ?? 0) + 1,
    ...fields,
    previous: last?.entry_sha256 ?? fields.registration_sha256,
  }
  return { ...entry, entry_sha256: digestWithout(entry, 'entry_sha256') }
}

export const accessText = (entries: readonly AccessEntry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

export interface AccessLog {
  readonly entries: readonly AccessEntry[]
  readonly findings: readonly Finding[]
}

/** Reads an access log and checks every line and the whole chain. */
export function readAccess(bytes: Uint8Array, file: string, registrationSha256: string): AccessLog {
  const entries: AccessEntry[] = []
  const findings: Finding[] = []
  const fault = (line: number, reason: ArgsOf<'access-chain-broken'>['reason']) => {
    const position = { line, column: 1 }
    findings.push(finding('access-chain-broken', { row: line, reason }, { file, position }))
  }
  const lines = Buffer.from(bytes).toString('utf8').split('\n')
  if (lines.pop() !== '') fault(lines.length + 1, 'line-not-ended')
  let last: AccessEntry | undefined
  lines.forEach((text, index) => {
    const line = index + 1
    const document = readDocument(Buffer.from(text), file)
    const value = document.ok ? (document.value as AccessEntry) : undefined
    if (!isEntry(value)) {
      fault(line, 'not-an-entry')
      return
    }
    entries.push(value)
    const expected = chained(fieldsOf(value), last)
    if (value.registration_sha256 !== registrationSha256) fault(line, 'other-registration')
    else if (value.seq !== expected.seq || value.previous !== expected.previous) {
      fault(line, 'link')
    } else if (value.entry_sha256 !== expected.entry_sha256) fault(line, 'edited')
    last = value
  })
  return { entries, findings }
}

function isEntry(value: unknown): value is AccessEntry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const keys = Object.keys(MEMBERS) as (keyof AccessEntry)[]
  return (
    Object.keys(value).length === keys.length &&
    keys.every((key) => MEMBERS[key]((value as AccessEntry)[key]))
  )
}

function fieldsOf(entry: AccessEntry): AccessFields {
  const { seq: _seq, previous: _previous, entry_sha256: _digest, ...fields } = entry
  return fields
}

/**
 * Earlier readings that make a run exploratory. A reading that was broken off before there was any
 * result, and that had read the very same inputs with the same code, taught nobody anything that
 * this run will not show: it does not count.
 */
export function earlierReadings(entries: readonly AccessEntry[], inputs: ReadInputs): number {
  const readings = entries.filter((entry) => entry.event === 'outcomes_read')
  return readings.filter((reading) => {
    const next = entries.find((entry) => entry.seq > reading.seq && completes(entry, reading))
    return next !== undefined || !sameInputs(reading, inputs)
  }).length
}

function completes(entry: AccessEntry, reading: AccessEntry): boolean {
  return entry.event === 'result_written' && sameInputs(entry, reading)
}

function sameInputs(a: ReadInputs, b: ReadInputs): boolean {
  return (
    a.vintage_sha256 === b.vintage_sha256 &&
    a.history_sha256 === b.history_sha256 &&
    a.code_sha256 === b.code_sha256
  )
}
