import type { Instant } from '../contract/instant.js'
import type { HistoryReader, HistoryRow, HistoryVersion } from '../history/types.js'
import { mismatch, writeCursor } from './cursor.js'
import type { PageRequest } from './filters.js'
import { type Part, partOf } from './part.js'
import { Retained } from './retained.js'

/** A page of the history with everything that does not change while the history does not. */
export interface Page {
  readonly parts: readonly Part[]
  readonly limit: number
  readonly nextCursor: string | null
  /** The newest origin of the traversal, or of the history where nothing matches; undefined when that is empty. */
  readonly newest: Instant | undefined
  /** The ids of its forecasts, as the inside of a JSON array. */
  readonly ids: string
}

const KEY_OF_LATEST = 'latest'
const PAGE_OVERHEAD_BYTES = 512

/**
 * Forecasts as they are sent. Rows are immutable, so each is read, checked and serialised once while
 * there is room for it; pages hold until the history changes.
 */
export class Forecasts {
  private readonly pages: Retained<Page>
  private readonly parts: Retained<Part>
  private version: HistoryVersion = { generation: -1, revision: -1 }
  private newestOrigin: { readonly origin: Instant | undefined } | undefined

  constructor(
    private readonly reader: HistoryReader,
    cacheBytes: number,
  ) {
    this.pages = new Retained(cacheBytes / 2)
    this.parts = new Retained(cacheBytes / 2)
  }

  /** The newest origin of the whole history. */
  newest(version: HistoryVersion): Instant | undefined {
    this.follow(version)
    this.newestOrigin ??= { origin: this.reader.newestOrigin() }
    return this.newestOrigin.origin
  }

  /** The latest forecast, or undefined when there is none. */
  latest(version: HistoryVersion): Part | undefined {
    this.follow(version)
    const kept = this.pages.get(KEY_OF_LATEST)
    if (kept !== undefined) return kept.parts[0]
    const row = this.reader.latest()
    if (row === undefined) return undefined
    const page = pageOf(this.partsOf([row]), 1, null, undefined)
    this.keep(KEY_OF_LATEST, page)
    return page.parts[0]
  }

  /**
   * The page that a request asks for.
   * @param query the text that the request was read from: the same text asks for the same page.
   * @throws {RequestFault} 400 when the row of its cursor does not exist.
   */
  page(version: HistoryVersion, query: string, request: PageRequest): Page {
    this.follow(version)
    const key = `?${query}`
    let page = this.pages.get(key)
    if (page === undefined) {
      page = this.read(version, request)
      this.keep(key, page)
    }
    return page
  }

  private read(version: HistoryVersion, { filters, limit, continuation }: PageRequest): Page {
    const after = continuation?.last
    if (after !== undefined && this.reader.find(after) === undefined) throw mismatch()
    // One row more than is shown tells whether there is a next page.
    const rows = this.reader.page({ filters, after, limit: limit + 1 })
    const parts = this.partsOf(rows.length > limit ? rows.slice(0, limit) : rows)
    const newest = continuation?.newest ?? parts[0]?.key.origin ?? this.newest(version)
    const last = parts.at(-1)
    const next =
      rows.length > limit && last !== undefined && newest !== undefined
        ? writeCursor(filters, { last: last.key, newest })
        : null
    return pageOf(parts, limit, next, newest)
  }

  private partsOf(rows: readonly HistoryRow[]): Part[] {
    return rows.map((row) => {
      const key = keyText(row)
      let part = this.parts.get(key)
      if (part === undefined) {
        part = partOf(row)
        this.parts.set(key, part, part.head.length + key.length)
      }
      return part
    })
  }

  private keep(key: string, page: Page): void {
    const bytes = page.parts.reduce((sum, part) => sum + part.head.length + part.id.length, 0)
    this.pages.set(key, page, bytes + key.length + PAGE_OVERHEAD_BYTES)
  }

  private follow({ generation, revision }: HistoryVersion): void {
    const known = this.version
    if (generation === known.generation && revision === known.revision) return
    if (generation !== known.generation) this.parts.clear()
    this.pages.clear()
    this.newestOrigin = undefined
    this.version = { generation, revision }
  }
}

function pageOf(
  parts: readonly Part[],
  limit: number,
  nextCursor: string | null,
  newest: Instant | undefined,
): Page {
  return { parts, limit, nextCursor, newest, ids: parts.map((part) => part.id).join(',') }
}

function keyText({ originAt, model, horizonHours }: HistoryRow): string {
  return `${String(originAt)} ${String(horizonHours)} ${String(model)}`
}
