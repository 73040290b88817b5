import { instantOf, NO_INSTANT } from '../../contract/instant.js'
import { compareText } from '../../contract/order.js'
import type { AttemptRow, HistoryRow } from '../../forecast/row.js'
import type { HistoryEntry } from './entry-types.js'

/** Walks two ordered streams as one; what has one key comes together. Ends both with itself. */
export function* mergeByKey(
  forecasts: Iterator<HistoryRow>,
  attempts: Iterator<AttemptRow>,
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
    forecasts.return?.(undefined)
    attempts.return?.(undefined)
  }
}

/** The same for streams that come in batches; none of them is empty. */
export async function* mergeBatches(
  forecasts: AsyncIterator<readonly HistoryRow[]>,
  attempts: AsyncIterator<readonly AttemptRow[]>,
): AsyncGenerator<readonly HistoryEntry[], void, undefined> {
  let a = await after([], forecasts)
  let b = await after([], attempts)
  for (;;) {
    const [lastA, lastB] = [a.at(-1), b.at(-1)]
    if (lastA === undefined && lastB === undefined) return
    // What comes up to the nearer end of the two batches is there from both.
    const order = lastA === undefined ? 1 : lastB === undefined ? -1 : compare(lastA, lastB)
    const [upToA, upToB] = [
      order <= 0 ? a.length : a.findIndex((row) => lastB !== undefined && compare(row, lastB) > 0),
      order >= 0 ? b.length : b.findIndex((row) => lastA !== undefined && compare(lastA, row) < 0),
    ].map((index) => Math.max(index, 0)) as [number, number]
    yield [...mergeByKey(a.slice(0, upToA).values(), b.slice(0, upToB).values())]
    a = await after(a.slice(upToA), forecasts)
    b = await after(b.slice(upToB), attempts)
  }
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
