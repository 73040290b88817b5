import { describe, expect, it } from 'vitest'
import { checkCellLine, checkResult } from '../../src/contract/generated/check-result.js'
import type { Protocol } from '../../src/contract/types.js'
import { canonicalize } from '../../src/document/canonical.js'
import { sha256Hex } from '../../src/document/digest.js'
import { resultDigest } from '../../src/evaluation/result-digest.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { frozen } from '../registration/made.js'
import {
  type Change,
  evaluated,
  HALVES,
  madeProtocol,
  madeRegistration,
  madeRows,
  madeVintage,
} from './made.js'

const HOURS = 24 * 60

async function run(
  models: readonly { name: string; sight: number }[],
  change: Change = {},
  protocol = madeProtocol(),
) {
  const vintage = madeVintage(HOURS)
  const rows = madeRows(HOURS, vintage, models)
  return await evaluated(madeRegistration(HOURS, change, protocol), vintage, rows, protocol)
}

/** A protocol whose text decides by a bootstrap. */
function ownProtocol(replicates: number): Protocol {
  const { sampling, uncertainty } = madeProtocol()
  const own = frozen('btcusd-hourly-1')
  return {
    ...own,
    sampling,
    uncertainty: { ...own.uncertainty, ...uncertainty, replicates, method: own.uncertainty.method },
  }
}

const SEER = [{ name: 'seer', sight: 0.3 }]

describe('evaluate', () => {
  it('gives a result that the schema knows, that names its own digest, and that can be shown', async () => {
    const { sealed: result, cells, text } = await run(SEER)
    expect(checkResult(result)).toEqual([])
    expect(resultDigest(result)).toBe(result.result_sha256)
    expect(JSON.parse(canonicalize(result))).toEqual(result)
    expect(result.inputs.pairs).toEqual({
      sha256: sha256Hex(text),
      rows: text.split('\n').length - 1,
    })
    for (const cell of cells) expect(checkCellLine(cell)).toEqual([])
    const lines = cells.map((cell) => `${canonicalize(cell)}\n`).join('')
    expect(result.cells).toMatchObject({ lines: cells.length, sha256: sha256Hex(lines) })
    expect(cells.map(({ step }) => step)).toEqual([2, 4, 8, 16])
    expect(renderHtml(result)).not.toMatch(/NaN|undefined/)
  })

  it('finds a model that sees ahead better, and decides nothing by the bootstrap', async () => {
    for (const mode of ['prospective', 'backtest'] as const) {
      const { sealed, result } = await run(SEER, { mode }, ownProtocol(4000))
      expect(sealed.reading.dispositions).toBeNull()
      expect(sealed.kind).toBe(mode === 'backtest' ? 'backtest' : 'not_decided')
      const overall = result.tests.find((test) => test.step === 'overall')
      // The error of a forecast that goes a share s of the way is 1 - s of that of persistence.
      expect((overall?.observed ?? 0) / (overall?.comparator_mean ?? 1)).toBeCloseTo(-0.3, 10)
      expect(overall).toMatchObject({ decision: 'rejected', bounds_adjusted: null, weight: null })
      for (const text of [renderHtml(sealed), renderMarkdown(sealed)]) {
        expect(text).toContain('percentile')
        expect(text).not.toMatch(/Eligible|eligible for human/)
      }
    }
  })

  it('makes a candidate that is its own comparator equal in every test, and never eligible', async () => {
    const { result } = await run([], {
      candidates: [{ source: 'built_in' as 'history', name: 'ar1' }],
      comparators: [
        { source: 'built_in', name: 'persistence', required_as: ['persistence'] },
        { source: 'built_in', name: 'ar1', required_as: ['ar1'] },
      ],
    })
    const own = result.tests.filter((test) => test.comparator === 'ar1')
    expect(own.length).toBeGreaterThan(20)
    for (const test of own) expect([test.observed, test.p ?? 1]).toEqual([0, 1])
    expect(result.dispositions[0]?.disposition).not.toBe('eligible_for_human_review')
  })

  it('counts what was expected the same for every model, horizon and stratum', async () => {
    const { result } = await run(SEER, {
      strata: HALVES,
    })
    // Persistence calls no direction.
    expect(result.family.size).toBe((2 * 29 - 4) * 3)
    for (const cell of result.accounting) {
      const per = cell.scope === 'all' ? HOURS : HOURS / 2
      expect(cell.expected).toBe(per * (cell.step === 'overall' ? 4 : 1))
    }
    const seer = result.accounting.find(({ model, step }) => model === 'seer' && step === 2)
    // Of 1,440 hours those that are 13 of 97, and 40 of 211.
    expect(seer?.reasons).toEqual({ forecast_missing: 15, recorded_failure: 7 })
    const of = result.measures.filter(({ model, step }) => model === 'seer' && step === 2)
    const pairs = (whole: boolean) =>
      of.filter(({ scope }) => (scope === 'all') === whole).map((one) => one.pairs.point_loss ?? 0)
    expect(pairs(false).reduce((sum, count) => sum + count, 0)).toBe(pairs(true)[0])
  })

  it('keeps history rows that bear the name of a built-in apart from it', async () => {
    const { result, text } = await run([...SEER, { name: 'ar1', sight: 1 }])
    const losses = result.measures.filter((one) => one.model === 'ar1' && one.step === 2)
    expect(losses[0]?.means.point_loss).toBeGreaterThan(0.001)
    expect(result.beside_grid.model_not_in_plan).toBeGreaterThan(5000)
    expect(text).not.toContain('"expected":false')
  })
})
