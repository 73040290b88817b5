import { availableParallelism } from 'node:os'
import { joinCounts } from '../../forecast/row.js'
import type { HistoryReader } from '../../history/store/types.js'
import { PAGE_SIZE } from '../plan/plan.js'
import { folderWriter } from '../writer/folder.js'
import { type PageTask, PageWorker } from './page-worker.js'
import { type PageRange, type RangeResult, writeRange } from './write-range.js'

export interface PageWork extends Omit<PageTask, 'history'> {
  readonly reader: HistoryReader
  readonly forecasts: number
  readonly range: PageRange
  readonly onPage: () => void
  /** How many workers at most; as many as there are cores, up to eight, by default. */
  readonly workers?: number | undefined
}

/** More threads than these wait for the disk rather than for a core. */
const MOST_WORKERS = 8

/**
 * Writes a range of pages: here where there are few, else in a pool of workers, each of which reads the
 * rows of its pages and writes their files. The files are the same.
 */
export async function writePages(work: PageWork): Promise<RangeResult> {
  const { reader, forecasts, range, context, writer, onPage } = work
  if (range.high - range.low + 1 < SMALLEST_RANGE) {
    return writeRange(reader, folderWriter(writer), range, context, onPage)
  }
  const task = { history: reader.location, mark: work.mark, context, writer }
  const count = work.workers ?? Math.min(availableParallelism(), MOST_WORKERS)
  const workers: PageWorker[] = []
  const ranges = pageRanges(reader, forecasts, range)
  const made: MadeRange[] = []
  // Whoever fails leaves the loop, and that ends it for all: no more ranges are given.
  const all = Array.from({ length: count }, async () => {
    let worker: PageWorker | undefined
    for await (const next of ranges) {
      // Only now, for there may be fewer ranges than cores.
      if (worker === undefined) {
        worker = new PageWorker(task)
        workers.push(worker)
      }
      made.push({ range: next, ...(await worker.write(next)) })
      for (let page = next.high; page >= next.low; page--) onPage()
    }
  })
  try {
    await Promise.all(all)
    return joinRanges(made)
  } finally {
    // Nobody may go on writing where one has failed: the next try may be under way there.
    await Promise.allSettled(all)
    await Promise.all(workers.map((worker) => worker.end()))
  }
}

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
