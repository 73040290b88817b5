import { instantOf, NO_INSTANT } from '../../../contract/instant.js'
import { compareText } from '../../../contract/order.js'
import type { AttemptRow, HistoryRow } from '../../../forecast/row.js'
import type { HistoryEntry } from '../entry-types.js'

/** Walks two ordered streams as one; what has one key comes together. Ends both with itself. */
export function* mergeByKey(
  forecasts: Generator<HistoryRow>,
  attempts: Generator<AttemptRow>,
): Generator<HistoryEntry> {
  try {
    let a = forecasts.next()
    let b = attempts.next()
    while (!a.done || !b.done) {
      const order = a.done ? 1 : b.done ? -1 : compare(a.value, b.value)
      yield {
        forecast: order <= 0 ? (a.value as HistoryRow) : undefined,
        attempt: order >= 0 ? (b.value as AttemptRow) : undefined,
      }
      if (order <= 0) a = forecasts.next()
      if (order >= 0) b = attempts.next()
    }
  } finally {
    // A statement that is still being read would keep its database open.
    forecasts.return(undefined)
    attempts.return(undefined)
  }
}

function compare(a: HistoryRow, b: AttemptRow): number {
  return (
    originOf(a) - originOf(b) ||
    horizonOf(a) - horizonOf(b) ||
    compareText(String(a.model ?? ''), String(b.model ?? ''))
  )
}

function originOf({ originAt }: HistoryRow | AttemptRow): number {
  return instantOf(originAt) ?? NO_INSTANT
}

/** What is no number comes last. */
function horizonOf({ horizonHours }: HistoryRow | AttemptRow): number {
  return typeof horizonHours === 'number' ? horizonHours : Number.POSITIVE_INFINITY
}
