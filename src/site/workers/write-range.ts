import { joinCounts, NO_ROWS, type RowCount, type RowKey, rowKey } from '../../forecast/row.js'
import type { HistoryReader } from '../../history/store/types.js'
import { pageBody, type Snapshot } from '../bodies.js'
import { nextUrlOf, type PageNames, pageFileAt } from '../layout.js'
import { PAGE_SIZE } from '../plan/plan.js'
import type { RecordedKey } from '../record.js'
import { compareRows, exactRows, HistoryMoved, recordedKey } from '../rows.js'
import { putEncoded, type WrittenFile } from '../writer/encoded.js'
import type { SiteWriter } from '../writer/types.js'

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
  /** Where pages are not called by their place alone. */
  readonly names?: PageNames | undefined
}

export interface RangeResult {
  readonly written: readonly WrittenFile[]
  /** The pages from `low` to this one hold stale forecasts only; `low` - 1 when there is no such page. */
  readonly sealed: number
  /** Newest row of page `sealed`. */
  readonly sealedThrough: RecordedKey | null
  readonly unsound: RowCount
}

/**
 * Writes a range of pages, the newest first, reading each row once.
 * @throws {HistoryMoved} when the rows are not as many as were counted.
 */
export async function writeRange(
  reader: HistoryReader,
  writer: SiteWriter,
  { high, low, after, edge }: PageRange,
  { baseUrl, snapshot, names }: RangeContext,
  onPage: () => void = () => undefined,
): Promise<RangeResult> {
  const written: WrittenFile[] = []
  let last = after
  let sealed = high
  let unsound = NO_ROWS
  let sealedThrough: RecordedKey | null = null
  for (let page = high; page >= low; page--) {
    const rows = await exactRows(reader, last, PAGE_SIZE)
    const file = pageFileAt(page, names)
    const body = pageBody(rows, nextUrlOf(file, page - 1, baseUrl, names), snapshot)
    unsound = joinCounts(unsound, body.unsound)
    if (!body.allStale) {
      sealed = page - 1
      sealedThrough = null
    } else sealedThrough ??= recordedKey(rows[0])
    written.push(...(await putEncoded(writer, file, body.text)))
    last = rowKey(rows[PAGE_SIZE - 1] as (typeof rows)[number])
    onPage()
  }
  const [next] = await reader.page({ after: last, limit: 1 })
  const meets =
    edge === null ? next === undefined : next !== undefined && compareRows(rowKey(next), edge) === 0
  if (!meets) throw new HistoryMoved()
  return { written, sealed, sealedThrough, unsound }
}
