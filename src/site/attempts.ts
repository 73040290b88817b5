import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkAttempt } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import { holds } from '../contract/finding.js'
import { parseTimestamp } from '../contract/instant.js'
import { exportLines } from '../history/export.js'
import type { HistoryReader } from '../history/types.js'
import {
  ATTEMPTS_INDEX,
  type AttemptsIndex,
  monthFile,
  readAttemptsIndex,
} from '../remote/attempts.js'
import { putEncoded, sha256, type Target, type WrittenFile } from './files.js'
import { API_FOLDER, withEncodings } from './layout.js'

export interface AttemptFiles {
  readonly written: readonly WrittenFile[]
  /** Files of the build before that stay as they are. */
  readonly kept: readonly string[]
  /** Files of the build before that are no longer part of the site. */
  readonly dropped: readonly string[]
}

/**
 * Recorded attempts lie beside the forecasts, a file for each month, for without them a mirror could
 * not tell a failure from a gap. Only the months that have new ones are written.
 * @param months those to write, or undefined where attempts are not published (any more)
 */
export function writeAttempts(
  target: Target,
  reader: HistoryReader,
  months: readonly string[] | undefined,
  current: string | undefined,
): AttemptFiles {
  const before = current === undefined ? undefined : indexIn(current)
  const files = new Map(before?.files.map((file) => [file.path, file]))
  if (months === undefined) {
    const paths = before === undefined ? [] : [ATTEMPTS_INDEX, ...files.keys()]
    return { written: [], kept: [], dropped: paths.map(inSite).flatMap(withEncodings) }
  }
  const written: WrittenFile[] = []
  if (months.length > 0) mkdirSync(join(target.folder, inSite('attempts')), { recursive: true })
  for (const month of months) {
    const path = monthFile(month)
    const lines = linesOf(reader, month)
    const bytes = Buffer.from(lines.join(''))
    written.push(...putEncoded(target, inSite(path), bytes))
    files.set(path, { path, attempts: lines.length, sha256: sha256(bytes) })
  }
  if (files.size === 0) return { written, kept: [], dropped: [] }
  const sorted = [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  const index: AttemptsIndex = { files: sorted }
  const kept = sorted.map(({ path }) => inSite(path)).flatMap(withEncodings)
  if (months.length > 0) {
    const text = `${JSON.stringify(index, null, 2)}\n`
    written.push(...putEncoded(target, inSite(ATTEMPTS_INDEX), Buffer.from(text)))
  } else kept.push(...withEncodings(inSite(ATTEMPTS_INDEX)))
  return { written, kept, dropped: [] }
}

/** Lines as `history export` writes them, so that a mirror's export is its origin's. */
function linesOf(reader: HistoryReader, month: string): string[] {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const from = startOf(year, number)
  const to = (number === 12 ? startOf(year + 1, 1) : startOf(year, number + 1)) - 1
  const lines = [...exportLines(reader.path, { only: 'attempts', from, to })]
  for (const line of lines) {
    const findings = checkAttempt(JSON.parse(line))
    if (holds(findings)) continue
    throw new ForeproofError(
      'invalid-input',
      `a recorded attempt of ${month} breaks the contract`,
      {
        help: '`foreproof history verify` names what is wrong in every row. Nothing was published.',
        findings,
      },
    )
  }
  return lines
}

function startOf(year: number, month: number): number {
  const two = String(month).padStart(2, '0')
  const parsed = parseTimestamp(`${String(year).padStart(4, '0')}-${two}-01T00:00:00Z`)
  return parsed.ok ? parsed.instant : Number.MAX_SAFE_INTEGER
}

function inSite(path: string): string {
  return `${API_FOLDER}/${path}`
}

function indexIn(folder: string): AttemptsIndex | undefined {
  try {
    return readAttemptsIndex(readFileSync(join(folder, inSite(ATTEMPTS_INDEX)), 'utf8'))
  } catch {
    return undefined
  }
}
