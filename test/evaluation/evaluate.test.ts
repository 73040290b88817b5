import { beforeAll, describe, expect, it } from 'vitest'
import { checkResult } from '../../src/contract/generated/check-result.js'
import type { InferenceMethod, Registration } from '../../src/contract/types.js'
import { canonicalize } from '../../src/document/canonical.js'
import { sha256Hex } from '../../src/document/digest.js'
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import { resultDigest } from '../../src/evaluation/result-digest.js'
import { undecided } from '../../src/inference/disposition.js'
import { studentQuantile, studentTail } from '../../src/inference/student-t.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { enumerateFamily } from '../../src/registration/family.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { requirementHeads, shownRequirements } from '../../src/report/requirements.js'
import { ewc } from '../registration/made.js'
import { evaluated, HALVES, madeProtocol, madeRegistration, madeRows, madeVintage } from './made.js'

const HOURS = 24 * 60

async function run(
  models: readonly { name: string; sight: number }[],
  change: Partial<Registration> = {},
  replicates = 2000,
  hours = HOURS,
) {
  const vintage = madeVintage(hours)
  const rows = madeRows(hours, vintage, models)
  return await evaluated(madeRegistration(hours, change), vintage, rows, madeProtocol(replicates))
}

const SEER = [{ name: 'seer', sight: 0.3 }]

describe('evaluate', () => {
  it('gives a result that the schema knows, that names its own digest, and that can be shown', async () => {
    const { result, text } = await run(SEER)
    expect(checkResult(result)).toEqual([])
    expect(resultDigest(result)).toBe(result.result_sha256)
    expect(JSON.parse(canonicalize(result))).toEqual(result)
    expect(result.inputs.pairs).toEqual({
      sha256: sha256Hex(text),
      rows: text.split('\n').length - 1,
    })
    expect(renderHtml(result)).not.toMatch(/NaN|undefined/)
  })

  it('finds a model that sees ahead better, and decides nothing by the bootstrap', async () => {
    for (const mode of ['prospective', 'backtest'] as const) {
      const { result } = await run(SEER, { mode }, 4000)
      expect(result.dispositions).toEqual([{ candidate: 'seer', ...undecided() }])
      const overall = result.tests.find((test) => test.horizon === 'overall')
      // The error of a forecast that goes a share s of the way is 1 - s of that of persistence.
      expect((overall?.observed ?? 0) / (overall?.comparator_mean ?? 1)).toBeCloseTo(-0.3, 10)
      expect(overall).toMatchObject({ decision: 'rejected', bounds_adjusted: null })
      const html = renderHtml(result)
      const said = mode === 'backtest' ? 'Not decided (backtest)' : 'Not decided'
      for (const text of [html, renderMarkdown(result)]) {
        expect(text).toContain(said)
        expect(text).toContain(
          'The protocol’s own text decides; foreproof decides by the cosine test only.',
        )
        expect(text.replaceAll('\u202f', ' ')).toMatch(/found something in 24 % to 46 % of/)
        expect(text).not.toMatch(/Eligible|eligible for human/)
      }
      // Each difference stands beside the floor and the limits of the protocol.
      for (const head of requirementHeads(result)) expect(html).toContain(`>${head}</th>`)
      const shown = shownRequirements(result, 'seer', 'persistence')
      expect(shown.map(({ figure }) => figure).slice(0, 3)).toEqual([
        '−30.00\u202f%',
        expect.stringMatching(/^0\.|^below/),
        expect.stringMatching(/^up to −2\d/),
      ])
    }
  })

  it('makes a candidate that is its own comparator equal in every test, and never eligible', async () => {
    const { result } = await run([], {
      candidates: [{ source: 'built_in', name: 'ar1' }],
      comparators: [
        { source: 'built_in', name: 'persistence', required_as: ['persistence'] },
        { source: 'built_in', name: 'ar1', required_as: ['ar1'] },
      ],
    })
    const own = result.tests.filter((test) => test.comparator === 'ar1')
    expect(own.length).toBe(29)
    for (const test of own) expect([test.observed, test.p ?? 1]).toEqual([0, 1])
    expect(result.dispositions[0]?.disposition).not.toBe('eligible_for_human_review')
  })

  it('counts what was expected the same for every model, horizon and stratum', async () => {
    const { result } = await run(SEER, {
      strata: HALVES,
    })
    expect(result.family.size).toBe(2 * 29 * 3)
    for (const cell of result.accounting) {
      const per = cell.stratum === 'all' ? HOURS : HOURS / 2
      expect(cell.expected).toBe(per * (cell.horizon === 'all' ? 4 : 1))
    }
    const seer = result.accounting.find(({ model, horizon }) => model === 'seer' && horizon === 2)
    // Of 1,440 hours those that are 13 of 97, and 40 of 211.
    expect(seer?.reasons).toEqual({ forecast_missing: 15, recorded_failure: 7 })
    const of = result.measures.filter(({ model, horizon }) => model === 'seer' && horizon === 2)
    const pairs = (whole: boolean) =>
      of.filter(({ stratum }) => (stratum === 'all') === whole).map((one) => one.pairs)
    expect(pairs(false).reduce((sum, count) => sum + count, 0)).toBe(pairs(true)[0])
  })

  it('keeps history rows that bear the name of a built-in apart from it', async () => {
    const { result, text } = await run([...SEER, { name: 'ar1', sight: 1 }])
    const losses = result.measures.filter((one) => one.model === 'ar1' && one.horizon === 2)
    expect(losses[0]?.point_loss).toBeGreaterThan(0.001)
    expect(result.outside_grid.model_not_in_plan).toBeGreaterThan(5000)
    expect(text).not.toContain('"expected":false')
  })
})

const [DAYS_40, EWC] = [24 * 40, ewc()]

const runBy = async (inference: InferenceMethod | undefined, hours = DAYS_40) =>
  (await run(SEER, inference === undefined ? {} : { inference }, 2000, hours)).result

describe('an evaluation by ewc-t', () => {
  let result: EvaluationResult
  let bootstrap: EvaluationResult
  beforeAll(async () => {
    result = await runBy(EWC)
    bootstrap = await runBy(undefined)
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
      // 40 blocks: a quarter of them or of the days, and 8 where these suffice for half of the blocks.
      const point = test.measure === 'point_loss' || test.measure === 'direction_error'
      const quarter = Math.floor(Math.min(test.effective_blocks, test.pairs / 24) / 4)
      if (test.stratum === 'all') expect(nu).toBe(point ? Math.max(8, quarter) : 8)
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
    const family = enumerateFamily(compileRules(madeProtocol()), madeRegistration(DAYS_40))
    const deciding = family.filter(({ decides }) => decides).length
    result.tests.forEach(({ decides, weight }) => {
      expect(weight).toBe(decides ? 0.8 / deciding : 0.2 / (family.length - deciding))
    })
    const sum = result.tests.reduce((total, { weight = 0 }) => total + weight, 0)
    expect(sum).toBeCloseTo(1, 12)
  })

  it('draws nothing, and tests the differences that the bootstrap tests', () => {
    expect(canonicalize({ ...result, dispositions: [] })).not.toMatch(/bootstrap|controls/)
    expect(result.tests.map(({ observed }) => observed)).toEqual(
      bootstrap.tests.map(({ observed }) => observed),
    )
  })
})

it('a registration by percentile-bootstrap has the same result whether it says so or is older than the choice', async () => {
  const said = await runBy({ method: 'percentile-bootstrap' })
  expect(canonicalize(said)).toBe(canonicalize(await runBy(undefined)))
  for (const member of ['weight', 'degrees_of_freedom', 'level_adjusted']) {
    expect(said.tests[0]).not.toHaveProperty(member)
  }
  expect(said.settings).not.toHaveProperty('inference')
})
