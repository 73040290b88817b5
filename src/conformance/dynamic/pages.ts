import type { RuleName } from '../../contract/conformance-rules.js'
import { type Instant, instantOrNaN } from '../../contract/instant.js'
import { LIMITS } from '../../contract/limits.js'
import { compareKeys, type ReadingKey } from '../../contract/order.js'
import { toReadingKey } from '../../contract/rules.js'
import type { ForecastResource, HistoryBody } from '../../contract/types.js'
import { type CheckedBody, checkBody } from '../body.js'
import type { FreshnessLog } from '../freshness.js'
import type { RuleChecks } from '../judge.js'
import { findDifference, toKeyText } from '../page-walk.js'
import { historyPath, parseBody, type Query, type ServiceClient } from './client.js'

/** A page of the history without a fault against the contract. */
export interface Page extends CheckedBody {
  readonly next: string | null
}

/** Rows of a traversal, and whether it reached its end. */
interface Traversal {
  readonly rows: readonly ForecastResource[]
  readonly ended: boolean
  /** The last page that was read; undefined if none was. */
  readonly last: Page | undefined
}

interface FollowOptions {
  readonly rule?: RuleName
  readonly onPage?: (page: Page, count: number) => void
}

/** Reads the history page by page, and checks each page by itself and against earlier ones. */
export class HistoryPages {
  /** Every forecast by its key, as it was first read. */
  readonly #rows = new Map<string, ForecastResource>()
  #newest: Instant | undefined

  constructor(
    readonly service: ServiceClient,
    private readonly log: FreshnessLog,
  ) {}

  get judge(): RuleChecks {
    return this.service.judge
  }

  /** The newest origin that was read. */
  get newest(): Instant | undefined {
    return this.#newest
  }

  /** The newest origin of the history now; NaN if it has none. */
  async newestNow(): Promise<Instant> {
    const { bytes } = await this.service.call({ path: historyPath({ limit: 1 }) })
    const [first] =
      (parseBody(bytes) as { data?: { origin_at?: unknown }[] } | undefined)?.data ?? []
    return instantOrNaN(String(first?.origin_at))
  }

  /** Whether an answer may give an instant as the newest origin: the one known before the request, or a later one. */
  async wasNewest(observedAt: Instant, before: Instant): Promise<boolean> {
    return observedAt === before || (observedAt > before && observedAt <= (await this.newestNow()))
  }

  /**
   * Reads one page.
   * @param rule - the rule that is broken if no page comes.
   * @param first - the first page of its traversal, if this is a later one.
   */
  async page(rule: RuleName, query: Query, first?: Page): Promise<Page | undefined> {
    const { judge, service } = this
    const path = historyPath(query)
    const where = service.root + path
    const { status, bytes, moment } = await service.call({ path })
    if (!judge.expect(rule, status === 200, { where }, `answers ${status}`)) return undefined
    const body = checkBody(judge, 'history', bytes, where)
    if (!body.sound) return undefined
    const { limit, next_cursor } = (body.value as unknown as HistoryBody).pagination
    const asked = Number(query.limit ?? LIMITS.pageDefault)
    const detail = `is ${limit}, not ${asked}`
    const kept: RuleName = query.limit === undefined ? 'limit-default' : 'limit-bounds'
    body.expect(kept, limit === asked, '/pagination/limit', detail)
    const size = `holds ${body.rows.length} forecasts, ${asked} were asked for`
    body.expect('limit-kept', body.rows.length <= asked, '/data', size)
    for (const [index, row] of body.rows.entries()) this.same(row, body, body.rowPointer(index))
    const page = { ...body, next: next_cursor }
    const isOfNothing =
      page.rows.length === 0 && Object.keys(query).every((name) => name === 'limit')
    const observed = await this.#findNewest(first ?? page, page)
    this.log.addBody(page, moment, observed, isOfNothing)
    return page
  }

  /** The cursor after the first matching forecast; undefined if no other matches. */
  async firstCursor(query: Query): Promise<string | undefined> {
    return (await this.page('envelope', { ...query, limit: 1 }))?.next ?? undefined
  }

  /**
   * Possible observations for a page's freshness: the newest origin of its traversal, or of the history. Unknown
   * without rows.
   */
  async #findNewest({ rows: [newest] }: Page, { value }: Page): Promise<Instant[]> {
    if (newest === undefined) return []
    const origin = instantOrNaN(newest.origin_at)
    this.#newest = Math.max(origin, this.#newest ?? origin)
    const observedAt = instantOrNaN((value as unknown as HistoryBody).freshness.observed_at)
    const isNew = observedAt > this.#newest && (await this.wasNewest(observedAt, this.#newest))
    return [origin, isNew ? observedAt : this.#newest]
  }

  /** A forecast must be the same wherever it is read. */
  same(row: ForecastResource, body: CheckedBody, pointer: string): void {
    const key = toKeyText(row)
    const before = this.#rows.get(key)
    if (before === undefined) {
      this.#rows.set(key, row)
      return
    }
    const difference = findDifference(row, before)
    const detail = `${difference} of ${row.forecast_id} was another before`
    body.expect('same-resource', difference === undefined, pointer, detail)
  }

  /**
   * Follows the cursors up to a number of pages; cursors must lead on, and never in a circle.
   * @param rule - the rule that is broken if a page does not come.
   */
  async follow(
    query: Query,
    pages: number,
    { rule = 'cursor-walk', onPage }: FollowOptions = {},
  ): Promise<Traversal> {
    const rows: ForecastResource[] = []
    const seen = new Set<string>()
    let first: Page | undefined
    let last: Page | undefined
    let cursor: string | undefined
    for (let count = 1; count <= pages; count++) {
      const asked = cursor === undefined ? query : { ...query, cursor }
      const page = await this.page(rule, asked, first)
      if (page === undefined) return { rows, ended: false, last }
      first ??= page
      const empty = count > 1 && page.rows.length === 0
      page.expect('cursor-end', !empty, '/data', 'a cursor led to a page without forecasts')
      const repeats = page.rows.some((row) => seen.has(toKeyText(row)))
      for (const row of page.rows) seen.add(toKeyText(row))
      rows.push(...page.rows)
      onPage?.(page, count)
      if (page.next === null || empty || repeats)
        return { rows, ended: page.next === null, last: page }
      last = page
      cursor = page.next
    }
    return { rows, ended: false, last }
  }
}

/** The forecasts of a walk: other ways to request them must return the same. */
export class Known {
  readonly #keys: ReadonlySet<string>
  /** Forecasts within the walk that only other requests returned, by key. */
  readonly #others = new Map<string, ForecastResource>()

  /** @param complete - whether the walk reached its end. */
  constructor(
    readonly rows: readonly ForecastResource[],
    readonly complete: boolean,
  ) {
    this.#keys = new Set(rows.map(toKeyText))
  }

  /**
   * Whether another request returned a forecast that the walk had not: it was left out, or came later. Forecasts are
   * never removed, so a walk that begins now has to return it.
   */
  get isBehind(): boolean {
    return this.#others.size > 0
  }

  /** Records forecasts that other requests returned. */
  note(rows: readonly ForecastResource[]): void {
    const end = this.complete ? undefined : keyAt(this.rows, this.rows.length - 1)
    for (const row of rows) {
      const key = toKeyText(row)
      if (!this.#keys.has(key) && isWithin(toReadingKey(row), end)) this.#others.set(key, row)
    }
  }

  /** Checks one page against the expected forecasts; it may be incomplete only if it names a next page. */
  checkPage(rule: RuleName, page: Page, fits: (row: ForecastResource) => boolean): void {
    const traversal = { rows: page.rows, ended: page.next === null, last: page }
    this.judgeTraversal(rule, traversal, fits)
  }

  /**
   * Checks whether a traversal, as far as it went, returned all matching forecasts that were known before it, and no
   * others. Further forecasts are recorded: they may be new.
   */
  judgeTraversal(
    rule: RuleName,
    { rows, ended, last }: Traversal,
    fits: (row: ForecastResource) => boolean,
  ): void {
    if (last === undefined) return
    const oddOne = rows.find((row) => !fits(row))
    last.expect(rule, oddOne === undefined, '/data', `${oddOne?.forecast_id} does not fit`)
    const end = ended ? undefined : keyAt(rows, rows.length - 1)
    const keys = new Set(rows.map(toKeyText))
    const lost = [...this.rows, ...this.#others.values()].find(
      (row) => fits(row) && !keys.has(toKeyText(row)) && isWithin(toReadingKey(row), end),
    )
    last.expect(rule, lost === undefined, '/data', `${lost?.forecast_id} is left out`)
    this.note(rows.filter(fits))
  }
}

function keyAt(rows: readonly ForecastResource[], index: number): ReadingKey | null {
  const row = rows[index]
  return row === undefined ? null : toReadingKey(row)
}

/** Up to and including the end; `undefined` means no end, and `null` an end before the first row. */
function isWithin(key: ReadingKey, end: ReadingKey | null | undefined): boolean {
  return end === undefined || (end !== null && compareKeys(key, end) <= 0)
}
