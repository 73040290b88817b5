import { describe, expect, it } from 'vitest'
import { MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { estimandIn } from '../../src/evaluation/reading/basis.js'
import { computeCellDifferences, createTestComponent } from '../../src/inference/family-series.js'
import { originsAt } from '../../src/pairing/make-plan.js'
import type { PairedAttempt } from '../../src/pairing/paired-attempt.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { hourlyBaselineRows } from '../../src/scoring/baselines/hourly-baselines.js'
import { logReturnBias, percentBias } from '../../src/scoring/bias.js'
import { type ScoredCell, scoreCell } from '../../src/scoring/cells.js'
import { covered } from '../../src/scoring/coverage.js'
import { countKeys, KEY, keyCodes } from '../../src/scoring/differences.js'
import { directionError } from '../../src/scoring/direction.js'
import { intervalScore } from '../../src/scoring/interval-score.js'
import { listMeasures } from '../../src/scoring/measures.js'
import { Panel } from '../../src/scoring/panel.js'
import { absolutePercentError } from '../../src/scoring/percent-error.js'
import { pinball } from '../../src/scoring/pinball.js'
import { pointLoss } from '../../src/scoring/point-loss.js'
import { average, averageMeans } from '../../src/scoring/sum.js'
import { width, widthPercent } from '../../src/scoring/width.js'
import { attemptsOf, type HourlyPlan } from '../pairing/made.js'
import { frozen } from '../registration/made.js'
import {
  type BaselinesGolden,
  closesFrom,
  column,
  distance,
  golden,
  HORIZONS,
  type MeasuresGolden,
  pairsOf,
} from './golden.js'

const RULES = compileRules(frozen('btcusd-hourly-1'))
const MEASURES = listMeasures(RULES, [])

/** The differences of two models by any measure. */
const source = (getCell: (model: string, cell: number) => ScoredCell) => ({
  getCell,
  getEstimand: (measure: string) => estimandIn(RULES, measure),
})

const figures = golden<MeasuresGolden>('measures')
const mask = Uint8Array.from(figures.mask)
const cells = figures.models.map((_, model) => {
  const pairs = pairsOf(figures, model)
  return scoreCell(pairs, MEASURES, 0)
})

/** The names of the outside figures. */
const outside = (name: string) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

describe('against numpy, to 1e-12', () => {
  it.each([0, 1])('the measures of model %d, over all origins and over a level', (model) => {
    const expected = figures.means[model] as MeasuresGolden['means'][number]
    const { columns } = cells[model] as (typeof cells)[number]
    const names = MEASURES.map(({ id }) => id)
    const measures = names.filter((measure) => Object.hasOwn(expected, outside(measure)))
    expect(measures).toHaveLength(Object.keys(expected).length)
    for (const [where, members] of [
      ['all', undefined],
      ['masked', mask],
    ] as const) {
      for (const measure of measures) {
        const name = outside(measure)
        const { mean: found, count } = average(columns[measure]!, members)
        expect(distance(found, expected[name]![where].mean), name).toBeLessThan(1e-12)
        expect([name, count]).toEqual([name, expected[name]![where].count])
      }
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
    const test = { candidate: '0', comparator: '1', measure }
    const of = source((model) => cells[Number(model)]!)
    const differences = computeCellDifferences(of)
    const all = createTestComponent(test, 2, of.getCell, differences)
    const masked = createTestComponent(test, 2, of.getCell, differences, mask)
    for (const [found, expected] of [
      [all, figures.comparisons[name]!.all],
      [masked, figures.comparisons[name]!.masked],
    ] as const) {
      const { values, members } = found
      const { count, mean } = average(values, members)
      expect(count).toBe(expected.count)
      // A mean difference is small beside what it is a difference of.
      expect(Math.abs(mean! - expected.mean)).toBeLessThan(1e-12 * expected.comparator)
      expect(distance(found.comparatorMean, expected.comparator)).toBeLessThan(1e-12)
    }
    expect(all.values).toBe(masked.values)
  })
})

describe('overall', () => {
  it('is the unweighted mean of the horizons, and none while one has no pair', () => {
    expect(averageMeans([1, 2, 3, 6])).toBe(3)
    expect(averageMeans([1, null])).toBeNull()
  })
})

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

describe('published figures', () => {
  it('interval score and pinball of Hyndman & Athanasopoulos, FPP3 §5.9', () => {
    expect(intervalScore(744.54, 773.22, 741.84)).toBeCloseTo(55.68, 10)
    expect(pinball(0.1, 744.54, 741.84)).toBeCloseTo(2.43, 10)
    expect(10 * (pinball(0.1, 744.54, 741.84) + pinball(0.9, 773.22, 741.84))).toBeCloseTo(
      55.68,
      10,
    )
  })

  it.each([
    [10, 20, 12, 10],
    [15, 25, 14, 20],
    [21, 30, 32, 29],
  ])('interval score of nci/scores: [%d, %d] at %d is %d', (lower, upper, outcome, score) => {
    expect(intervalScore(lower, upper, outcome)).toBeCloseTo(score, 12)
  })

  it('pinball of the sktime documentation', () => {
    const outcomes = [3, -0.5, 2, 7, 2]
    const medians = [2.5, 0, 2, 8, 1.25]
    const losses = outcomes.map((outcome, at) => pinball(0.5, medians[at] as number, outcome))
    expect(mean(losses)).toBeCloseTo(0.275, 12)
  })

  it('pinball at the levels 0.1 and 0.9', () => {
    const outcomes = [1, 2, 3]
    const quantiles = [0, 2, 3]
    const at = (level: number) =>
      mean(outcomes.map((outcome, index) => pinball(level, quantiles[index] as number, outcome)))
    expect(at(0.1)).toBeCloseTo(1 / 30, 12)
    expect(at(0.9)).toBeCloseTo(0.3, 12)
  })
})

describe('direction', () => {
  const epsilon = 1e-6

  it.each([
    [0.01, 0.02, 0],
    [-0.01, -0.02, 0],
    [0.01, -0.02, 1],
    [-0.01, 0.02, 1],
    // The edge of the band belongs to it.
    [1e-6, 0.02, Number.NaN],
    [0.01, -1e-6, Number.NaN],
    [0, 0.02, Number.NaN],
    [1.000001e-6, 0.02, 0],
  ])('of %d against %d is %d', (predicted, realised, error) => {
    expect(directionError(predicted, realised, epsilon)).toBe(error)
  })
})

it('what is missing stays missing in every measure', () => {
  const { NaN: none } = Number
  expect([
    pointLoss(none, 1),
    pointLoss(1, none),
    absolutePercentError(none, 1),
    logReturnBias(1, none),
    percentBias(none, 1),
    directionError(none, 1, 0),
    directionError(1, none, 0),
    pinball(0.1, none, 1),
    pinball(0.9, 1, none),
    intervalScore(none, 1, 0),
    intervalScore(0, none, 0),
    intervalScore(0, 1, none),
    covered(none, 1, 0),
    covered(0, 1, none),
    width(none, 1),
    widthPercent(0, none, 1),
    widthPercent(0, 1, none),
  ]).toEqual(new Array(17).fill(none))
})

const prices = column(golden<BaselinesGolden>('baselines').closes)
const closes = closesFrom(prices)
const first = 1480 * MICROS_PER_HOUR
const origins = 60
const models = ['drift_24h', 'persistence']

const PLAN: HourlyPlan = {
  ...{ from: first, to: first + (origins - 1) * MICROS_PER_HOUR, models, horizons: HORIZONS },
  asOf: (prices.length - 1) * MICROS_PER_HOUR,
  ...{ mode: 'backtest', provenanceRequired: true },
}

const hours = originsAt(Array.from({ length: origins }, (_, at) => first / MICROS_PER_HOUR + at))

function paired(extra: Partial<HourlyPlan>): Promise<PairedAttempt[]> {
  const positions = Array.from({ length: origins }, (_, index) => hours.position(index))
  const rows = hourlyBaselineRows(RULES, closes, models, positions)
  const closeAt = (instant: number) => {
    const price = prices[instant / MICROS_PER_HOUR]
    return price === undefined || Number.isNaN(price) ? undefined : price
  }
  return attemptsOf({ ...PLAN, ...extra }, { closeAt }, rows)
}

const shape = { origins: hours, models, cells: HORIZONS, levels: 3 }

describe('from built-in baselines to series', async () => {
  const attempts = await paired({ builtIn: new Set(models) })
  const panel = new Panel(shape)
  for (const attempt of attempts) panel.add(attempt)
  const getCell = (model: string, horizon: number) => {
    const pairs = panel.pairs(model, horizon)
    return scoreCell(pairs, MEASURES, 0)
  }

  const differences = computeCellDifferences(source(getCell))
  const found = (measure: string, horizon: number) =>
    createTestComponent(
      { candidate: 'drift_24h', comparator: 'persistence', measure },
      horizon,
      getCell,
      differences,
    )

  it('built-in rows need no recorded provenance, others do', async () => {
    expect(attempts.some((attempt) => attempt.status === 'scored')).toBe(true)
    const without = await paired({})
    expect(without.some((attempt) => attempt.reason === 'provenance_missing')).toBe(true)
    expect(without.some((attempt) => attempt.status === 'scored')).toBe(false)
  })

  it('holds exactly the scored pairs', () => {
    for (const model of models) {
      for (const horizon of HORIZONS) {
        const scored = attempts.filter(
          (attempt) =>
            attempt.model === model && attempt.horizon === horizon && attempt.status === 'scored',
        )
        const { forecast, p1 } = panel.pairs(model, horizon)
        expect(forecast.filter((price) => !Number.isNaN(price))).toHaveLength(scored.length)
        for (const attempt of scored) {
          const index = attempt.origin! - first / MICROS_PER_HOUR
          expect(forecast[index]).toBe(attempt.forecast)
          expect(p1[index]).toBe(attempt.p1)
        }
      }
    }
  })

  it('scores persistence without a direction, and so leaves nothing to compare there', () => {
    const direction = found('direction_error', 2)
    expect(direction.comparatorMean).toBeNull()
    expect(direction.values.every(Number.isNaN)).toBe(true)
    expect(found('point_loss', 2).comparatorMean).toBeGreaterThan(0)
  })

  it('refuses what the window has no room for', () => {
    const scored = attempts.find((attempt) => attempt.status === 'scored')!
    expect(() => panel.add({ ...scored, origin: first - MICROS_PER_HOUR })).toThrow(/window/)
    expect(() => panel.add({ ...scored, model: 'other' })).toThrow(/other/)
  })
})

describe('shared keys', async () => {
  const attempts = await paired({ builtIn: new Set(models) })
  const attempt = attempts.find((one) => one.status === 'scored')!
  const [ours, theirs] = models as [string, string]
  const at = (model: string, hour: number, vintage: readonly [string | null, string | null]) => ({
    ...attempt,
    model,
    origin: first / MICROS_PER_HOUR + hour,
    vintageId: vintage[0],
    vintageSha256: vintage[1],
  })
  const panel = new Panel(shape)
  const horizon = attempt.horizon
  // Both; both of one vintage; one silent; another digest; only ours; only theirs; another name; a
  // digest that one does not record; then neither.
  for (const [hour, a, b] of [
    [0, [null, null], [null, null]],
    [1, ['v', 'x'], ['v', 'x']],
    [2, [null, null], ['v', 'x']],
    [3, ['v', 'x'], ['v', 'y']],
    [4, [null, null], undefined],
    [5, undefined, [null, null]],
    [6, ['v', 'x'], ['w', 'x']],
    [7, ['v', 'x'], ['v', null]],
  ] as const) {
    if (a) panel.add(at(ours, hour, a))
    if (b) panel.add(at(theirs, hour, b))
  }
  const keys = keyCodes(panel.pairs(ours, horizon), panel.pairs(theirs, horizon), 'point')

  it('are counted with what the others were lost to', () => {
    const unscored = { candidate_not_scored: 1, comparator_not_scored: 1 }
    const lost = { ...unscored, neither_scored: origins - 8, vintage_mismatch: 3 }
    expect(countKeys(keys)).toEqual({ expected: origins, shared: 3, lost })
  })

  it('are lost for the same reason from either side', () => {
    const mirrored = keyCodes(panel.pairs(theirs, horizon), panel.pairs(ours, horizon), 'point')
    const swap = [KEY.shared, KEY.comparatorNotScored, KEY.candidateNotScored] as const
    expect([...mirrored]).toEqual([...keys].map((code) => swap[code] ?? code))
  })

  it('are counted within a level', () => {
    const members = new Uint8Array(origins).fill(1, 2, 5)
    const lost = { vintage_mismatch: 1 }
    expect(countKeys(keys, members)).toMatchObject({ expected: 3, shared: 1, lost })
  })
})
