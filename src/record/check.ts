import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { type Finding, finding, firstReason } from '../contract/findings/finding.js'
import { capFindings } from '../contract/findings/finding-list.js'
import { checkTrackRecord } from '../contract/generated/check-record.js'
import { formatUtc, type Instant, instantOrNaN } from '../contract/instant.js'
import { briefly, valueDifferences } from '../document/difference.js'
import { readDocument } from '../document/read.js'
import { FILES } from '../evaluation/evidence/folder.js'
import type { CodeVersion } from '../evaluation/result/result.js'
import { folderEntries, listFileNames, readRegular } from '../files/regular.js'
import type { Policy } from '../log/policy.js'
import { MAX_LEDGER_BYTES } from '../protocol/ledger-file.js'
import { locateFindings } from '../protocol/rules/check.js'
import { entryDigests, type LedgerEntry, placedAt } from '../protocol/rules/entry.js'
import { CLOCK_TOLERANCE, type Ledger, readLedger } from '../protocol/rules/ledger.js'
import { parseCheckpointList } from '../remote/log.js'
import { covers, type LedgerStamp } from '../time/level.js'
import type { Anchor } from '../time/rfc3161/anchors.js'
import { latestTime } from '../time/rfc3161/time-stamp.js'
import { deriveRecord } from './derive.js'
import { RECORD_JSON, RECORD_PAGE, RECORD_PARTS, type RecordFile, recordText } from './files.js'
import { type GatheredRecord, gatherRecord } from './gather.js'
import type { RecordInputs } from './inputs.js'
import { recordPage } from './page.js'
import type { ForeproofRecord } from './track-record.js'

export interface CheckRecordOptions {
  /** The folder that `foreproof record` wrote. */
  readonly folder: string
  /** An older copy of the ledger. */
  readonly against?: string | undefined
  /** The list of a log's checkpoints, as its site publishes it. */
  readonly log?: string | undefined
  /** Those that the reader trusts. */
  readonly anchors?: readonly Anchor[] | undefined
  readonly witnesses?: Policy | undefined
  /** The reader's clock. */
  readonly now: Instant
  readonly code: CodeVersion
}

export interface CheckedRecord {
  readonly findings: readonly Finding[]
  /** The record by the reader's clock, anchors and witnesses. */
  readonly record: ForeproofRecord
}

/**
 * Checks a record: whether record.json and its page follow from the folder, and derives it again by the reader's clock
 * and by those whom the reader trusts.
 * @throws {ForeproofError} `not-found` if the folder is no record; `invalid-input` and `refused` as `gatherRecord`.
 */
export async function checkRecord(options: CheckRecordOptions): Promise<CheckedRecord> {
  const { folder, now, code, anchors, witnesses } = options
  const { record: published, bytes } = readRecord(folder)
  const sources = {
    ...{ ...sourcesIn(folder), isComplete: true, evidenceUrl: published.evidence_url, now, code },
  }
  const asWritten = await gatherRecord(sources)
  const trusted =
    anchors || witnesses ? await gatherRecord({ ...sources, anchors, witnesses }) : asWritten
  const { inputs } = asWritten
  const recomputed = deriveRecord({
    ...inputs,
    now: instantOrNaN(published.built_at),
    code: published.code,
  })
  return {
    record: deriveRecord(trusted.inputs),
    findings: capFindings([
      ...recordFindings(folder, published, recomputed, bytes),
      ...pageFindings(folder, published, code),
      ...fileFindings(folder, asWritten),
      ...evidenceFindings(folder, asWritten),
      ...timeFindings(folder, published, inputs, now),
      ...olderFindings(options.against, inputs),
      ...logFindings(options.log, inputs.ledger),
      ...trusted.findings,
    ]),
  }
}

const LARGEST_RECORD_FILE = 256 * 1_048_576

function readRecord(folder: string): { record: ForeproofRecord; bytes: Buffer } {
  const file = join(folder, RECORD_JSON)
  if (!existsSync(file)) {
    throw new ForeproofError('not-found', `${folder}: holds no ${RECORD_JSON}`, {
      ...{ file: folder, help: 'Name the folder that foreproof record wrote.' },
    })
  }
  const bytes = readRegular(file, LARGEST_RECORD_FILE)
  const document = readDocument(bytes, file, { maxBytes: LARGEST_RECORD_FILE })
  const findings = document.ok
    ? locateFindings(checkTrackRecord(document.value), document)
    : document.findings
  if (document.ok && findings.length === 0) {
    return { record: document.value as ForeproofRecord, bytes }
  }
  throw new ForeproofError('invalid-input', `${file}: is not a record${firstReason(findings)}`, {
    ...{ file, findings, help: 'Ask for the original folder.' },
  })
}

/** The parts of a record by their places in its folder. */
function sourcesIn(folder: string) {
  const filesIn = (part: keyof typeof RECORD_PARTS) =>
    listFileNames(join(folder, RECORD_PARTS[part])).map((name) =>
      join(folder, RECORD_PARTS[part], name),
    )
  return {
    protocols: join(folder, RECORD_PARTS.protocols),
    registrations: filesIn('registrations'),
    evidence: folderEntries(join(folder, RECORD_PARTS.evidence))
      .map(({ name }) => join(folder, RECORD_PARTS.evidence, name))
      .filter((path) => existsSync(join(path, FILES.result))),
    proofs: new Map(filesIn('proofs').map((file) => [basename(file, '.json'), file])),
  }
}

function recordFindings(
  folder: string,
  published: ForeproofRecord,
  recomputed: ForeproofRecord,
  bytes: Buffer,
): Finding[] {
  const file = join(folder, RECORD_JSON)
  const differences = [...valueDifferences(published, recomputed)].map(
    ({ pointer, stored, computed }) => {
      const args = { pointer, found: briefly(stored), expected: briefly(computed) }
      return finding('record-differs', { fault: 'value', ...args }, { file, pointer })
    },
  )
  if (differences.length > 0 || bytes.equals(Buffer.from(recordText(published)))) return differences
  const args = { pointer: 'its spelling', found: 'another', expected: 'that of RFC 8785' }
  return [finding('record-differs', { fault: 'value', ...args }, { file })]
}

/** Only the code that drew a page draws the same one; but anybody can write that it was another. */
function pageFindings(folder: string, published: ForeproofRecord, code: CodeVersion): Finding[] {
  const file = join(folder, RECORD_PAGE)
  const { version, sha256: digest } = published.code
  const isSame =
    existsSync(file) &&
    readRegular(file, LARGEST_RECORD_FILE).equals(Buffer.from(recordPage(published)))
  if (isSame) return []
  if (digest !== code.sha256)
    return [finding('record-page-unchecked', { version, digest }, { file })]
  const args = { pointer: '', found: '', expected: '' }
  return [finding('record-differs', { fault: 'page', ...args }, { file })]
}

/** What a record has of evidence besides the results is for an audit. */
function evidenceFindings(folder: string, { files }: GatheredRecord): Finding[] {
  const isBeside = ({ path }: RecordFile) =>
    path.startsWith(`${RECORD_PARTS.evidence}/`) && basename(path) !== FILES.result
  const at = { file: join(folder, RECORD_PARTS.evidence) }
  return files.some(isBeside) ? [finding('record-evidence-unchecked', {}, at)] : []
}

/** Files that belong to no record, or that are not what their name says: a reader may take them for a part of it. */
function fileFindings(folder: string, { files }: GatheredRecord): Finding[] {
  const isInPlace = ({ path, from }: RecordFile) =>
    from === undefined || from === join(folder, path)
  const inPlace = files.filter(isInPlace).map(({ path }) => path)
  const listed = new Set([RECORD_JSON, RECORD_PAGE, ...inPlace])
  return [...pathsBelow(folder)]
    .filter((path) => !listed.has(path))
    .map((path) => {
      const args = { pointer: '', found: path, expected: '' }
      return finding('record-differs', { fault: 'file', ...args }, { file: join(folder, path) })
    })
}

function* pathsBelow(folder: string, above = ''): Generator<string> {
  for (const entry of folderEntries(join(folder, above))) {
    const path = `${above}${entry.name}`
    if (entry.isDirectory()) yield* pathsBelow(folder, `${path}/`)
    else yield path
  }
}

function timeFindings(
  folder: string,
  { built_at: built }: ForeproofRecord,
  { ledger, stamps, readings }: RecordInputs,
  now: Instant,
): Finding[] {
  const file = join(folder, RECORD_JSON)
  const at = instantOrNaN(built)
  const times = [
    ...ledger.lines.map(({ entry }) => instantOrNaN(placedAt(entry))),
    ...[...readings.values()].flat().map((reading) => instantOrNaN(reading.at)),
    ...stamps.map((stamp) => latestTime(stamp)),
  ]
  const newest = times.reduce((latest, each) => Math.max(latest, each), 0)
  const of = (fault: 'before' | 'future', than: Instant) =>
    finding(
      'record-time',
      { fault, built, newest: formatUtc(than) },
      { file, pointer: '/built_at' },
    )
  return [
    ...(at + CLOCK_TOLERANCE < newest ? [of('before', newest)] : []),
    ...(at > now + CLOCK_TOLERANCE ? [of('future', now)] : []),
  ]
}

/** Entries of an older copy that this ledger lacks, and entries that it should have had by what shows them. */
function olderFindings(older: string | undefined, { ledger, stamps }: RecordInputs): Finding[] {
  if (older === undefined) return []
  const copy = readOlder(older)
  const digests = new Set(ledger.lines.flatMap(({ entry }) => entryDigests(entry)))
  const inCopy = new Set(copy.lines.flatMap(({ entry }) => entryDigests(entry)))
  const newest = Math.max(
    0,
    ...stamps.filter(({ entrySha256 }) => inCopy.has(entrySha256)).map(earliestTime(stamps)),
  )
  const shownAt = ({ seq }: LedgerEntry) =>
    Math.min(...stamps.filter((stamp) => covers(stamp, seq)).map((stamp) => latestTime(stamp)))
  const lacks = copy.lines.filter(
    ({ entry }) => !entryDigests(entry).some((digest) => digests.has(digest)),
  )
  const heldBack = ledger.lines
    .filter(({ entry }) => !entryDigests(entry).some((digest) => inCopy.has(digest)))
    .filter(({ entry }) => shownAt(entry) < newest)
  const at = { file: ledger.file }
  return [
    ...lacks.map(({ entry }) => finding('record-ledger-lacks', { entry: entry.seq, older }, at)),
    ...heldBack.map(({ entry }) => {
      const times = { shown: formatUtc(shownAt(entry)), newest: formatUtc(newest) }
      return finding('record-held-back', { entry: entry.seq, older, ...times }, at)
    }),
    ...(lacks.length === 0
      ? [finding('record-ledger-holds', { entries: copy.lines.length, older }, at)]
      : []),
  ]
}

/** The first time at which others saw the entry of a stamp: it can be stamped again at any time. */
const earliestTime = (stamps: readonly LedgerStamp[]) => (stamp: LedgerStamp) =>
  Math.min(
    ...stamps
      .filter(({ entrySha256 }) => entrySha256 === stamp.entrySha256)
      .map((each) => latestTime(each)),
  )

function readOlder(older: string): Ledger {
  const copy = readLedger(readRegular(older, MAX_LEDGER_BYTES), older)
  const { findings, lines } = copy
  if (findings.length === 0 && lines.length > 0) return copy
  const why =
    findings.length > 0
      ? `is not a ledger that verifies${firstReason(findings)}`
      : 'is empty, so nothing can be held against it'
  throw new ForeproofError('usage', `${older}: ${why}`, {
    help: 'Name the older copy of ledger.jsonl with --against.',
  })
}

const LARGEST_LIST = 64 * 1_048_576

/** Registrations that a log has as entries and that this ledger lacks. */
function logFindings(log: string | undefined, ledger: Ledger): Finding[] {
  if (log === undefined) return []
  const list = parseCheckpointList(readRegular(log, LARGEST_LIST).toString('utf8'))
  if (list === undefined) {
    throw new ForeproofError('usage', `${log}: is not the list of a log`, {
      help: 'Name its checkpoints.json, which its site has in service/api/v1/log/.',
    })
  }
  const digests = new Set(ledger.lines.flatMap(({ entry }) => entryDigests(entry)))
  return (list.registrations ?? [])
    .filter((digest) => !digests.has(digest))
    .map((digest) =>
      finding('record-log-unlisted', { log: list.origin, digest }, { file: ledger.file }),
    )
}
