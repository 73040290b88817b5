import type { Instant } from '../../../contract/instant.js'
import { instantOf, NO_INSTANT } from '../../../contract/instant.js'
import { compareText } from '../../../contract/order.js'
import type { RawValue } from '../../../forecast/row.js'

interface KeyedRow {
  readonly originAt: RawValue
  readonly model: RawValue
  readonly horizonHours?: RawValue
  /** The same under the name that pairing has for it. */
  readonly horizon?: number
}

/** Walks two ordered streams as one; rows of one key come together. Ends both with itself. */
export function* mergeByKey<A extends KeyedRow, B extends KeyedRow>(
  left: Generator<A>,
  right: Generator<B>,
): Generator<readonly [A | undefined, B | undefined]> {
  try {
    yield* merged(left, right)
  } finally {
    // A statement that is still being read would keep its database open.
    left.return(undefined)
    right.return(undefined)
  }
}

function* merged<A extends KeyedRow, B extends KeyedRow>(
  left: Generator<A>,
  right: Generator<B>,
): Generator<readonly [A | undefined, B | undefined]> {
  const keyOfLeft = keyReader()
  const keyOfRight = keyReader()
  let a = left.next()
  let b = right.next()
  while (!a.done || !b.done) {
    const order = a.done ? 1 : b.done ? -1 : compare(keyOfLeft(a.value), keyOfRight(b.value))
    yield [order <= 0 ? (a.value as A) : undefined, order >= 0 ? (b.value as B) : undefined]
    if (order <= 0) a = left.next()
    if (order >= 0) b = right.next()
  }
}

type Key = readonly [origin: Instant, horizon: number, model: string]

/** Rows of one origin follow one another, so its text is read once. */
function keyReader(): (row: KeyedRow) => Key {
  let text: RawValue | undefined
  let origin = NO_INSTANT
  return (row) => {
    if (row.originAt !== text) {
      text = row.originAt
      origin = instantOf(text) ?? NO_INSTANT
    }
    const horizon = row.horizon ?? row.horizonHours
    const hours = typeof horizon === 'number' && !Number.isNaN(horizon) ? horizon : Infinity
    return [origin, hours, String(row.model ?? '')]
  }
}

function compare(a: Key, b: Key): number {
  return a[0] - b[0] || a[1] - b[1] || compareText(a[2], b[2])
}
