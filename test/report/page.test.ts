import { describe, expect, it } from 'vitest'
import { checkResult } from '../../src/contract/generated/check-result.js'
import resultSchema from '../../src/contract/schemas/result.schema.json' with { type: 'json' }
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import { comparisonPage } from '../../src/report/comparison/page.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { reasonLines } from '../../src/report/reasons.js'
import { shownRequirements } from '../../src/report/requirements.js'
import { evaluatedSeries } from '../evaluation/series-world.js'
import { sampleResult } from './sample.js'

const HOSTILE = '</svg><script>alert(1)</script>"\'&<b>|@all\u0000\u202e[x](http://y)'

it.each([{}, { time: 'stamped' }, { time: 'committed' }] as const)(
  'the sample is a result as the schema describes it, %j',
  (options) => expect(checkResult(sampleResult(options))).toEqual([]),
)

const { result: series } = await evaluatedSeries()

/** The same with a hostile text in the place of these names. */
const hostile = <Result>(result: Result, ...names: readonly string[]): Result =>
  JSON.parse(
    JSON.stringify(result).replaceAll(/"[^"]*"/g, (text) =>
      names.includes(JSON.parse(text)) ? JSON.stringify(HOSTILE) : text,
    ),
  )
const hourly = sampleResult({ time: 'committed', strata: false })
const OF_HOURLY = hostile(
  hourly,
  ...['kronos-small', 'spring-2026-shootout', 'forecasts.example.org/log', 'freetsa'],
)
const OF_SERIES = hostile(series, 'mine', 'admissions', 'nation', '53')

const several = (result: EvaluationResult, folder: string) =>
  comparisonPage([result, result], ['evidence-1', folder])

describe.each<[string, () => string, () => string]>([
  ['hourly closes', () => renderHtml(sampleResult()), () => renderHtml(OF_HOURLY)],
  ['any series', () => renderHtml(structuredClone(series)), () => renderHtml(OF_SERIES)],
  [
    'several evaluations',
    () => several(sampleResult(), 'evidence-2'),
    () => several(OF_HOURLY, HOSTILE),
  ],
])('a page of %s', (_, render, renderHostile) => {
  const page = render()

  it('has the same bytes for the same results', () => {
    expect(render()).toBe(page)
  })

  it('lets no name leave its place, in text, attributes and drawings alike', () => {
    const spoilt = renderHostile()
    expect(spoilt).not.toMatch(/<script>alert|\u202e|<b>\|/)
    expect(spoilt).not.toContain('\u0000')
    expect(spoilt).toContain('&lt;/svg&gt;&lt;script&gt;')
  })

  it('needs nothing from elsewhere and runs no script', () => {
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\son\w+=|https?:/i)
    expect(page).toContain("default-src 'none'")
  })

  it('has an identifier once only, and every reference leads somewhere', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1])
    expect(new Set(ids).size).toBe(ids.length)
    const wanted = [...page.matchAll(/(?:aria-labelledby="|href="#)([^"]+)"/g)].flatMap((match) =>
      (match[1] ?? '').split(' '),
    )
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('never writes a number that is none', () => {
    expect(page).not.toMatch(/NaN|Infinity|undefined|\[object/)
  })
})

describe('report.html', () => {
  it('says backtest and exploratory wherever a disposition is shown', () => {
    const page = renderHtml(sampleResult({ kind: 'backtest', exploratory: true }))
    expect(page).toMatch(/<title>[^<]*exploratory backtest/)
    expect(page).toContain('<b>Backtest.</b>')
    expect(page).toContain('<b>Exploratory.</b>')
    const chips = [...page.matchAll(/class="chip">([^<]*)</g)].map((match) => match[1])
    expect(chips).toHaveLength(3)
    for (const chip of chips)
      expect(chip).toMatch(/^(Lower|Neither lower nor higher|Higher) \(backtest, exploratory\)$/)
    expect(page.match(/chosen when outcomes could be known: no error rate holds/g)).toHaveLength(4)
    expect(page).not.toMatch(/Eligible for human review|Inconclusive|Negative/)
  })

  it('names the column of every cell of a card, in style that no name can leave', () => {
    const hostile = `${HOSTILE};}--c9:x\\`
    const page = renderHtml(sampleResult({ rename: hostile, strata: false }))
    const styles = [...page.matchAll(/ style="([^"]*)"/g)].map(([, style]) => style ?? '')
    expect(styles.length).toBeGreaterThan(10)
    for (const style of styles) {
      const declared = style.replaceAll('&#39;', "'")
      expect(declared).toMatch(/^--c1:'[^'\n]*'(?:;--c\d+:'[^'\n]*')*$/)
      expect(declared).not.toContain('--c9:x')
    }
  })

  it('shows every test of the family once in the whole ladder', () => {
    const result = sampleResult()
    const page = renderHtml(result)
    const ladder = page.slice(page.indexOf('The whole ladder, in ascending order of p'))
    const rows = ladder.slice(0, ladder.indexOf('</table>')).match(/<th scope="row"/g)
    expect(rows).toHaveLength(result.family.size)
    expect(result.family.size).toBe(2784)
  })
})

it('keeps on paper the margins of the sheet, every reason of a verdict, settings and digests', () => {
  const page = renderHtml(sampleResult())
  expect(page).toContain('@page{margin:')
  const print = page.slice(page.indexOf('@media print'))
  const hides = print.indexOf('details:not([open]){display:none}')
  expect(print.indexOf(':is(.card details,.printed){display:block}')).toBeGreaterThan(hides)
  expect(print).toContain(
    ':is(.card details,.printed)::details-content{content-visibility:visible}',
  )
})

it('counts the origins that belong to no level of a stratum', () => {
  const result = sampleResult()
  const [first] = result.strata
  const inside = first?.levels.reduce((sum, level) => sum + level.origins, 0) ?? 0
  const origins = inside + 26
  const page = renderHtml({ ...result, settings: { ...result.settings, origins } })
  expect(page).toContain(
    `26 origins belong to no level of ${first?.name} and count over all origins only.`,
  )
})

type Reason = EvaluationResult['dispositions'][number]['reasons'][number]

const reason = (given: Partial<Reason>): Reason => ({
  code: 'practical_floor_not_reached',
  leads_to: 'inconclusive',
  comparator: 'ar1',
  horizon: 'overall',
  measure: 'point_loss',
  test: null,
  found: 0.41,
  limit: 0.05,
  details: [],
  ...given,
})

const lines = (reasons: Reason[]) =>
  reasonLines(sampleResult(), { candidate: 'm', disposition: 'inconclusive', reasons }, 99)

describe('a reason', () => {
  it('says in the table, too, that so small a p is of a loss that is higher', () => {
    const [, figure] = shownRequirements(sampleResult(), 'lstm-2024', 'persistence')
    expect(figure).toMatchObject({ answer: 'not_met' })
    expect(figure?.figure).toMatch(/^significantly higher, /)
    const [, better] = shownRequirements(sampleResult(), 'kronos-small', 'persistence')
    expect(better?.figure).not.toContain('higher')
  })

  it('says of an adjusted p that it is the least attainable', () => {
    const page = sampleResult()
    const least = (page.family.size * 2) / 200_001
    const tests = page.tests.map((test) => ({
      ...test,
      p_adjusted: test.p === null ? null : least,
    }))
    for (const text of [renderHtml({ ...page, tests }), renderMarkdown({ ...page, tests })]) {
      expect(text).toContain(`${least.toFixed(3)}, the least attainable`)
    }
  })

  it('gives differences in direction in points, in words, table and drawing alike', () => {
    const page = renderHtml(sampleResult())
    expect(page).toContain('direction worse by at most 2.0 percentage points')
    expect(page).toContain('limit +2.0 points')
    expect(page).toMatch(/up to [+−]?\d+\.\d points/)
  })
})

describe('reasons', () => {
  it('make one line where they differ in comparator or horizon alone', () => {
    const may = (comparator: string, horizon: number, found: number) =>
      reason({ code: 'regression_limit_exceeded', comparator, horizon, found })
    const silent = (comparator: string, horizon: number) =>
      reason({ code: 'direction_not_comparable', comparator, horizon, measure: 'direction_error' })
    const { shown, rest } = lines([
      may('ar1', 2, 0.061),
      may('ar1', 4, 0.07),
      may('persistence', 2, 0.052),
      reason({ found: 0.41 }),
      reason({ found: 0.3, comparator: 'drift_24h' }),
      silent('persistence', 2),
      silent('persistence', 4),
      silent('strongest_simple', 2),
      silent('strongest_simple', 4),
    ])
    const thin = (text: string) => text.replaceAll('\u202f', ' ')
    expect(shown.map(thin)).toEqual([
      'The loss is worse by more than the limit of 5.0 %: against ar1 at 2 h (at least 6.1 %), 4 h (at least 7.0 %); persistence at 2 h (at least 5.2 %).',
      'The overall loss is not at least 5.0 % lower, as is required: against ar1 (41.0 % lower); drift_24h (30.0 % lower).',
      'The direction error has no limit where a comparator predicts up or down at no origin, or at too few for a test: against persistence and strongest_simple at 2 h, 4 h.',
    ])
    expect(rest).toEqual([])
  })

  it('stay apart where they differ in anything else', () => {
    const blocked = (details: string[], horizon: number) =>
      reason({ code: 'deciding_test_blocked', leads_to: 'blocked', details, horizon })
    const { shown, rest } = lines([
      reason({ code: 'comparator_substituted' }),
      blocked(['too_few_pairs'], 2),
      blocked(['too_few_blocks'], 4),
      reason({ found: 0.01 }),
      reason({ found: 0.01, limit: 0.03 }),
    ])
    expect(shown).toHaveLength(3)
    expect(shown[0]).toMatch(/^A comparator of the history is required/)
    expect(rest).toEqual([
      'The loss could not be tested, for too few pairs: against ar1 at 2 h.',
      'The loss could not be tested, for too few effective blocks: against ar1 at 4 h.',
    ])
  })

  // 'no_pairs' may stand with pairs that are there and do not count: of no cell that is tested.
  it('say of a test without any pair that none counts, and no more, wherever it is shown', () => {
    const result = sampleResult({ strata: false })
    const blocked_reasons = ['no_pairs', 'too_few_pairs', 'too_few_blocks'] as const
    const none = { p: null, p_adjusted: null, rank: null, multiplier: null, bounds: null }
    const tests = result.tests.map((test) => ({
      ...{ ...test, ...none, observed: null, pairs: 0, effective_blocks: 0 },
      ...{ decision: 'blocked' as const, blocked_reasons },
    }))
    const blocked = { ...result, tests } as unknown as EvaluationResult
    for (const page of [renderHtml(blocked), renderMarkdown(blocked)]) {
      expect(page).toContain('blocked: no pairs that count')
      expect(page).not.toContain('too few')
    }
    const details = [...blocked_reasons]
    const { shown, rest } = lines([
      reason({ code: 'deciding_test_blocked', leads_to: 'blocked', details, horizon: 2 }),
    ])
    expect([...shown, ...rest]).toEqual([
      'The loss could not be tested, for no pairs that count: against ar1 at 2 h.',
    ])
  })

  it('begin with what the others come of: why attempts were not scored', () => {
    const result = sampleResult()
    const [{ candidate } = { candidate: '' }] = result.dispositions
    const of2688 = { committed_late: 2688, outcome_missing: 2690 }
    const accounting = result.accounting.map((cell) =>
      cell.model === candidate && cell.horizon === 'all' && cell.stratum === 'all'
        ? { ...cell, expected: 2698, point: { ...cell.point, scored: 0 }, reasons: of2688 }
        : cell,
    )
    const silent = {
      comparator: 'ar1',
      horizon: 2,
      limit: 0.02,
      found: 1,
      leads_to: 'blocked',
    } as const
    const reasons = [
      reason({ ...silent, code: 'availability_limit_exceeded' }),
      reason({ ...silent, code: 'deciding_test_blocked', details: ['no_pairs'] }),
    ]
    const of = { candidate, disposition: 'blocked', reasons } as const
    const late = { ...result, accounting, dispositions: [of] } as EvaluationResult
    const [root = '', next = ''] = reasonLines(late, of, 9).shown
    expect(root).toBe(
      '2\u202f688 of its 2\u202f698 expected attempts were not scored: committed late; the first checkpoint that counts and holds it came after it was due.',
    )
    expect(next).toMatch(/^More than .* of its forecasts could not be scored/)
    for (const page of [renderHtml(late), renderMarkdown(late)]) {
      const [at, after] = [page.indexOf(root), page.indexOf('of its forecasts could not be scored')]
      expect([at > 0, after > at]).toEqual([true, true])
    }
  })

  it('name every comparator that takes the name of a built-in rule', () => {
    const code = 'comparator_substituted'
    const two = ['a', 'b'].map((comparator) => reason({ code, comparator, horizon: null }))
    expect(lines(two).shown).toEqual([expect.stringMatching(/: against a and b\.$/)])
  })

  it('of every code can be said alone and together', () => {
    const { properties } = resultSchema.properties.dispositions.items.properties.reasons.items
    const codes = properties.code.enum as Reason['code'][]
    expect(codes.length).toBeGreaterThan(12)
    for (const code of codes) {
      const two = ['a', 'b'].map((comparator) => reason({ code, comparator, horizon: 2 }))
      for (const text of [...lines(two).shown, ...lines(two.slice(1)).shown]) {
        expect(text, code).not.toMatch(/undefined|null|NaN|\[object|–/)
        expect(text).toMatch(/^[A-Z].*\.$/)
      }
    }
  })
})

describe('report.md', () => {
  it.each([
    ['hourly closes', OF_HOURLY, [5, 8, 9, 11]],
    ['any series', OF_SERIES, undefined],
  ])('of %s cannot be broken by a name', (_, result, columns) => {
    const page = renderMarkdown(result)
    expect(page).not.toMatch(/<script>|@all|NaN|Infinity|undefined|\[object/)
    const rows = page.split('\n').filter((line) => line.startsWith('| '))
    const bars = new Set(rows.map((row) => row.replaceAll('\\|', '').split('|').length))
    if (columns) expect([...bars].sort((a, b) => a - b)).toEqual(columns)
  })

  it('carries every mark, disposition and digest', () => {
    const result = sampleResult({ kind: 'backtest', exploratory: true })
    const page = renderMarkdown(result)
    expect(page).toContain('**Backtest.**')
    expect(page).toContain('**Exploratory.**')
    expect(page).toContain('### lstm-2024: Higher (backtest, exploratory)')
    expect(page).toContain(result.result_sha256)
  })
})
