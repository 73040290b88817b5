import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { madeWorld } from '../../../bench/parts/power-worlds.mjs'
import type { Plan } from '../../../src/contract/types.js'
import { seededRandom } from '../../../src/lint/power/random.js'
import { MadeSeries } from '../../../src/lint/power/series/made.js'
import {
  hardestByStep,
  pairSeriesPast,
  pastOrigins,
  registeredOver,
  withFewSeries,
} from '../../../src/lint/power/series/past.js'
import { predictSeries, type SeriesPower } from '../../../src/lint/power/series/predict.js'
import type { Rules } from '../../../src/protocol/rules/compile.js'
import { average } from '../../../src/scoring/sum.js'
import { DAYS, makeSeriesFolder, PLAN } from '../../evaluation/series-folder.js'
import { inProcess } from '../../support/in-process.js'

const {
  past: setting,
  scales,
  origins,
  ...world
} = madeWorld('daily', 'test', {
  ...{ past: 300, window: 90, steps: [1, 2] },
})
const plan = world.plan as Plan
const asked = { ...setting, plan, scales, seed: 1, pairs: 6 }

describe('candidates that are made to resemble a comparator of any series', () => {
  it('lose as much as it at each step, and err as much alike as they are said to', async () => {
    const { registration } = registeredOver(setting, plan, scales, origins)
    const before = pastOrigins(setting, origins)
    const past = await pairSeriesPast(setting, plan, scales, before, registration.comparators)
    const made = new MadeSeries(past, setting.rules)
    const law = made.law(0.9, seededRandom('law'))
    const places = Int32Array.from(past.origins, (_, at) => at)
    const primary = past.scores.find((score) => score.primary)!.id
    const hardest = hardestByStep(past)
    for (const { id, horizon } of past.cells) {
      const name = hardest.get(horizon)![0]!
      const [losses, products] = [
        [0, 0],
        [0, 0, 0],
      ]
      for (let draw = 0; draw < 40; draw++) {
        const noise = made.noise(places, seededRandom(`noise ${draw}`))
        const own = made.pairs(id, places, noise, { ...law, sign: draw % 2 === 0 ? 1 : -1 })
        losses[0]! += average(made.losses(id, own)).mean!
        losses[1]! += average(past.getCell(name, id).columns[primary]!).mean!
        const { forecast } = past.getCell(name, id).pairs
        for (const [at, outcome] of past.asked(id).p1.entries()) {
          const [ours, theirs] = [own.forecast[at]! - outcome, forecast[at]! - outcome]
          if (Number.isNaN(ours) || Number.isNaN(theirs)) continue
          products[0]! += ours * theirs
          products[1]! += ours * ours
          products[2]! += theirs * theirs
        }
      }
      expect(Math.abs(losses[0]! / losses[1]! - 1)).toBeLessThan(0.03)
      const correlation = products[0]! / Math.sqrt(products[1]! * products[2]!)
      expect(Math.abs(correlation - 0.9)).toBeLessThan(0.02)
    }
  })
})

describe('predicted power of any series', () => {
  let found: SeriesPower
  beforeAll(async () => {
    found = (await predictSeries(asked))!
  }, 120_000)

  it('is a share of windows that rises with the reduction, the same each time', async () => {
    expect(found).toMatchObject({ origins: 90, windows: 12, not_computed: [] })
    expect(found.predictions.map(({ correlation }) => correlation)).toEqual([0.8, 0.9, 0.95])
    for (const { power, smallest_reduction: least } of found.predictions) {
      const shares = power.map(({ power: share }) => share)
      expect(shares).toEqual([...shares].sort((a, b) => a - b))
      expect(least).toBeGreaterThan(0.03)
    }
    expect(await predictSeries(asked)).toEqual(found)
  })

  it('is less where several candidates share the weight, and where the window is shorter', async () => {
    const candidates = ['mine', 'a', 'b']
    const shared = (await predictSeries({ ...asked, plan: { ...plan, candidates } }))!
    const window = { ...plan.window, to: setting.periods[origins[59]!]!.label }
    const short = (await predictSeries({ ...asked, plan: { ...plan, window } }))!
    const sum = ({ predictions }: SeriesPower) =>
      predictions.reduce((all, { smallest_reduction: least }) => all + (least ?? 1), 0)
    expect(sum(shared)).toBeGreaterThan(sum(found))
    expect(sum(short)).toBeGreaterThan(sum(found))
  })

  it('is none where a limit cannot be kept, and says what keeps from it', async () => {
    const dependence = { ...setting.rules.dependence, minimum_blocks: 1000 }
    const rules = { ...setting.rules, dependence }
    const none = (await predictSeries({ ...asked, rules }))!
    for (const { power, smallest_reduction: least, kept_by: kept } of none.predictions) {
      expect([least, power.map(({ power: share }) => share)]).toEqual([null, [0, 0, 0, 0]])
      expect(kept).toEqual({ deciding_test_blocked: 1 })
    }
  })
})

it('power prints how often a plan of any series finds a candidate eligible', async () => {
  const { folder } = await makeSeriesFolder()
  const window = { from: DAYS[100]!.label, to: DAYS[160]!.label }
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ ...PLAN, window }))
  const line = `power --plan ${folder}/plan.json --protocol ${folder}/protocols/daily-1.json`
  expect((await inProcess(line)).stdout).toContain('Give --outcomes to see how often')
  const { code, stdout, stderr } = await inProcess(`${line} --outcomes ${folder}/vintage`)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('Found eligible in 150 windows drawn from')
  expect(stdout).toMatch(/correlation +found with 80.% +power for 3.% /)
}, 120_000)

it('power takes 200 of more series, by the digests of their ids, and those that strata go by', () => {
  const ids = Array.from({ length: 300 }, (_, at) => `item ${at}`)
  const digest = (id: string) => createHash('sha256').update(id).digest('hex')
  const wanted = ids.toSorted((a, b) => (digest(a) < digest(b) ? -1 : 1))
  const used = (series: readonly string[], by: readonly string[] = []) => {
    const strata = by.map((id) => ({ name: id, by: 'past_volatility', series: id }))
    const rules = { series: series.map((id) => ({ id })), strata }
    const { series: found } = withFewSeries(rules as unknown as Rules)
    return found.map(({ id }) => id)
  }
  expect(used(ids.slice(0, 200))).toEqual(ids.slice(0, 200))
  expect(used(ids)).toEqual(ids.filter((id) => wanted.indexOf(id) < 200))
  const last = wanted.at(-1)!
  const instead = new Set([...wanted.slice(0, 199), last])
  expect(used(ids, [last])).toEqual(ids.filter((id) => instead.has(id)))
})
