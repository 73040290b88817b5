import { describe, expect, it } from 'vitest'
import { RULES } from '../../../bench/parts/family-series.mjs'
import {
  closeAt,
  LEAD_IN,
  madeFamily,
  madeForecasts,
  madeMarket,
  madeRandom,
  randomWindow,
} from '../../../bench/parts/made-market.mjs'
import { formatStored, MICROS_PER_HOUR } from '../../../src/contract/instant.js'
import type { PairingRow } from '../../../src/forecast/row.js'
import { computeComparatorErrors } from '../../../src/lint/power/comparator.js'
import { Resemblances } from '../../../src/lint/power/resemblance.js'
import { enumerateFamily } from '../../../src/registration/family.js'
import type { ScoredPairs } from '../../../src/scoring/scored-pairs.js'

const SIZE = { origins: 2000, longestHorizon: 16 }
const LAW = { errorCorrelation: 0.9, widthMemory: 'days', missing: 0.02 }

/** Errors in log returns at one horizon, NaN where there is no forecast. */
function errors(
  market: ReturnType<typeof madeMarket>,
  seed: string,
  law = LAW,
  reduction = 0,
): Float64Array {
  const made = madeForecasts(market, [4], law, madeRandom(seed), reduction)
  const pairs = made.get(4) as ScoredPairs
  return pairs.forecast.map((forecast, i) => Math.log(forecast / pairs.p1[i]!))
}

function correlation(a: Float64Array, b: Float64Array): number {
  let [ab, aa, bb] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    if (Number.isNaN(a[i]! * b[i]!)) continue
    ab += a[i]! * b[i]!
    aa += a[i]! ** 2
    bb += b[i]! ** 2
  }
  return ab / Math.sqrt(aa * bb)
}

describe('a made market', () => {
  it('is what its seed says', () => {
    const closes = (seed: string) => madeMarket(SIZE, madeRandom(seed)).closes.values
    expect(closes('a')).toEqual(closes('a'))
    expect(closes('a')).not.toEqual(closes('b'))
  })

  it('has fat tails and volatility that lasts', () => {
    const made = madeMarket({ ...SIZE, origins: 50_000 }, madeRandom('tails'))
    const values: Float64Array = made.closes.values
    const returns = values.slice(1).map((close, i) => Math.log(close / values[i]!))
    const mean = (of: (x: number, i: number) => number) =>
      returns.reduce((sum, x, i) => sum + of(x, i), 0) / returns.length
    const variance = mean((x) => x * x)
    expect(mean((x) => x ** 4) / variance ** 2).toBeGreaterThan(4)
    const following = mean((x, i) => (x * x - variance) * ((returns[i + 24] ?? 0) ** 2 - variance))
    expect(following).toBeGreaterThan(0)
  })

  it('knows the closes from the lead-in to the last target', () => {
    const { firstOrigin, origins, closes, volatility } = madeMarket(SIZE, madeRandom('edges'))
    const at = (hours: number) => closeAt(closes, firstOrigin + hours * MICROS_PER_HOUR)
    expect(at(-LEAD_IN)).toBe(closes.values[0])
    expect(at(-LEAD_IN - 1)).toBeUndefined()
    expect(at(origins - 1 + 16)).toBeGreaterThan(0)
    expect(at(origins + 16)).toBeUndefined()
    expect(volatility).toHaveLength(origins)
  })
})

describe('a window of real closes', () => {
  const closes = { first: 0, values: Float64Array.from({ length: 3000 }, (_, i) => 100 + i) }

  it('begins at a random hour and keeps its clock', () => {
    for (const seed of ['1', '2', '3']) {
      const { firstOrigin, closes: own } = randomWindow(closes, SIZE, madeRandom(seed))
      expect(closeAt(own, firstOrigin)).toBe(100 + firstOrigin / MICROS_PER_HOUR)
      expect(own.values).toHaveLength(LEAD_IN + 2000 + 16)
    }
  })
})

describe('made forecasters', () => {
  const market = madeMarket({ ...SIZE, origins: 20_000 }, madeRandom('market'))

  it.each([0.8, 0.95])('err with a correlation of %f', (errorCorrelation) => {
    const law = { ...LAW, errorCorrelation }
    const found = correlation(errors(market, 'one', law), errors(market, 'two', law))
    expect(Math.abs(found - errorCorrelation)).toBeLessThan(0.03)
  })

  it('err less by the reduction asked for, at every origin', () => {
    const plain = errors(market, 'same')
    const better = errors(market, 'same', LAW, 0.05)
    for (let i = 0; i < plain.length; i++) {
      if (!Number.isNaN(plain[i]!)) expect(better[i]).toBeCloseTo(0.95 * plain[i]!, 12)
    }
  })

  it('leave out the share asked for', () => {
    const left = errors(market, 'gaps').filter(Number.isNaN).length / 20_000
    expect(Math.abs(left - 0.02)).toBeLessThan(0.004)
  })
})

describe('a made family', () => {
  it('has the series of every registered test', () => {
    const market = madeMarket(SIZE, madeRandom('family'))
    const strata = [
      {
        name: 'half',
        by: 'hour_of_day' as const,
        levels: [{ level: 'night', hours: [0, 1, 2, 3, 4, 5] }],
      },
    ]
    const tests = enumerateFamily(
      { ...RULES, steps: [2, 4], strata },
      { candidates: [{ name: 'a' }], comparators: [{ name: 'b' }] },
    )
    const models = new Map(
      ['a', 'b'].map((name) => [name, madeForecasts(market, [2, 4], LAW, madeRandom(name))]),
    )
    const series = madeFamily(market, models, { tests, horizons: [2, 4], strata })
    expect(series.map(({ name }) => name)).toEqual(tests.map(({ name }) => name))
    expect(series[0]!.components).toHaveLength(2)
    const night = series.at(-1)!.components[0]!.members!
    expect(night.reduce((sum, one) => sum + one, 0)).toBe(504)
  })
})

const { closes } = madeMarket({ origins: 2000, longestHorizon: 16 }, madeRandom('resemblance'))
const [persistence] = computeComparatorErrors(closes, ['persistence'], [2, 4, 8, 16], [])

/** What a model would have to forecast so that its error is the sum of persistence's and another. */
function estimated(share: number, noise: number, origins: number) {
  const resemblances = new Resemblances(persistence!, closes, ['alpha', 'absent'])
  const random = madeRandom('noise')
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
