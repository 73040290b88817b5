import { ContractBreach } from '../../contract/breach.js'
import { finding } from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'
import { asciiJson } from '../../forecast/ascii.js'
import { shownText } from '../../forecast/i-json.js'
import { normalTimestamp } from '../../forecast/resource.js'
import { type HistoryRow, parseRowKey, type RowKey } from '../../forecast/row.js'
import { nameOfRow } from '../../forecast/row-faults.js'
import { forecastSerializer, type SerializedForecast } from '../../forecast/serialize.js'
import type { HistoryReader, HistoryVersion, PageFilters } from '../../store/history-reader.js'
import { encodeCursor, mismatchFault } from './cursor.js'
import type { PageRequest } from './filters.js'
import type { RequestSnapshot } from './snapshot.js'

/** A page with all parts that depend only on the history. */
export interface ForecastPage {
  readonly forecasts: readonly SerializedForecast[]
  /** Their ids: a JSON array, in ASCII. */
  readonly ids: string
  readonly limit: number
  readonly nextCursor: string | null
  /**
   * The newest origin of the traversal, or of the history if nothing matches; undefined if the history is empty.
   */
  readonly newest: Instant | undefined
}

const OVERHEAD_BYTES = 512

/**
 * Reads forecasts from the history. Rows are immutable, so serialised forecasts are cached until the history changes.
 */
export class ForecastPages {
  readonly #pages: PageCache<ForecastPage>

  constructor(
    private readonly reader: HistoryReader,
    cacheBytes: number,
    /** Called with a forecast that is sent although its row has faults. */
    private readonly unsound: (forecast: SerializedForecast) => void,
  ) {
    this.#pages = new PageCache(cacheBytes)
  }

  /** The latest forecast; undefined if there is none. */
  async latest(
    snapshot: Pick<RequestSnapshot, 'version'>,
  ): Promise<SerializedForecast | undefined> {
    const first = { filters: {}, finer: ['', ''], limit: 1, continuation: undefined } as const
    return (await this.page(snapshot, 'limit=1', first)).forecasts[0]
  }

  /**
   * The page for a request. Only first pages are cached: later pages of a traversal are read once, and would displace
   * others.
   * @param query - the text of the request, used as the key of the cache.
   * @throws {RequestFault} 400 if the row of its cursor does not exist.
   */
  async page(
    snapshot: Pick<RequestSnapshot, 'version'>,
    query: string,
    request: PageRequest,
  ): Promise<ForecastPage> {
    if (request.continuation !== undefined) return await this.#read(request)
    const version = await snapshot.version()
    const kept = this.#pages.get(version, query)
    if (kept !== undefined) return kept
    const page = await this.#read(request)
    this.#pages.set(version, query, page, query.length + countBytes(page.forecasts))
    return page
  }

  async #read({ filters, finer, limit, continuation }: PageRequest): Promise<ForecastPage> {
    const after = continuation?.last
    // One extra row shows whether there is a next page; one row before, whether the cursor's row exists.
    const rows = await (after === undefined
      ? this.reader.page({ filters, limit: limit + 1 })
      : this.#rowsAfter(after, filters, limit + 1))
    const shown = rows.slice(0, limit)
    assertOrder(shown)
    const forecasts = shown.map(forecastSerializer())
    for (const each of forecasts) if (each.faults.length > 0) this.unsound(each)
    const newest =
      continuation?.newest ?? forecasts[0]?.key.origin ?? (await this.reader.newestOrigin())
    const last = rows.length > limit ? forecasts.at(-1)?.key : undefined
    const nextCursor =
      last === undefined || newest === undefined
        ? null
        : encodeCursor(filters, finer, { last, newest })
    const ids = asciiJson(forecasts.map(({ id }) => id))
    return { forecasts, ids, limit, nextCursor, newest }
  }

  async #rowsAfter(after: RowKey, filters: PageFilters, limit: number): Promise<HistoryRow[]> {
    const query = { filters, after, withAfter: true, limit: limit + 1 }
    const [first, ...rows] = await this.reader.page(query)
    if (first === undefined || !isKey(parseRowKey(first), after)) throw mismatchFault()
    return rows
  }
}

/**
 * @throws {ContractBreach} for an origin that is not in the stored form, because its rows are out of order.
 */
function assertOrder(rows: readonly HistoryRow[]): void {
  for (const [at, row] of rows.entries()) {
    const { originAt, model, horizonHours } = row
    if (originAt === rows[at - 1]?.originAt) continue
    const normal = normalTimestamp(originAt)
    if (normal === undefined || normal === originAt) continue
    const found = shownText(String(originAt))
    const args = {
      fault: 'timestamp-form',
      row: nameOfRow(row),
      column: 'origin_at',
      found,
    } as const
    const id = shownText(`${String(originAt)}:${String(model)}:${String(horizonHours)}`)
    throw new ContractBreach([finding('history-value', args)], id)
  }
}

function isKey(a: RowKey, b: RowKey): boolean {
  return a.origin === b.origin && a.horizonHours === b.horizonHours && a.model === b.model
}

function countBytes(forecasts: readonly SerializedForecast[]): number {
  let bytes = OVERHEAD_BYTES
  for (const { head, id } of forecasts) bytes += head.length + id.length
  return bytes
}

interface Entry<V> {
  readonly value: V
  readonly bytes: number
}

/**
 * A cache of recent answers with a budget of bytes, for one version of the history. A cached page of 50 costs about
 * 30 µs of CPU time per request, an uncached one about 450 µs (limit=50 on 200,000 rows, November 2026).
 */
export class PageCache<V> {
  /** A map keeps the order of insertion, so the last used entry is at its end. */
  readonly #entries = new Map<string, Entry<V>>()
  #bytes = 0
  #version: HistoryVersion | undefined

  constructor(readonly budget: number) {}

  get(version: HistoryVersion, key: string): V | undefined {
    if (this.#isNewer(version)) {
      this.#entries.clear()
      this.#bytes = 0
      this.#version = version
    }
    const entry = this.#isCurrent(version) ? this.#entries.get(key) : undefined
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Caches an answer of a version, unless another request has seen a later version meanwhile. */
  set(version: HistoryVersion, key: string, value: V, bytes: number): void {
    if (!this.#isCurrent(version) || bytes > this.budget) return
    this.#delete(key)
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.budget) break
      this.#delete(oldest)
    }
  }

  #delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }

  /** Requests do not end in the order in which they began, so some use an older version. */
  #isNewer({ generation, revision }: HistoryVersion): boolean {
    const current = this.#version
    if (current === undefined || generation !== current.generation) {
      return generation > (current?.generation ?? Number.NEGATIVE_INFINITY)
    }
    return revision > current.revision
  }

  #isCurrent({ generation, revision }: HistoryVersion): boolean {
    return generation === this.#version?.generation && revision === this.#version.revision
  }
}
