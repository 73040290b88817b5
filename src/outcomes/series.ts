import { formatUtc, type Instant, MICROS_PER_HOUR } from '../contract/instant.js'
import { priceText } from './price.js'
import type { VintageGap } from './types.js'

export const CLOSES_HEADER = 'close_at,close_usd'

/** Hourly closes from the first to the last; NaN where an hour has none. */
export interface CloseSeries {
  readonly first: Instant
  readonly closes: Float64Array
}

/** A series of closes by their instants, all on the hour and at least one. */
export function seriesOf(closes: ReadonlyMap<Instant, number>): CloseSeries {
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const at of closes.keys()) {
    if (at < first) first = at
    if (at > last) last = at
  }
  const values = new Float64Array((last - first) / MICROS_PER_HOUR + 1).fill(Number.NaN)
  for (const [at, price] of closes) values[(at - first) / MICROS_PER_HOUR] = price
  return { first, closes: values }
}

export function lastOf({ first, closes }: CloseSeries): Instant {
  return first + (closes.length - 1) * MICROS_PER_HOUR
}

/** The close of exactly this instant. */
export function closeIn({ first, closes }: CloseSeries, instant: Instant): number | undefined {
  const close = closes[(instant - first) / MICROS_PER_HOUR]
  return close === undefined || Number.isNaN(close) ? undefined : close
}

/** One line of the normal form, without its line break. */
export function closeLine(at: Instant, price: number): string {
  return `${formatUtc(at)},${priceText(price)}`
}

/** The normal form of a series: header, one line per bar, ascending, each line ended by \n. */
export function closesText({ first, closes }: CloseSeries): string {
  const lines = [CLOSES_HEADER]
  closes.forEach((price, index) => {
    if (!Number.isNaN(price)) lines.push(closeLine(first + index * MICROS_PER_HOUR, price))
  })
  return `${lines.join('\n')}\n`
}

/** Runs of missing hours. */
export function gapsOf({ first, closes }: CloseSeries): VintageGap[] {
  const gaps: VintageGap[] = []
  let begin = -1
  closes.forEach((price, index) => {
    if (Number.isNaN(price)) {
      if (begin === -1) begin = index
      return
    }
    if (begin === -1) return
    const at = (hour: number) => formatUtc(first + hour * MICROS_PER_HOUR)
    gaps.push({ from: at(begin), to: at(index - 1), hours: index - begin })
    begin = -1
  })
  return gaps
}
