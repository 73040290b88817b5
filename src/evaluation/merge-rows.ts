import { type Instant, parseTimestamp } from '../contract/instant.js'
import type { PairingRow } from '../forecast/row.js'
import { compareWithinOrigin } from '../pairing/row-order.js'

/**
 * Two streams, each in origin, horizon, model order, as one in the same order: for each batch of the
 * one its rows and what of the other comes between, then what is left. Each is to be read to its end.
 */
export async function* mergeRows(
  history: AsyncIterable<Iterable<PairingRow>>,
  builtIn: Iterable<PairingRow>,
): AsyncGenerator<Iterable<PairingRow>> {
  const ours = builtIn[Symbol.iterator]()
  const theirOrigin = originReader()
  const ourOrigin = originReader()
  let next = ours.next()
  function* merged(rows: Iterable<PairingRow>): Generator<PairingRow> {
    for (const row of rows) {
      const origin = theirOrigin(row)
      for (; !next.done; next = ours.next()) {
        const step = ourOrigin(next.value) - origin || compareWithinOrigin(next.value, row)
        if (step > 0) break
        yield next.value
      }
      yield row
    }
  }
  function* rest(): Generator<PairingRow> {
    for (; !next.done; next = ours.next()) yield next.value
  }
  for await (const rows of history) yield merged(rows)
  yield rest()
}

/** Reads origins; neighbours share theirs, so only a change is parsed. */
function originReader(): (row: PairingRow) => Instant {
  let text: string | undefined
  let origin = Number.NEGATIVE_INFINITY
  return (row) => {
    if (row.originAt === text) return origin
    text = row.originAt
    const parsed = parseTimestamp(text)
    // What is no timestamp belongs nowhere in time: it goes first, as histories give it.
    origin = parsed.ok ? parsed.instant : Number.NEGATIVE_INFINITY
    return origin
  }
}
