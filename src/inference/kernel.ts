import { ForeproofError } from '../contract/error.js'
import { KERNEL_BASE64 } from './generated/kernel.js'

// @types/node for Node 20 has no WebAssembly; this is what the kernel needs of it.
declare const WebAssembly: {
  Memory: new (descriptor: { initial: number; maximum: number; shared: true }) => KernelMemory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

/** Shared linear memory: threads that receive it see the same bytes. */
export interface KernelMemory {
  readonly buffer: SharedArrayBuffer
}

/** Adds up the drawn blocks of eight lanes; addresses are byte offsets, all but draws 16-aligned. */
type SumBlocks = (
  table: number,
  counts: number,
  draws: number,
  blocks: number,
  replicates: number,
  out: number,
  outCounts: number,
) => void

/** Writes `count` block starts in [0, starts) and moves the generator state on. */
type DrawStarts = (state: number, out: number, count: number, starts: number) => void

/** Turns rows of eight series, NaN where there is no pair, into block sums; overwrites the rows. */
type SumRows = (rows: number, origins: number, blockLength: number, table: number) => void

/** Counts the pairs in every block of such rows. */
type CountRows = (rows: number, origins: number, blockLength: number, counts: number) => void

/** The compiled functions; `narrow` holds starts and counts in 16 bits, `wide` in 32. */
export interface Kernel {
  readonly block_sums: SumRows
  readonly block_counts_narrow: CountRows
  readonly block_counts_wide: CountRows
  readonly dense_narrow: SumBlocks
  readonly counted_narrow: SumBlocks
  readonly draws_narrow: DrawStarts
  readonly dense_wide: SumBlocks
  readonly counted_wide: SumBlocks
  readonly draws_wide: DrawStarts
  /** Sum, least, greatest (64 bits); then numbers filled, at most 0, at least 0 (32 bits). */
  readonly moments: (statistics: number, count: number, out: number) => void
  /** Sum of squared distances from the mean. */
  readonly squares: (statistics: number, count: number, mean: number) => number
  /**
   * Copies the values at most `low` and at least `high`, and writes how many (32 bits each); stops
   * where either is `room` + 1.
   */
  readonly outside: (
    statistics: number,
    count: number,
    low: number,
    high: number,
    room: number,
    below: number,
    above: number,
    out: number,
  ) => void
}

/** Series that one pass of the kernel sums side by side. */
export const LANES = 8

const PAGE = 65_536
const MOST_PAGES = 65_536

/** The most bytes one kernel memory can have: 4 GiB. */
export const MOST_BYTES = PAGE * MOST_PAGES

/**
 * Pages are given by the system when first touched, so untouched room costs nothing.
 *
 * @throws ForeproofError unavailable when the system has no room for it
 */
export function kernelMemory(bytes: number): KernelMemory {
  const pages = Math.ceil(bytes / PAGE)
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  } catch (cause) {
    throw new ForeproofError(
      'unavailable',
      `${Math.ceil(bytes / 2 ** 20)} MiB of memory are not available`,
      {
        help: 'Free some memory or address space (ulimit -v), or use fewer worker threads.',
        cause,
      },
    )
  }
}

export function instantiate(memory: KernelMemory): Kernel {
  const module = new WebAssembly.Module(Buffer.from(KERNEL_BASE64, 'base64'))
  const instance = new WebAssembly.Instance(module, { foreproof: { memory } })
  return instance.exports as Kernel
}
