import type { RuleName } from '../../contract/conformance-rules.js'
import { type Instant, instantOrNaN } from '../../contract/instant.js'
import { LIMITS } from '../../contract/limits.js'
import type { ForecastResource, HistoryBody } from '../../contract/types.js'
import { type JudgedBody, judgeBody } from '../body.js'
import type { FreshnessLog } from '../freshness.js'
import type { Judge } from '../judge.js'
import { differenceOf } from '../same.js'
import { keyOf } from '../walk.js'
import { jsonOf } from './answer.js'
import type { ServiceClient } from './client.js'
import { pathOf, type Query } from './routes.js'

/** A page of the history that the contract found nothing wrong with. */
export interface Page extends JudgedBody {
  readonly next: string | null
}

/** Rows of a traversal, and whether it came to its end. */
export interface Traversal {
  readonly rows: readonly ForecastResource[]
  readonly ended: boolean
  /** The last page that was read; undefined where none could be. */
  readonly last: Page | undefined
}

/** Reads the history page by page, and judges each page by itself and against those before. */
export class HistoryPages {
  /** Every forecast that was met, by its key, as it was met first. */
  readonly #met = new Map<string, ForecastResource>()
  #newest: Instant | undefined

  constructor(
    readonly judge: Judge,
    readonly service: ServiceClient,
    private readonly log: FreshnessLog,
  ) {}

  /** The newest origin that was met. */
  get newest(): Instant | undefined {
    return this.#newest
  }

  /** The newest origin of the history as it is now; NaN where it has none. */
  async newestNow(): Promise<Instant> {
    const { bytes } = await this.service.call({ path: pathOf({ limit: 1 }) })
    const [first] = (jsonOf(bytes) as { data?: { origin_at?: unknown }[] } | null)?.data ?? []
    return instantOrNaN(String(first?.origin_at))
  }

  /**
   * Whether an answer may give an instant as the newest origin: the one that was met before it was asked
   * for, or one that has come since.
   */
  async wasNewest(told: Instant, before: Instant): Promise<boolean> {
    return told === before || (told > before && told <= (await this.newestNow()))
  }

  /**
   * One page.
   * @param rule - what is broken when it does not come.
   * @param first - rows of the first page of its traversal, where it is not the first itself.
   */
  async page(rule: RuleName, query: Query, first?: Page): Promise<Page | undefined> {
    const { judge, service } = this
    const path = pathOf(query)
    const where = service.root + path
    const { status, bytes, moment } = await service.call({ path })
    if (!judge.expect(rule, status === 200, { where }, `answers ${status}`)) return undefined
    const body = judgeBody(judge, 'history', bytes, where)
    if (!body.sound) return undefined
    const { limit, next_cursor } = (body.value as unknown as HistoryBody).pagination
    const asked = Number(query.limit ?? LIMITS.pageDefault)
    const detail = `is ${limit}, not ${asked}`
    const kept: RuleName = query.limit === undefined ? 'limit-default' : 'limit-bounds'
    judge.expect(kept, limit === asked, () => body.place('/pagination/limit'), detail)
    const size = `holds ${body.rows.length} forecasts, ${asked} were asked for`
    judge.expect('limit-kept', body.rows.length <= asked, () => body.place('/data'), size)
    this.#judgeResources(body)
    const page = { ...body, next: next_cursor }
    const isOfNothing =
      page.rows.length === 0 && Object.keys(query).every((name) => name === 'limit')
    const observed = await this.#newestOf(first ?? page, page)
    this.log.addBody(judge, page, moment, observed, isOfNothing)
    return page
  }

  /** What the freshness of a page may be of: the newest origin of its traversal, or of the history. Unknown without rows. */
  async #newestOf({ rows: [newest] }: Page, { value }: Page): Promise<Instant[]> {
    if (newest === undefined) return []
    const origin = instantOrNaN(newest.origin_at)
    this.#newest = Math.max(origin, this.#newest ?? origin)
    const told = instantOrNaN((value as unknown as HistoryBody).freshness.observed_at)
    const isNew = told > this.#newest && (await this.wasNewest(told, this.#newest))
    return [origin, isNew ? told : this.#newest]
  }

  /** One forecast is the same wherever it is met. */
  #judgeResources(body: JudgedBody): void {
    for (const [index, row] of body.rows.entries()) this.same(row, body, body.rowPointer(index))
  }

  same(row: ForecastResource, body: JudgedBody, pointer: string): void {
    const key = keyOf(row)
    const before = this.#met.get(key)
    if (before === undefined) {
      this.#met.set(key, row)
      return
    }
    const difference = differenceOf(row, before)
    const detail = `${difference} of ${row.forecast_id} was another before`
    this.judge.expect('same-resource', difference === undefined, () => body.place(pointer), detail)
  }

  /** Follows the cursors, at most so many pages; cursors lead on, and never in a circle. */
  async follow(
    query: Query,
    pages: number,
    onPage?: (page: Page, count: number) => void,
  ): Promise<Traversal> {
    const rows: ForecastResource[] = []
    const seen = new Set<string>()
    let first: Page | undefined
    let last: Page | undefined
    let cursor: string | undefined
    for (let count = 1; count <= pages; count++) {
      const asked = cursor === undefined ? query : { ...query, cursor }
      const page = await this.page('cursor-walk', asked, first)
      if (page === undefined) return { rows, ended: false, last }
      first ??= page
      const empty = count > 1 && page.rows.length === 0
      const at = () => page.place('/data')
      this.judge.expect('cursor-end', !empty, at, 'a cursor led to a page without forecasts')
      const again = page.rows.some((row) => seen.has(keyOf(row)))
      for (const row of page.rows) seen.add(keyOf(row))
      rows.push(...page.rows)
      onPage?.(page, count)
      if (page.next === null || empty || again)
        return { rows, ended: page.next === null, last: page }
      last = page
      cursor = page.next
    }
    return { rows, ended: false, last }
  }
}
