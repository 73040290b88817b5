import { ForeproofError } from '../contract/error.js'
import { LANES, MOST_BYTES } from './kernel.js'

/** Where everything lies in the kernel's memory; plain data that workers receive. */
export interface Layout {
  readonly origins: number
  readonly blockLength: number
  readonly replicates: number
  /** N - L + 1 possible block starts. */
  readonly starts: number
  /** K = floor(N / L) draws a replicate. */
  readonly blocks: number
  /** Starts and pair counts take 32 bits instead of 16. */
  readonly wide: boolean
  readonly drawBytes: 2 | 4
  /** Replicates of one call of the kernel. */
  readonly chunk: number
  /** All draws are held at once, at `draws`; else every worker draws again per group of tiles. */
  readonly heldDraws: boolean
  readonly draws: number
  /** The most tiles that a worker takes through the replicates together. */
  readonly group: number
  /** Bytes of one worker's area, the first of which begins at `areas`. */
  readonly areas: number
  readonly areaBytes: number
  readonly bytes: number
}

/** Byte offsets inside one worker's area. */
export interface Area {
  readonly state: number
  readonly localDraws: number
  readonly table: (tile: number) => number
  readonly counts: (tile: number) => number
  readonly sums: number
  readonly sumCounts: number
}

const STATE_BYTES = 320
const CHUNK = 1024
const MEBIBYTE = 2 ** 20
const LOCAL_DRAWS = 16 * MEBIBYTE
const GROUP_STATISTICS = 64 * MEBIBYTE
const LARGEST_GROUP = 12

const align = (bytes: number): number => Math.ceil(bytes / 64) * 64

export interface Sizes {
  readonly origins: number
  readonly blockLength: number
  readonly replicates: number
  readonly workers: number
  /** Most bytes for holding all draws. */
  readonly drawBudget?: number
}

/**
 * @throws ForeproofError invalid-input when even the smallest arrangement exceeds what the kernel's
 * memory can address (a window of tens of millions of origins)
 */
export function layoutOf(sizes: Sizes): Layout {
  const { origins, blockLength, replicates, workers } = sizes
  const starts = origins - blockLength + 1
  const blocks = Math.floor(origins / blockLength)
  const wide = origins > 65_535
  const drawBytes = wide ? 4 : 2
  const allDraws = replicates * blocks * drawBytes
  const heldDraws = allDraws <= (sizes.drawBudget ?? 512 * MEBIBYTE)
  const chunk = heldDraws
    ? Math.min(CHUNK, replicates)
    : Math.max(1, Math.min(CHUNK, replicates, Math.floor(LOCAL_DRAWS / (blocks * drawBytes))))
  const group = groupSize(replicates, workers === 1 && heldDraws)
  const draws = align(STATE_BYTES)
  const areas = draws + (heldDraws ? align(allDraws) : 0)
  const layout = {
    ...({ origins, blockLength, replicates, starts, blocks, wide, drawBytes, chunk } as const),
    ...({ heldDraws, draws, group, areas } as const),
  }
  const areaBytes = sizesOfArea(layout).total
  const bytes = areas + areaBytes * workers
  if (bytes > MOST_BYTES) {
    throw new ForeproofError(
      'invalid-input',
      `${origins} origins with blocks of ${blockLength} need more memory than one run can address`,
      { help: 'Shorten the window, or use fewer worker threads.' },
    )
  }
  return { ...layout, areaBytes, bytes }
}

/** As many tiles as a worker can keep the statistics of; a lone thread gains nothing from more. */
function groupSize(replicates: number, alone: boolean): number {
  if (alone) return 1
  const room = Math.floor(GROUP_STATISTICS / (replicates * LANES * 8))
  return Math.max(1, Math.min(LARGEST_GROUP, room))
}

type AreaInput = Pick<Layout, 'starts' | 'blocks' | 'drawBytes' | 'chunk' | 'heldDraws' | 'group'>

function sizesOfArea(layout: AreaInput) {
  const { starts, blocks, drawBytes, chunk, heldDraws, group } = layout
  const localDraws = heldDraws ? 0 : align(chunk * blocks * drawBytes)
  const table = align(starts * LANES * 8)
  const counts = align(starts * LANES * drawBytes)
  const sums = align(chunk * LANES * 8)
  const sumCounts = align(chunk * LANES * drawBytes)
  const total = align(STATE_BYTES) + localDraws + group * (table + counts) + sums + sumCounts
  return { localDraws, table, counts, sums, sumCounts, total }
}

export function areaOf(layout: Layout, worker: number): Area {
  const sizes = sizesOfArea(layout)
  const state = layout.areas + worker * layout.areaBytes
  const localDraws = state + align(STATE_BYTES)
  const tables = localDraws + sizes.localDraws
  const counts = tables + layout.group * sizes.table
  const sums = counts + layout.group * sizes.counts
  return {
    state,
    localDraws,
    table: (tile) => tables + tile * sizes.table,
    counts: (tile) => counts + tile * sizes.counts,
    sums,
    sumCounts: sums + sizes.sums,
  }
}
