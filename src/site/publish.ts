import { ForeproofError, fileError } from '../contract/error.js'
import { type Finding, finding } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import { stoppedError, yieldToEventLoop } from '../files/waiting.js'
import { policyFrom } from '../log/trusted.js'
import type { HistoryReader } from '../store/types.js'
import { buildSite } from './build.js'
import { logFacts } from './log.js'
import { attemptFacts, gatherFacts } from './plan/facts.js'
import {
  buildsUpon,
  type PlanFacts,
  type PublishPlanResult,
  planSite,
  type SiteSettings,
} from './plan/plan.js'
import type { BuildRecord, LogMark } from './record.js'
import { HistoryMoved } from './rows.js'
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
  /** That forecasts were published which break a rule of the contract. */
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
        if (attempt === TRIES) throw restless(options.reader.path)
      }
    }
  } catch (cause) {
    throw isSystemError(cause) ? fileError(cause, options.out) : cause
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
  const witnesses = policyFrom(options.witnesses)
  // First the log: what it covers by then is among the rows that are read later.
  const log = await logFacts(reader)
  if (options.full !== true) demandNoLess(record?.log, log?.mark, options)
  const rows = await gatherFacts(reader, current, before, count)
  const attempts = options.withoutAttempts ? undefined : await attemptFacts(reader, current, before)
  const facts = { ...rows, attempts, log, witnesses }
  return { facts, plan: planSite(facts, record, options) }
}

/** What a restored history lacks may be on its site alone. */
function demandNoLess(
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

function isSystemError(cause: unknown): boolean {
  return cause instanceof Error && typeof (cause as NodeJS.ErrnoException).syscall === 'string'
}

function restless(path: string): ForeproofError {
  return new ForeproofError('unavailable', 'the history changed while it was being read', {
    file: path,
    help: 'Nothing was published; run again when its producer is at rest.',
  })
}
