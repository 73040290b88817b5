import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkPower } from '../../../src/contract/generated/check-power.js'
import type { Protocol } from '../../../src/contract/types.js'
import { studentTail } from '../../../src/inference/student-t.js'
import { neededByKind } from '../../../src/lint/power/design.js'
import { DrawnWindows } from '../../../src/lint/power/eligible.js'
import type { PowerFigures } from '../../../src/lint/power/figures.js'
import { planPower, readPlan } from '../../../src/lint/power/planned-design.js'
import { loadFile } from '../../../src/protocol/load.js'
import { BY_VERDICT } from '../../registration/made.js'
import { inProcess } from '../../support/in-process.js'
import { FIRST, powerWorld } from './world.js'

const { at, planFile, commandLine } = powerWorld(BY_VERDICT)
const weights = { verdict: 0.6, deciding: 0.3, other: 0.1 }

/** What a plan would be registered as, and its protocol. */
function registered(name: string, over: object) {
  const planned = loadFile(planFile(name, over))
  const frozen = loadFile(at('protocol.json'))
  if (!planned.ok || !frozen.ok) throw new Error('the plan cannot be read')
  const { registration } = readPlan(planned, frozen, FIRST)
  if (registration === undefined) throw new Error('the plan is not sound')
  return { registration, rules: frozen.value as Protocol }
}

/** What is written and printed for a plan. */
async function powerOf(name: string) {
  const plan = planFile(`${name}.json`)
  const { code, stdout, stderr } = await inProcess(commandLine({ plan, out: at(name) }))
  expect(code, stdout + stderr).toBe(0)
  const read = (file: string) => readFileSync(join(at(name), file), 'utf8')
  const figures = JSON.parse(read('power.json')) as PowerFigures
  expect(checkPower(figures)).toEqual([])
  return { figures, stdout }
}

describe('power of a plan with verdict hypotheses', () => {
  let usual: Awaited<ReturnType<typeof powerOf>>
  beforeAll(async () => {
    usual = await powerOf('verdict')
  }, 300_000)

  it('is that of the hypothesis, at its share of alpha', () => {
    const { family, needed, verdict } = usual.figures
    expect(family.weights).toEqual(weights)
    expect(needed[0]).toMatchObject({ tests: 'verdict', count: 1, weight: 0.6, level: 0.03 })
    expect(needed[0]!.degrees_of_freedom).toBe(6)
    expect(studentTail(needed[0]!.t, 6)).toBeCloseTo(0.03, 12)
    // Persistence calls no direction: 4 of the 36 deciding tests have no weight.
    expect(needed.find(({ tests }) => tests === 'direction')).toMatchObject({ count: 12 })
    expect(verdict).toMatchObject({ candidates: 1, horizons_hours: [2, 4, 8, 16] })
    // Of two minutes, 1 - Σ (1 - 1/(30 h))√h / Σ √h.
    expect(verdict?.waiting_worth).toBeCloseTo(0.00589, 5)
  })

  it('says what was drawn', () => {
    const { stdout } = usual
    expect(stdout).toContain('Found eligible')
    expect(stdout).toContain('against each of persistence, ar1 and strongest_simple')
    expect(stdout).toContain(
      '1 candidate, of which one is better, horizons of 2, 4, 8 and 16 hours',
    )
    expect(stdout).toContain('the weights 0.6 (verdict), 0.3 and 0.1')
    expect(stdout).toContain('shrinks its forecasts')
  })

  it('asks for what waiting is worth beside the floor, and shares the weight among candidates', () => {
    const { registration, rules } = registered('late.json', {
      ...{ provenance_required: false, due_minutes: 60 },
      candidates: ['ridge_lags', 'other_model'],
    })
    const { design } = planPower(registration, rules)
    // 1 - (√2/2 + 3/4·2 + 7/8·√8 + 15/16·4) / (√2 + 2 + √8 + 4)
    expect(design.verdict?.waiting).toBeCloseTo(0.1768, 4)
    expect(design.verdict?.floor).toBe(rules.design.practical_effect_floor)
    expect(neededByKind(design)[0]).toMatchObject({ count: 2, weight: 0.3, level: 0.015 })
  })
})

describe('drawn windows', () => {
  const row = (...pairs: number[]) => pairs
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
