import { checkPayload } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import { hasNoErrors } from '../contract/findings/finding.js'
import { parseInstant } from '../contract/instant.js'
import { sha256Hex } from '../document/digest.js'
import { readDocument } from '../document/read.js'
import { exportLines } from '../history/export.js'
import {
  type AttemptsFile,
  type AttemptsIndex,
  monthFile,
  parseAttemptsIndex,
  parseMonth,
} from '../remote/attempts.js'
import type { HistoryReader } from '../store/history-reader.js'
import { API_FOLDER, ATTEMPTS_INDEX_FILE, withEncodings } from './layout.js'
import type { AttemptFacts } from './plan/plan.js'
import type { BuildFiles } from './writer/encoded.js'
import type { BuiltSite, StagedSite } from './writer/site-writer.js'

/** The files of a built site by month; empty if the site has no readable list. */
export async function attemptFiles(
  site: BuiltSite | undefined,
): Promise<Map<string, AttemptsFile>> {
  const text = await site?.read(ATTEMPTS_INDEX_FILE)
  const index = parseAttemptsIndex(text?.toString() ?? '')
  return new Map(index?.files.map((file) => [parseMonth(file.path) ?? '', file]))
}

/**
 * Writes recorded attempts beside the forecasts, one file per month. Without them a mirror could not tell a failure
 * from a gap. Only months that are missing or changed are written.
 * @param facts null if the history has no attempts (any more)
 */
export async function writeAttempts(
  { objects }: StagedSite,
  files: BuildFiles,
  reader: HistoryReader,
  facts: AttemptFacts | null,
  current: BuiltSite | undefined,
): Promise<void> {
  const before = await attemptFiles(current)
  const list: AttemptsFile[] = []
  const anew = new Set(facts?.newMonths)
  let same = true
  for (const month of facts?.months ?? []) {
    const kept = anew.has(month) ? undefined : before.get(month)
    if (kept === undefined) {
      const lines = await attemptLines(reader, month)
      const bytes = Buffer.from(lines.join(''))
      const path = monthFile(month, objects?.generation)
      await files.write(inSite(path), bytes)
      list.push({ path, attempts: lines.length, sha256: sha256Hex(bytes) })
      same = false
    } else {
      list.push(kept)
      files.kept.push(...withEncodings(inSite(kept.path)))
    }
  }
  if (list.length === 0) return
  if (same && list.length === before.size) files.kept.push(...withEncodings(ATTEMPTS_INDEX_FILE))
  else {
    const text = `${JSON.stringify({ files: list } satisfies AttemptsIndex, null, 2)}\n`
    await files.write(ATTEMPTS_INDEX_FILE, text)
  }
}

/** Writes lines like `history export` does, so that a mirror and its origin export the same bytes. */
async function attemptLines(reader: HistoryReader, month: string): Promise<string[]> {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const from = monthStart(year, number)
  const to = monthStart(year + Math.floor(number / 12), (number % 12) + 1) - 1
  const lines: string[] = []
  for await (const line of exportLines(reader.location, { only: 'attempts', from, to })) {
    // As strict as the parser of a mirror.
    const read = readDocument(Buffer.from(line), reader.path)
    const findings = read.ok ? checkPayload('attempt', read.value) : read.findings
    if (!hasNoErrors(findings)) {
      const message = `a recorded attempt of ${month} breaks the contract`
      const help =
        '`foreproof history verify` names what is wrong in every row. Nothing was published.'
      throw new ForeproofError('invalid-input', message, { help, findings })
    }
    lines.push(line)
  }
  return lines
}

function monthStart(year: number, month: number): number {
  const [four, two] = [String(year).padStart(4, '0'), String(month).padStart(2, '0')]
  return parseInstant(`${four}-${two}-01T00:00:00Z`) ?? Number.MAX_SAFE_INTEGER
}

function inSite(path: string): string {
  return `${API_FOLDER}/${path}`
}
