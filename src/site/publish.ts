import { ContractBreach } from '../contract/breach.js'
import { ForeproofError, fileError } from '../contract/error.js'
import { type Finding, finding } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import { stoppedError, yieldToEventLoop } from '../files/waiting.js'
import { type HistoryRow, rowKey } from '../forecast/row.js'
import { forecastSerializer } from '../forecast/serialize.js'
import { readPolicy } from '../log/trusted.js'
import type { HistoryReader } from '../store/types.js'
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
import { compareRows, HistoryMoved, readExactRows, toRecordedKey, toRowKey } from './rows.js'
import { inspectTarget, openTarget } from './writer/open.js'
import type { BuiltSite, SiteTarget, TargetOptions } from './writer/types.js'

export interface PublishOptions extends SiteSettings, TargetOptions {
  readonly reader: HistoryReader
  readonly now: Instant
  readonly onProgress?: ((page: number, of: number) => void) | undefined
}

export interface PublishResult {
  readonly plan: PublishPlanResult
  readonly record: BuildRecord
  /** That forecasts of unsound rows were published. */
  readonly findings: readonly Finding[]
}

const TRIES = 3
/** So many pages and fewer are made to reach the disk file by file. */
const DURABLE_PAGES = 64

/**
 * What `publishSite` would do now; nothing is written.
 * @throws {ForeproofError} as `publishSite` does.
 */
export async function planPublish(options: PublishOptions): Promise<PublishPlanResult> {
  return (await prepare(await inspectTarget(options), options, false)).plan
}

/**
 * Builds the static site of a history, or brings it up to date.
 * @throws {ForeproofError} `invalid-input` when a row cannot be shown, `refused` when `out` is not
 * ours to write, `unavailable` when another build runs or the history does not hold still, `usage` and
 * `not-found` for a store of objects that is not named right, `io`.
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

/** @param count whether to count all rows though there is a mark, for it has misled. */
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

/** Looks at the history as far as the site needs it, and plans. */
async function prepare(
  current: BuiltSite | undefined,
  options: PublishOptions,
  count: boolean,
): Promise<{ facts: PlanFacts; plan: PublishPlanResult }> {
  const { reader } = options
  const record = current?.record
  const before = record !== undefined && buildsUpon(record, options) ? record : undefined
  const witnesses = readPolicy(options.witnesses)
  // First the log: what it covers by then is among the rows that are read later.
  const log = await readLogFacts(reader)
  if (options.full !== true) assertNotOlder(record?.log, log?.mark, options)
  const rows = await gatherFacts(reader, current, before, count)
  const attempts = await attemptFacts(reader, current, before)
  const facts = { ...rows, attempts, log, witnesses }
  return { facts, plan: planSite(facts, record, options) }
}

/** What a restored history lacks may be on its site alone. */
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

/** What is new among the recorded attempts since the build before. */
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
 * Looks at the history as far as the build before needs it: at what was written after its mark. Where
 * there is no mark to go by, or a row has come in late, pages are compared, from the newest down.
 * @param count whether to count all rows though there is a mark, for it has misled.
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
  // Where the row that was written last is another one, this is not the history of before and later rows.
  const isOther = before.mark !== null && !count && marked === undefined
  return { forecasts, mark, ...(await intactPages(reader, site, before, forecasts, isOther)) }
}

/**
 * The forecasts of the build before, by its record; undefined where its pages differ from that: then
 * the history has to be counted. A build at work may have more pages or fewer.
 */
async function forecastsIn(site: BuiltSite, before: BuildRecord): Promise<number | undefined> {
  const { building, pages, forecasts } = before
  if (building === true || (await site.page(pages + 1)) !== undefined) return undefined
  return pages === 0 || (await site.page(pages)) !== undefined ? forecasts : undefined
}

type IntactPages = Pick<PlanFacts, 'intactPages' | 'intactThrough'>
const NO_PAGES: IntactPages = { intactPages: 0, intactThrough: null }

/**
 * The last page that still has the rows at its end, from the newest down.
 * @param all whether rows below it may be others as well: then all pages are read, and all rows.
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
    const rows = await readExactRows(reader, last && rowKey(last), PAGE_SIZE)
    last = rows.at(-1)
    if (page > before.sealed_pages) continue
    const text = (await site.page(page))?.toString('latin1')
    if (text === undefined || !holdsInOrder(text, rows)) intact = undefined
    else intact ??= { intactPages: page, intactThrough: toRecordedKey(rows[0]) }
    if (intact !== undefined && !all) break
  }
  return intact ?? NO_PAGES
}

/** Whether a page has these rows in their order; not where one of them can be shown on none. */
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
