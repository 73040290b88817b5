import { formatStored } from '../contract/instant.js'
import { sha256Hex } from '../document/digest.js'
import {
  type HistoryRow,
  joinCounts,
  NO_ROWS,
  parseRowKey,
  type RowCount,
} from '../forecast/row.js'
import type { HistoryReader } from '../store/history-reader.js'
import { writeAttempts } from './attempts.js'
import { latestBody, pageBody, type Snapshot } from './bodies.js'
import { checksumsText, keptChecksums, pageLines, parseChecksumPath } from './checksums.js'
import { writeFixedFiles } from './fixed-files.js'
import { headersText } from './headers.js'
import {
  ATTEMPTS_INDEX_FILE,
  CHECKSUMS_FILE,
  HEAD_FILE,
  HEADERS_FILE,
  isMonth,
  LATEST_FILE,
  type PageNames,
  pageFileAt,
  plainPath,
  RECORD_FILE,
  SITE_LOG,
  sitePage,
  toNextUrl,
} from './layout.js'
import { listLogFiles, logSummary, writeLog, writeLogHeads } from './log.js'
import {
  PAGE_SIZE,
  type PlanFacts,
  type PublishPlanResult,
  type SiteSettings,
} from './plan/plan.js'
import { type BuildRecord, type RecordedKey, SITE_FORMAT } from './record.js'
import { compareRows, HistoryMoved, readExactRows, toRecordedKey, toRowKey } from './row-keys.js'
import { BuildFiles, putEncoded, putPlain, type WrittenFile } from './writer/encoded.js'
import type { BuiltSite, StagedSite } from './writer/site-writer.js'

interface BuildInput {
  readonly reader: HistoryReader
  readonly plan: PublishPlanResult
  readonly facts: PlanFacts
  readonly settings: SiteSettings
  readonly snapshot: Snapshot
  /** The previous build, if its pages can be kept. */
  readonly current: BuiltSite | undefined
  /** The record of the previous build, even if its pages cannot be kept. */
  readonly record: BuildRecord | undefined
  readonly onProgress?: ((page: number, of: number) => void) | undefined
}

/** The result of a build. */
export interface BuildResult {
  readonly record: BuildRecord
  /** Forecasts on the written pages that break a rule of `ROW_RULES`. */
  readonly unsound: RowCount
}

/** Writes the files of the plan and returns the build record. The heads are written after their pages. */
export async function buildSite(staged: StagedSite, input: BuildInput): Promise<BuildResult> {
  const { reader, plan, facts, settings, snapshot, record, current } = input
  if (staged.visible && record !== undefined) await lowerRecord(staged, record, input)
  const head = await readExactRows(reader, undefined, plan.forecasts - plan.pages * PAGE_SIZE)
  // A build in place that was killed may have changed files that the previous list names.
  const kept = await keptChecksums(current, plan.keptPages, record?.building !== true)
  const names = pageNames(staged, plan.keptPages, kept.pages)
  const nextUrl = toNextUrl(HEAD_FILE, plan.pages, settings.baseUrl, names)
  const first = pageBody(head, nextUrl, snapshot)
  const latest = latestBody(head[0], snapshot)

  const files = new BuildFiles(staged, kept.others)
  const pages = await writePages(staged, input, head.at(-1), names)
  files.written.push(...pages.written)
  await writeAttempts(staged, files, reader, facts.attempts, current)
  const { log } = facts
  const ofLog = log ? await listLogFiles(staged, files, reader, log, record?.log) : files
  if (log) await writeLog(ofLog, reader, log)
  const summary = log ? logSummary(log.cosigned, facts.witnesses, snapshot.now) : undefined
  await writeFixedFiles(files, settings, staged.objects !== undefined, summary)
  // In a store of objects each object has its own headers.
  if (staged.objects === undefined) {
    const text = headersText(plan.pages, pages.sealed, Boolean(log))
    files.written.push(await putPlain(staged, HEADERS_FILE, text))
  }
  await files.write(LATEST_FILE, latest)
  await files.write(HEAD_FILE, first.text)
  if (log) await writeLogHeads(ofLog, log)
  const dropped = await droppedFiles(staged, plan, files)
  for (const path of dropped) await staged.remove(path)
  const { written } = files
  const others = keptOtherFiles(files)
  const paths = [
    ...kept.pages.map(parseChecksumPath),
    ...[...written, ...others].map(({ path }) => path),
  ]

  const next: BuildRecord = {
    format: SITE_FORMAT,
    sequence: nextSequence(record?.sequence ?? 0, plan),
    built_at: formatStored(snapshot.now),
    base_url: settings.baseUrl ?? null,
    page_size: PAGE_SIZE,
    stale_after_seconds: settings.staleAfterSeconds,
    forecasts: plan.forecasts,
    pages: plan.pages,
    sealed_pages: pages.sealed,
    sealed_through: pages.sealedThrough ?? boundaryPage(input),
    newest: toRecordedKey(head[0]),
    mark: facts.mark,
    attempts: facts.attempts?.mark ?? null,
    ...(log && { log: log.mark }),
    ...staged.objects?.buildRecord(new Set(paths), snapshot.now),
    changed:
      plan.kind === 'update'
        ? [...written.map(({ path }) => path), ...dropped, CHECKSUMS_FILE, RECORD_FILE]
        : [],
  }
  const recordText = `${JSON.stringify(next, null, 2)}\n`
  const checksums = checksumsText(kept.pages, [
    ...written,
    ...others,
    { path: RECORD_FILE, sha256: sha256Hex(Buffer.from(recordText)) },
  ])
  await putPlain(staged, CHECKSUMS_FILE, checksums)
  await putPlain(staged, RECORD_FILE, recordText)
  return { record: next, unsound: joinCounts(first.unsound, pages.unsound) }
}

/** Newest row of the last kept page. */
function boundaryPage({ plan, facts }: Pick<BuildInput, 'plan' | 'facts'>) {
  return plan.keptPages > 0 ? facts.intactThrough : null
}

/** @param lines checksums of the kept pages. */
function pageNames(
  { objects }: StagedSite,
  keptPages: number,
  lines: readonly string[],
): PageNames | undefined {
  const { generation } = objects ?? {}
  if (generation === undefined) return undefined
  const line = pageLines(lines)[keptPages - 1]
  return { generation, keptPages, keptFile: line && parseChecksumPath(line) }
}

function keptOtherFiles({ before, kept, written }: BuildFiles): WrittenFile[] {
  const anew = new Set(written.map(({ path }) => path))
  return kept.flatMap((path) => {
    const sha256 = before.get(path)
    return sha256 === undefined || anew.has(path) ? [] : [{ path, sha256 }]
  })
}

/**
 * Updates the record before readers can see any new file. If this build is killed, the next one knows which pages it
 * can trust; all other files may be of either build.
 */
async function lowerRecord(staged: StagedSite, record: BuildRecord, input: BuildInput) {
  const { keptPages } = input.plan
  const sealed = { sealed_pages: keptPages, sealed_through: boundaryPage(input) }
  const lowered: BuildRecord = { ...record, building: true, ...sealed }
  await putPlain(staged, RECORD_FILE, `${JSON.stringify(lowered, null, 2)}\n`)
}

/**
 * Files in the folder that are not part of the new site. The folder is listed because a count of pages may be wrong: a
 * killed build may have left more pages than its record says.
 */
async function droppedFiles(
  staged: StagedSite,
  plan: PublishPlanResult,
  files: BuildFiles,
): Promise<string[]> {
  const lying = await staged.lying()
  const wanted = files.paths()
  const isOther = (path: string) =>
    isMonth(path) || plainPath(path) === ATTEMPTS_INDEX_FILE || path.startsWith(`${SITE_LOG}/`)
  return [
    ...lying.filter((path) => (sitePage(path) ?? 0) > plan.pages),
    ...lying.filter((path) => isOther(path) && !wanted.has(path)),
  ]
}

/** A step of two tells the next build that the other folder is more than one build behind this one. */
function nextSequence(before: number, { kind }: PublishPlanResult): number {
  const next = before + (kind === 'rebuild' ? 2 : 1)
  return Number.isSafeInteger(next) ? next : 1
}

/** Pages that are compressed and written while the next ones are read; a higher number only takes memory. */
const AT_ONCE = 8

interface WrittenPages {
  readonly written: readonly WrittenFile[]
  /** All new pages up to this one hold stale forecasts only; if there is no such page, the last kept page. */
  readonly sealed: number
  /** Newest row of page `sealed`. */
  readonly sealedThrough: RecordedKey | null
  readonly unsound: RowCount
}

/**
 * Writes the pages that are not kept, newest first, and reads each row once. Threads of libuv compress them meanwhile.
 * @param head - the last row of the head.
 * @throws {HistoryMoved} if the number of rows differs from the count.
 */
async function writePages(
  staged: StagedSite,
  input: BuildInput,
  head: HistoryRow | undefined,
  names: PageNames | undefined,
): Promise<WrittenPages> {
  const { reader, snapshot, onProgress } = input
  const { baseUrl } = input.settings
  const { pages: high, keptPages } = input.plan
  const files: Promise<WrittenFile[]>[] = []
  let last = head && parseRowKey(head)
  let sealed = high
  let unsound = NO_ROWS
  let sealedThrough: RecordedKey | null = null
  try {
    for (let page = high; page > keptPages; page--) {
      const rows = await readExactRows(reader, last, PAGE_SIZE)
      const file = pageFileAt(page, names)
      const body = pageBody(rows, toNextUrl(file, page - 1, baseUrl, names), snapshot)
      unsound = joinCounts(unsound, body.unsound)
      if (!body.allStale) {
        sealed = page - 1
        sealedThrough = null
      } else sealedThrough ??= toRecordedKey(rows[0])
      const written = putEncoded(staged, file, body.text)
      // Avoids an unhandled rejection; the error is thrown when the promise is awaited.
      written.catch(() => undefined)
      files.push(written)
      await files.at(-AT_ONCE)
      last = parseRowKey(rows[PAGE_SIZE - 1] as (typeof rows)[number])
      onProgress?.(high - page + 1, high - keptPages)
    }
  } finally {
    // After a failure no write may continue: a retry may already write to the same place.
    await Promise.allSettled(files)
  }
  const [next] = await reader.page({ after: last, limit: 1 })
  const edge = boundaryPage(input)
  const isMet =
    edge === null || next === undefined
      ? edge === null && next === undefined
      : compareRows(parseRowKey(next), toRowKey(edge)) === 0
  if (!isMet) throw new HistoryMoved()
  return { written: (await Promise.all(files)).flat(), sealed, sealedThrough, unsound }
}
