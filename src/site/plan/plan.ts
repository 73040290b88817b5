import type { Policy } from '../../log/policy.js'
import type { AttemptMark, RowMark } from '../../store/history-reader.js'
import { continuationPages } from '../layout.js'
import type { LogFacts } from '../log.js'
import { type BuildRecord, type LogMark, type RecordedKey, SITE_FORMAT } from '../record.js'

/** Forecasts per page. */
export const PAGE_SIZE = 100

/** The version of the JSON form of a plan. */
const PLAN_VERSION = 1

/** The facts of the history that a plan is made from. */
export interface PlanFacts {
  readonly forecasts: number
  /** Sealed pages of the previous build that still hold exactly their rows. */
  readonly intactPages: number
  /** Newest row of the last of these pages. */
  readonly intactThrough: RecordedKey | null
  readonly mark: RowMark | null
  /** Recorded attempts; null if there are none. */
  readonly attempts: AttemptFacts | null
  /** The sealed log; null if there is none. */
  readonly log: LogFacts | null
  /** Whose cosignatures count on the page. */
  readonly witnesses?: Policy | undefined
}

export interface AttemptFacts {
  readonly mark: AttemptMark
  /** Months with recorded attempts, in order. */
  readonly months: readonly string[]
  /** Months that the previous build does not have in their current form. */
  readonly newMonths: readonly string[]
}

export interface SiteSettings {
  readonly baseUrl: string | undefined
  readonly staleAfterSeconds: number
  /** Policy file of the log's witnesses; the page says whether their quorum saw the log. */
  readonly witnesses?: string | undefined
  /** The verify.html of this foreproof, which the page names. */
  readonly verifier?: { readonly release: string; readonly sha256: string } | undefined
  /** Rewrite everything and keep no file of the previous build. */
  readonly full?: boolean | undefined
}

/** The decisions of a build, made before anything is written. */
export interface PublishPlanResult {
  readonly version: number
  readonly kind: 'first' | 'rebuild' | 'update'
  readonly forecasts: number
  /** Continuation pages of the new site. */
  readonly pages: number
  /** Pages 1 to this stay unchanged; all later ones are written. */
  readonly keptPages: number
  /** Sealed pages of the previous build that must be rewritten because of late rows. */
  readonly reopenedPages: number
  /** Pages of the previous build that the new site does not have. */
  readonly droppedPages: number
  /** Months (`2026-01`) whose recorded attempts will be written; null if none are published. */
  readonly attemptMonths: readonly string[] | null
  /** Whether all recorded attempts that the previous build published will be removed. */
  readonly dropsAttempts: boolean
  /** The newest checkpoint of the log that will be published; absent if there is none. */
  readonly log?: { readonly size: number; readonly newCheckpoints: number }
  /** Whether the log that the previous build published will be removed; absent if not. */
  readonly dropsLog?: true
  readonly because: readonly PlanReason[]
}

export type PlanReason =
  | 'no-build-before'
  | 'asked'
  | 'other-format'
  | 'other-base-url'
  | 'late-rows'
  | 'new-rows'
  | 'new-checkpoint'
  | 'time'

/** Whether the pages of an earlier build can be kept with these settings. */
export function buildsUpon(record: BuildRecord, settings: SiteSettings): boolean {
  return (
    settings.full !== true &&
    record.format === SITE_FORMAT &&
    record.page_size === PAGE_SIZE &&
    record.base_url === (settings.baseUrl ?? null)
  )
}

/** A pure function: the same facts give the same plan. */
export function planSite(
  facts: PlanFacts,
  before: BuildRecord | undefined,
  settings: SiteSettings,
): PublishPlanResult {
  const pages = continuationPages(facts.forecasts, PAGE_SIZE)
  const usable = before !== undefined && buildsUpon(before, settings)
  const keptPages = usable ? Math.min(facts.intactPages, before.sealed_pages, pages) : 0
  const reopenedPages = usable ? before.sealed_pages - keptPages : 0
  const because: PlanReason[] = []
  if (before === undefined) because.push('no-build-before')
  else if (settings.full) because.push('asked')
  else if (before.format !== SITE_FORMAT) because.push('other-format')
  else if (!usable) because.push('other-base-url')
  if (reopenedPages > 0) because.push('late-rows')
  const newAttempts = (facts.attempts?.newMonths.length ?? 0) > 0
  if (usable && (facts.forecasts !== before.forecasts || newAttempts)) because.push('new-rows')
  const log = facts.log?.mark
  if (usable && log !== undefined && !sameMark(before.log, log)) because.push('new-checkpoint')
  if (because.length === 0) because.push('time')
  return {
    version: PLAN_VERSION,
    kind: before === undefined ? 'first' : usable ? 'update' : 'rebuild',
    forecasts: facts.forecasts,
    pages,
    keptPages,
    reopenedPages,
    droppedPages: Math.max(0, (before?.pages ?? 0) - pages),
    attemptMonths: facts.attempts?.newMonths ?? null,
    dropsAttempts: Boolean(before?.attempts) && !facts.attempts,
    ...(log !== undefined && { log: plannedLog(log, usable ? before.log : undefined) }),
    ...(log === undefined && before?.log !== undefined && { dropsLog: true as const }),
    because,
  }
}

/** Whether two logs have the same checkpoints and stamps. */
export function sameMark(a: LogMark | undefined, b: LogMark | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function plannedLog(log: LogMark, before: LogMark | undefined) {
  const published = before?.origin === log.origin ? before.checkpoints : 0
  return { size: log.size, newCheckpoints: Math.max(0, log.checkpoints - published) }
}
