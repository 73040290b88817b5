import { join } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import { sha256Hex } from '../document/digest.js'
import { readIfRegular } from '../files/regular.js'
import { parseRowKey } from '../forecast/row.js'
import { isFolder } from '../remote/deployment.js'
import type { HistoryReader } from '../store/history-reader.js'
import { parseChecksums } from './checksums.js'
import { CHECKSUMS_FILE, RECORD_FILE, WAITING_FOLDER } from './layout.js'
import { readLogFacts } from './log.js'
import { sameMark } from './plan/plan.js'
import { type BuildRecord, readRecord } from './record.js'
import { compareRows, toRowKey } from './row-keys.js'
import { pathsBelow } from './writer/links.js'
import { isObjectLocation, type ObjectStoreOptions } from './writer/s3/address.js'
import type { CheckedSite } from './writer/site-writer.js'

/** Far more than the longest page. */
const MAX_BYTES = 256 * 1_048_576

export interface SiteCheckResult {
  readonly findings: readonly Finding[]
  readonly files: number
  readonly record: BuildRecord | undefined
}

/**
 * Checks that a built site is intact (every file is as it was written, and there are no others) and current (it has
 * every row of the history).
 * @param out a folder, or `s3://bucket/prefix`, of which every object is read.
 * @throws {ForeproofError} `not-found` if there is no folder, bucket or site; for a store of objects also `usage`,
 * `refused` and `io`.
 */
export async function checkSite(
  out: string,
  reader: HistoryReader,
  options: ObjectStoreOptions = {},
): Promise<SiteCheckResult> {
  const site = isObjectLocation(out)
    ? await (await import('./writer/s3/built.js')).checkedObjects(out, options)
    : checkedFolder(out)
  const { record } = site
  const checksums = parseChecksums(site.checksums)
  const findings = [
    ...(await recordFindings(site.locate(RECORD_FILE), record, reader)),
    ...(await fileFindings(site, checksums)),
  ]
  return { findings, files: checksums.size, record }
}

function checkedFolder(folder: string): CheckedSite {
  if (!isFolder(folder)) {
    throw new ForeproofError('not-found', `${folder}: there is no such folder`, { file: folder })
  }
  return {
    record: readRecord(folder),
    checksums: String(readIfRegular(join(folder, CHECKSUMS_FILE), MAX_BYTES) ?? ''),
    locate: (path) => join(folder, path),
    digests: async (paths) => {
      const digest = (path: string) => {
        const bytes = readIfRegular(join(folder, path), MAX_BYTES)
        return bytes && sha256Hex(bytes)
      }
      return new Map(paths.map((path) => [path, digest(path)]))
    },
    others: async (published) =>
      pathsBelow(folder).filter(
        (path) => !published.has(path) && path !== CHECKSUMS_FILE && !isOurs(path),
      ),
  }
}

/** Rows of the history that the build record does not have. */
async function recordFindings(
  file: string,
  record: BuildRecord | undefined,
  reader: HistoryReader,
): Promise<Finding[]> {
  if (record === undefined)
    return [finding('site-unreadable', { what: 'record of the build' }, { file })]
  if (record.building === true) return [finding('site-unfinished', {}, { file })]
  const findings: Finding[] = []
  type Args = ArgsOf<'site-outdated'>
  const outdated = (of: Args['of'], published = 0, history = 0) =>
    findings.push(finding('site-outdated', { of, published, history }, { file }))
  const count = await reader.count()
  if (await isOutdated(record, reader, count)) outdated('forecasts', record.forecasts, count)
  const published = record.attempts ?? null
  const mark = (await reader.attemptMark()) ?? null
  if (JSON.stringify(published) !== JSON.stringify(mark)) {
    outdated('recorded attempts', published?.count, mark?.count)
  }
  const log = (await readLogFacts(reader))?.mark
  if (!sameMark(record.log, log)) {
    outdated('checkpoints', record.log?.checkpoints, log?.checkpoints)
  }
  return findings
}

/** Files that differ from their checksums, and files without a checksum. */
async function fileFindings(
  site: CheckedSite,
  checksums: ReadonlyMap<string, string>,
): Promise<Finding[]> {
  const at = (path: string) => ({ file: site.locate(path) })
  if (checksums.size === 0) {
    return [finding('site-unreadable', { what: 'list of checksums' }, at(CHECKSUMS_FILE))]
  }
  const findings: Finding[] = []
  const digests = await site.digests([...checksums.keys()])
  for (const [path, expected] of checksums) {
    const actual = digests.get(path)
    if (actual !== expected) {
      findings.push(finding('site-file-differs', { expected, actual }, at(path)))
    }
  }
  const unknown = await site.others(checksums)
  return [...findings, ...unknown.map((path) => finding('site-file-unknown', {}, at(path)))]
}

async function isOutdated(
  record: BuildRecord,
  reader: HistoryReader,
  count: number,
): Promise<boolean> {
  if (count !== record.forecasts) return true
  // If the last written row differs, the history is a different one.
  if (record.mark !== null && (await reader.rowsSince(record.mark))?.length !== 0) return true
  const newest = await reader.latest()
  if (newest === undefined || record.newest === null) return false
  return compareRows(parseRowKey(newest), toRowKey(record.newest)) !== 0
}

/** Locks and half-written files of a build in place are not part of a site. */
function isOurs(path: string): boolean {
  return path.startsWith('.foreproof-') || path.startsWith(`${WAITING_FOLDER}/`)
}
