import { type RowKey, rowKey } from '../forecast/row.js'
import type { HistoryReader } from '../history/store/types.js'
import { pageBytes, type Snapshot } from './bodies.js'
import type { WrittenFile } from './files.js'
import { pageFile, urlOf } from './layout.js'
import { PAGE_SIZE } from './plan.js'
import type { RecordedKey } from './record.js'
import { compareRows, HistoryMoved, recordedKey, rowsFrom, take } from './rows.js'

/** Pages from `high` down to `low`, none when `low` is greater. */
export interface PageRange {
  readonly high: number
  readonly low: number
  /** The row before the first of them; undefined at the newest row. */
  readonly after: RowKey | undefined
  /** The row that must follow the last of them; null where none may. */
  readonly edge: RowKey | null
}

export interface RangeContext {
  readonly baseUrl: string | undefined
  readonly snapshot: Snapshot
}

export interface RangeResult {
  readonly written: readonly WrittenFile[]
  /** The pages from `low` to this one hold stale forecasts only; `low` - 1 when there is no such page. */
  readonly sealed: number
  /** Newest row of page `sealed`. */
  readonly sealedThrough: RecordedKey | null
}

/** Address of the page after the one of this number, or null for page 1. */
export function nextOf(page: number, baseUrl: string | undefined): string | null {
  return page > 1 ? urlOf(pageFile(page - 1), baseUrl) : null
}

/** Where pages go. */
export interface PageSink {
  /** Memory that the next page is made in, if it has room there; else it has memory of its own. */
  room?(): Buffer
  /** Takes a page, from which its copies are made. */
  put(path: string, bytes: Buffer): readonly WrittenFile[]
}

/**
 * Makes a stretch of pages, reading each row once.
 * @throws {HistoryMoved} when the rows are not as many as were counted.
 */
export async function writeRange(
  reader: HistoryReader,
  range: PageRange,
  context: RangeContext,
  sink: PageSink,
): Promise<RangeResult> {
  const pages = pagesOf(reader, range, context, sink)
  for (let step = await pages.next(); ; step = await pages.next()) if (step.done) return step.value
}

/** The same, page by page: whoever takes the next one may do something else in between. */
export async function* pagesOf(
  reader: HistoryReader,
  { high, low, after, edge }: PageRange,
  { baseUrl, snapshot }: RangeContext,
  sink: PageSink,
): AsyncGenerator<void, RangeResult> {
  const rows = rowsFrom(reader, after)
  const written: WrittenFile[] = []
  let sealed = high
  let sealedThrough: RecordedKey | null = null
  for (let page = high; page >= low; page--) {
    const pageRows = await take(rows, PAGE_SIZE)
    const { bytes, allStale } = pageBytes(pageRows, nextOf(page, baseUrl), snapshot, sink.room?.())
    if (!allStale) {
      sealed = page - 1
      sealedThrough = null
    } else sealedThrough ??= recordedKey(pageRows[0])
    written.push(...sink.put(pageFile(page), bytes))
    yield
  }
  const { value, done } = await rows.next()
  const meets = edge === null ? done : !done && compareRows(rowKey(value), edge) === 0
  if (!meets) throw new HistoryMoved()
  return { written, sealed, sealedThrough }
}
