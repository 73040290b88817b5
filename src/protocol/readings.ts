import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { type Finding, type FindingOptions, finding } from '../contract/findings/finding.js'
import { isObject } from '../contract/is-object.js'
import { isDigest } from '../document/digest.js'
import { readDocument } from '../document/read.js'
import { writeFileAtomic } from '../files/atomic.js'
import { withLock } from '../files/lock.js'
import { createFolderSync } from '../files/new-folder.js'
import { listFileNames, readRegular } from '../files/regular.js'
import { FITS, isResult, linked } from './rules/entry.js'
import type { Ledger } from './rules/ledger.js'

/** The inputs of a scoring run on which its result depends. */
export interface ReadInputs {
  readonly vintage_sha256: string
  readonly history_sha256: string
  readonly code_sha256: string
}

/** `outcomes_read` is recorded before the first score is computed, `result_written` after the last. */
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

const MEMBERS: Readonly<Record<keyof AccessEntry, (value: unknown) => boolean>> = {
  seq: FITS.count,
  event: (value) => value === 'outcomes_read' || value === 'result_written',
  at: FITS.timestamp,
  registration_sha256: isDigest,
  vintage_sha256: isDigest,
  history_sha256: isDigest,
  code_sha256: isDigest,
  exploratory: (value) => typeof value === 'boolean',
  result_sha256: (value) => value === null || isDigest(value),
  previous: isDigest,
  entry_sha256: isDigest,
}

/** Chains a new entry to the last one. */
export const chained = (fields: AccessFields, last: AccessEntry | undefined): AccessEntry =>
  linked(fields, last, fields.registration_sha256)

export const accessText = (entries: readonly AccessEntry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry, Object.keys(MEMBERS))}\n`).join('')

export interface AccessLog {
  readonly entries: readonly AccessEntry[]
  readonly findings: readonly Finding[]
}

/** Parses an access log and checks the chain, up to the first invalid line. */
export function readAccess(bytes: Uint8Array, file: string, registrationSha256: string): AccessLog {
  const entries: AccessEntry[] = []
  const readings = new Readings()
  const text = Buffer.from(bytes).toString('utf8')
  const read = (line: string): string | undefined => {
    const document = readDocument(Buffer.from(line), file)
    const value = document.ok ? (document.value as AccessEntry) : undefined
    if (!isEntry(value)) return 'not an entry'
    const expected = chained(toFields(value), entries.at(-1))
    if (value.registration_sha256 !== registrationSha256) return 'other registration'
    if (value.seq !== expected.seq || value.previous !== expected.previous) return 'link'
    if (value.entry_sha256 !== expected.entry_sha256) return 'edited'
    if (!readings.allow(value)) return 'impossible'
    entries.push(value)
    readings.add(value)
    return undefined
  }
  for (let begin = 0; begin < text.length; ) {
    const end = text.indexOf('\n', begin)
    const fault = end === -1 ? 'line not ended' : read(text.slice(begin, end))
    if (fault !== undefined) {
      const row = entries.length + 1
      const position = { line: row, column: 1 }
      return { entries, findings: [accessFault(row, fault, { file, position })] }
    }
    begin = end + 1
  }
  return { entries, findings: [] }
}

export function accessFault(row: number, reason: string, at: FindingOptions): Finding {
  return finding('access-chain-broken', { row, reason }, at)
}

function isEntry(value: unknown): value is AccessEntry {
  if (!isObject(value)) return false
  const keys = Object.keys(MEMBERS) as (keyof AccessEntry)[]
  return Object.keys(value).length === keys.length && keys.every((key) => MEMBERS[key](value[key]))
}

function toFields(entry: AccessEntry): AccessFields {
  const { seq: _seq, previous: _previous, entry_sha256: _digest, ...fields } = entry
  return fields
}

/**
 * Earlier readings that make a run exploratory. A reading does not count if it was aborted before any result and read
 * exactly the same inputs with the same code, because it showed nothing that this run will not show.
 */
export function earlierReadings(entries: readonly AccessEntry[], inputs: ReadInputs): number {
  const readings = new Readings()
  for (const entry of entries) readings.add(entry)
  return readings.earlier(inputs)
}

/** The readings of the same inputs with the same code. */
interface SameInputs {
  /** Readings since the last result. */
  open: number
  /** Whether the runs were exploratory, if there were any. */
  readonly exploratory: Set<boolean>
}

/** The state of a record of readings, line by line. */
class Readings {
  #total = 0
  readonly #byInputs = new Map<string, SameInputs>()

  earlier(inputs: ReadInputs): number {
    return this.#total - this.#of(inputs).open
  }

  /** Whether `score` can have written this entry after the earlier ones. */
  allow(entry: AccessEntry): boolean {
    if (entry.event === 'result_written') {
      return entry.result_sha256 !== null && this.#of(entry).exploratory.has(entry.exploratory)
    }
    return entry.result_sha256 === null && entry.exploratory === this.earlier(entry) > 0
  }

  add(entry: AccessEntry): void {
    const same = this.#of(entry)
    if (entry.event === 'result_written') {
      same.open = 0
      return
    }
    this.#total += 1
    same.open += 1
    same.exploratory.add(entry.exploratory)
  }

  #of(inputs: ReadInputs): SameInputs {
    const key = inputsKey(inputs)
    const same = this.#byInputs.get(key) ?? { open: 0, exploratory: new Set() }
    this.#byInputs.set(key, same)
    return same
  }
}

const inputsKey = ({ vintage_sha256, history_sha256, code_sha256 }: ReadInputs): string =>
  `${vintage_sha256} ${history_sha256} ${code_sha256}`

/** Whether two runs read the same inputs with the same code. */
export const sameInputs = (a: ReadInputs, b: ReadInputs): boolean => inputsKey(a) === inputsKey(b)

const INPUT_DIGEST = {
  forecasts: 'history_sha256',
  outcomes: 'vintage_sha256',
  code: 'code_sha256',
} as const satisfies Readonly<Record<string, keyof ReadInputs>>

export type ChangedInput = keyof typeof INPUT_DIGEST

/** The inputs that differ between two runs. */
export const changedInputs = (a: ReadInputs, b: ReadInputs): ChangedInput[] =>
  (Object.keys(INPUT_DIGEST) as ChangedInput[]).filter(
    (what) => a[INPUT_DIGEST[what]] !== b[INPUT_DIGEST[what]],
  )

export const LARGEST_RECORD = 64 * 1_048_576

/** The folder of the records of readings beside a ledger, each named by the digest of its registration. */
export const readingsFolder = (folder: string): string => join(folder, 'access')

/**
 * The path of the record of readings of a registration: beside the ledger that holds the registration, named by its
 * digest. It is not in a run's output folder, where another run would not look, nor beside the registration's file,
 * which can be copied.
 */
export function accessPath(protocolFolder: string, registrationSha256: string): string {
  return join(readingsFolder(protocolFolder), `${registrationSha256}.jsonl`)
}

/** The readings so far; empty if the file does not exist. */
export function readAccessFile(path: string, registrationSha256: string): AccessLog {
  if (!existsSync(path)) return { entries: [], findings: [] }
  return readAccess(readRegular(path, LARGEST_RECORD), path, registrationSha256)
}

/**
 * Appends an entry under a lock.
 * @param decide makes the entry from the earlier ones.
 * @returns all entries, the new one last.
 * @throws {ForeproofError} `refused` if the record does not verify.
 */
export function appendAccess(
  path: string,
  registrationSha256: string,
  decide: (before: readonly AccessEntry[]) => AccessFields,
): readonly AccessEntry[] {
  try {
    createFolderSync(dirname(path))
  } catch (cause) {
    throw fileError(cause, dirname(path))
  }
  return withLock(path, () => {
    const { entries, findings } = readAccessFile(path, registrationSha256)
    if (findings.length > 0) throw brokenRecord('refused', path, findings, 'scored')
    const entry = chained(decide(entries), entries.at(-1))
    const all = [...entries, entry]
    writeFileAtomic(path, accessText(all))
    return all
  })
}

const RECORD = /^([0-9a-f]{64})\.jsonl$/

/** The records of readings beside a ledger. */
function recordsIn(folder: string): (AccessLog & { readonly file: string })[] {
  const access = readingsFolder(folder)
  return listFileNames(access).flatMap((name) => {
    const [, registration] = RECORD.exec(name) ?? []
    if (registration === undefined) return []
    const file = join(access, name)
    return [{ file, ...readAccess(readRegular(file, LARGEST_RECORD), file, registration) }]
  })
}

/**
 * The digest of the last line of each record of readings beside a ledger, if no entry names it yet. The next entry
 * names them, so that from then on no earlier line can be removed unnoticed.
 * @throws {ForeproofError} `invalid-input` if a record does not verify.
 */
export function newReadings(folder: string, ledger: Ledger): string[] {
  const named = new Set(ledger.lines.flatMap(({ entry }) => entry.readings ?? []))
  return recordsIn(folder).flatMap(({ file, entries, findings }) => {
    if (findings.length > 0) throw brokenRecord('invalid-input', file, findings, 'written')
    const last = entries.at(-1)?.entry_sha256
    return last === undefined || named.has(last) ? [] : [last]
  })
}

const brokenRecord = (
  code: 'invalid-input' | 'refused',
  file: string,
  findings: readonly Finding[],
  what: 'written' | 'scored',
) =>
  new ForeproofError(
    code,
    `${file}:${findings[0]?.position?.line}: the record of readings is broken`,
    {
      file,
      findings,
      help: `It was edited or cut. Restore it from version control; nothing was ${what}.`,
    },
  )

/**
 * The faults of the records of readings beside a ledger; readings that its entries name and that no record has any more;
 * and results that it lacks.
 */
export function checkReadings(folder: string, { file, lines }: Ledger): Finding[] {
  const naming = lines.filter(({ entry }) => entry.readings !== undefined)
  const records = recordsIn(folder)
  const broken = records.flatMap(({ findings }) => findings)
  const entries = records.flatMap((record) => record.entries)
  const there = new Set(entries.map((entry) => entry.entry_sha256))
  const gone = naming.flatMap(({ entry, line }) => {
    const [digest, ...others] = (entry.readings ?? []).filter((each) => !there.has(each))
    if (digest === undefined) return []
    const args = { entry: entry.seq, digest, count: others.length + 1 }
    const at = { file, pointer: '/readings', position: { line, column: 1 } }
    return [finding('ledger-readings-gone', args, at)]
  })
  const results = lines.flatMap(({ entry, line }) => (isResult(entry) ? [{ entry, line }] : []))
  const entered = new Set(results.map(({ entry }) => resultKey(entry)))
  const absent = records.flatMap((record) => {
    const lost = record.entries.find(
      (entry) => entry.event === 'result_written' && !entered.has(resultKey(entry)),
    )
    return lost === undefined ? [] : [resultNotEntered(lost, record.file)]
  })
  // The first written of each registration, among those that the ledger has.
  const firsts = new Map<string, AccessEntry>()
  for (const entry of entries) {
    const { event, registration_sha256: digest } = entry
    if (event !== 'result_written' || firsts.has(digest) || !entered.has(resultKey(entry))) continue
    firsts.set(digest, entry)
  }
  const seen = new Set<string>()
  const late = results.flatMap(({ entry, line }) => {
    const { registration_sha256: digest } = entry
    const first = firsts.get(digest)
    if (seen.has(digest)) return []
    seen.add(digest)
    if (first === undefined || resultKey(first) === resultKey(entry)) return []
    const args = { digest: String(first.result_sha256) }
    return [finding('result-order', args, { file, position: { line, column: 1 } })]
  })
  return [...broken, ...gone, ...absent, ...late]
}

const resultKey = (of: Pick<AccessEntry, 'registration_sha256' | 'result_sha256'>): string =>
  `${of.registration_sha256} ${of.result_sha256}`

/** A warning about a result that was written, but that the ledger does not have. */
export function resultNotEntered({ seq, result_sha256 }: AccessEntry, file: string): Finding {
  const args = { digest: String(result_sha256) }
  return finding('result-not-in-ledger', args, { file, position: { line: seq, column: 1 } })
}
