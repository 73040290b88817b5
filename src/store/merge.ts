import { instantOf, NO_INSTANT } from '../contract/instant.js'
import { compareText } from '../contract/order.js'
import type { AttemptRow, HistoryRow } from '../forecast/row.js'
import type { HistoryEntry } from './types.js'

/** Walks two ordered streams as one, both in batches of which none is empty; what has one key comes together. */
export async function* mergeBatches(
  forecasts: AsyncGenerator<readonly HistoryRow[]>,
  attempts: AsyncGenerator<readonly AttemptRow[]>,
): AsyncGenerator<readonly HistoryEntry[], void, undefined> {
  try {
    let a = await after([], forecasts)
    let b = await after([], attempts)
    for (;;) {
      const [lastA, lastB] = [a.at(-1), b.at(-1)]
      if (lastA === undefined && lastB === undefined) return
      // What comes up to the nearer end of the two batches is there from both.
      const order = lastA === undefined ? 1 : lastB === undefined ? -1 : compare(lastA, lastB)
      const upToA =
        order <= 0 ? a.length : countOf(a, (row) => compare(row, lastB as AttemptRow) <= 0)
      const upToB =
        order >= 0 ? b.length : countOf(b, (row) => compare(lastA as HistoryRow, row) >= 0)
      yield mergedRows(a.slice(0, upToA), b.slice(0, upToB))
      a = await after(a.slice(upToA), forecasts)
      b = await after(b.slice(upToB), attempts)
    }
  } finally {
    // A statement that is still being read would keep its database open.
    await forecasts.return(undefined)
    await attempts.return(undefined)
  }
}

/** How many rows there are before the first of which it does not hold. */
function countOf<T>(rows: readonly T[], holds: (row: T) => boolean): number {
  const end = rows.findIndex((row) => !holds(row))
  return end < 0 ? rows.length : end
}

function mergedRows(forecasts: readonly HistoryRow[], attempts: readonly AttemptRow[]) {
  const entries: HistoryEntry[] = []
  for (let a = 0, b = 0; a < forecasts.length || b < attempts.length; ) {
    const [forecast, attempt] = [forecasts[a], attempts[b]]
    const order =
      forecast === undefined ? 1 : attempt === undefined ? -1 : compare(forecast, attempt)
    entries.push({
      forecast: order <= 0 ? forecast : undefined,
      attempt: order >= 0 ? attempt : undefined,
    })
    if (order <= 0) a++
    if (order >= 0) b++
  }
  return entries
}

/** What is left of a batch, or the next one. */
async function after<T>(left: readonly T[], batches: AsyncIterator<readonly T[]>) {
  if (left.length > 0) return left
  const next = await batches.next()
  return next.done === true ? [] : next.value
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
