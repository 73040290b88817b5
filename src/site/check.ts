import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { type Finding, finding } from '../contract/findings/finding.js'
import { sha256Hex } from '../document/digest.js'
import { readRegular } from '../files/regular.js'
import { rowKey } from '../forecast/row.js'
import type { HistoryReader } from '../history/store/types.js'
import { parseChecksums } from './checksums.js'
import { CHECKSUMS_FILE, RECORD_FILE } from './layout.js'
import { logFacts } from './log.js'
import { sameMark } from './plan/plan.js'
import { type BuildRecord, readRecord } from './record.js'
import { compareRows, rowKeyOf } from './rows.js'
import { WAITING_FOLDER } from './writer/folder.js'
import { pathsBelow } from './writer/links.js'

/** Far more than the longest page. */
const MAX_BYTES = 256 * 1_048_576

export interface SiteCheckResult {
  readonly findings: readonly Finding[]
  readonly files: number
  readonly record: BuildRecord | undefined
}

/**
 * Whether a built site is intact (every file is the one that was written, and no other is there) and
 * current (no row of the history is missing from it).
 * @throws {ForeproofError} `not-found` when there is no folder.
 */
export async function checkSite(folder: string, reader: HistoryReader): Promise<SiteCheckResult> {
  demandFolder(folder)
  const record = readRecord(folder)
  const checksums = parseChecksums(textOf(join(folder, CHECKSUMS_FILE)))
  const findings = [
    ...(await recordFindings(join(folder, RECORD_FILE), record, reader)),
    ...fileFindings(folder, checksums),
  ]
  return { findings, files: checksums.size, record }
}

function demandFolder(folder: string): void {
  let isFolder = false
  try {
    isFolder = statSync(folder).isDirectory()
  } catch (cause) {
    throw fileError(cause, folder)
  }
  if (!isFolder)
    throw new ForeproofError('not-found', `${folder}: is not a folder`, { file: folder })
}

/** What the history has that the record of the build does not tell of. */
async function recordFindings(
  file: string,
  record: BuildRecord | undefined,
  reader: HistoryReader,
): Promise<Finding[]> {
  if (record === undefined) return [finding('site-record-unreadable', {}, { file })]
  if (record.building === true) return [finding('site-unfinished', {}, { file })]
  const findings: Finding[] = []
  const count = await reader.count()
  if (await isOutdated(record, reader, count)) {
    findings.push(
      finding('site-outdated', { published: record.forecasts, history: count }, { file }),
    )
  }
  const published = record.attempts ?? null
  const mark = (await reader.attemptMark()) ?? null
  // A site may leave the attempts out; those it has must be all of them.
  if (record.attempts_withheld !== true && JSON.stringify(published) !== JSON.stringify(mark)) {
    const args = { published: published?.count ?? 0, history: mark?.count ?? 0 }
    findings.push(finding('site-attempts-outdated', args, { file }))
  }
  const log = (await logFacts(reader))?.mark
  if (!sameMark(record.log, log)) {
    const args = { published: record.log?.checkpoints ?? 0, history: log?.checkpoints ?? 0 }
    findings.push(finding('site-log-outdated', args, { file }))
  }
  return findings
}

/** Files that are not as the checksums say, and those they do not name. */
function fileFindings(folder: string, checksums: ReadonlyMap<string, string>): Finding[] {
  const at = (path: string) => ({ file: join(folder, path) })
  if (checksums.size === 0) return [finding('site-checksums-unreadable', {}, at(CHECKSUMS_FILE))]
  const findings: Finding[] = []
  for (const [path, expected] of checksums) {
    const actual = digestOf(join(folder, path))
    if (actual === undefined) findings.push(finding('site-file-missing', {}, at(path)))
    else if (actual !== expected) {
      findings.push(finding('site-file-changed', { expected, actual }, at(path)))
    }
  }
  const unknown = pathsBelow(folder).filter(
    (path) => !checksums.has(path) && path !== CHECKSUMS_FILE && !isOurs(path),
  )
  return [...findings, ...unknown.map((path) => finding('site-file-unknown', {}, at(path)))]
}

async function isOutdated(
  record: BuildRecord,
  reader: HistoryReader,
  count: number,
): Promise<boolean> {
  if (count !== record.forecasts) return true
  // Where the row that was written last is another one, so is the history.
  if (record.mark !== null && (await reader.rowsSince(record.mark))?.length !== 0) return true
  const newest = await reader.latest()
  if (newest === undefined || record.newest === null) return false
  return compareRows(rowKey(newest), rowKeyOf(record.newest)) !== 0
}

/** Locks and half-written files of a build in place are no part of a site. */
function isOurs(path: string): boolean {
  return path.startsWith('.foreproof-') || path.startsWith(`${WAITING_FOLDER}/`)
}

function textOf(path: string): string {
  try {
    return readRegular(path, MAX_BYTES).toString('utf8')
  } catch {
    return ''
  }
}

function digestOf(path: string): string | undefined {
  try {
    return sha256Hex(readRegular(path, MAX_BYTES))
  } catch {
    return undefined
  }
}
