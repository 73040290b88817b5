import type { PairingRow } from '../forecast/row.js'
import { Clock } from '../pairing/clock.js'
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
  const clock = new Clock()
  let next = ours.next()
  function* merged(rows: Iterable<PairingRow>): Generator<PairingRow> {
    for (const row of rows) {
      // What is no timestamp belongs nowhere in time: it goes first, as histories give it.
      const read = clock.read(row.originAt)
      const origin = Number.isNaN(read) ? Number.NEGATIVE_INFINITY : read
      for (; !next.done; next = ours.next()) {
        const step =
          clock.read(next.value.originAt) - origin || compareWithinOrigin(next.value, row)
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
