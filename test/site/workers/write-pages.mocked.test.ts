import { beforeEach, expect, it, vi } from 'vitest'
import type { HistoryReader } from '../../../src/history/store/types.js'
import { PAGE_SIZE } from '../../../src/site/plan/plan.js'
import { PageWorker } from '../../../src/site/workers/page-worker.js'
import { SMALLEST_RANGE, writePages } from '../../../src/site/workers/write-pages.js'
import type { PageRange } from '../../../src/site/workers/write-range.js'

vi.mock('../../../src/site/workers/page-worker.js', () => ({
  PageWorker: vi.fn(
    class {
      write = async ({ low }: PageRange) => ({
        ...{ written: [], sealed: low - 1, sealedThrough: null },
        unsound: { rows: 0, first: undefined },
      })
      end = async () => undefined
    },
  ),
}))

beforeEach(() => vi.clearAllMocks())

const key = { origin: 0, horizonHours: 1, model: 'a' }
const pages = async (high: number, workers: number) => {
  const reader = { path: '', keysAt: async () => [key, key] } as unknown as HistoryReader
  const work = { reader, mark: null, forecasts: high * PAGE_SIZE, workers, onPage: vi.fn() }
  const range = { high, low: 1, after: undefined, edge: null }
  await writePages({ ...work, range, context: {} as never, writer: {} as never })
  expect(work.onPage).toHaveBeenCalledTimes(high)
}

it('starts no more threads than there are ranges', async () => {
  await pages(SMALLEST_RANGE, 8)
  expect(PageWorker).toHaveBeenCalledTimes(1)
})

it('starts no more threads than it may', async () => {
  await pages(SMALLEST_RANGE * 5, 3)
  expect(PageWorker).toHaveBeenCalledTimes(3)
})
