import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ArgsOf,
  type Finding,
  type FindingOptions,
  finding,
  hasNoErrors,
} from '../../contract/findings/finding.js'
import { formatUtc, type Instant, instantOrNaN } from '../../contract/instant.js'
import { isObject } from '../../contract/is-object.js'
import { briefly, firstDifference } from '../../document/difference.js'
import { readDocument } from '../../document/read.js'
import {
  type AccessEntry,
  accessFault,
  accessPath,
  accessText,
  earlierReadings,
  type ReadInputs,
  readAccess,
  readAccessFile,
  resultNotEntered,
  sameInputs,
} from '../../protocol/readings.js'
import { formerEntries, type LedgerEntry } from '../../protocol/rules/entry.js'
import { CLOCK_TOLERANCE, findResultEntry } from '../../protocol/rules/ledger.js'
import { closedFindings } from '../close-registration.js'
import { assertSound } from '../links.js'
import { type Documents, protocolFolder } from '../load.js'
import type { InputPaths } from '../open.js'
import type { CodeVersion, Result } from '../result/result.js'
import { type Description, describe, digestedFiles } from './description.js'
import { FILES, MAX_BYTES_OF, type ReportRenderers } from './folder.js'
import { editedFinding, readEvidence } from './open.js'

/** Checks that the result belongs to this registration, protocol and ledger. */
export function assertDocuments(
  { inputs }: Result,
  { registration, registrationEntry, protocolEntry, ledger }: Documents,
  paths: InputPaths,
): void {
  const at = { file: paths.protocol }
  const { registration_sha256: registered } = registration
  assertInput('registration', inputs.registration.sha256, registered, { file: paths.registration })
  assertInput('protocol', inputs.protocol.sha256, registration.protocol.sha256, at)
  for (const [stored, { entry_sha256: found, seq }] of [
    [inputs.protocol.ledger_entry_sha256, protocolEntry],
    [inputs.registration.ledger_entry_sha256, registrationEntry],
  ] as const) {
    if (stored === found) continue
    assertSound('ledger', [finding('ledger-rewritten', { stored, found, entry: seq }, at)])
  }
  // A closing after the result has no effect, and is not among the ends.
  assertSound('ledger', closedFindings(registration, ledger))
}

/** The documents with their entries as a result names them: it may have been scored before the ledger moved them. */
export function asScored<D extends Documents>({ inputs }: Result, documents: D): D {
  const { registration, protocol } = inputs
  const named = <E extends LedgerEntry>(entry: E, stored: string | null): E => {
    const former = formerEntries(entry).find(({ entry_sha256 }) => entry_sha256 === stored)
    if (former === undefined) return entry
    const { moved_at: _, ...rest } = entry
    const { moved_at, entry_sha256 } = former
    return { ...rest, ...(moved_at !== undefined && { moved_at }), entry_sha256 } as E
  }
  return {
    ...documents,
    registrationEntry: named(documents.registrationEntry, registration.ledger_entry_sha256),
    protocolEntry: named(documents.protocolEntry, protocol.ledger_entry_sha256),
  }
}

/** Breaks the link of an input if a result was scored with a different one. */
export function assertInput(
  input: 'registration' | 'protocol' | 'outcomes',
  stored: string,
  found: string,
  at: FindingOptions,
): void {
  if (stored === found) return
  assertSound(input, [finding('result-of-other-input', { input, stored, found }, at)])
}

const MADE_FROM = /<meta name="foreproof-result" content="([0-9a-f]{64})">/

/**
 * The reports must match what this result gives, byte for byte; if other code drew them, this cannot be checked here.
 */
export function reportFindings(
  result: Result,
  folder: string,
  sameCode: boolean,
  render: ReportRenderers,
): Finding[] {
  const check = (name: 'html' | 'markdown', toName: (text: string) => string | null): Finding[] => {
    const file = join(folder, FILES[name])
    const bytes = readEvidence(folder, FILES[name])
    if (bytes.equals(Buffer.from(render[name](result)))) return []
    const [stored, found] = [toName(bytes.toString('utf8')), result.result_sha256]
    if (stored !== found) return [finding('report-of-other-run', { stored, found }, { file })]
    if (sameCode) return [editedFinding(bytes, 'report', file)]
    return [finding('report-not-comparable', { folder }, { file })]
  }
  const { result_sha256: digest } = result
  return [
    ...check('html', (text) => MADE_FROM.exec(text)?.[1] ?? null),
    ...check('markdown', (text) => (text.includes(digest) ? digest : null)),
  ]
}

/** The record of readings: complete, in order, continued by the live one, and consistent with the result. */
export function accessFaults(
  result: Result,
  { registration, expected, ledger }: Documents,
  folder: string,
  paths: InputPaths,
  now: Instant,
): Finding[] {
  const sha256 = registration.registration_sha256
  const file = join(folder, FILES.access)
  const bytes = readEvidence(folder, FILES.access)
  const stored = readAccess(bytes, file, sha256)
  if (!hasNoErrors(stored.findings)) return [...stored.findings]
  const spelling = spellingFaults(bytes, stored.entries, file)
  if (spelling.length > 0) return spelling
  const livePath = accessPath(protocolFolder(paths.protocol), sha256)
  if (!existsSync(livePath)) return [finding('access-missing', {}, { file: livePath })]
  const live = readAccessFile(livePath, sha256)
  if (!hasNoErrors(live.findings)) return [...live.findings]
  const parted = stored.entries.findIndex(
    (entry, index) => live.entries[index]?.entry_sha256 !== entry.entry_sha256,
  )
  if (parted !== -1) return [finding('access-parted', { entry: parted + 1 }, { file: livePath })]
  const times = timeFaults(live.entries, registration.registered_at, expected.asOf, now, livePath)
  const faults = times.length > 0 ? times : accordFaults(result, stored.entries, file)
  if (faults.length > 0) return faults
  const { entries } = stored
  // It agrees with the result, so it has its line.
  const written = entries.at(-1) as AccessEntry & { readonly result_sha256: string }
  return findResultEntry(ledger, written) ? [] : [resultNotEntered(written, livePath)]
}

/** The digests do not cover the spelling of a line, but `score` writes only one spelling. */
function spellingFaults(bytes: Buffer, entries: readonly AccessEntry[], file: string): Finding[] {
  if (bytes.equals(Buffer.from(accessText(entries)))) return []
  const lines = bytes.toString('utf8').split('\n')
  const at = entries.findIndex((entry, index) => accessText([entry]) !== `${lines[index]}\n`)
  const row = Math.max(at, 0) + 1
  return [accessFault(row, 'spelling', { file, position: { line: row, column: 1 } })]
}

/** A reading must come after the registration, its as-of and the entry above it, and not after today. */
function timeFaults(
  entries: readonly AccessEntry[],
  registered: string,
  asOf: Instant,
  now: Instant,
  file: string,
): Finding[] {
  type Args = ArgsOf<'access-time'>
  const fault = (row: number, at: string, what: Args['what'], than: string) => {
    const position = { line: row, column: 1 }
    return [finding('access-time', { row, at, what, than }, { file, position })]
  }
  const late = asOf > instantOrNaN(registered)
  let [what, than]: [Args['what'], string] = late
    ? ['before-as-of', formatUtc(asOf)]
    : ['before-registration', registered]
  for (const { seq, at } of entries) {
    if (instantOrNaN(at) < instantOrNaN(than)) return fault(seq, at, what, than)
    if (instantOrNaN(at) > now + CLOCK_TOLERANCE) return fault(seq, at, 'future', formatUtc(now))
    ;[what, than] = ['before-entry', at]
  }
  return []
}

function accordFaults(result: Result, entries: readonly AccessEntry[], file: string): Finding[] {
  const inputs = toReadInputs(result)
  const last = entries.at(-1)
  if (
    last?.event !== 'result_written' ||
    last.result_sha256 !== result.result_sha256 ||
    !sameInputs(last, inputs)
  ) {
    const args = { stored: last?.result_sha256 ?? null, found: result.result_sha256 }
    return [finding('access-of-other-result', args, { file })]
  }
  const logged = findReading(entries, inputs)
  const before = entries.filter((entry) => entry.seq < (logged?.seq ?? 0))
  const earlier = earlierReadings(before, inputs)
  if (logged && earlier === result.earlier_readings && result.exploratory === earlier > 0) return []
  return [
    finding('exploratory-differs', { stored: result.earlier_readings, found: earlier }, { file }),
  ]
}

/** When the outcomes of a result were read, according to the record beside it; NaN if the record does not state it. */
export function ownReading(folder: string, result: Result): Instant {
  const bytes = readEvidence(folder, FILES.access)
  const { entries } = readAccess(bytes, FILES.access, result.inputs.registration.sha256)
  return instantOrNaN(findReading(entries, toReadInputs(result))?.at ?? '')
}

/** The last reading of the given inputs. */
function findReading(entries: readonly AccessEntry[], inputs: ReadInputs): AccessEntry | undefined {
  return entries.findLast((entry) => entry.event === 'outcomes_read' && sameInputs(entry, inputs))
}

function toReadInputs({ inputs, code }: Result): ReadInputs {
  return {
    vintage_sha256: inputs.outcomes.sha256,
    history_sha256: inputs.history.sha256,
    code_sha256: code.sha256,
  }
}

const NAMES = [FILES.statement, FILES.crate] as const
type Name = (typeof NAMES)[number]

/** Whether a folder has, or must have, a statement and a description; other versions may not write them. */
export function isDescribed(folder: string, result: Result, { sha256 }: CodeVersion): boolean {
  return result.code.sha256 === sha256 || NAMES.some((name) => existsSync(join(folder, name)))
}

/**
 * Checks that the statement and the RO-Crate description belong to this folder: both are made again from the other
 * files, which have already been verified.
 * @throws {ForeproofError} if a file of the folder cannot be read; `interrupted`.
 */
export async function descriptionFaults(
  result: Result,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<Finding[]> {
  const files = await digestedFiles(folder, result, signal)
  const { sha256 } = result.inputs.registration
  const access = join(folder, FILES.access)
  const { entries } = readAccess(readEvidence(folder, FILES.access), access, sha256)
  const expected = describe(result, files, entries.at(-1)?.at ?? '')
  for (const name of NAMES) {
    const fault = documentFaults(folder, name, expected)
    if (fault !== undefined) return [fault]
  }
  return []
}

function documentFaults(folder: string, name: Name, expected: Description): Finding | undefined {
  const file = join(folder, name)
  const bytes = readEvidence(folder, name)
  if (bytes.equals(Buffer.from(expected[name]))) return undefined
  const document = readDocument(bytes, file, { maxBytes: MAX_BYTES_OF[name] })
  if (!document.ok) return document.findings[0]
  const difference = firstDifference(byName(document.value), byName(JSON.parse(expected[name])))
  if (difference === undefined) return finding('description-differs', { name, of: null }, { file })
  const args = {
    name,
    of: difference.pointer,
    stored: briefly(difference.stored),
    found: briefly(difference.computed),
  }
  return finding('description-differs', args, { file })
}

/** A document with its list of files turned into members by name, so that a difference names the file. */
function byName(document: unknown): unknown {
  const value = isObject(document) ? document : {}
  const named = (list: unknown, key: string): unknown =>
    Array.isArray(list) ? Object.fromEntries(list.map((of) => [String(of?.[key]), of])) : list
  const { subject, '@graph': graph } = value
  return { ...value, '@graph': named(graph, '@id'), subject: named(subject, 'name') }
}
