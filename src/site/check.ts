import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { type ArgsOf, type Code, type Finding, finding } from '../contract/findings/finding.js'
import { sha256Hex } from '../document/digest.js'
import { rowKey } from '../forecast/row.js'
import type { HistoryReader } from '../history/store/types.js'
import { parseChecksums } from './checksums.js'
import { CHECKSUMS_FILE, RECORD_FILE } from './layout.js'
import { type BuildRecord, readRecord } from './record.js'
import { compareRows, rowKeyOf } from './rows.js'
import { WAITING_FOLDER } from './writer/folder.js'
import { pathsBelow } from './writer/links.js'

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
  let isFolder = false
  try {
    isFolder = statSync(folder).isDirectory()
  } catch (cause) {
    throw fileError(cause, folder)
  }
  if (!isFolder) throw new ForeproofError('not-found', `${folder}: is no folder`, { file: folder })
  const findings: Finding[] = []
  const found = <C extends Code>(code: C, path: string, args: ArgsOf<C>): void => {
    findings.push(finding(code, args, { file: join(folder, path) }))
  }
  const record = readRecord(folder)
  if (record === undefined) found('site-record-unreadable', RECORD_FILE, {})
  else if (record.building === true) found('site-unfinished', RECORD_FILE, {})
  else {
    const { forecasts, attempts } = record
    const count = await reader.count()
    if (await isOutdated(record, reader, count)) {
      found('site-outdated', RECORD_FILE, { published: forecasts, history: count })
    }
    const mark = (await reader.attemptMark()) ?? null
    // A site may leave the attempts out; those it has must be all of them.
    if (
      record.attempts_withheld !== true &&
      JSON.stringify(attempts ?? null) !== JSON.stringify(mark)
    ) {
      const args = { published: attempts?.count ?? 0, history: mark?.count ?? 0 }
      found('site-attempts-outdated', RECORD_FILE, args)
    }
  }
  const checksums = parseChecksums(textOf(join(folder, CHECKSUMS_FILE)))
  if (checksums.size === 0) found('site-checksums-unreadable', CHECKSUMS_FILE, {})
  for (const [path, digest] of checksums) {
    const actual = digestOf(join(folder, path))
    if (actual === undefined) found('site-file-missing', path, {})
    else if (actual !== digest) found('site-file-changed', path, { expected: digest, actual })
  }
  if (checksums.size > 0) {
    for (const path of pathsBelow(folder)) {
      if (checksums.has(path) || path === CHECKSUMS_FILE || isOurs(path)) continue
      found('site-file-unknown', path, {})
    }
  }
  return { findings, files: checksums.size, record }
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
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function digestOf(path: string): string | undefined {
  try {
    return sha256Hex(readFileSync(path))
  } catch {
    return undefined
  }
}
