import { join } from 'node:path'
import { formatStored } from '../contract/instant.js'
import { openApiDocument } from '../contract/openapi/document.js'
import { rowKey } from '../forecast/row.js'
import type { HistoryReader } from '../history/store/types.js'
import { writeAttempts } from './attempts.js'
import { latestBytes, pageBytes, type Snapshot } from './bodies.js'
import { checksumsText, keptChecksums, linesOf } from './checksums.js'
import { putEncoded, putFile, remove, sha256, type Target, type WrittenFile } from './files.js'
import { headersText } from './headers.js'
import {
  CHECKSUMS_FILE,
  HEAD_FILE,
  HEADERS_FILE,
  LATEST_FILE,
  pageFile,
  RECORD_FILE,
  withEncodings,
} from './layout.js'
import { indexPage, notFoundPage } from './page/document.js'
import type { Work } from './place.js'
import { type HistoryFacts, PAGE_SIZE, type SitePlan, type SiteSettings } from './plan.js'
import { nextOf } from './range.js'
import { type BuildRecord, SITE_FORMAT } from './record.js'
import { recordedKey, rowKeyOf, rowsFrom, take } from './rows.js'
import { type PageThreads, writePages } from './threads.js'

export interface BuildInput {
  readonly reader: HistoryReader
  readonly plan: SitePlan
  readonly facts: HistoryFacts
  readonly settings: SiteSettings
  readonly snapshot: Snapshot
  /** The build before, as its folder and its record. */
  readonly current: string | undefined
  readonly record: BuildRecord | undefined
  readonly onProgress?: ((page: number, of: number) => void) | undefined
  /** Threads that were started before the plan was made. */
  readonly threads?: PageThreads | undefined
}

/** So many files and fewer are made to reach the disk one by one. */
const DURABLE_FILES = 64

/** Writes what the plan says into a folder and returns the record of it; the heads come last. */
export async function buildSite(
  work: Pick<Work, 'folder' | 'visible' | 'twin'>,
  input: BuildInput,
): Promise<BuildRecord> {
  const { plan, settings, snapshot, record, facts } = input
  const pagesToWrite = plan.pages - plan.keptPages
  const { folder, visible, twin } = work
  const empty = plan.kind !== 'update' && !visible
  const durable = pagesToWrite <= DURABLE_FILES
  const target: Target = { folder, visible, empty, durable, twin }
  if (work.visible && record !== undefined) lowerRecord(target, input)
  const headRows = await take(rowsFrom(input.reader), plan.forecasts - plan.pages * PAGE_SIZE)
  const first = pageBytes(headRows, nextOf(plan.pages + 1, settings.baseUrl), snapshot)
  const latest = latestBytes(headRows[0], snapshot)

  let pagesDone = 0
  const last = headRows.at(-1)
  const edge = plan.keptPages > 0 ? facts.intactThrough : null
  const pages = await writePages({
    reader: input.reader,
    mark: facts.mark,
    forecasts: plan.forecasts,
    range: {
      high: plan.pages,
      low: plan.keptPages + 1,
      after: last && rowKey(last),
      edge: edge && rowKeyOf(edge),
    },
    context: { baseUrl: settings.baseUrl, snapshot },
    target,
    threads: input.threads,
    onPage: () => {
      pagesDone++
      input.onProgress?.(pagesDone, pagesToWrite)
    },
  })
  const written = [...pages.written]

  const attempts = writeAttempts(target, input.reader, facts.attempts ?? undefined, input.current)
  written.push(...attempts.written)
  // What a build in place has left half done cannot be told from its list of before.
  const kept = keptChecksums(input.current, plan.keptPages, record?.building !== true)
  written.push(...writeFixedFiles(target, settings, kept.others))
  const { sealed } = pages
  written.push(put(target, HEADERS_FILE, headersText(plan.pages, sealed)))
  const heads = [
    ...putEncoded(target, LATEST_FILE, latest),
    ...putEncoded(target, HEAD_FILE, first.bytes),
  ]
  written.push(...heads)
  const dropped = [...droppedPages(plan), ...attempts.dropped]
  for (const path of dropped) remove(join(target.folder, path))

  const next: BuildRecord = {
    format: SITE_FORMAT,
    // A step of two tells the next build that the other folder is not one build behind this one.
    sequence: (record?.sequence ?? 0) + (plan.kind === 'rebuild' ? 2 : 1),
    built_at: formatStored(snapshot.now),
    base_url: settings.baseUrl ?? null,
    page_size: PAGE_SIZE,
    stale_after_seconds: settings.staleAfterSeconds,
    forecasts: plan.forecasts,
    pages: plan.pages,
    sealed_pages: sealed,
    sealed_through: pages.sealedThrough ?? edge,
    newest: recordedKey(headRows[0]),
    mark: facts.mark,
    attempts: facts.attempts?.mark ?? null,
    ...(facts.attempts === undefined && { attempts_withheld: true }),
    changed:
      plan.kind === 'update'
        ? [...written.map(({ path }) => path), ...dropped, CHECKSUMS_FILE, RECORD_FILE]
        : [],
  }
  const recordText = `${JSON.stringify(next, null, 2)}\n`
  const lines = linesOf([
    ...written,
    ...keptOthers(kept.others, written, attempts.kept),
    recordLine(recordText),
  ])
  const checksums = checksumsText([...kept.pages, ...lines.pages, ...lines.others])
  putFile(target, CHECKSUMS_FILE, Buffer.from(checksums))
  putFile(target, RECORD_FILE, Buffer.from(recordText))
  return next
}

/** Files that hold no forecast; those that are as they were are not written again. */
function writeFixedFiles(
  target: Target,
  settings: SiteSettings,
  before: ReadonlyMap<string, string>,
): WrittenFile[] {
  const openapi = openApiDocument({
    variant: 'static',
    ...(settings.baseUrl !== undefined && { baseUrl: settings.baseUrl }),
  })
  const files = {
    'openapi.json': `${JSON.stringify(openapi, null, 2)}\n`,
    '404.html': notFoundPage(),
    'index.html': indexPage(settings.staleAfterSeconds),
  }
  return Object.entries(files).flatMap(([path, text]) => {
    const bytes = Buffer.from(text)
    return before.get(path) === sha256(bytes) ? [] : putEncoded(target, path, bytes)
  })
}

function keptOthers(
  before: ReadonlyMap<string, string>,
  written: readonly WrittenFile[],
  attempts: readonly string[],
): WrittenFile[] {
  const fixed = ['openapi.json', '404.html', 'index.html'].flatMap(withEncodings)
  const anew = new Set(written.map(({ path }) => path))
  return [...fixed, ...attempts]
    .filter((path) => before.has(path) && !anew.has(path))
    .map((path) => ({ path, sha256: before.get(path) as string }))
}

/**
 * Before anything is written in sight of readers, the record says so: should this build be killed, the
 * next one knows which pages it can trust, and that all else may be of either build.
 */
function lowerRecord(target: Target, { record, plan, facts }: BuildInput): void {
  const sealed_through = plan.keptPages > 0 ? facts.intactThrough : null
  const lowered = { ...record, building: true, sealed_pages: plan.keptPages, sealed_through }
  putFile(target, RECORD_FILE, Buffer.from(`${JSON.stringify(lowered, null, 2)}\n`))
}

function droppedPages(plan: SitePlan): string[] {
  const dropped: string[] = []
  for (let page = plan.pages + 1; page <= plan.pages + plan.droppedPages; page++) {
    dropped.push(...withEncodings(pageFile(page)))
  }
  return dropped
}

function put(target: Target, path: string, text: string): WrittenFile {
  const bytes = Buffer.from(text)
  putFile(target, path, bytes)
  return { path, sha256: sha256(bytes) }
}

function recordLine(text: string): WrittenFile {
  return { path: RECORD_FILE, sha256: sha256(Buffer.from(text)) }
}
