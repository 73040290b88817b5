import { beforeAll, describe, expect, it } from 'vitest'
import type { Result } from '../../src/evaluation/result/result.js'
import { memorySaid } from '../../src/report/beside.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { renderFigures } from '../../src/report/renderers.js'
import { verdictSentence } from '../../src/report/sentences.js'
import { verdictsIn } from '../../src/report/view.js'
import { regimeRun, verdictRun } from '../evaluation/made.js'
import { sampleResult, withReading } from './sample.js'

describe('what a report shows beside a verdict', () => {
  let result: Result
  let page: string
  beforeAll(async () => {
    result = await regimeRun()
    page = renderHtml(result)
  })

  it('says the verdict with the improvement on the closest comparator and its interval', () => {
    for (const of of verdictsIn(result)) {
      const overall = result.reading.tests.filter(
        ({ candidate, step }) => candidate === of.candidate && step === 'overall',
      )
      const losses = overall.filter(({ score }) => score === 'point_loss')
      const changes = losses.map((test) => (test.observed ?? 0) / (test.comparator_mean ?? 1))
      const {
        comparator,
        bounds,
        comparator_mean: mean,
      } = losses[changes.indexOf(Math.max(...changes))]!
      const size = (100 * Math.abs(Math.max(...changes))).toFixed(1)
      const said = verdictSentence(result, of)
      expect(said).toContain(
        `its overall loss is ${size}\u202f% ${Math.max(...changes) < 0 ? 'lower' : 'higher'} than that of the closest comparator, ${comparator} (95\u202f% interval: `,
      )
      expect(said).toContain((100 * Math.abs(bounds!.lower / mean!)).toFixed(1))
      expect(said.split(/[.!?](?= [A-Z])/).length).toBeLessThan(3)
      expect(page.indexOf(said)).toBeGreaterThan(0)
      expect(page.indexOf(said)).toBeLessThan(page.indexOf('had to show', page.indexOf(said)))
      expect(renderMarkdown(result).replaceAll('\\', '')).toContain(said)
    }
  })

  it('cuts an interval at a loss of nothing, and says so', () => {
    const tests = result.reading.tests.map((test) => {
      const bounds = { lower: -2 * (test.comparator_mean ?? 0), upper: 0 }
      return test.bounds ? { ...test, bounds } : test
    })
    const wide = withReading(result, { tests })
    expect(verdictSentence(wide, verdictsIn(wide)[0]!).replaceAll('\u202f', ' ')).toContain(
      'interval: 0.0 % to 100.0 % lower, cut at 100.0 %)',
    )
    const note = 'No loss falls by more than 100.0\u202f%'
    expect(renderHtml(wide)).toContain(note)
    expect(page).not.toContain(note)
  })

  it('says a verdict without a figure where no test of the overall loss was made', () => {
    const tests = result.reading.tests.map((test) => ({ ...test, observed: null }))
    const [of] = verdictsIn(result)
    expect(verdictSentence(withReading(result, { tests }), of!)).not.toContain('overall loss')
  })

  it('names the comparators whose differences depend over weeks, with what that is held against', () => {
    expect(memorySaid(result, 'other')).toMatch(
      /^Week-long dependence was found in the differences from persistence \(slow waves [\d.]+ times as strong as quick ones, 1\u202f% point 3\.45; with 4 degrees of freedom p = [\d.]+\)/,
    )
    expect(page).toContain('Week-long dependence was found in the differences')
  })

  it('says where none was found that the check is weak, and below 40 blocks that there is none', async () => {
    expect(memorySaid(await verdictRun(-0.3), 'other')).toMatch(
      /^No week-long dependence was found\. The check is weak: /,
    )
    const short = await verdictRun(0.2, {}, undefined, 39)
    expect(memorySaid(short, 'other')).toMatch(
      /cannot be checked: that takes 40 effective blocks\.$/,
    )
    expect(renderHtml(short)).toContain('cannot be checked')
  })

  it('has the statistic of Harvey, Leybourne and Newbold once per deciding test of a horizon, or no value', () => {
    const [, after = ''] = page.split(
      'The statistic of Harvey, Leybourne and Newbold (1997)</caption>',
    )
    const [table = ''] = after.split('</table>')
    const there = result.reading.tests.filter(({ hln }) => hln !== null)
    expect(table.split('<tr role="row">')).toHaveLength(there.length + 2)
    expect(there.every(({ decides, step }) => decides && step !== 'overall')).toBe(true)
  })

  it('draws the cumulative difference up to the difference itself, with a band from 0.3 of the window on', () => {
    const rows = (renderFigures(result)['cumulative-2.csv'] ?? '')
      .trim()
      .split('\n')
      .map((row) => row.split(','))
    expect(rows).toHaveLength(1 + 2 * 101)
    const last = rows[101] ?? []
    const test = result.reading.tests.find(
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

  it('says nothing of the kind where a bootstrap was drawn', () => {
    const earlier = renderHtml(sampleResult({ method: 'percentile-bootstrap' }))
    expect(earlier).not.toMatch(/dependence|Newbold|Quantile reliability|chart-cumulative/)
    expect(earlier).toContain('Not decided')
  })
})
