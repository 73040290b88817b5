import { describe, expect, it } from 'vitest'
import { formatStored, MICROS_PER_HOUR } from '../../../src/contract/instant.js'
import type { PairingRow } from '../../../src/forecast/row.js'
import { comparatorErrors } from '../../../src/lint/power/comparator.js'
import { madeMarket } from '../../../src/lint/power/market.js'
import { seededRandom } from '../../../src/lint/power/random.js'
import { Resemblances } from '../../../src/lint/power/resemblance.js'

const { closes } = madeMarket({ origins: 2000, longestHorizon: 16 }, seededRandom('resemblance'))
const [persistence] = comparatorErrors(closes, ['persistence'], [2, 4, 8, 16], [])

/** What a model would have to forecast so that its error is the sum of persistence's and another. */
function estimated(share: number, noise: number, origins: number) {
  const resemblances = new Resemblances(persistence!, closes, ['alpha', 'absent'])
  const random = seededRandom('noise')
  for (let hour = 0; hour < origins; hour++) {
    for (const horizon of [2, 4, 8, 16]) {
      const [p0, p1] = [closes.values[hour]!, closes.values[hour + horizon]!]
      const error = share * Math.log(p0 / p1) + noise * random.normal()
      resemblances.add({
        model: 'alpha',
        horizon,
        originAt: formatStored(closes.first + hour * MICROS_PER_HOUR),
        forecast: p1 * Math.exp(error),
      } as PairingRow)
    }
  }
  return resemblances
}

describe('resemblance', () => {
  it('is the correlation of the errors, of any size', () => {
    expect(estimated(1, 0, 500).found).toEqual([
      { candidate: 'alpha', correlation: 0.999, pairs: 500 },
    ])
    expect(estimated(0.3, 0, 500).found[0]!.correlation).toBe(0.999)
    expect(estimated(-1, 0, 500).found[0]!.correlation).toBe(0)
    const alike = estimated(1, 0.01, 1500).found[0]!.correlation
    expect(alike).toBeGreaterThan(0.5)
    expect(alike).toBeLessThan(0.95)
  })

  it('is not estimated from few pairs', () => {
    const few = estimated(1, 0, 99)
    expect(few.found).toEqual([])
    expect(few.missed).toEqual([
      { candidate: 'alpha', pairs: 99 },
      { candidate: 'absent', pairs: 0 },
    ])
    expect(estimated(1, 0, 100).missed).toEqual([{ candidate: 'absent', pairs: 0 }])
  })
})
