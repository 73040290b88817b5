import { checkPayload } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import {
  type ArgsOf,
  type Finding,
  type FindingOptions,
  finding,
  hasNoErrors,
} from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import { compareKeys, type ReadingKey } from '../contract/order.js'
import { toReadingKey } from '../contract/rules.js'
import type { Attempt, ForecastResource } from '../contract/types.js'
import { readDocument } from '../document/read.js'
import { yieldToEventLoop } from '../files/waiting.js'
import { type HistoryImportResult, openImport } from '../history/import/import.js'
import {
  type Deployment,
  type Fetched,
  hasCredentialsInNext,
  MAX_PAGES,
  otherHost,
} from '../remote/deployment.js'
import { pullAttempts } from './attempts.js'
import { beginLog, endLog, type PulledLog } from './log.js'

export interface PullOptions {
  readonly deployment: Deployment
  /** The history to fill; created if it does not exist. */
  readonly path: string
  readonly now: Instant
  /** Read every page again, even those pulled before. */
  readonly full?: boolean | undefined
  /** Maximum number of pages in one run; 100,000 by default. A later run continues after them. */
  readonly mostPages?: number | undefined
  /** Stops the pull between two pages. */
  readonly signal?: AbortSignal | undefined
  readonly onPage?: ((pages: number, rows: number) => void) | undefined
}

export interface PullResult extends HistoryImportResult {
  readonly pages: number
  /**
   * True if the chain of pages was followed to rows pulled before, or to its end. Only a full pull sees late rows that
   * were inserted below those.
   */
  readonly complete: boolean
  /** What was seen of the sealed log; absent if none is published, or if it does not extend the one seen before. */
  readonly log?: PulledLog
}

const NONE = { added: 0, unchanged: 0, conflicts: 0 } as const
const NO_ROWS = { withheld: 0, forecasts: NONE, attempts: NONE, rejected: 0, written: 0 } as const

const LARGEST_PAGE = 64 * 1024 * 1024

/**
 * Mirrors a deployment's forecasts, newest first, page by page. Each page is checked, stored and committed together
 * with the remaining work, so that a later run continues where this one ended. The first page that breaks the contract
 * ends the run; the pages before it stay. A sealed log must extend the checkpoint seen last; the new checkpoint is
 * stored, and rows that differ from the log are findings.
 * @throws {ForeproofError} `io` if the deployment cannot be reached; `io`, `invalid-input` or `unavailable` if the
 * history cannot be written.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its steps in one place
export async function pullHistory(options: PullOptions): Promise<PullResult> {
  const { deployment, path, now, mostPages = MAX_PAGES } = options
  const run = await openImport(path, { now })
  const note = `pull ${deployment.id}`
  let pages = 0
  const faults: Finding[] = []
  const notes = new Map<string, Finding>()
  let last: { address: string; key: ReadingKey | undefined } | undefined
  try {
    const before = readState(await run.noted(note))
    const { full = false } = options
    const isFirst = before.newest === null
    const { rows: logRows, findings: logFaults } = await beginLog(
      { deployment, run, path, full },
      isFirst,
    )
    const pulled = full ? NOTHING_PULLED : before
    // A new gap at the head, above everything pulled so far.
    const gap = { next: deployment.head, until: pulled.newest }
    let state: PullState = { ...pulled, gaps: [gap, ...pulled.gaps] }
    while (state.gaps[0] !== undefined) {
      const address = state.gaps[0].next
      await yieldToEventLoop(options.signal)
      const page = await deployment.read(address)
      if (page === undefined) {
        if (last?.address === address) {
          faults.push(nextPage('missing', '', { file: address }))
          break
        }
        state = withoutAddress(state, address, deployment)
        last = undefined
        continue
      }
      const { body, findings, position } = readPage(page, deployment)
      const rows = findings.length > 0 ? [] : (body as { data: readonly ForecastResource[] }).data
      const keys = rows.map(toReadingKey)
      const goesOn = last?.address === address ? last.key : undefined
      if (findings.length === 0) {
        findings.push(...order(goesOn, keys, rows), ...nextPageFaults(body, keys))
      }
      if (!hasNoErrors(findings)) {
        faults.push(...findings.map((finding) => locateFinding(finding, page.where, position)))
        break
      }
      await run.add(body, { file: page.where })
      if (run.refused) break
      for (const row of rows) await logRows?.forecast(row)
      const next = deployment.next(body, address)
      if (next === address) {
        throw new ForeproofError('invalid-input', `${page.where}: it names itself as the next page`)
      }
      state = afterPage(state, keys, next)
      const host = next === null ? undefined : otherHost(next, address)
      if (host !== undefined) {
        notes.set(host, nextPage('elsewhere', host, { file: page.where, severity: 'warning' }))
      }
      last = next === null ? undefined : { address: next, key: keys.at(-1) ?? goesOn }
      await run.note(note, JSON.stringify(state))
      await run.commit()
      pages++
      options.onPage?.(pages, run.rows)
      if (pages >= mostPages && state.gaps.length > 0) {
        faults.push(nextPage('limit', String(mostPages), { file: page.where }))
        break
      }
    }
    const isWhole = state.gaps.length === 0 && faults.length === 0
    let everyAttempt = false
    if (faults.length === 0 && !run.refused) {
      const onAttempt = logRows && ((attempt: Attempt) => logRows.attempt(attempt))
      const { findings, isComplete } = await pullAttempts(deployment, run, full, onAttempt)
      faults.push(...findings)
      everyAttempt = isComplete
    }
    let log: PulledLog | undefined
    if (logRows !== undefined && isWhole && !run.refused && hasNoErrors(faults)) {
      await run.commit()
      const finished = await endLog(logRows, full || isFirst, everyAttempt)
      log = finished.pulled
      logFaults.push(...finished.findings)
    }
    const broken = !hasNoErrors(faults)
    const complete = state.gaps.length === 0 && !broken && !run.refused
    if (pages === 0 && faults.length > 0) {
      // Nothing was pulled, so leave no empty history behind.
      await run.abort()
      return { ...NO_ROWS, findings: [...logFaults, ...faults], pages, complete }
    }
    const report = await run.finish()
    const findings = [...report.findings, ...notes.values(), ...faults, ...logFaults]
    return { ...report, findings, pages, complete, ...(log && { log }) }
  } catch (cause) {
    await run.abort()
    throw cause
  }
}

type PositionOf = Extract<ReturnType<typeof readDocument>, { ok: true }>['positionAt']

function readPage({ bytes, where }: Fetched, { variant }: Deployment) {
  const read = readDocument(bytes, where, { maxBytes: LARGEST_PAGE })
  if (!read.ok) return { body: undefined, findings: [...read.findings], position: undefined }
  const faults = checkPayload(variant === 'static' ? 'static-page' : 'history', read.value)
  const findings = faults.filter(({ severity }) => severity === 'error')
  return { body: read.value, findings, position: read.positionAt }
}

const nextPage = (
  fault: ArgsOf<'next-page'>['fault'],
  found: string,
  options: FindingOptions,
): Finding => finding('next-page', { fault, found }, options)

/** Faults of a next page that the pull must not request. Empty pages that link on could do so for ever. */
function nextPageFaults(body: unknown, keys: readonly ReadingKey[]): Finding[] {
  const at = { pointer: '/pagination' }
  if (hasCredentialsInNext(body)) return [nextPage('credentials', '', at)]
  const { pagination } = body as { pagination: Readonly<Record<string, unknown>> }
  const goesOn = (pagination.next_url ?? pagination.next_cursor ?? null) !== null
  return goesOn && keys.length === 0 ? [nextPage('of-empty', '', at)] : []
}

/** Checks that the rows of a page come after those of the page that links to it. */
function order(
  before: ReadingKey | undefined,
  keys: readonly ReadingKey[],
  rows: readonly ForecastResource[],
): Finding[] {
  const [first] = keys
  if (before === undefined || first === undefined || compareKeys(before, first) < 0) return []
  const args = { found: rows[0]?.forecast_id ?? '', before: `${before.model}, ${before.horizon} h` }
  return [finding('forecasts-out-of-order', args, { pointer: '/data/0' })]
}

function locateFinding(finding: Finding, file: string, position: PositionOf | undefined): Finding {
  if (finding.file !== undefined) return finding
  const at = position?.(finding.pointer ?? '')
  return { ...finding, file, ...(at !== undefined && { position: at }) }
}

/**
 * The state after a page to continue with has disappeared: another build renumbered the pages, or the cursor expired.
 */
function withoutAddress(state: PullState, address: string, deployment: Deployment): PullState {
  const [gap, ...others] = state.gaps
  if (gap === undefined || address === deployment.head) {
    throw new ForeproofError('not-found', `${address}: there are no forecasts at this address`, {
      help: 'Give the address or folder of a site or service.',
    })
  }
  return { ...state, gaps: [{ ...gap, next: deployment.head }, ...others] }
}

/** A part of the history that was not pulled yet: from a page down to a row that was. */
interface Gap {
  /** The page to continue with. */
  readonly next: string
  /** Newest row below the gap; null if the gap reaches down to the oldest row. */
  readonly until: ReadingKey | null
}

/** The progress of a mirror; stored in the history and committed together with its rows. */
interface PullState {
  readonly version: 1
  /** Newest row ever pulled. */
  readonly newest: ReadingKey | null
  /** Newest gap first. */
  readonly gaps: readonly Gap[]
}

const NOTHING_PULLED: PullState = { version: 1, newest: null, gaps: [] }

/** Reads the state of an earlier run; an unreadable state counts as empty. */
function readState(text: string | undefined): PullState {
  try {
    const state = JSON.parse(text ?? '') as PullState
    return state.version === 1 && Array.isArray(state.gaps) ? state : NOTHING_PULLED
  } catch {
    return NOTHING_PULLED
  }
}

/** The remaining work after a page of the newest gap was stored. Pure. */
function afterPage(state: PullState, keys: readonly ReadingKey[], next: string | null): PullState {
  const [gap, ...others] = state.gaps as [Gap, ...Gap[]]
  const [first] = keys
  const isNewer = first && (state.newest === null || compareKeys(first, state.newest) < 0)
  const { until } = gap
  const isOpen =
    next !== null && (until === null || keys.every((key) => compareKeys(key, until) < 0))
  return {
    version: 1,
    newest: isNewer ? first : state.newest,
    gaps: isOpen ? [{ until, next }, ...others] : others,
  }
}
