import { describe, expect, it } from 'vitest'
import { MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { familySeries } from '../../src/inference/family-series.js'
import { Memberships } from '../../src/pairing/accounting.js'
import type { HourlyPlan } from '../../src/pairing/hourly.js'
import { hoursFrom } from '../../src/pairing/hourly.js'
import type { PairedAttempt } from '../../src/pairing/types.js'
import { hourlySource } from '../../src/registration/family.js'
import type { TestDefinition } from '../../src/registration/types.js'
import { computeBaselines } from '../../src/scoring/baselines/compute.js'
import { baselineRows } from '../../src/scoring/baselines/rows.js'
import { lossColumns } from '../../src/scoring/columns.js'
import { countKeys, KEY, keysOf } from '../../src/scoring/differences.js'
import { Panel } from '../../src/scoring/panel.js'
import { attemptsOf } from '../pairing/made.js'
import { type BaselinesGolden, closesFrom, column, golden, HORIZONS } from './golden.js'

const prices = column(golden<BaselinesGolden>('baselines').closes)
const closes = closesFrom(prices)
const first = 1480 * MICROS_PER_HOUR
const origins = 60
const models = ['drift_24h', 'persistence']

const PLAN: HourlyPlan = {
  ...{ from: first, to: first + (origins - 1) * MICROS_PER_HOUR, models, horizons: HORIZONS },
  asOf: (prices.length - 1) * MICROS_PER_HOUR,
  ...{ mode: 'retrospective', provenanceRequired: true },
}

function paired(extra: Partial<HourlyPlan>): Promise<PairedAttempt[]> {
  const computed = computeBaselines(closes, { names: models, horizons: HORIZONS })
  const rows = baselineRows(computed, closes, first, origins)
  const closeAt = (instant: number) => {
    const price = prices[instant / MICROS_PER_HOUR]
    return price === undefined || Number.isNaN(price) ? undefined : price
  }
  return attemptsOf({ ...PLAN, ...extra }, { closeAt }, rows)
}

const hours = hoursFrom(first, origins)
const shape = { origins: hours, models, cells: HORIZONS, levels: 3 }

describe('from built-in baselines to series', async () => {
  const attempts = await paired({ builtIn: new Set(models) })
  const panel = new Panel(shape)
  for (const attempt of attempts) panel.add(attempt)
  const cellOf = (model: string, horizon: number) => {
    const pairs = panel.pairs(model, horizon)
    return { pairs, columns: lossColumns(pairs, 1e-6) }
  }

  type Asked = Pick<TestDefinition, 'measure' | 'horizon'> & Partial<TestDefinition>
  const seriesOf = (...tests: Asked[]) =>
    familySeries(
      tests.map((test, at) => ({
        ...{ name: `t${at}`, candidate: 'drift_24h', comparator: 'persistence' },
        stratum: 'all' as const,
        ...test,
      })),
      hourlySource(HORIZONS, cellOf),
      new Memberships([], hours),
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
          const index = (attempt.origin! - first) / MICROS_PER_HOUR
          expect(forecast[index]).toBe(attempt.forecast)
          expect(p1[index]).toBe(attempt.p1)
        }
      }
    }
  })

  it('scores persistence without a direction, and so leaves nothing to compare there', () => {
    const [direction, overall] = seriesOf(
      { measure: 'direction_error', horizon: 2 },
      { measure: 'point_loss', horizon: 'overall' },
    )
    expect(direction).toMatchObject({ comparatorMean: null, comparatorValues: 0 })
    expect(direction!.components[0]!.values.every(Number.isNaN)).toBe(true)
    expect(overall!.components).toHaveLength(4)
    expect(overall!.comparatorMean).toBeGreaterThan(0)
  })

  it('counts where a comparator says up or down, with or without the candidate', () => {
    const turned = { candidate: 'persistence', comparator: 'drift_24h' }
    const [swapped] = seriesOf({ ...turned, measure: 'direction_error', horizon: 2 })
    const { direction_error } = cellOf('drift_24h', 2).columns
    const said = direction_error.filter((error) => !Number.isNaN(error)).length
    expect(said).toBeGreaterThan(0)
    expect(swapped).toMatchObject({ comparatorMean: null, comparatorValues: said })
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
    origin: first + hour * MICROS_PER_HOUR,
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
  const keys = keysOf(panel.pairs(ours, horizon), panel.pairs(theirs, horizon), 'point')

  it('are counted with what the others were lost to', () => {
    const unscored = { candidate_not_scored: 1, comparator_not_scored: 1 }
    const lost = { ...unscored, neither_scored: origins - 8, vintage_mismatch: 3 }
    expect(countKeys(keys)).toEqual({ expected: origins, shared: 3, lost })
  })

  it('are lost for the same reason from either side', () => {
    const mirrored = keysOf(panel.pairs(theirs, horizon), panel.pairs(ours, horizon), 'point')
    const swap = [KEY.shared, KEY.comparatorNotScored, KEY.candidateNotScored] as const
    expect([...mirrored]).toEqual([...keys].map((code) => swap[code] ?? code))
  })

  it('are counted within a level', () => {
    const members = new Uint8Array(origins).fill(1, 2, 5)
    const lost = { vintage_mismatch: 1 }
    expect(countKeys(keys, members)).toMatchObject({ expected: 3, shared: 1, lost })
  })
})
