import { availableParallelism } from 'node:os'
import type { HistoryReader } from '../../history/store/types.js'
import { folderWriter } from '../writer/folder.js'
import { joinRanges, type MadeRange, pageRanges, SMALLEST_RANGE } from './page-ranges.js'
import { PageWorker } from './page-worker.js'
import type { PageTask } from './worker.js'
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
