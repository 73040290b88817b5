import type { Instant } from '../../contract/instant.js'
import { type Part, partOf, writePart } from '../../forecast/part.js'
import type { RowKey } from '../../forecast/row.js'
import { Sheet } from '../../forecast/sheet.js'
import type { HistoryReader, HistoryVersion } from '../../history/store/types.js'
import { type Continuation, mismatch, writeCursor } from './cursor.js'
import type { PageRequest } from './filters.js'
import { Retained } from './retained.js'

/** A page of the history with everything that does not change while the history does not. */
export interface Page {
  /** The heads of its forecasts (see `Part`), one after the other. */
  readonly heads: Buffer
  /** Where each head ends. */
  readonly ends: readonly number[]
  /** The origin of each forecast. */
  readonly origins: readonly Instant[]
  readonly limit: number
  readonly nextCursor: string | null
  /** Where the next page begins; undefined with a null cursor. */
  readonly continuation: Continuation | undefined
  /** The newest origin of the traversal, or of the history where nothing matches; undefined when that is empty. */
  readonly newest: Instant | undefined
  /** The ids of its forecasts, as the inside of a JSON array. */
  readonly ids: string
}

const AHEAD_LIMIT = 64
/** A query with a cursor has it at most once, for it was read. */
const CURSOR = /((?:^|&)cursor=)[^&]*/
const PAGE_OVERHEAD_BYTES = 512
const NUMBER_BYTES = 16
/** Enough for some thousand queries. */
const ASKED_BYTES = 1_048_576

/**
 * Forecasts as they are sent. Rows are immutable, so what is asked for again is not read, checked and
 * serialised again: pages are kept from the second request for them on, until the history changes. A
 * walk through the whole history asks for every page once, and so neither fills the memory nor drives
 * out what others ask for.
 */
export class Forecasts {
  private readonly pages: Retained<Page>
  /** Pages that were asked for once. */
  private readonly askedFor: Retained<true>
  private version: HistoryVersion = { generation: -1, revision: -1 }
  /** Pages that were read before anybody asked. */
  private readonly ahead = new Map<string, Page>()
  private readonly sheet = new Sheet()
  private latestPart: Part | undefined
  private newestOrigin: { readonly origin: Instant | undefined } | undefined

  constructor(
    private readonly reader: HistoryReader,
    cacheBytes: number,
  ) {
    this.pages = new Retained(cacheBytes)
    this.askedFor = new Retained(ASKED_BYTES)
  }

  /** The newest origin of the whole history. */
  async newest(version: HistoryVersion): Promise<Instant | undefined> {
    this.follow(version)
    if (this.newestOrigin !== undefined) return this.newestOrigin.origin
    const origin = await this.reader.newestOrigin()
    if (this.isCurrent(version)) this.newestOrigin = { origin }
    return origin
  }

  /** The latest forecast, or undefined when there is none. */
  async latest(version: HistoryVersion): Promise<Part | undefined> {
    this.follow(version)
    if (this.latestPart !== undefined) return this.latestPart
    const row = await this.reader.latest()
    const part = row && partOf(row)
    if (this.isCurrent(version)) this.latestPart = part
    return part
  }

  /** The page that a query led to before, if it is kept; it holds while the history is of that version. */
  kept(query: string): Page | undefined {
    return this.pages.get(query)
  }

  isCurrent({ generation, revision }: HistoryVersion): boolean {
    return generation === this.version.generation && revision === this.version.revision
  }

  /**
   * The page that a request asks for.
   * @param query the text that the request was read from: the same text asks for the same page.
   * @throws {RequestFault} 400 when the row of its cursor does not exist.
   */
  async page(version: HistoryVersion, query: string, request: PageRequest): Promise<Page> {
    this.follow(version)
    let page = this.pages.get(query)
    if (page === undefined) {
      page = this.ahead.get(query)
      if (page === undefined) {
        const after = request.continuation?.last
        if (after !== undefined && !(await this.reader.has(after))) throw mismatch()
        page = await this.read(version, request)
      }
      // Another request may have met a later version meanwhile.
      if (!this.isCurrent(version)) return page
      this.ahead.delete(query)
      this.keep(query, page)
      if (request.continuation !== undefined) this.readAhead(version, query, request, page)
    }
    return page
  }

  /**
   * Whoever continues a walk will most likely go on: the next page is read while this one is on its way.
   * It is thrown away when the history changes, or when nobody comes for it.
   */
  private readAhead(
    version: HistoryVersion,
    query: string,
    request: PageRequest,
    page: Page,
  ): void {
    const { nextCursor, continuation } = page
    // A name may be percent-encoded too: where the cursor is not seen, nobody knows what the next query will be.
    if (continuation === undefined || !CURSOR.test(query)) return
    setImmediate(async () => {
      if (!this.isCurrent(version)) return
      try {
        const next = await this.read(version, { ...request, continuation })
        if (!this.isCurrent(version)) return
        if (this.ahead.size >= AHEAD_LIMIT) this.ahead.clear()
        this.ahead.set(query.replace(CURSOR, `$1${nextCursor}`), next)
      } catch {
        // Whoever asks for that page will be told.
      }
    })
  }

  /** Reads a page whose continuation is known to be a row. */
  private async read(
    version: HistoryVersion,
    { filters, limit, continuation }: PageRequest,
  ): Promise<Page> {
    // One row more than is shown tells whether there is a next page.
    const rows = await this.reader.page({ filters, after: continuation?.last, limit: limit + 1 })
    // A page may be empty; asked for here, for the sheet is not to be shared with another page.
    const known =
      continuation?.newest ?? (rows.length === 0 ? await this.newest(version) : undefined)
    const { sheet } = this
    sheet.clear()
    const ends: number[] = []
    const origins: Instant[] = []
    const ids: string[] = []
    let last: RowKey | undefined
    for (const row of rows.length > limit ? rows.slice(0, limit) : rows) {
      const { key, id } = writePart(row, sheet)
      last = key
      ends.push(sheet.length)
      origins.push(key.origin)
      ids.push(id)
    }
    const newest = known ?? origins[0]
    const more = rows.length > limit
    const next = more && last && newest !== undefined ? { last, newest } : undefined
    return {
      heads: sheet.take(),
      ends,
      origins,
      limit,
      nextCursor: next === undefined ? null : writeCursor(filters, next),
      continuation: next,
      newest,
      ids: ids.join(','),
    }
  }

  private keep(key: string, page: Page): void {
    if (this.askedFor.get(key) === undefined) {
      this.askedFor.set(key, true, key.length)
      return
    }
    const bytes = page.heads.length + page.ids.length + page.ends.length * 2 * NUMBER_BYTES
    this.pages.set(key, page, bytes + key.length + PAGE_OVERHEAD_BYTES)
  }

  private follow(version: HistoryVersion): void {
    if (this.isCurrent(version)) return
    this.pages.clear()
    this.ahead.clear()
    this.latestPart = undefined
    this.newestOrigin = undefined
    const { generation, revision } = version
    this.version = { generation, revision }
  }
}
