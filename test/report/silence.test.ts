import { describe, expect, it } from 'vitest'
import type { EvaluationResult, ResultReason } from '../../src/evaluation/result/types.js'
import { shareOf } from '../../src/output/figures.js'
import { renderHtml } from '../../src/report/html/page.js'
import { gainOfSilence, mostLeftOut } from '../../src/report/notes.js'
import { remediesOf } from '../../src/report/reasons.js'
import { leftOut as leftOutWords } from '../../src/report/sentences.js'
import { sampleResult } from './sample.js'

const base = sampleResult()
const candidate = base.models.find(({ role }) => role === 'candidate')?.name ?? ''
const of = { candidate, comparator: 'persistence' }

const LEVEL = { name: 'volatility', level: 'high' }
const ALL_CELLS = base.shared_keys.flatMap((cell) => [cell, { ...cell, stratum: LEVEL }])

/** The sample with so many pairs lost by the candidate at each horizon, out of a thousand. */
function leftOut(byHorizon: Readonly<Record<number, number>>, mismatched = 0): EvaluationResult {
  return {
    ...base,
    settings: { ...base.settings, availability_limit: 0.02, availability_limit_stratum: 0.05 },
    shared_keys: ALL_CELLS.map((cell) => {
      const silent = byHorizon[cell.horizon] ?? 0
      const lost = {
        candidate_not_scored: silent,
        vintage_mismatch: mismatched,
        comparator_not_scored: 7,
        neither_scored: 3,
      }
      return { ...cell, expected: 1010, shared: 1000 - silent - mismatched, lost }
    }),
  }
}

describe('what a candidate left out', () => {
  it('is its largest share of a comparator’s scored origins', () => {
    const result = leftOut({ 2: 1, 4: 20, 8: 9, 16: 0 })
    const most = { horizon: 4, notScored: 20, origins: 1000, beyond: false }
    expect(mostLeftOut(result, of, 'all')).toEqual(most)
    // Another vintage is no pair either, and counts.
    const [all, level] = (['all', LEVEL] as const).map((stratum) =>
      mostLeftOut(leftOut({ 4: 20 }, 1), of, stratum),
    )
    expect(all).toEqual({ ...most, notScored: 21, beyond: true })
    expect(level).toEqual({ ...most, notScored: 21 })
  })

  it('is shown by stratum, and marked where it is too much', () => {
    expect(renderHtml(leftOut({ 4: 20 }))).not.toContain('beyond the limit</b>')
    expect(renderHtml(leftOut({ 4: 21 }))).toContain(
      '<b>2.10\u202f% (4\u00a0h), beyond the limit</b>',
    )
  })

  it('is warned of where it is more than a twentieth', () => {
    expect(gainOfSilence(leftOut({ 2: 50 }), candidate)).toBeUndefined()
    expect(gainOfSilence(leftOut({ 2: 51 }), candidate)).toContain('5.1\u202f%')
  })
})

it('a share that rounds to nothing is a count', () => {
  expect([shareOf(1, 17_376), shareOf(0, 17_376), shareOf(3, 17_376), shareOf(0, 0)]).toEqual([
    '1 of 17\u202f376',
    '0.00\u202f%',
    '0.02\u202f%',
    '–',
  ])
})

it('attempts that were not scored are counted by their reason', () => {
  const accounting = base.accounting.map((cell) =>
    cell.horizon === 'all'
      ? {
          ...cell,
          expected: 40,
          point: { ...cell.point, scored: 0 },
          reasons: { committed_late: 30, forecast_missing: 10 },
        }
      : cell,
  )
  expect(leftOutWords({ ...base, accounting }, candidate)).toContain(
    '40 of its 40 expected attempts, 100.00\u202f%, were not scored (30 committed late and 10 forecast missing)',
  )
})

it('what would unblock a blocked candidate is said, each thing once', () => {
  const reasons = ['persistence', 'ar1'].map(
    (comparator): ResultReason => ({
      ...{ code: 'availability_limit_exceeded', leads_to: 'blocked', comparator, horizon: 2 },
      ...{ measure: null, test: null, found: null, limit: null, details: [] },
    }),
  )
  const result = leftOut({})
  const said = remediesOf(result, { candidate, disposition: 'blocked', reasons })
  expect(said).toHaveLength(1)
  expect(said[0]).toMatch(/at least 98\.0\u202f% of the origins .* 95\.0\u202f%/)
  expect(remediesOf(result, { candidate, disposition: 'negative', reasons })).toEqual([])
})

it('a longer window is the remedy only where a test lacks pairs or blocks', () => {
  const blocked = (detail: string): ResultReason => ({
    ...{ code: 'deciding_test_blocked', leads_to: 'blocked', comparator: 'ar1', horizon: 2 },
    ...{ measure: 'point_loss', test: 'x', found: null, limit: null, details: [detail] },
  })
  const said = (detail: string, settings = base.settings) =>
    remediesOf(
      { ...base, settings },
      { candidate, disposition: 'blocked', reasons: [blocked(detail)] },
    )
  expect(said('too_few_blocks')).toEqual([
    expect.stringMatching(/longer window.* 30 effective blocks/),
  ])
  // Where nothing can be compared at all, a longer window does not help.
  expect(said('no_pairs')).toEqual([])
  expect(said('no_variance')).toEqual([expect.not.stringContaining('longer window')])
  expect(said('comparator_loss_unknown')).toEqual([])
  const inference = { method: 'ewc-t' as const, weights: { deciding: 0.8, other: 0.2 } }
  const ewc = { ...base.settings, minimum_blocks: 10, inference }
  expect(said('too_few_pairs', ewc)[0]).toContain('16 effective blocks')
  expect(renderHtml({ ...base, settings: ewc })).toContain('16 effective blocks')
})
