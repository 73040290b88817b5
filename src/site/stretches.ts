import type { RowKey } from '../forecast/row.js'
import type { HistoryReader } from '../history/store/types.js'
import { PAGE_SIZE } from './plan.js'
import type { PageRange, RangeResult } from './range.js'

/** So much of all pages is given to the threads in equal parts first, the rest in parts of what is left. */
const FIRST_SHARE = 0.6
/** So few pages are not cut any more. */
const SMALLEST = 64

/**
 * Cuts pages into stretches for threads that come for one after the other, the newest pages first. The
 * last ones are small, so that no thread works long while another has nothing left to do.
 */
export class Stretches {
  private high: number
  private after: RowKey | undefined
  private given = 0
  private turn: Promise<PageRange | undefined> = Promise.resolve(undefined)

  /**
   * @param forecasts rows of the whole history.
   * @param threads how many will come.
   */
  constructor(
    private readonly reader: HistoryReader,
    private readonly forecasts: number,
    private readonly range: PageRange,
    private readonly threads: number,
  ) {
    this.high = range.high
    this.after = range.after
  }

  /** The next stretch; undefined when all are given. Whoever comes waits for those before. */
  next(): Promise<PageRange | undefined> {
    this.turn = this.turn.then(() => this.give())
    return this.turn
  }

  private async give(): Promise<PageRange | undefined> {
    const { high, after } = this
    const { edge } = this.range
    const low = this.cut()
    if (low > high) return undefined
    // Two stretches meet at rows that both must see where they are now.
    const border = low === this.range.low ? [] : await this.keysAround(low)
    const [last, first] = border
    this.given++
    if (last === undefined || first === undefined) {
      this.high = this.range.low - 1
      return { high, low: this.range.low, after, edge }
    }
    this.high = low - 1
    this.after = last
    return { high, low, after, edge: first }
  }

  /** The lowest page of the next stretch. */
  private cut(): number {
    const { high, given, threads } = this
    const { low } = this.range
    const left = high - low + 1
    if (left <= SMALLEST) return low
    const whole = given < threads ? (this.range.high - low + 1) * FIRST_SHARE : left
    return high - Math.ceil(whole / threads) + 1
  }

  /** The last row of a page, and the row after it. */
  private async keysAround(page: number): Promise<readonly RowKey[]> {
    const { reader, forecasts } = this
    return (await reader.keysAt(forecasts - (page - 1) * PAGE_SIZE - 1, 2, forecasts)) ?? []
  }
}

/** What a thread has made of a stretch. */
export interface MadeStretch extends RangeResult {
  readonly range: PageRange
}

/** The result of all stretches of a range, whoever made them and when. */
export function joined(stretches: readonly MadeStretch[]): RangeResult {
  const upwards = [...stretches].sort((a, b) => a.range.low - b.range.low)
  const [lowest, ...others] = upwards as [MadeStretch, ...MadeStretch[]]
  let top = lowest
  for (const next of others) {
    if (top.sealed < top.range.high || next.sealed < next.range.low) break
    top = next
  }
  const { sealed, sealedThrough } = top
  return { written: upwards.reverse().flatMap(({ written }) => written), sealed, sealedThrough }
}
