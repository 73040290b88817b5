import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkPower } from '../../../src/contract/generated/check-power.js'
import { studentTail } from '../../../src/inference/student-t.js'
import { DrawnVerdicts } from '../../../src/lint/power/eligible.js'
import type { PowerFigures } from '../../../src/lint/power/figures.js'
import { inProcess } from '../../support/in-process.js'
import { powerWorld } from './world.js'

const { at, planFile, commandLine } = powerWorld()
const inference = {
  method: 'ewc-t' as const,
  weights: { verdict: 0.6, deciding: 0.3, other: 0.1 },
}

/** What is written and printed for a plan. */
async function powerOf(name: string, over: object, more: Record<string, string> = {}) {
  const plan = planFile(`${name}.json`, { inference, ...over })
  const { code, stdout, stderr } = await inProcess(commandLine({ plan, out: at(name), ...more }))
  expect(code, stdout + stderr).toBe(0)
  const read = (file: string) => readFileSync(join(at(name), file), 'utf8')
  const figures = JSON.parse(read('power.json')) as PowerFigures
  expect(checkPower(figures)).toEqual([])
  return { figures, stdout, page: read('power.html') }
}

describe('power of a plan with verdict hypotheses', () => {
  let usual: Awaited<ReturnType<typeof powerOf>>
  beforeAll(async () => {
    usual = await powerOf('verdict', {}, { simulate: '2' })
  })

  it('is that of the hypothesis, at its share of alpha', () => {
    const { family, needed, verdict, simulation } = usual.figures
    expect(family.weights).toEqual(inference.weights)
    expect(needed[0]).toMatchObject({ tests: 'verdict', count: 1, weight: 0.6, level: 0.03 })
    expect(needed[0]!.degrees_of_freedom).toBe(6)
    expect(studentTail(needed[0]!.t, 6)).toBeCloseTo(0.03, 12)
    // Persistence calls no direction: 4 of the 36 deciding tests have no weight.
    expect(needed.find(({ tests }) => tests === 'direction')).toMatchObject({ count: 12 })
    expect(verdict).toMatchObject({ candidates: 1, horizons_hours: [2, 4, 8, 16], lag_worth: 0 })
    for (const row of simulation!.counts.power) {
      expect(row.map(({ of }) => of)).toEqual([2, 2, 2])
    }
  })

  it('says what was drawn, on the page and at the terminal', () => {
    const { page, stdout } = usual
    for (const text of [page, stdout]) {
      expect(text).toContain('Found eligible')
      expect(text).toContain('against each of persistence, ar1 and strongest_simple')
      expect(text).toContain(
        '1 candidate, of which one is better, horizons of 2, 4, 8 and 16 hours',
      )
      expect(text).toContain('the weights 0.6 (verdict), 0.3 and 0.1')
      expect(text).toContain('shrinks its forecasts')
    }
    expect(page).not.toContain('Of one comparator')
  })

  it('gives the bits of one run from shards', async () => {
    const file = async (shard: string) => {
      const name = `shard${shard[0]}`
      await powerOf(name, {}, { simulate: '2', shard, plan: at('verdict.json') })
      return join(at(name), 'power.json')
    }
    const shards = [await file('2/2'), await file('1/2')]
    const { code, stderr } = await inProcess(['power', '--merge', ...shards, '--out', at('merged')])
    expect(code, stderr).toBe(0)
    const merged = readFileSync(join(at('merged'), 'power.json'), 'utf8')
    expect(merged).toBe(readFileSync(join(at('verdict'), 'power.json'), 'utf8'))
  })

  it('finds nothing below the floor and the worth of the lag, in however long a window', async () => {
    const late = { provenance_required: false, publication_lag_minutes: 60 }
    const { figures } = await powerOf('late', late)
    // 1 - (1 + √3 + √7 + √15) / (√2 + 2 + √8 + 4)
    expect(figures.verdict!.lag_worth).toBeCloseTo(0.0971, 4)
    for (const { days_needed, smallest_reduction } of figures.predictions) {
      expect(days_needed[1]!.days).toBeNull()
      expect(smallest_reduction ?? 1).toBeGreaterThan(0.0971)
    }
  })

  it('is less where candidates share the weight', async () => {
    const other = { source: 'history', name: 'other_model' }
    const candidates = [{ source: 'history', name: 'ridge_lags' }, other]
    const { figures } = await powerOf('two', { candidates })
    expect(figures.needed[0]).toMatchObject({ count: 2, weight: 0.3, level: 0.015 })
    const power = (of: PowerFigures) => of.predictions.map((each) => each.power[2]!.power)
    const alone = power(usual.figures)
    for (const [index, shared] of power(figures).entries()) {
      expect(shared).toBeLessThanOrEqual(alone[index]!)
    }
  })
})

describe('drawn windows', () => {
  const row = (...pairs: number[]) => Float64Array.from(pairs)
  const ladder = { verdict: [2], test: [9] }

  it('find what has every margin, in windows of their own length and of a longer one', () => {
    // Margins of 3 and 1 standard errors; in a window four times as long, 2.5 and 1.5 of half as large ones.
    const windows = [row(3, 1, Number.NaN, 1), row(1, 1, Number.NaN, 1)]
    const drawn = new DrawnVerdicts(100, [windows.map((asked) => ({ asked, tests: row() }))])
    expect(drawn.share(0, 100, ladder)).toBe(0.5)
    expect(drawn.share(0, 400, ladder)).toBe(1)
    expect(drawn.share(0, 400, { ...ladder, verdict: [4] })).toBe(0.5)
  })

  it('find nothing below a floor, which has no error', () => {
    const windows = [row(9, 1, -0.1, 0), row(9, 1, 0.1, 0)]
    const drawn = new DrawnVerdicts(100, [windows.map((asked) => ({ asked, tests: row() }))])
    expect(drawn.share(0, 100, ladder)).toBe(0.5)
  })

  it('need less where tests of the loss return their weight', () => {
    const steps = { verdict: [3.5, 2.9, 2.5], test: [4.5, 4.4, 4.3] }
    const share = (...tests: number[]) =>
      new DrawnVerdicts(100, [[{ asked: row(3, 1), tests: row(...tests) }]]).share(0, 100, steps)
    expect(share(4, 1, 4, 1)).toBe(0)
    // Worse than a comparator is a rejection too.
    expect(share(-5, 1, 1, 1)).toBe(1)
  })
})
