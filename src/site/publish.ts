import { ContractBreach } from '../contract/breach.js'
import { ForeproofError, fileError } from '../contract/error.js'
import { type Finding, finding } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import { stoppedError, yieldToEventLoop } from '../files/waiting.js'
import { type HistoryRow, parseRowKey } from '../forecast/row.js'
import { forecastSerializer } from '../forecast/serialize.js'
import { readPolicy } from '../log/trusted.js'
import type { HistoryReader } from '../store/history-reader.js'
import { attemptFiles } from './attempts.js'
import { buildSite } from './build.js'
import { readLogFacts } from './log.js'
import {
  type AttemptFacts,
  buildsUpon,
  PAGE_SIZE,
  type PlanFacts,
  type PublishPlanResult,
  planSite,
  type SiteSettings,
} from './plan/plan.js'
import type { BuildRecord, LogMark } from './record.js'
import { compareRows, HistoryMoved, readExactRows, toRecordedKey, toRowKey } from './row-keys.js'
import { inspectTarget, openTarget } from './writer/open.js'
import type { BuiltSite, SiteTarget, TargetOptions } from './writer/site-writer.js'

export interface PublishOptions extends SiteSettings, TargetOptions {
  readonly reader: HistoryReader
  readonly now: Instant
  readonly onProgress?: ((page: number, of: number) => void) | undefined
}

export interface PublishResult {
  readonly plan: PublishPlanResult
  readonly record: BuildRecord
  /** Reports that forecasts of unsound rows were published. */
  readonly findings: readonly Finding[]
}

const TRIES = 3
/** Up to this number of pages, each file is flushed to disk. */
const DURABLE_PAGES = 64

/**
 * Plans what `publishSite` would do now; writes nothing.
 * @throws {ForeproofError} as `publishSite` does.
 */
export async function planPublish(options: PublishOptions): Promise<PublishPlanResult> {
  return (await prepare(await inspectTarget(options), options, false)).plan
}

/**
 * Builds or updates the static site of a history.
 * @throws {ForeproofError} `invalid-input` if a row cannot be shown, `refused` if `out` belongs to something else,
 * `unavailable` if another build runs or the history keeps changing, `usage` and `not-found` for a misnamed store of
 * objects, `io`.
 */
export async function publishSite(options: PublishOptions): Promise<PublishResult> {
  const target = await openTarget(options)
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await publishOnce(target, options, attempt > 1)
      } catch (cause) {
        if (!(cause instanceof HistoryMoved)) throw cause
        if (attempt < TRIES) continue
        throw new ForeproofError('unavailable', 'the history changed while it was being read', {
          file: options.reader.path,
          help: 'Nothing was published; run again when its producer is at rest.',
        })
      }
    }
  } catch (cause) {
    const isOfSystem = cause instanceof Error && 'syscall' in cause
    throw isOfSystem ? fileError(cause, options.out) : cause
  } finally {
    await target.release()
  }
}

/** @param count whether to count all rows despite the mark, because the mark was wrong. */
async function publishOnce(
  target: SiteTarget,
  options: PublishOptions,
  count: boolean,
): Promise<PublishResult> {
  const { reader, now, staleAfterSeconds } = options
  const current = await target.current()
  const { facts, plan } = await prepare(current, options, count)
  const snapshot = { now, staleAfterSeconds, newestOrigin: await reader.newestOrigin() }
  const keep = plan.kind === 'update'
  const staged = await target.stage({ keep, durable: plan.pages - plan.keptPages <= DURABLE_PAGES })
  const { record, unsound } = await buildSite(staged, {
    reader,
    plan,
    facts,
    settings: options,
    snapshot,
    current: keep ? current : undefined,
    record: current?.record,
    onProgress: (page, of) => {
      if (options.signal?.aborted) throw stoppedError()
      options.onProgress?.(page, of)
    },
  })
  await yieldToEventLoop(options.signal)
  await staged.publish()
  const { rows, first = '' } = unsound
  const findings = rows > 0 ? [finding('site-unsound', { rows, first }, { file: options.out })] : []
  return { plan, record, findings }
}

/** Reads what the site needs of the history, and makes the plan. */
async function prepare(
  current: BuiltSite | undefined,
  options: PublishOptions,
  count: boolean,
): Promise<{ facts: PlanFacts; plan: PublishPlanResult }> {
  const { reader } = options
  const record = current?.record
  const before = record !== undefined && buildsUpon(record, options) ? record : undefined
  const witnesses = readPolicy(options.witnesses)
  // Read the log first, so that the rows that it covers are among those read later.
  const log = await readLogFacts(reader)
  if (options.full !== true) assertNotOlder(record?.log, log?.mark, options)
  const rows = await gatherFacts(reader, current, before, count)
  const attempts = await attemptFacts(reader, current, before)
  const facts = { ...rows, attempts, log, witnesses }
  return { facts, plan: planSite(facts, record, options) }
}

/** Rows that a restored history lacks may exist on its site only. */
function assertNotOlder(
  before: LogMark | undefined,
  now: LogMark | undefined,
  { reader, out }: PublishOptions,
): void {
  if (before === undefined || before.origin !== now?.origin || now.size >= before.size) return
  const has = `its log ${now.origin} has ${before.size} entries, and that of ${reader.path} has ${now.size}`
  throw new ForeproofError('refused', `${out}: ${has}`, {
    help: 'Bring the history up from what is published (foreproof history resume); --full publishes less.',
  })
}

/** The attempts recorded since the previous build. */
async function attemptFacts(
  reader: HistoryReader,
  site: BuiltSite | undefined,
  before: BuildRecord | undefined,
): Promise<AttemptFacts | null> {
  const mark = await reader.attemptMark()
  if (mark === undefined) return null
  const published = await attemptFiles(before?.building === true ? undefined : site)
  const months = await reader.attemptMonths(before?.attempts ?? undefined)
  const fresh = months.filter(
    ({ month, attempts, changed }) => changed || published.get(month)?.attempts !== attempts,
  )
  const names = (some: typeof months) => some.map(({ month }) => month)
  return { mark, months: names(months), newMonths: names(fresh) }
}

/**
 * Reads the rows that were written after the mark of the previous build. If the mark is unusable, or a row came in
 * late, compares pages from the newest down.
 * @param count whether to count all rows despite the mark, because the mark was wrong.
 */
async function gatherFacts(
  reader: HistoryReader,
  site: BuiltSite | undefined,
  before: BuildRecord | undefined,
  count: boolean,
): Promise<Omit<PlanFacts, 'attempts' | 'log'>> {
  const marked = before?.mark && !count ? await reader.rowsSince(before.mark) : undefined
  const mark = (await reader.mark()) ?? null
  const counted = marked && site && before && (await forecastsIn(site, before))
  const forecasts = marked && counted !== undefined ? counted + marked.length : await reader.count()
  if (before === undefined || site === undefined || before.sealed_through === null) {
    return { forecasts, mark, ...NO_PAGES }
  }
  const edge = toRowKey(before.sealed_through)
  if (marked?.every((key) => compareRows(key, edge) < 0)) {
    const { sealed_pages: intactPages, sealed_through: intactThrough } = before
    return { forecasts, mark, intactPages, intactThrough }
  }
  // If the last written row differs, this is not the previous history with later rows.
  const isOther = before.mark !== null && !count && marked === undefined
  return { forecasts, mark, ...(await intactPages(reader, site, before, forecasts, isOther)) }
}

/**
 * The number of forecasts in the previous build, by its record. Undefined if its pages differ from the record, so that
 * the history has to be counted; an unfinished build may have more pages or fewer.
 */
async function forecastsIn(site: BuiltSite, before: BuildRecord): Promise<number | undefined> {
  const { building, pages, forecasts } = before
  if (building === true || (await site.page(pages + 1)) !== undefined) return undefined
  return pages === 0 || (await site.page(pages)) !== undefined ? forecasts : undefined
}

type IntactPages = Pick<PlanFacts, 'intactPages' | 'intactThrough'>
const NO_PAGES: IntactPages = { intactPages: 0, intactThrough: null }

/**
 * The last page that still ends with the same rows, searched from the newest down.
 * @param all whether rows below it may have changed too: then all pages and all rows are read.
 */
async function intactPages(
  reader: HistoryReader,
  site: BuiltSite,
  before: BuildRecord,
  forecasts: number,
  all: boolean,
): Promise<IntactPages> {
  const pages = Math.floor(forecasts / PAGE_SIZE)
  const head = await readExactRows(reader, undefined, forecasts - pages * PAGE_SIZE)
  let last = head.at(-1)
  let intact: IntactPages | undefined
  for (let page = pages; page > 0; page--) {
    const rows = await readExactRows(reader, last && parseRowKey(last), PAGE_SIZE)
    last = rows.at(-1)
    if (page > before.sealed_pages) continue
    const text = (await site.page(page))?.toString('latin1')
    if (text === undefined || !holdsInOrder(text, rows)) intact = undefined
    else intact ??= { intactPages: page, intactThrough: toRecordedKey(rows[0]) }
    if (intact !== undefined && !all) break
  }
  return intact ?? NO_PAGES
}

/** Whether a page has these rows in order; false if one of them cannot be shown. */
function holdsInOrder(text: string, rows: readonly HistoryRow[]): boolean {
  let at = 0
  try {
    return rows.map(forecastSerializer()).every(({ head }) => {
      at = text.indexOf(head, at)
      if (at < 0) return false
      at += head.length
      return true
    })
  } catch (cause) {
    if (!(cause instanceof ContractBreach)) throw cause
    return false
  }
}
