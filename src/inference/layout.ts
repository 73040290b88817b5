import { ForeproofError } from '../contract/error.js'
import { LANES, MOST_BYTES } from './kernel.js'

/** Where everything lies in the kernel's memory; plain data that workers receive. */
export interface KernelLayout {
  readonly origins: number
  readonly blockLength: number
  readonly replicates: number
  /** Threads, each with an area of its own. */
  readonly workers: number
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
  readonly sharedDraws: boolean
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
  /** The series of a tile, a row per origin. */
  readonly rows: number
  readonly table: (tile: number) => number
  readonly counts: (tile: number) => number
  readonly sums: number
  readonly sumCounts: number
  /** A double per replicate: the test that is being summarised. */
  readonly statistics: number
  /** Its outer values, `outerRoom` and one more on either side, and figures of it. */
  readonly below: number
  readonly above: number
  readonly figures: number
}

/** Room for a state of the generator; the seeded one lies at 0. */
export const STATE_BYTES = 320
const CHUNK = 1024
const MEBIBYTE = 2 ** 20
const LOCAL_DRAWS = 16 * MEBIBYTE
const GROUP_STATISTICS = 64 * MEBIBYTE
const LARGEST_GROUP = 12

/** The most values of one tail that are told apart from the rest, for so many replicates. */
export const outerRoom = (replicates: number): number => Math.ceil(replicates / 4) + 1024

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
export function layoutOf(sizes: Sizes): KernelLayout {
  const { origins, blockLength, replicates, workers } = sizes
  const starts = origins - blockLength + 1
  const blocks = Math.floor(origins / blockLength)
  const wide = origins > 65_535
  const drawBytes = wide ? 4 : 2
  const allDraws = replicates * blocks * drawBytes
  const sharedDraws = allDraws <= (sizes.drawBudget ?? 512 * MEBIBYTE)
  const chunk = sharedDraws
    ? Math.min(CHUNK, replicates)
    : Math.max(1, Math.min(CHUNK, replicates, Math.floor(LOCAL_DRAWS / (blocks * drawBytes))))
  const group = sharedDraws ? 1 : groupSize(replicates)
  const draws = align(STATE_BYTES)
  const areas = draws + (sharedDraws ? align(allDraws) : 0)
  const layout = {
    ...({ origins, blockLength, replicates, workers, starts, blocks, wide } as const),
    ...({ drawBytes, chunk, sharedDraws, draws, group, areas } as const),
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

/** Every group costs another drawing of all replicates: as many tiles as memory has room for. */
function groupSize(replicates: number): number {
  const room = Math.floor(GROUP_STATISTICS / (replicates * LANES * 8))
  return Math.max(1, Math.min(LARGEST_GROUP, room))
}

type AreaInput = Pick<
  KernelLayout,
  'origins' | 'starts' | 'replicates' | 'blocks' | 'drawBytes' | 'chunk' | 'sharedDraws' | 'group'
>

function sizesOfArea(layout: AreaInput) {
  const { origins, starts, replicates, blocks, drawBytes, chunk, sharedDraws, group } = layout
  const sizes = {
    state: align(STATE_BYTES),
    localDraws: sharedDraws ? 0 : align(chunk * blocks * drawBytes),
    rows: align(origins * LANES * 8),
    table: align(starts * LANES * 8),
    counts: align(starts * LANES * drawBytes),
    sums: align(chunk * LANES * 8),
    sumCounts: align(chunk * LANES * drawBytes),
    statistics: align(replicates * 8),
    outer: align((outerRoom(replicates) + 1) * 8),
    figures: 64,
  }
  const { table, counts, outer, ...single } = sizes
  const singles = Object.values(single).reduce((sum, size) => sum + size, 0)
  return { ...sizes, total: singles + group * (table + counts) + 2 * outer }
}

export function areaOf(layout: KernelLayout, worker: number): Area {
  const sizes = sizesOfArea(layout)
  let end = layout.areas + worker * layout.areaBytes
  const next = (size: number): number => {
    end += size
    return end - size
  }
  const state = next(sizes.state)
  const localDraws = next(sizes.localDraws)
  const rows = next(sizes.rows)
  const tables = next(layout.group * sizes.table)
  const counts = next(layout.group * sizes.counts)
  return {
    state,
    localDraws,
    rows,
    table: (tile) => tables + tile * sizes.table,
    counts: (tile) => counts + tile * sizes.counts,
    sums: next(sizes.sums),
    sumCounts: next(sizes.sumCounts),
    statistics: next(sizes.statistics),
    below: next(sizes.outer),
    above: next(sizes.outer),
    figures: next(sizes.figures),
  }
}
