import { joinCounts } from '../../forecast/row.js'
import type { HistoryReader } from '../../history/store/types.js'
import { PAGE_SIZE } from '../plan/plan.js'
import type { PageRange, RangeResult } from './write-range.js'

/** Ranges are as many as keep every worker busy to the end, */
const RANGES = 64
/** but none is cut smaller: below so many pages, starting workers costs more than it saves. */
export const SMALLEST_RANGE = 64

/**
 * Cuts a range of pages into smaller ones, the newest first, that meet at rows which both must see
 * where they are now.
 * @param forecasts rows of the whole history.
 */
export async function* pageRanges(
  reader: HistoryReader,
  forecasts: number,
  whole: PageRange,
): AsyncGenerator<PageRange> {
  const size = Math.max(SMALLEST_RANGE, Math.ceil((whole.high - whole.low + 1) / RANGES))
  let { high, after } = whole
  for (let low = high - size + 1; low > whole.low; low -= size) {
    const offset = forecasts - (low - 1) * PAGE_SIZE
    const [last, first] = (await reader.keysAt(offset - 1, 2, forecasts)) ?? []
    // Without the keys of rows by their place, nobody can begin in the middle.
    if (last === undefined || first === undefined) break
    yield { high, low, after, edge: first }
    high = low - 1
    after = last
  }
  yield { high, low: whole.low, after, edge: whole.edge }
}

/** What was made of a range. */
export interface MadeRange extends RangeResult {
  readonly range: PageRange
}

/** The result of all ranges, whoever made them and when. */
export function joinRanges(ranges: readonly MadeRange[]): RangeResult {
  const upwards = ranges.toSorted((a, b) => a.range.low - b.range.low)
  const [lowest, ...others] = upwards as [MadeRange, ...MadeRange[]]
  let top = lowest
  for (const next of others) {
    if (top.sealed < top.range.high || next.sealed < next.range.low) break
    top = next
  }
  const { sealed, sealedThrough } = top
  const newestFirst = upwards.reverse()
  const unsound = newestFirst.map((each) => each.unsound).reduce(joinCounts)
  return { written: newestFirst.flatMap(({ written }) => written), sealed, sealedThrough, unsound }
}
