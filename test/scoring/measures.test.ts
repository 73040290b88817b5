import { describe, expect, it } from 'vitest'
import { familySeries } from '../../src/inference/family-series.js'
import { Memberships } from '../../src/pairing/accounting.js'
import { hoursFrom } from '../../src/pairing/hourly.js'
import { hourlySource } from '../../src/registration/family.js'
import type { Measure } from '../../src/registration/types.js'
import {
  type ColumnMeans,
  columnMeans,
  figuresOf,
  lossColumns,
  overallMeans,
} from '../../src/scoring/columns.js'
import { type Measures, SCORER_VERSION } from '../../src/scoring/measures.js'
import { meanOf } from '../../src/scoring/sum.js'
import { distance, golden, type MeasuresGolden, pairsOf } from './golden.js'

const figures = golden<MeasuresGolden>('measures')
const mask = Uint8Array.from(figures.mask)
const cells = figures.models.map((_, model) => {
  const pairs = pairsOf(figures, model)
  return { pairs, columns: lossColumns(pairs, 1e-6) }
})

/** Our figures under the names of the outside ones. */
function flat(measures: Measures): Record<string, number | null> {
  const { direction, interval } = measures
  return {
    pointLoss: measures.point_loss,
    absolutePercentError: measures.absolute_percent_error,
    logReturnBias: measures.log_return_bias,
    percentBias: measures.percent_bias,
    directionError: direction.error_rate,
    'pinball_0.1': interval.pinball['0.1'],
    'pinball_0.5': interval.pinball['0.5'],
    'pinball_0.9': interval.pinball['0.9'],
    intervalScore: interval.score,
    coverage: interval.coverage,
    width: interval.width,
    widthPercent: interval.width_percent,
  }
}

describe('against numpy, to 1e-12', () => {
  it.each([0, 1])('the measures of model %d, over all origins and over a level', (model) => {
    const expected = figures.means[model] as MeasuresGolden['means'][number]
    const { columns } = cells[model] as (typeof cells)[number]
    for (const [where, members] of [
      ['all', undefined],
      ['masked', mask],
    ] as const) {
      const measures = figuresOf(columnMeans(columns, members), SCORER_VERSION)
      for (const [name, found] of Object.entries(flat(measures))) {
        expect(distance(found, expected[name]![where].mean), name).toBeLessThan(1e-12)
      }
      expect(measures.pairs).toBe(expected.pointLoss![where].count)
      expect(measures.interval.pairs).toBe(expected.intervalScore![where].count)
      expect(measures.direction.eligible).toBe(expected.directionError![where].count)
      expect(measures.direction.accuracy).toBe(1 - measures.direction.error_rate!)
      expect(measures.interval.coverage_difference).toBe(measures.interval.coverage! - 0.8)
    }
  })

  const NAMES = {
    point_loss: 'pointLoss',
    direction_error: 'directionError',
    interval_score: 'intervalScore',
    'pinball_0.1': 'pinball_0.1',
    'pinball_0.5': 'pinball_0.5',
    'pinball_0.9': 'pinball_0.9',
    coverage: 'coverage',
  }
  it.each(Object.entries(NAMES))('the differences of %s', (measure, name) => {
    const memberships = new Memberships(
      [{ name: 's', levels: ['in'], levelOf: (at) => (mask[at / 3.6e9] === 1 ? 'in' : undefined) }],
      hoursFrom(0, mask.length),
    )
    const test = { candidate: '0', comparator: '1', measure: measure as Measure, horizon: 2 }
    const [all, masked] = familySeries(
      [
        { ...test, name: 'all', stratum: 'all' },
        { ...test, name: 'masked', stratum: { name: 's', level: 'in' } },
      ],
      hourlySource([2], (model) => cells[Number(model)]!),
      memberships,
    )
    for (const [found, expected] of [
      [all!, figures.comparisons[name]!.all],
      [masked!, figures.comparisons[name]!.masked],
    ] as const) {
      const { values, members } = found.components[0]!
      const { count, mean } = meanOf(values, members)
      expect(count).toBe(expected.count)
      // A mean difference is small beside what it is a difference of.
      expect(Math.abs(mean! - expected.mean)).toBeLessThan(1e-12 * expected.comparator)
      expect(distance(found.comparatorMean, expected.comparator)).toBeLessThan(1e-12)
    }
    expect(all!.components[0]!.values).toBe(masked!.components[0]!.values)
  })
})

describe('overall', () => {
  const of = (mean: number | null, count: number): ColumnMeans => ({
    ...columnMeans(cells[0]!.columns),
    point_loss: { mean, count },
  })
  const overall = (...horizons: ColumnMeans[]) => figuresOf(overallMeans(horizons), SCORER_VERSION)

  it('is the unweighted mean of the horizons, with any numbers of pairs', () => {
    const found = overall(of(1, 10), of(2, 1), of(3, 1), of(6, 1000))
    expect(found.point_loss).toBe(3)
    expect(found.pairs).toBe(1012)
  })

  it('does not exist while a horizon has no pair', () => {
    expect(overall(of(1, 10), of(null, 0)).point_loss).toBeNull()
  })
})
