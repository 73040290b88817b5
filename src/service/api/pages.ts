import type { Instant } from '../../contract/instant.js'
import { asciiJson } from '../../forecast/ascii.js'
import { type HistoryRow, type RowKey, rowKey } from '../../forecast/row.js'
import { forecastSerializer, type SerializedForecast } from '../../forecast/serialize.js'
import type { HistoryReader, PageFilters } from '../../history/store/types.js'
import { mismatch, writeCursor } from './cursor.js'
import type { PageRequest } from './filters.js'
import { PageCache } from './page-cache.js'
import type { RequestSnapshot } from './snapshot.js'

/** A page of the history with everything that does not change while the history does not. */
export interface ForecastPage {
  readonly forecasts: readonly SerializedForecast[]
  /** Their ids: a JSON array, in ASCII. */
  readonly ids: string
  readonly limit: number
  readonly nextCursor: string | null
  /** The newest origin of the traversal, or of the history where nothing matches; undefined when that is empty. */
  readonly newest: Instant | undefined
}

const OVERHEAD_BYTES = 512

/** Reads forecasts from the history. Rows are immutable: what was serialised is kept until the history changes. */
export class ForecastPages {
  readonly #pages: PageCache<ForecastPage>

  constructor(
    private readonly reader: HistoryReader,
    cacheBytes: number,
  ) {
    this.#pages = new PageCache(cacheBytes)
  }

  /** The latest forecast, or undefined when there is none. */
  async latest(snapshot: RequestSnapshot): Promise<SerializedForecast | undefined> {
    const first = { filters: {}, finer: ['', ''], limit: 1, continuation: undefined } as const
    return (await this.page(snapshot, 'limit=1', first)).forecasts[0]
  }

  /**
   * The page that a request asks for. First pages are kept: those of a walk are asked for once, and would
   * drive out what others ask for. So a walk needs no answer on whether the history is still the same.
   * @param query - the text that the request was read from: the same text asks for the same page.
   * @throws {RequestFault} 400 when the row of its cursor does not exist.
   */
  async page(
    snapshot: RequestSnapshot,
    query: string,
    request: PageRequest,
  ): Promise<ForecastPage> {
    if (request.continuation !== undefined) return await this.#read(request)
    const version = await snapshot.version()
    const kept = this.#pages.get(version, query)
    if (kept !== undefined) return kept
    const page = await this.#read(request)
    this.#pages.set(version, query, page, query.length + bytesOf(page.forecasts))
    return page
  }

  async #read({ filters, finer, limit, continuation }: PageRequest): Promise<ForecastPage> {
    const after = continuation?.last
    // One row more than is shown tells whether there is a next page, one before whether its cursor's exists.
    const rows = await (after === undefined
      ? this.reader.page({ filters, limit: limit + 1 })
      : this.#rowsAfter(after, filters, limit + 1))
    const forecasts = rows.slice(0, limit).map(forecastSerializer())
    const newest =
      continuation?.newest ?? forecasts[0]?.key.origin ?? (await this.reader.newestOrigin())
    const last = rows.length > limit ? forecasts.at(-1)?.key : undefined
    const nextCursor =
      last === undefined || newest === undefined
        ? null
        : writeCursor(filters, finer, { last, newest })
    const ids = asciiJson(forecasts.map(({ id }) => id))
    return { forecasts, ids, limit, nextCursor, newest }
  }

  async #rowsAfter(after: RowKey, filters: PageFilters, limit: number): Promise<HistoryRow[]> {
    const query = { filters, after, withAfter: true, limit: limit + 1 }
    const [first, ...rows] = await this.reader.page(query)
    if (first === undefined || !isKey(rowKey(first), after)) throw mismatch()
    return rows
  }
}

function isKey(a: RowKey, b: RowKey): boolean {
  return a.origin === b.origin && a.horizonHours === b.horizonHours && a.model === b.model
}

function bytesOf(forecasts: readonly SerializedForecast[]): number {
  let bytes = OVERHEAD_BYTES
  for (const { head, id } of forecasts) bytes += head.length + id.length
  return bytes
}
