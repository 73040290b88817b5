import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkPower } from '../../../src/contract/generated/check-power.js'
import { instantOrNaN } from '../../../src/contract/instant.js'
import type { Protocol } from '../../../src/contract/types.js'
import { cosineTables } from '../../../src/inference/cosines.js'
import { studentTail } from '../../../src/inference/student-t.js'
import { pastCloses } from '../../../src/lint/power/comparator.js'
import { neededByKind } from '../../../src/lint/power/design.js'
import { DrawnWindows } from '../../../src/lint/power/eligible.js'
import type { PowerFigures } from '../../../src/lint/power/figures.js'
import { plannedPower, readPlan } from '../../../src/lint/power/planned-design.js'
import { madeCandidates, pastComparators } from '../../../src/lint/power/run.js'
import { powerOnce } from '../../../src/lint/power/simulate.js'
import { readVintage } from '../../../src/outcomes/vintage.js'
import { loadFile } from '../../../src/protocol/load.js'
import { inProcess } from '../../support/in-process.js'
import { FIRST, powerWorld, WINDOW } from './world.js'

const { at, planFile, commandLine } = powerWorld()
const inference = {
  method: 'ewc-t' as const,
  weights: { verdict: 0.6, deciding: 0.3, other: 0.1 },
}

/** What a plan would be registered as, and its protocol. */
function registered(name: string, over: object) {
  const planned = loadFile(planFile(name, { inference, ...over }))
  const frozen = loadFile(at('protocol.json'))
  if (!planned.ok || !frozen.ok) throw new Error('the plan cannot be read')
  const { registration } = readPlan(planned, frozen, FIRST)
  if (registration === undefined) throw new Error('the plan is not sound')
  return { registration, rules: frozen.value as Protocol }
}

/** What is written and printed for a plan. */
async function powerOf(name: string, more: Record<string, string>) {
  const plan = planFile(`${name}.json`, { inference })
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
    usual = await powerOf('verdict', { simulate: '2' })
  }, 300_000)

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

  it('asks for the worth of the lag beside the floor, and shares the weight among candidates', () => {
    const { registration, rules } = registered('late.json', {
      ...{ provenance_required: false, publication_lag_minutes: 60 },
      candidates: ['ridge_lags', 'other_model'].map((name) => ({ source: 'history', name })),
    })
    const { design } = plannedPower(registration, rules)
    // 1 - (1 + √3 + √7 + √15) / (√2 + 2 + √8 + 4)
    const worth = design.verdict!.floor - rules.design.practical_effect_floor
    expect(worth).toBeCloseTo(0.0968, 4)
    expect(neededByKind(design)[0]).toMatchObject({ count: 2, weight: 0.3, level: 0.015 })
  })

  it('draws the same for an index in any shard', () => {
    const { registration, rules } = registered('again.json', {})
    const power = plannedPower(registration, rules)
    const closes = pastCloses(readVintage(at('past.csv')), instantOrNaN(WINDOW.from))
    const made = madeCandidates(pastComparators(closes, power, registration.baseline_pool), [], 1)
    const simulation = { ...made, design: power.design, closes, seed: 1, tables: cosineTables() }
    expect(powerOnce(simulation, 1)).toEqual(powerOnce(simulation, 1))
    const { counts } = usual.figures.simulation!
    const sum = [0, 1].map((index) => powerOnce(simulation, index).flat())
    expect(counts.power.flat().map(({ hits }) => hits)).toEqual(
      sum[0]!.map(({ hits }, i) => hits + sum[1]![i]!.hits),
    )
  })
})

describe('drawn windows', () => {
  const row = (...pairs: number[]) => Float64Array.from(pairs)
  const ladder = { verdict: [2], test: [9] }

  it('find what has every margin, in windows of their own length and of a longer one', () => {
    // Margins of 3 and 1 standard errors; in a window four times as long, 2.5 and 1.5 of half as large ones.
    const windows = [row(3, 1, Number.NaN, 1), row(1, 1, Number.NaN, 1)]
    const drawn = new DrawnWindows(100, [windows.map((asked) => ({ asked, tests: row() }))])
    expect(drawn.share(0, 100, ladder)).toBe(0.5)
    expect(drawn.share(0, 400, ladder)).toBe(1)
    expect(drawn.share(0, 400, { ...ladder, verdict: [4] })).toBe(0.5)
  })

  it('find nothing below a floor, which has no error', () => {
    const windows = [row(9, 1, -0.1, 0), row(9, 1, 0.1, 0)]
    const drawn = new DrawnWindows(100, [windows.map((asked) => ({ asked, tests: row() }))])
    expect(drawn.share(0, 100, ladder)).toBe(0.5)
  })

  it('need less where tests of the loss return their weight', () => {
    const steps = { verdict: [3.5, 2.9, 2.5], test: [4.5, 4.4, 4.3] }
    const share = (...tests: number[]) =>
      new DrawnWindows(100, [[{ asked: row(3, 1), tests: row(...tests) }]]).share(0, 100, steps)
    expect(share(4, 1, 4, 1)).toBe(0)
    // Worse than a comparator is a rejection too.
    expect(share(-5, 1, 1, 1)).toBe(1)
  })
})
