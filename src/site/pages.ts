import { joinCounts, NO_ROWS, type RowCount, type RowKey, rowKey } from '../forecast/row.js'
import type { HistoryReader } from '../store/types.js'
import { pageBody, type Snapshot } from './bodies.js'
import { nextUrlOf, type PageNames, pageFileAt } from './layout.js'
import { PAGE_SIZE } from './plan/plan.js'
import type { RecordedKey } from './record.js'
import { compareRows, exactRows, HistoryMoved, recordedKey } from './rows.js'
import { putEncoded, type WrittenFile } from './writer/encoded.js'
import type { SiteWriter } from './writer/types.js'

/** Pages that are compressed and written while the next ones are read: more would only take memory. */
const AT_ONCE = 8

/** Pages from `high` down to `low`, none when `low` is greater. */
export interface PageRange {
  readonly high: number
  readonly low: number
  /** The row before the first of them; undefined at the newest row. */
  readonly after: RowKey | undefined
  /** The row that must follow the last of them; null where none may. */
  readonly edge: RowKey | null
  readonly baseUrl: string | undefined
  readonly snapshot: Snapshot
  /** Where pages are not called by their place alone. */
  readonly names?: PageNames | undefined
}

export interface WrittenPages {
  readonly written: readonly WrittenFile[]
  /** The pages from `low` to this one hold stale forecasts only; `low` - 1 when there is no such page. */
  readonly sealed: number
  /** Newest row of page `sealed`. */
  readonly sealedThrough: RecordedKey | null
  readonly unsound: RowCount
}

/**
 * Writes pages, the newest first, reading each row once. Pages are compressed on the threads of libuv meanwhile.
 * @throws {HistoryMoved} when the rows are not as many as were counted.
 */
export async function writePages(
  reader: HistoryReader,
  writer: SiteWriter,
  { high, low, after, edge, baseUrl, snapshot, names }: PageRange,
  onPage: () => void,
): Promise<WrittenPages> {
  const files: Promise<WrittenFile[]>[] = []
  let last = after
  let sealed = high
  let unsound = NO_ROWS
  let sealedThrough: RecordedKey | null = null
  try {
    for (let page = high; page >= low; page--) {
      const rows = await exactRows(reader, last, PAGE_SIZE)
      const file = pageFileAt(page, names)
      const body = pageBody(rows, nextUrlOf(file, page - 1, baseUrl, names), snapshot)
      unsound = joinCounts(unsound, body.unsound)
      if (!body.allStale) {
        sealed = page - 1
        sealedThrough = null
      } else sealedThrough ??= recordedKey(rows[0])
      const written = putEncoded(writer, file, body.text)
      // Its failure is met when it is waited for, not before.
      written.catch(() => undefined)
      files.push(written)
      await files.at(-AT_ONCE)
      last = rowKey(rows[PAGE_SIZE - 1] as (typeof rows)[number])
      onPage()
    }
  } finally {
    // None may go on being written after a failure: the next try may be under way there.
    await Promise.allSettled(files)
  }
  const [next] = await reader.page({ after: last, limit: 1 })
  const meets =
    edge === null ? next === undefined : next !== undefined && compareRows(rowKey(next), edge) === 0
  if (!meets) throw new HistoryMoved()
  return { written: (await Promise.all(files)).flat(), sealed, sealedThrough, unsound }
}
