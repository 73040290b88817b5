import { checkAttempt } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import { type Finding, hasNoErrors } from '../contract/findings/finding.js'
import { parseTimestamp } from '../contract/instant.js'
import { sha256Hex } from '../document/digest.js'
import { readDocument } from '../document/read.js'
import { exportLines } from '../history/export.js'
import type { HistoryReader } from '../history/store/types.js'
import {
  type AttemptsFile,
  type AttemptsIndex,
  monthFile,
  monthOf,
  readAttemptsIndex,
} from '../remote/attempts.js'
import { API_FOLDER, ATTEMPTS_INDEX_FILE, withEncodings } from './layout.js'
import type { AttemptFacts } from './plan/plan.js'
import { putEncoded, type WrittenFile } from './writer/encoded.js'
import type { BuiltSite, StagedSite } from './writer/types.js'

const ATTEMPTS_FOLDER = inSite('attempts')

/** Files of a built site by their month; none where there is no list that can be read. */
export async function attemptFiles(
  site: BuiltSite | undefined,
): Promise<Map<string, AttemptsFile>> {
  const text = await site?.read(ATTEMPTS_INDEX_FILE)
  const index = readAttemptsIndex(text?.toString() ?? '')
  return new Map(index?.files.map((file) => [monthOf(file.path) ?? '', file]))
}

export interface AttemptFiles {
  readonly written: readonly WrittenFile[]
  /** Files of the build before that stay as they are. */
  readonly kept: readonly string[]
  /** Files of the build before that are no longer part of the site. */
  readonly dropped: readonly string[]
}

/**
 * Recorded attempts lie beside the forecasts, a file for each month, for without them a mirror could
 * not tell a failure from a gap. Only the months that are not there as they should be are written.
 * @param facts undefined where attempts are not to be published (any more)
 */
export async function writeAttempts(
  staged: StagedSite,
  reader: HistoryReader,
  facts: AttemptFacts | undefined,
  current: BuiltSite | undefined,
): Promise<AttemptFiles> {
  const before = await attemptFiles(current)
  const written: WrittenFile[] = []
  const files: AttemptsFile[] = []
  const kept: string[] = []
  const anew = new Set(facts?.newMonths)
  for (const month of facts?.months ?? []) {
    const known = anew.has(month) ? undefined : before.get(month)
    if (known === undefined) {
      const lines = await attemptLines(reader, month)
      const bytes = Buffer.from(lines.join(''))
      const path = monthFile(month, staged.objects?.generation)
      written.push(...(await putEncoded(staged, inSite(path), bytes)))
      files.push({ path, attempts: lines.length, sha256: sha256Hex(bytes) })
    } else {
      files.push(known)
      kept.push(...withEncodings(inSite(known.path)))
    }
  }
  const same = written.length === 0 && files.length === before.size
  if (same && files.length > 0) kept.push(...withEncodings(ATTEMPTS_INDEX_FILE))
  else if (files.length > 0) {
    const text = `${JSON.stringify({ files } satisfies AttemptsIndex, null, 2)}\n`
    written.push(...(await putEncoded(staged, ATTEMPTS_INDEX_FILE, text)))
  }
  const wanted = new Set([...kept, ...written.map(({ path }) => path)])
  const dropped = (await lyingIn(staged)).filter((path) => !wanted.has(path))
  return { written, kept, dropped }
}

/** All that lies where attempts are published, whoever left it there. */
async function lyingIn(staged: StagedSite): Promise<string[]> {
  const beside = new Set(await staged.list(API_FOLDER))
  const index = withEncodings(ATTEMPTS_INDEX_FILE).filter((path) => beside.has(path))
  return [...index, ...(await staged.list(ATTEMPTS_FOLDER))]
}

/** Lines as `history export` writes them, so that a mirror's export is its origin's. */
async function attemptLines(reader: HistoryReader, month: string): Promise<string[]> {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const from = startOf(year, number)
  const to = (number === 12 ? startOf(year + 1, 1) : startOf(year, number + 1)) - 1
  const lines: string[] = []
  for await (const line of exportLines(reader.location, { only: 'attempts', from, to })) {
    // As strictly as whoever mirrors it will read it.
    const read = readDocument(Buffer.from(line), reader.path)
    const findings = read.ok ? checkAttempt(read.value) : read.findings
    if (!hasNoErrors(findings)) throw brokenAttempt(month, findings)
    lines.push(line)
  }
  return lines
}

function brokenAttempt(month: string, findings: readonly Finding[]): ForeproofError {
  return new ForeproofError('invalid-input', `a recorded attempt of ${month} breaks the contract`, {
    help: '`foreproof history verify` names what is wrong in every row. Nothing was published.',
    findings,
  })
}

function startOf(year: number, month: number): number {
  const two = String(month).padStart(2, '0')
  const parsed = parseTimestamp(`${String(year).padStart(4, '0')}-${two}-01T00:00:00Z`)
  return parsed.ok ? parsed.instant : Number.MAX_SAFE_INTEGER
}

function inSite(path: string): string {
  return `${API_FOLDER}/${path}`
}
