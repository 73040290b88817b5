import { expect, it } from 'vitest'
import { madeWorld } from '../../bench/parts/power-worlds.mjs'
import { judgedWorld, sizesOf } from '../../bench/parts/series-power-simulation.mjs'
import type { Plan } from '../../src/contract/types.js'
import { predictSeries, type SeriesPower } from '../../src/lint/power/series/predict.js'

/** Three places, each week at two steps: a small one of the designs of bench/series-power.mjs. */
const SMALL = { series: 3, steps: [1, 2] }
const [WORLDS, PAIRS, EVALUATIONS] = [6, 20, 60]
const [CORRELATION, REDUCTIONS] = [0.95, [0.1, 0.2]]
/** What a prediction may be off by, beside three standard errors of both. */
const POINTS = 0.05

const meanOf = (of: readonly number[]) => of.reduce((sum, each) => sum + each, 0) / of.length
const errorOf = (of: readonly number[]) => {
  const mean = meanOf(of)
  return Math.sqrt(meanOf(of.map((each) => (each - mean) ** 2)) / (of.length - 1))
}

it('how often somebody is predicted to be eligible is how often he is', {
  timeout: 300_000,
}, async () => {
  const predicted: number[][] = REDUCTIONS.map(() => [])
  let first: SeriesPower | undefined
  for (let seed = 0; seed < WORLDS; seed++) {
    const { past, plan: made, scales } = madeWorld('weekly', `past/${seed}`, SMALL)
    const plan = made as Plan
    const found = await predictSeries({ ...past, plan, scales, seed, pairs: PAIRS })
    first ??= found
    const own = found?.predictions.find(({ correlation }) => correlation === CORRELATION)
    for (const [at, of] of REDUCTIONS.entries()) {
      const { power } = own?.power.find(({ reduction }) => reduction === of) ?? {}
      predicted[at]!.push(power ?? Number.NaN)
    }
  }
  const hardest = new Map(first?.hardest.map(({ horizon, name }) => [horizon, name]))
  const law = { correlation: CORRELATION, hardest, over: SMALL }
  const sizes = sizesOf('weekly', law, 30)
  const simulated: number[][] = REDUCTIONS.map(() => [])
  for (let seed = 0; seed < EVALUATIONS; seed++) {
    const found: boolean[] = await judgedWorld('weekly', seed, { ...law, sizes }, REDUCTIONS)
    for (const [at, each] of found.entries()) simulated[at]!.push(Number(each))
  }
  for (const [at, reduction] of REDUCTIONS.entries()) {
    const [said, came] = [predicted[at]!, simulated[at]!] as const
    const off = Math.abs(meanOf(said) - meanOf(came))
    const figures = `${reduction}: ${meanOf(said)} predicted, ${meanOf(came)} simulated`
    expect(off, figures).toBeLessThan(POINTS + 3 * Math.hypot(errorOf(said), errorOf(came)))
  }
})
