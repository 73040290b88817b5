import { describe, expect, it } from 'vitest'
import type { SeriesEvaluationResult } from '../../src/evaluation/result/types.js'
import type { Disposition } from '../../src/inference/disposition.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { beforeYouRead, cautionsOf } from '../../src/report/notes.js'
import { remediesOf } from '../../src/report/reasons.js'
import { renderFigures } from '../../src/report/renderers.js'
import { dispositionName } from '../../src/report/sentences.js'
import {
  cellGrid,
  countsSaid,
  releaseSaid,
  scoreText,
  seriesApart,
  seriesLeftOut,
  seriesWindowSaid,
  stepsSaid,
  turnedSaid,
} from '../../src/report/series/words.js'
import { evaluatedSeries } from '../evaluation/series-world.js'

const { result } = await evaluatedSeries()
const RIVALS = { candidate: 'mine', comparator: 'last_value' }
const shortOne = await evaluatedSeries({ origins: 40, mode: 'backtest' })

const withSettings = (
  settings: Partial<SeriesEvaluationResult['settings']>,
): SeriesEvaluationResult => ({ ...result, settings: { ...result.settings, ...settings } })

/** What a page says, without style and files. */
const textOf = (of: SeriesEvaluationResult) =>
  renderHtml(of)
    .replace(/<style>[\s\S]*?<\/style>|href="data:[^"]*"/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

describe('an evaluation of any series', () => {
  it('is drawn whatever its primary score is called', () => {
    const tests = result.tests.map((test) => ({ ...test, measure: 'toString' }))
    const named = { ...result, tests } as SeriesEvaluationResult
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
      expect(text).not.toMatch(/hour|USD|dollar|direction|price|\bclose/i)
      expect(text).not.toMatch(/undefined|NaN|\[object/)
    }
  })

  it('shows four digits of a score of any size, and by what losses were divided', () => {
    const plain = [0.0123456, 123456, 1e-5].map(scoreText)
    expect(plain).toEqual(['0.01235', '123456', '0.00001000'])
    expect(
      [2.5e-95, -1.23456e-9, 2.79e95].map((value) => scoreText(value).replace(/\s/g, ' ')),
    ).toEqual(['2.500 × 10⁻⁹⁵', '−1.235 × 10⁻⁹', '2.790 × 10⁹⁵'])
    const scaled = renderMarkdown(withSettings({ scaling: 'seasonal_naive, 52 steps' }))
    expect(scaled).toContain('losses are divided by the scale of their series')
    expect(renderMarkdown(withSettings({ scaling: 'none' }))).toContain('no loss is scaled')
  })

  it('closes tables of more than ten rows, and what decides nothing', () => {
    const captions = (of: SeriesEvaluationResult) =>
      [...openPart(of).matchAll(/<caption>(.*?)<\/caption>/g)].map(([, says = '']) => says)
    const openPart = (of: SeriesEvaluationResult) =>
      renderHtml(of).replace(/<details[\s\S]*?<\/details>/g, '')
    const tested = 'The series, and the steps at which they are tested'
    expect(captions(result)).toContain(tested)
    expect(captions(result).join()).not.toMatch(/difference in loss|by rule of release/)
    const [one] = result.series
    const stores = Array.from({ length: 20 }, (_, at) => ({ ...one!, id: `store ${at}` }))
    const many = { ...result, series: stores }
    expect(captions(many)).not.toContain(tested)
    expect(renderHtml(many)).toContain('<summary>All 20 series</summary>')
    // The tests repeat what a chart of them shows, and of several candidates the charts stand in a row.
    const tests = result.tests.flatMap((test) => Array.from({ length: 10 }, () => test))
    const long = renderHtml({ ...result, tests })
    expect(long).toContain('<summary>The tests that decide: overall loss (')
    const [candidate] = result.models.filter(({ role }) => role === 'candidate')
    const more = Array.from({ length: 12 }, (_, at) => ({ ...candidate!, name: `c${at}` }))
    const crowd = renderHtml({ ...result, models: [...result.models, ...more] })
    expect(crowd).toContain('<summary>c11: difference in loss')
    expect(crowd.split('<summary>The p-values against the Holm boundary').length).toBe(2)
    const rows = openPart(many).match(/<tr/g) ?? []
    expect(rows.length).toBeLessThan(40)
  })

  it('names series, unit, steps, the value that counts and the newest value in the first lines', () => {
    const said =
      '6 series (admissions), 80 origins from W060 to W139, steps −1 to 2. The value that counts is the one in force 28 days after its period (as_of_lag P28D). When a forecast is due, the newest public value is that of 2 periods before the origin, in the median.'
    expect(seriesWindowSaid(result)).toBe(said)
    expect(textOf(result)).toContain(said)
  })

  it.each([
    ['unrevised P7D', 'the only one (unrevised P7D)'],
    ['first PT36H', 'the first one (first PT36H)'],
    ['as_of_lag P1D', 'the one in force 1 day after its period (as_of_lag P1D)'],
    ['as_of_lag PT36H', 'the one in force PT36H after its period (as_of_lag PT36H)'],
    [
      'as_of_instant 2027-06-01T00:00:00Z',
      'the one in force at 2027-06-01 00:00 UTC (as_of_instant 2027-06-01T00:00:00Z)',
    ],
  ])('says which value counts: %s', (release, says) => expect(releaseSaid(release)).toBe(says))

  it('says by horizon how old the newest value is, where ages differ', () => {
    const newest_known = [
      { horizon: 1, origins: 80, median_steps: 2 },
      { horizon: 2, origins: 80, median_steps: 0 },
      { horizon: 3, origins: 80, median_steps: null },
    ]
    expect(seriesWindowSaid({ ...result, newest_known })).toContain(
      'the newest public value is that of 2 periods before the origin (step 1), that of the origin itself (step 2) and not there (step 3), in the median.',
    )
  })

  it.each([
    [[2], 'step 2'],
    [[0, 1], 'steps 0 and 1'],
    [[-1, 0, 1, 2, 6], 'steps −1 to 2 and 6'],
    [[1, 24, 25, 48], 'steps 1, 24, 25 and 48'],
  ])('names steps: %j', (steps, says) => expect(stepsSaid(steps)).toBe(says))

  const NONE_WORSE =
    'mine is worse by more than the limit of 5.0\u202f% in 0 series against last_value and trend.'
  const YEAR =
    'The year was not asked of every series: the list has too little of it before the window. A candidate that knows the season and nothing else may be better than all that was asked.'

  it('says of an eligible candidate that the year was not asked, and of no other', () => {
    const [of] = result.dispositions
    const named = (disposition: Disposition, asked: boolean) =>
      dispositionName(withSettings({ year_not_asked: !asked }), { ...of!, disposition })
    const marks = ' (self-declared time)'
    const eligible = 'Eligible for human review'
    expect(named('eligible_for_human_review', false)).toBe(
      `${eligible}, the year not asked${marks}`,
    )
    expect(named('eligible_for_human_review', true)).toBe(eligible + marks)
    expect(named('inconclusive', false)).toBe(`Inconclusive${marks}`)
    expect(cautionsOf(withSettings({ year_not_asked: false }))).not.toContain(YEAR)
    const many = ['a', 'b', 'c', 'd']
    const unasked = withSettings({
      not_asked: [
        { comparator: 'last_year', series: many },
        { comparator: 'usual_year', series: result.series.map(({ id }) => id) },
      ],
    })
    expect(cautionsOf(unasked)).toContain(
      'Not asked, for want of values before the window, or of a season longer than a period: last_year of 4 series, a first and usual_year.',
    )
  })

  it('warns of cells in no test', () => {
    expect(cautionsOf(result)).toEqual([
      expect.stringMatching(
        /^Waiting is part of the task, .* “Counts of a week .* up to \d+\.\d.% against last_value and trend, is charged to nobody\.$/,
      ),
      expect.stringMatching(/^Of steps −1 and 0 more than one in twenty targets have begun/),
      expect.stringMatching(
        /^Times are the candidate’s own word: .* once the twentieth that is worst is gone\.$/,
      ),
      YEAR,
      'Not asked, for want of values before the window, or of a season longer than a period: last_value of 13 and trend of 13.',
      '4 cells of 24 (a series at a step) are in no test: fewer than 50 origins of the window have such a target there: 13 at every step.',
      expect.stringMatching(/^Comparators take preliminary values as they are/),
      expect.stringMatching(/^Smoothing, regression, .* were not asked/),
      expect.stringMatching(
        /^Copying the newest reading from inside the last period was no comparator/,
      ),
      expect.stringMatching(/^When periods start and end is the word of the list/),
      NONE_WORSE,
    ])
    // It moved nothing: however few the others are, it is folded.
    const alone = { ...result, nowcasts: [], cells: [] }
    const { open, folded } = beforeYouRead(alone)
    expect([open.includes(NONE_WORSE), folded.includes(NONE_WORSE)]).toEqual([false, true])
    const cells = result.cells.map((cell) => ({
      ...cell,
      in_test: cell.series !== '12' && (cell.series !== '48' || cell.horizon < 2),
      in_means: !['12', '48'].includes(cell.series),
    }))
    // What moved the verdict comes first.
    const [, , first, ...others] = cautionsOf({ ...result, cells })
    expect(first).toContain('for want of outcomes at half of their keys: 48 at steps −1 to 1.')
    expect(others.find((text) => text.startsWith('5 cells of 24'))).toContain(
      ': 12 at every step; 48 at step 2.',
    )
  })

  it('names every number that is laxer than the reference', () => {
    const lax = { ...result.settings, regression_limit: 0.1, practical_effect_floor: 0.02 }
    const settings = { ...lax, minimum_blocks: 9, availability_limit_series: 0.1 }
    expect(cautionsOf({ ...result, settings })).toContain(
      'Laxer than the reference (its number in brackets): practical floor 2.0\u202f% (3.0\u202f%); limit of the loss 10.0\u202f% (5.0\u202f%); minimum of effective blocks 9 (10).',
    )
  })

  it('counts the series that are worse by more than the limit, and names the worst ten', () => {
    const series = Array.from({ length: 12 }, (_, at) => ({ ...result.series[0]!, id: `s${at}` }))
    const [one] = result.cell_differences
    const cell_differences = series.map(({ id }, at) => ({
      ...{ ...one!, series: id, comparator_mean: 1, observed: at === 0 ? 0.05 : at / 10, pairs: 9 },
    }))
    const said = cautionsOf({ ...result, series, cell_differences })
    const worst = [11, 10, 9, 8, 7, 6, 5, 4, 3].map((at) => `s${at} (${at}0\u202f%)`)
    expect(said.find((text) => text.startsWith(`Against ${one!.comparator}`))).toBe(
      `Against ${one!.comparator} mine is worse by more than the limit of 5.0\u202f% in 11 of 12 series, the worst of them ${worst.join(', ')} and s2 (20\u202f%).`,
    )
  })

  it('puts what has no outcome apart, by series', () => {
    // W077 and W078 of 53, at four steps each; 13 is expected from W100 on.
    expect(seriesApart(result)).toContain('of each model as many: 53 (8).')
  })

  it('says what was left out, at the step with the most', () => {
    const rivals = { candidate: 'mine', comparator: 'last_value' }
    expect(seriesLeftOut(result, rivals, '48')).toBe('1.25\u202f% (step 2)')
    expect(seriesLeftOut(result, rivals, 'none')).toBe('–')
  })

  it('says where the order of two models turns under another rule', () => {
    const means = (rule: string, mine: readonly number[], last: readonly number[]) =>
      [0, 1].flatMap((horizon) => [
        { rule, model: 'mine', horizon, pairs: 1, mean: mine[horizon] as number },
        { rule, model: 'last_value', horizon, pairs: 1, mean: last[horizon] as number },
      ])
    const other_rules = [
      ...means('as_of_lag P28D', [1, 1], [2, 2]),
      ...means('first', [1, 3], [2, 2]),
      ...means('latest', [1, 1], [1, 2]),
    ]
    const of = { ...result, other_rules }
    expect(turnedSaid(of)).toEqual([
      'Under first the order of mine and last_value turns at step 1.',
    ])
    expect(renderMarkdown(of)).toContain(
      'Under first the order of mine and last\\_value turns at step 1.',
    )
    // Where there are no others, the page has nothing of them.
    expect(textOf(of)).toContain('If other releases counted')
    expect(textOf({ ...result, other_rules: other_rules.slice(0, 4) })).not.toContain(
      'If other releases counted',
    )
  })

  it('says of counts that their intervals cover more', () => {
    expect(countsSaid(result)).toBeUndefined()
    expect(textOf(withSettings({ integer: true }))).toContain('Values are whole numbers.')
  })

  it('says how long a decision would take where a window is too short', () => {
    const of = shortOne.result
    const [mine] = of.dispositions
    // 10 blocks of 5 origins, and 50 pairs: 10 weeks more.
    expect(remediesOf(of, mine!)).toEqual([
      'Register a longer window: a deciding test needs 50 pairs, 16 days and 10 effective blocks at every horizon. With blocks of 5 origins this takes 50 origins at least, with an outcome of every cell; the window has 40. At its pace the others take about 70 days more.',
    ])
  })

  it('has every cell in its table, with interval and star', () => {
    const [grid, ...others] = cellGrid(result, RIVALS)
    expect(others).toEqual([])
    expect(grid?.head).toEqual(['series', 'step −1', 'step 0', 'step 1', 'step 2'])
    expect(grid?.rows.map(({ label }) => label)).toEqual(['US', '06', '53', '12', '48', '13'])
    const us = result.cell_differences.find(
      (of) => of.series === 'US' && of.horizon === -1 && of.comparator === 'last_value',
    )
    const { observed, comparator_mean: mean, bounds } = us!
    expect(grid?.rows[0]?.cells[0]).toEqual({
      observed: observed! / mean!,
      lower: bounds!.lower / mean!,
      upper: bounds!.upper / mean!,
      tested: true,
    })
    expect(grid?.rows[5]?.cells.map((of) => of?.tested)).toEqual([false, false, false, false])
  })

  it('cuts tables of many cells at six columns, the longer side going down', () => {
    const horizons = Array.from({ length: 25 }, (_, at) => 13 + at)
    const grids = cellGrid(withSettings({ horizons }), RIVALS)
    expect(grids.map(({ head }) => head)).toEqual([['step', 'US', '06', '53', '12', '48', '13']])
    expect(grids[0]?.rows).toHaveLength(25)
    const series = Array.from({ length: 30 }, (_, at) => ({
      ...result.series[0]!,
      id: `s${at}`,
    }))
    const wide = cellGrid({ ...withSettings({ horizons }), series }, RIVALS)
    expect(wide.map(({ head }) => head.length)).toEqual([6, 6, 6, 6, 6])
  })

  it('draws differences by horizon and by group, and without groups no chart of them', () => {
    const names = Object.keys(renderFigures(result))
    expect(names).toContain('difference-groups-1.svg')
    const csv = renderFigures(result)['difference-groups-1.csv']?.split('\n') ?? []
    expect(csv[1]).toMatch(/^mine,last_value,overall,nation,-0\.\d+/)
    expect(csv).toHaveLength(2 * 3 + 2)
    expect(Object.keys(renderFigures(withSettings({ groups: [] })))).not.toContain(
      'difference-groups-1.svg',
    )
  })
})
