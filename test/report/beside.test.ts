import { beforeAll, describe, expect, it } from 'vitest'
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import { memorySaid, strongestSaid } from '../../src/report/beside.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { renderFigures } from '../../src/report/renderers.js'
import { regimeRun, verdictRun } from '../evaluation/made.js'
import { sampleResult } from './sample.js'

describe('what a report shows beside a verdict', () => {
  let result: EvaluationResult
  let page: string
  beforeAll(async () => {
    result = await regimeRun()
    page = renderHtml(result)
  })

  it('begins each disposition with the improvement on the strongest comparator', () => {
    for (const { candidate } of result.dispositions) {
      const overall = result.tests.filter(
        (test) => test.candidate === candidate && test.horizon === 'overall',
      )
      const changes = overall.map((test) => (test.observed ?? 0) / (test.comparator_mean ?? 1))
      const strongest = overall[changes.indexOf(Math.max(...changes))]
      const said = strongestSaid(result, candidate) ?? ''
      const size = (100 * Math.abs(Math.max(...changes))).toFixed(1)
      expect(said).toContain(
        `Against the strongest comparator, ${strongest?.comparator}: overall loss ${size}`,
      )
      expect(page.indexOf(said)).toBeGreaterThan(0)
      expect(page.indexOf(said)).toBeLessThan(page.indexOf('class="reasons"', page.indexOf(said)))
      expect(renderMarkdown(result).replaceAll('\\', '')).toContain(said)
    }
  })

  it('names no strongest comparator where the test against one is missing', () => {
    const tests = result.tests.map((test) =>
      test.name === 'seer/ar1/point_loss/overall/all' ? { ...test, bounds: null } : test,
    )
    expect(strongestSaid({ ...result, tests }, 'seer')).toBeUndefined()
    expect(strongestSaid({ ...result, tests }, 'other')).toBeDefined()
  })

  it('names the comparators from which a difference remembers for weeks, with what it is held against', () => {
    expect(memorySaid(result, 'other')).toMatch(
      /^Memory of weeks is flagged in the differences from persistence \(slow waves [\d.]+ times as strong as quick ones, 1\u202f% point 3\.45; with 4 degrees of freedom p = [\d.]+\)/,
    )
    expect(page).toContain('Memory of weeks is flagged in the differences')
  })

  it('says where none is flagged that this is no evidence, and below 40 blocks that it cannot be seen', async () => {
    expect(memorySaid(await verdictRun(-0.3), 'other')).toMatch(
      /^No memory .* No flag is no evidence: /,
    )
    const short = await verdictRun(0.2, {}, undefined, 39)
    expect(memorySaid(short, 'other')).toMatch(/cannot be seen: that takes 40 effective blocks\.$/)
    expect(renderHtml(short)).toContain('cannot be seen')
  })

  it('has the statistic of Harvey, Leybourne and Newbold once per deciding test of a horizon, or no value', () => {
    const [, after = ''] = page.split(
      'The statistic of Harvey, Leybourne and Newbold (1997)</caption>',
    )
    const [table = ''] = after.split('</table>')
    const there = result.tests.filter(({ hln }) => hln !== undefined)
    expect(table.split('<tr role="row">')).toHaveLength(there.length + 2)
    expect(there.every(({ decides, horizon }) => decides && horizon !== 'overall')).toBe(true)
    const none = {
      ...result,
      tests: result.tests.map((test) => (test.hln ? { ...test, hln: null } : test)),
    }
    expect(renderHtml(none)).toContain('no value')
  })

  it('draws the cumulative difference up to the difference itself, with a band from 0.3 of the window on', () => {
    const rows = (renderFigures(result)['cumulative-2.csv'] ?? '')
      .trim()
      .split('\n')
      .map((row) => row.split(','))
    expect(rows).toHaveLength(1 + 2 * 101)
    const last = rows[101] ?? []
    const test = result.tests.find(
      ({ name }) => name === 'other/persistence/point_loss/overall/all',
    )
    const {
      observed,
      comparator_mean: mean,
      standard_error: error,
    } = test as Required<typeof test> & object
    expect(Number(last[2])).toBeCloseTo((observed as number) / (mean as number), 12)
    expect(rows[30]?.slice(3)).toEqual(['', ''])
    // The band begins where the line was 30 steps before: at 0.
    expect(Number(rows[31]?.[4])).toBeCloseTo(
      (3.012 * Math.sqrt(0.3) * (error as number)) / (mean as number),
      12,
    )
    expect(Number(last[4]) + Number(last[3])).toBeCloseTo(2 * Number(rows[71]?.[2]), 12)
    expect(Object.keys(renderFigures(result))).toContain('cumulative-2.svg')
  })

  it('has the shares below the quantiles of every model and horizon', () => {
    const [, after = ''] = page.split(
      'Quantile reliability: share of the outcomes below each quantile</caption>',
    )
    const [table = ''] = after.split('</table>')
    expect(table.split('<tr role="row">')).toHaveLength(2 + 4 * 4)
  })

  it('calls bounds at the level of the step so, and gives them no verdict', () => {
    expect(page).toContain(
      'bounds at the level of the step that the test has on the Holm ladder; they carry no verdict',
    )
    expect(page).not.toMatch(/adjusted bound/i)
  })

  it('says nothing of the kind where there are no verdict hypotheses', () => {
    const earlier = renderHtml(sampleResult({ method: 'ewc-t' }))
    expect(earlier).not.toMatch(
      /strongest comparator,|Memory of weeks|Newbold|Quantile reliability|chart-cumulative/,
    )
    expect(earlier).toContain('by which the limits are judged')
  })
})
