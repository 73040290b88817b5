import { beforeAll, describe, expect, it } from 'vitest'
import { checkResult } from '../../src/contract/generated/check-result.js'
import type { InferenceMethod } from '../../src/contract/types.js'
import { canonicalize } from '../../src/document/canonical.js'
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import { studentQuantile, studentTail } from '../../src/inference/student-t.js'
import { enumerateFamily } from '../../src/registration/family.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { evaluated, madeRegistration, madeRows, madeVintage } from './made.js'

const HOURS = 24 * 40
const EWC: InferenceMethod = { method: 'ewc-t', weights: { deciding: 0.8, other: 0.2 } }

async function run(inference: InferenceMethod | undefined, hours = HOURS) {
  const vintage = madeVintage(hours)
  const registration = madeRegistration(hours, inference === undefined ? {} : { inference })
  const rows = madeRows(hours, vintage, [{ name: 'seer', sight: 0.3 }])
  return (await evaluated(registration, vintage, rows)).result
}

describe('an evaluation by ewc-t', () => {
  let result: EvaluationResult
  let bootstrap: EvaluationResult
  beforeAll(async () => {
    result = await run(EWC)
    bootstrap = await run(undefined)
  })

  it('is a result of its schema, names its method, and is shown with it', () => {
    expect(checkResult(result)).toEqual([])
    expect(result.settings.inference).toEqual(EWC)
    const page = renderHtml(result)
    expect(page).not.toMatch(/NaN|undefined/)
    expect(page).toContain('Diebold–Mariano test with an equal-weighted cosine variance')
    expect(page).toContain('>ν</th>')
    expect(page).not.toContain('no p-value can be smaller')
    expect(page).not.toContain('least attainable')
    expect(renderMarkdown(result)).toContain('method ewc-t')
    expect(renderMarkdown(bootstrap)).toContain('method percentile-bootstrap')
  })

  it('has p, bounds and ladder that follow from estimate, error and degrees of freedom', () => {
    const near = (found: number | undefined, expected: number) =>
      expect(Math.abs((found ?? Number.NaN) / expected - 1)).toBeLessThan(1e-12)
    const tested = result.tests.filter(({ p }) => p !== null)
    expect(tested.length).toBeGreaterThan(40)
    for (const test of tested) {
      const nu = test.degrees_of_freedom as number
      // 40 blocks: a quarter of them, at most 8 where widths remember.
      const point = test.measure === 'point_loss' || test.measure === 'direction_error'
      expect(nu).toBe(point ? Math.floor(test.effective_blocks / 4) : 8)
      const [d, se] = [test.observed as number, test.standard_error as number]
      near(test.p as number, studentTail(d / se, nu))
      near(test.bounds?.upper, d + studentQuantile(0.05, nu) * se)
      near(test.bounds_adjusted?.lower, d - studentQuantile(test.level_adjusted as number, nu) * se)
      const { lower, upper } = test.bounds_adjusted as { lower: number; upper: number }
      expect(lower > 0 || upper < 0, test.name).toBe(test.decision === 'rejected')
    }
    expect(new Set(tested.map(({ decision }) => decision)).size).toBe(2)
  })

  it('gives the deciding tests their weight in equal parts, and all others the rest', () => {
    const family = enumerateFamily(madeRegistration(HOURS))
    const deciding = family.filter(({ decides }) => decides).length
    result.tests.forEach(({ decides, weight }) => {
      expect(weight).toBe(decides ? 0.8 / deciding : 0.2 / (family.length - deciding))
    })
    const sum = result.tests.reduce((total, { weight = 0 }) => total + weight, 0)
    expect(sum).toBeCloseTo(1, 12)
  })

  it('shows the bootstrap beside each deciding test, with the controls', () => {
    expect(result.controls).toEqual(bootstrap.controls)
    result.tests.forEach((test, index) => {
      const other = bootstrap.tests[index]
      expect(test.observed).toBe(other?.observed)
      const expected =
        test.decides && other?.p !== null
          ? { p: other?.p, lower: other?.bounds?.lower, upper: other?.bounds?.upper }
          : null
      expect(test.bootstrap).toEqual(expected)
    })
    expect(result.measures).toEqual(bootstrap.measures)
  })

  it('blocks on fewer blocks than the method needs', async () => {
    const { tests, dispositions } = await run(EWC, 24 * 15)
    expect(tests.every(({ blocked_reasons: why }) => why.includes('too_few_blocks'))).toBe(true)
    expect(dispositions[0]?.disposition).toBe('blocked')
  })
})

describe('a registration by percentile-bootstrap', () => {
  it('has the same result whether it says so or is older than the choice', async () => {
    const said = await run({ method: 'percentile-bootstrap' })
    expect(canonicalize(said)).toBe(canonicalize(await run(undefined)))
    for (const member of ['weight', 'degrees_of_freedom', 'bootstrap', 'level_adjusted']) {
      expect(said.tests[0]).not.toHaveProperty(member)
    }
    expect(said.settings).not.toHaveProperty('inference')
  })
})
