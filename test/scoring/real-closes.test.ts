import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { readVintage } from '../../src/outcomes/vintage.js'
import { type HourlyCloses, hourlyCloses } from '../../src/scoring/baselines/closes.js'
import { type Baselines, computeBaselines } from '../../src/scoring/baselines/compute.js'
import { BASELINE_NAMES, POOL_NAMES } from '../../src/scoring/baselines/names.js'
import { HORIZONS } from './golden.js'

const CLOSES = '../shared/data/closes_btcusd_1h_2024_2025.csv'

describe.runIf(existsSync(CLOSES))('19 months of real closes', () => {
  let closes: HourlyCloses
  let baselines: Baselines
  beforeAll(() => {
    closes = hourlyCloses(readVintage(CLOSES))
    baselines = computeBaselines(closes, {
      names: BASELINE_NAMES,
      horizons: HORIZONS,
      pool: POOL_NAMES,
    })
  })

  it('persistence is the last close, drift_24h its definition, at a date looked up in the file', () => {
    // 2024-01-03T01:00:00Z is 48 hours after the first close.
    const p0 = closes.prices[48]!
    const day = closes.prices[24]!
    expect(baselines.get('persistence')!.get(4)!.forecast[48]).toBe(p0)
    const drift = baselines.get('drift_24h')!.get(4)!.forecast[48]!
    expect(drift / (p0 * (p0 / day) ** (4 / 24))).toBeCloseTo(1, 12)
  })

  it('every baseline has forecasts and quantiles at every hour from the 60th day on', () => {
    for (const name of BASELINE_NAMES) {
      for (const horizon of HORIZONS) {
        const { forecast, q10, q50, q90 } = baselines.get(name)!.get(horizon)!
        for (let hour = 60 * 24; hour < forecast.length; hour++) {
          const ordered = q10[hour]! <= q50[hour]! && q50[hour]! <= q90[hour]!
          if (!(ordered && forecast[hour]! > 0)) expect.fail(`${name} ${horizon} ${hour}`)
        }
      }
    }
  })

  it('strongest_simple says up or down as rarely as docs/scoring.md has it', () => {
    const said = HORIZONS.map((horizon) => {
      const { forecast } = baselines.get('strongest_simple')!.get(horizon)!
      return forecast.filter((price, hour) => price !== closes.prices[hour]).length
    })
    // What is missing differs from the close too: 720 hours until ar1 exists, then its first target.
    const missing = HORIZONS.map((horizon) => 720 + 16 + horizon)
    expect(closes.prices).toHaveLength(13_872)
    expect(said.map((count, at) => count - missing[at]!)).toEqual([769, 362, 440, 219])
  })
})
