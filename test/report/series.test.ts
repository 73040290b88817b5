import { describe, expect, it } from 'vitest'
import type { CandidateDisposition, Result } from '../../src/evaluation/result/result.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { scoreText } from '../../src/report/measures.js'
import { beforeYouRead, listCautions } from '../../src/report/notes.js'
import { listRemedies } from '../../src/report/reasons.js'
import { renderFigures } from '../../src/report/renderers.js'
import { dispositionName, stepsSaid, withoutOutcome } from '../../src/report/sentences.js'
import {
  countsSaid,
  releaseSaid,
  turnedSaid,
  valuesSaid,
  windowSaid,
} from '../../src/report/window.js'
import { evaluatedSeries } from '../evaluation/series-world.js'
import { withReading, withRules } from './sample.js'

const { sealed: result } = await evaluatedSeries()
const shortOne = (await evaluatedSeries({ origins: 40, mode: 'backtest' })).sealed

/** What a page says, without style and files. */
const textOf = (of: Result) =>
  renderHtml(of)
    .replace(/<style>[\s\S]*?<\/style>|href="data:[^"]*"/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
const openPart = (of: Result) => renderHtml(of).replace(/<details[\s\S]*?<\/details>/g, '')

describe('an evaluation of any series', () => {
  it('is drawn whatever its primary score is called', () => {
    const named: Result = JSON.parse(JSON.stringify(result).replaceAll('"wis_log"', '"toString"'))
    const page = renderHtml(named)
    expect(page).toContain('toString')
    const drawn = Object.values(renderFigures(named))
    expect(drawn.length).toBeGreaterThan(5)
    for (const text of [page, ...drawn]) expect(text).not.toContain('native code')
  })

  it('says nothing of hours, prices and directions, in any format', () => {
    const markdown = renderMarkdown(result)
    expect(renderMarkdown(structuredClone(result))).toBe(markdown)
    const all = [textOf(result), markdown, ...Object.values(renderFigures(result))]
    for (const text of all) {
      expect(text).not.toMatch(/hour|USD|dollar|direction|price|\bcloses?\b/i)
      expect(text).not.toMatch(/undefined|NaN|\[object/)
    }
  })

  it('shows four digits of a score of any size, and by what losses were divided', () => {
    const plain = [0.0123456, 123456, 1e-5].map(scoreText)
    expect(plain).toEqual(['0.01235', '123456', '0.00001000'])
    expect(
      [2.5e-95, -1.23456e-9, 2.79e95].map((value) => scoreText(value).replace(/\s/g, ' ')),
    ).toEqual(['2.500 × 10⁻⁹⁵', '−1.235 × 10⁻⁹', '2.790 × 10⁹⁵'])
    const scaled = withRules(result, { scaling: { kind: 'seasonal_naive', period_steps: 52 } })
    expect(renderMarkdown(scaled)).toContain('losses are divided by the scale of their series')
    const plainly = withRules(result, { scaling: { kind: 'none', period_steps: null } })
    expect(renderMarkdown(plainly)).toContain('no loss is scaled')
  })

  it('folds long tables and charts, and what decides nothing', () => {
    const captions = [...openPart(result).matchAll(/<caption>(.*?)<\/caption>/g)].map(
      ([, says = '']) => says,
    )
    expect(captions.join()).not.toMatch(/best and worst|by rule of release|The whole ladder/)
    const tests = result.reading.tests.flatMap((test) => Array.from({ length: 10 }, () => test))
    expect(renderHtml(withReading(result, { tests }))).toContain(
      '<summary>The tests that decide: overall loss (',
    )
    const { candidates } = result.settings
    const more = Array.from({ length: 12 }, (_, at) => ({ ...candidates[0]!, name: `c${at}` }))
    const settings = { ...result.settings, candidates: [...candidates, ...more] }
    const crowd = renderHtml({ ...result, settings })
    expect(crowd).toContain('<summary>c11: difference in loss')
    expect(crowd.split('<summary>The p-values against the Holm boundary').length).toBe(2)
  })

  it('names series, unit, steps, the value that counts and the newest value in the first lines', () => {
    const what =
      '6 series (admissions), 80 origins from W060 to W139, steps −1 to 2 ahead; the loss is wis_log (weighted interval, log_shift 1), averaged over series and steps.'
    const values =
      'The value that counts is the one in force 28 days after its period (as_of_lag P28D). At the median origin, the newest value public when a forecast is due is that of 2 periods before the origin.'
    expect([windowSaid(result), valuesSaid(result)]).toEqual([what, values])
    expect(textOf(result)).toContain(what)
    expect(textOf(result)).toContain(values)
  })

  const NONE = { wait: null, lag: null, at: null }
  it.each([
    [
      { ...NONE, rule: 'unrevised', wait: 'P7D' },
      'Values are not revised; a value that is absent 7 days after its period stays missing',
    ],
    [
      { ...NONE, rule: 'unrevised', wait: 'PT0S' },
      'Values are not revised; a value that is absent at the end of its period stays missing',
    ],
    [
      { ...NONE, rule: 'first', wait: 'PT36H' },
      'The value that counts is the first one (first PT36H)',
    ],
    [
      { ...NONE, rule: 'as_of_lag', lag: 'P1D' },
      'The value that counts is the one in force 1 day after its period (as_of_lag P1D)',
    ],
    [
      { ...NONE, rule: 'as_of_lag', lag: 'PT36H' },
      'The value that counts is the one in force 36 hours after its period (as_of_lag PT36H)',
    ],
    [
      { ...NONE, rule: 'as_of_instant', at: '2027-06-01T00:00:00Z' },
      'The value that counts is the one in force at 2027-06-01 00:00 UTC (as_of_instant 2027-06-01T00:00:00Z)',
    ],
  ] as const)('says which value counts: %j', (release, says) =>
    expect(releaseSaid(release)).toBe(says),
  )

  it('says by step how old the newest value is, where ages differ', () => {
    const newest_known = [
      { step: 1, origins: 80, median_steps: 2 },
      { step: 2, origins: 80, median_steps: 0 },
      { step: 3, origins: 80, median_steps: null },
    ]
    expect(valuesSaid(withReading(result, { newest_known }))).toContain(
      'At the median origin, the newest value public when a forecast is due is that of 2 periods before the origin (step 1) and that of the origin itself (step 2). No value is public then at step 3.',
    )
  })

  it.each([
    [[2], 'step 2'],
    [[0, 1], 'steps 0 and 1'],
    [[-1, 0, 1, 2, 6], 'steps −1 to 2 and 6'],
    [[1, 24, 25, 48], 'steps 1, 24, 25 and 48'],
  ])('names steps: %j', (steps, says) => expect(stepsSaid(steps)).toBe(says))

  const NONE_WORSE =
    'In no series is mine worse than last_value and trend by more than the limit of 5.0\u202f%.'
  const YEAR =
    'The year was not asked of every series: the list has too little of it before the window. A candidate that knows the season and nothing else may be better than all that was asked.'
  const asked = (of: Result): Result => ({ ...of, window: { ...of.window, year_not_asked: false } })

  it('says of an eligible candidate that the year was not asked, and of no other', () => {
    const named = (disposition: CandidateDisposition['disposition'], of: Result) =>
      dispositionName(of, { disposition })
    const marks = ' (self-declared time)'
    const eligible = 'Eligible for human review'
    expect(named('eligible_for_human_review', result)).toBe(
      `${eligible}, the year not asked${marks}`,
    )
    expect(named('eligible_for_human_review', asked(result))).toBe(eligible + marks)
    expect(named('inconclusive', result)).toBe(`Inconclusive${marks}`)
    expect(listCautions(asked(result))).not.toContain(YEAR)
    const not_asked = [
      { comparator: 'last_year', series: 4, first: ['a', 'b', 'c', 'd'] },
      { comparator: 'usual_year', series: 6, first: ['a', 'b', 'c', 'd', 'e', 'f'] },
    ]
    expect(listCautions({ ...result, settings: { ...result.settings, not_asked } })).toContain(
      'Not asked: last_year of 4 series, a first and usual_year. For each, the values before the window are too few, or its season is not longer than a period.',
    )
  })

  it('warns of cells in no test', () => {
    expect(listCautions(result)).toEqual([
      expect.stringMatching(
        /^The protocol makes waiting part of the task: “Counts of a week .* up to \d+\.\d.% against last_value and trend without any skill, and no candidate is charged for it\.$/,
      ),
      expect.stringMatching(/^At steps −1 and 0 more than one in twenty targets have begun/),
      expect.stringMatching(
        /^Times are the candidate’s own word: .* once the worst twentieth is gone\.$/,
      ),
      YEAR,
      expect.stringMatching(/^Not asked: last_value of 13 and trend of 13\. For each/),
      '4 of 24 cells (a series at a step) are in no test, because fewer than 50 origins of the window have such a target: 13.',
      expect.stringMatching(/^Comparators take preliminary values as they are/),
      expect.stringMatching(
        /^No built-in comparator used smoothing, regression, the simple method that suits each series/,
      ),
      expect.stringMatching(/^No comparator copied the newest reading from inside the last period/),
      expect.stringMatching(/^The charge for waiting relies on/),
      NONE_WORSE,
    ])
    // It moved nothing: however few the others are, it is folded.
    const { open, folded } = beforeYouRead(withReading(result, { nowcasts: [] }))
    expect([open.includes(NONE_WORSE), folded.includes(NONE_WORSE)]).toEqual([false, true])
    const steps = result.cells.steps.map((of) => ({ ...of, in_means: of.in_means - 1 }))
    // What moved the verdict comes first.
    const [, , first] = listCautions({
      ...result,
      cells: { ...result.cells, steps, no_means: ['48'] },
    })
    expect(first).toMatch(
      /^4 cells of 48 have no outcome at more than half of the keys and are in no figure/,
    )
  })

  it('names every number that is laxer than the reference', () => {
    const { limits, dependence } = result.settings.rules
    const lax = withRules(result, {
      limits: { ...limits, harm: 0.1, practical_effect: 0.02 },
      dependence: { ...dependence, minimum_blocks: 9 },
    })
    expect(listCautions(lax)).toContain(
      'Laxer than the reference (its number in brackets): practical floor 2.0\u202f% (3.0\u202f%); limit of the loss 10.0\u202f% (5.0\u202f%); minimum of effective blocks 9 (10).',
    )
  })

  it('counts the series that are worse by more than the limit, and names the worst three', () => {
    const [one, two] = result.reading.spread
    const worst = Array.from({ length: 10 }, (_, at) => {
      return { series: `s${12 - at}`, difference: (12 - at) / 10 }
    })
    const spread = [
      { ...two!, worse: 2 },
      { ...one!, series: 20, worse: 11, worst },
    ]
    const said = listCautions(withReading(result, { spread }))
    expect(said.find((text) => text.startsWith(`mine is worse than ${one!.comparator}`))).toMatch(
      /by more than the limit of 5\.0.% in 11 of 20 series, the worst of them s12 \(120.%\), s11 \(110.%\) and s10 \(100.%\); than (\w+) in 2\.$/,
    )
  })

  it('shows how differences lie over series, with the best and the worst, and no table of all', () => {
    const { spread } = result.reading
    const csv = renderFigures(result)['series-1.csv']?.trim().split('\n') ?? []
    expect(csv).toHaveLength(1 + spread.length * 21)
    expect(csv[1]).toBe(`mine,last_value,0,${spread[0]?.quantiles[0]}`)
    const text = textOf(result)
    expect(text).toContain('foreproof export cells')
    const [first] = spread
    expect(text).toContain(
      `mine against ${first?.comparator}: its best and worst of ${first?.series} series`,
    )
    expect(renderMarkdown(result)).toContain('### Over series')
    // One series has no distribution.
    const alone = { ...result, series: { ...result.series, count: 1 } }
    expect(Object.keys(renderFigures(alone))).not.toContain('series-1.csv')
    expect(textOf(alone)).not.toContain('export cells')
  })

  it('puts what has no outcome apart, by step', () => {
    // W077 and W078 of 53, at four steps each; 13 is expected from W100 on.
    expect(withoutOutcome(result)).toContain(
      '2 at step −1, 2 at step 0, 2 at step 1 and 2 at step 2',
    )
  })

  it('says where the order of two models turns under another rule', () => {
    const means = (rule: string, mine: readonly number[], last: readonly number[]) =>
      [0, 1].flatMap((step) => [
        { rule, model: 'mine', step, pairs: 1, mean: mine[step] as number, coverage: {} },
        { rule, model: 'last_value', step, pairs: 1, mean: last[step] as number, coverage: {} },
      ])
    const other_rules = [
      ...means('as_of_lag P28D', [1, 1], [2, 2]),
      ...means('first', [1, 3], [2, 2]),
      ...means('latest', [1, 1], [1, 2]),
    ]
    const of = withReading(result, { other_rules })
    expect(turnedSaid(of)).toEqual([
      'Under first the order of mine and last_value turns at step 1.',
    ])
    expect(renderMarkdown(of)).toContain(
      'Under first the order of mine and last\\_value turns at step 1.',
    )
    // Where there are no others, the page has nothing of them.
    expect(textOf(of)).toContain('If other releases counted')
    expect(textOf(withReading(result, { other_rules: other_rules.slice(0, 4) }))).not.toContain(
      'If other releases counted',
    )
  })

  it('says of counts that their intervals cover more', () => {
    expect(countsSaid(result)).toBeUndefined()
    const forecast = { ...result.settings.rules.forecast, integer: true }
    expect(textOf(withRules(result, { forecast }))).toContain('Values are whole numbers')
  })

  it('says how long a decision would take where a window is too short', () => {
    const [mine] = shortOne.reading.dispositions ?? []
    // 10 blocks of 5 origins, and 50 pairs: 10 weeks more.
    expect(listRemedies(shortOne, mine!)).toEqual([
      'Register a longer window: a deciding test needs 50 pairs, 16 days and 10 effective blocks at every step. With blocks of 5 origins this takes 50 origins at least, with an outcome of every cell; the window has 40, and at its pace the others take about 70 days more.',
    ])
  })

  it('has figures of loss and coverage, and of differences by step and by group', () => {
    const names = Object.keys(renderFigures(result))
    for (const name of [
      'loss',
      'coverage',
      'difference-1',
      'difference-groups-1',
      'cumulative-1',
    ]) {
      expect(names).toContain(`${name}.svg`)
    }
    const csv = renderFigures(result)['difference-groups-1.csv']?.split('\n') ?? []
    expect(csv.find((row) => row.includes('group=nation'))).toMatch(
      /^mine,last_value,overall,group=nation,-0\.\d+/,
    )
    expect(csv).toHaveLength(2 * 3 + 2)
    const alone = { ...result, series: { ...result.series, groups: [] } }
    expect(Object.keys(renderFigures(alone))).not.toContain('difference-groups-1.svg')
  })
})
