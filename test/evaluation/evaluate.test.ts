import { describe, expect, it } from 'vitest'
import { checkResult } from '../../src/contract/generated/check-result.js'
import type { Registration } from '../../src/contract/types.js'
import { canonicalize } from '../../src/document/canonical.js'
import { digestWithout, sha256Hex } from '../../src/document/digest.js'
import { renderHtml } from '../../src/report/html/page.js'
import { evaluated, madeProtocol, madeRegistration, madeRows, madeVintage } from './made.js'

const HOURS = 24 * 60

async function run(
  models: readonly { name: string; sight: number }[],
  change: Partial<Registration> = {},
  replicates = 2000,
) {
  const vintage = madeVintage(HOURS)
  const rows = madeRows(HOURS, vintage, models)
  const protocol = madeProtocol(replicates)
  return await evaluated(madeRegistration(HOURS, change), vintage, rows, protocol)
}

const SEER = [{ name: 'seer', sight: 0.3 }]

describe('evaluate', () => {
  it('gives a result that the schema knows, that names its own digest, and that can be shown', async () => {
    const { result, text } = await run(SEER)
    expect(checkResult(result)).toEqual([])
    expect(digestWithout(result, 'result_sha256')).toBe(result.result_sha256)
    expect(JSON.parse(canonicalize(result))).toEqual(result)
    expect(result.inputs.pairs).toEqual({
      sha256: sha256Hex(text),
      rows: text.split('\n').length - 1,
    })
    expect(renderHtml(result)).not.toMatch(/NaN|undefined/)
  })

  it('finds a model that sees ahead better, and says nothing of direction against persistence', async () => {
    const { result } = await run(SEER, {}, 4000)
    const [verdict] = result.dispositions
    expect(verdict?.disposition).toBe('blocked')
    expect(verdict?.reasons[0]?.code).toBe('failure_rate_above_comparator')
    const others = verdict?.reasons.slice(2).map((reason) => reason.code)
    expect(new Set(others)).toEqual(
      new Set(['improvement_established', 'direction_not_comparable']),
    )
    const overall = result.tests.find((test) => test.horizon === 'overall')
    // The error of a forecast that goes a share s of the way is 1 - s of that of persistence.
    expect((overall?.observed ?? 0) / (overall?.comparator_mean ?? 1)).toBeCloseTo(-0.3, 10)
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
      strata: [{ name: 'half', by: 'hour_of_day', levels: [{ level: 'am' }, { level: 'pm' }] }],
    })
    expect(result.family.size).toBe(2 * 29 * 3)
    for (const cell of result.accounting) {
      const per = cell.stratum === 'all' ? HOURS : HOURS / 2
      expect(cell.expected).toBe(per * (cell.horizon === 'all' ? 4 : 1))
    }
    const seer = result.accounting.find(
      (cell) => cell.model === 'seer' && cell.horizon === 2 && cell.stratum === 'all',
    )
    const missing = Array.from({ length: HOURS }, (_, hour) => hour).filter((h) => h % 97 === 13)
    const failed = Array.from({ length: HOURS }, (_, hour) => hour).filter(
      (h) => h % 211 === 40 && h % 97 !== 13,
    )
    expect(seer?.reasons).toEqual({
      forecast_missing: missing.length,
      recorded_failure: failed.length,
    })
    const halves = result.measures.filter(
      (one) => one.model === 'seer' && one.horizon === 2 && one.stratum !== 'all',
    )
    const whole = result.measures.find(
      (one) => one.model === 'seer' && one.horizon === 2 && one.stratum === 'all',
    )
    expect(halves.reduce((sum, one) => sum + one.pairs, 0)).toBe(whole?.pairs)
  })

  it('keeps history rows that bear the name of a built-in apart from it', async () => {
    const { result, text } = await run([...SEER, { name: 'ar1', sight: 1 }])
    const losses = result.measures.filter((one) => one.model === 'ar1' && one.horizon === 2)
    expect(losses[0]?.point_loss).toBeGreaterThan(0.001)
    expect(result.outside_grid.model_not_in_plan).toBeGreaterThan(5000)
    expect(text).not.toContain('"expected":false')
  })
})
