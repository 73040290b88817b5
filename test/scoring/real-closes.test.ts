import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readVintage } from '../../src/outcomes/vintage.js'
import { hourlyCloses } from '../../src/scoring/baselines/closes.js'
import { computeBaselines } from '../../src/scoring/baselines/compute.js'
import { frozen } from '../registration/made.js'
import { HORIZONS } from './golden.js'

const CLOSES = '../shared/data/closes_btcusd_1h_2024_2025.csv'
const [NAMES, horizons] = [['strongest_simple'], HORIZONS]
// That of our protocols, of which docs/scoring.md speaks.
const { simple_baseline_pool: pool } = frozen('btcusd-hourly-3').estimands.comparisons

it.runIf(existsSync(CLOSES))(
  'in 19 months of real closes strongest_simple says up or down as rarely as docs/scoring.md has it',
  () => {
    const closes = hourlyCloses(readVintage(CLOSES))
    const strongest = computeBaselines(closes, { names: NAMES, horizons, pool }).get(NAMES[0]!)!
    const said = HORIZONS.map((horizon) => {
      const { forecast } = strongest.get(horizon)!
      return forecast.filter((price, hour) => price !== closes.prices[hour]).length
    })
    // What is missing differs from the close too: 720 hours until ar1 exists, then its first target.
    const missing = HORIZONS.map((horizon) => 720 + 16 + horizon)
    expect(closes.prices).toHaveLength(13_872)
    expect(said.map((count, at) => count - missing[at]!)).toEqual([769, 362, 440, 219])
  },
)
