import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareText } from '../../src/contract/order.js'
import type { AttemptRow, HistoryRow } from '../../src/forecast/row.js'
import type { HistoryEntry } from '../../src/store/history-reader.js'
import { openHistoryWriter } from '../../src/store/open.js'
import { mergeBatches } from '../../src/store/snapshot.js'
import { EPOCH, inBatches, opened } from '../history/support.js'
import { freshPaths } from '../support/folder.js'
import { storeContract } from './store-contract.js'
import { attempt, forecast } from './store-rows.js'

const fresh = freshPaths()

storeContract('SQLite', () => {
  const path = fresh()
  return {
    reader: () => opened(path),
    writer: (version) => openHistoryWriter(path, EPOCH * 1000, version),
  }
})

type Key = readonly [hour: number, horizon: number, model: string]

const order = (a: Key, b: Key) => a[0] - b[0] || a[1] - b[1] || compareText(a[2], b[2])
const keys = fc
  .uniqueArray(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 3 }), fc.constantFrom('a', 'b')), {
    selector: String,
  })
  .map((some) => some.toSorted(order))

const rowOf = ([hour, horizon, model]: Key) =>
  ({ ...forecast(hour, model, horizon), origin: undefined }) as HistoryRow
const attemptOf = ([hour, horizonHours, model]: Key): AttemptRow =>
  attempt(hour, model, { horizonHours })

/** In batches of some size, none of them empty. */
async function* batches<T>(rows: readonly T[], size: number) {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

const named = ({ forecast, attempt }: HistoryEntry) => {
  const { originAt, horizonHours, model } = forecast ?? (attempt as AttemptRow)
  return [originAt, horizonHours, model, forecast !== undefined, attempt !== undefined].join(' ')
}

describe('forecasts and attempts as one stream', () => {
  it('are the same in batches of any size', async () => {
    const sizes = fc.integer({ min: 1, max: 4 })
    await fc.assert(
      fc.asyncProperty(keys, keys, sizes, sizes, async (some, others, size, otherSize) => {
        const [forecasts, attempts] = [some.map(rowOf), others.map(attemptOf)]
        const wanted = [...new Map([...some, ...others].map((key) => [String(key), key])).values()]
          .toSorted(order)
          .map((key) => {
            const has = (all: readonly Key[]) => all.some((one) => String(one) === String(key))
            const { originAt } = rowOf(key)
            return [originAt, key[1], key[2], has(some), has(others)].join(' ')
          })
        const merged = mergeBatches(batches(forecasts, size), batches(attempts, otherSize))
        expect((await inBatches(merged)).map(named)).toEqual(wanted)
      }),
    )
  })
})
