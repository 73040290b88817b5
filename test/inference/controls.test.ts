import { describe, expect, it } from 'vitest'
import { controlTests, SHIFT } from '../../src/inference/family-series.js'
import { runFamily } from '../../src/inference/run-family.js'
import { numbers } from '../support/random.js'
import { family, madeSeries, single } from './made.js'

const N = 24 * 15
const random = numbers(3)
const losses = [0, 1, 2, 3].map(() =>
  Float64Array.from({ length: N }, () => (random() < 0.2 ? Number.NaN : random() * 0.03)),
)
const tests = [single('t', madeSeries(N, 1))]

describe('controls', () => {
  it('come out exactly, with gaps, and do not count in the family', async () => {
    const controls = controlTests('persistence', losses)
    const result = await runFamily(family(tests, { controls }))
    expect(result.familySize).toBe(1)
    expect(result.controlsPassed).toBe(true)
    expect(result.controls).toEqual([
      {
        ...{ name: 'control/copy/persistence', kind: 'copy', expected: 0 },
        ...{ least: 0, greatest: 0, passed: true },
      },
      {
        ...{ name: 'control/shift/persistence', kind: 'shift', expected: SHIFT },
        ...{ least: SHIFT, greatest: SHIFT, passed: true },
      },
    ])
    const without = await runFamily(family(tests))
    expect(without.tests).toEqual(result.tests)
  })

  it('fail when a single difference is off in the thirteenth digit', async () => {
    const [copy, shift] = controlTests('persistence', losses)
    const first = shift!.components[0]!.values
    const place = first.findIndex((value) => !Number.isNaN(value))
    first[place] = SHIFT * (1 + 2 ** -40)
    const result = await runFamily(family(tests, { controls: [copy!, shift!] }))
    expect(result.controls.map((control) => control.passed)).toEqual([true, false])
    expect(result.controlsPassed).toBe(false)
  })

  it('fail when there is nothing to compute them from', async () => {
    const empty = losses.map(() => new Float64Array(N).fill(Number.NaN))
    const result = await runFamily(family(tests, { controls: controlTests('absent', empty) }))
    expect(result.controls).toHaveLength(2)
    expect(result.controls[0]).toMatchObject({ least: null, greatest: null, passed: false })
    expect(result.controlsPassed).toBe(false)
  })
})
