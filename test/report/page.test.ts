import { describe, expect, it } from 'vitest'
import { checkResult } from '../../src/contract/generated/check-result.js'
import readingSchema from '../../src/contract/schemas/reading.schema.json' with { type: 'json' }
import type { CandidateDisposition, Result } from '../../src/evaluation/result/result.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { reasonLines } from '../../src/report/reasons.js'
import { shownRequirements } from '../../src/report/requirements.js'
import { evaluatedSeries } from '../evaluation/series-world.js'
import { sampleResult, withReading, withRules } from './sample.js'

const HOSTILE = '</svg><script>alert(1)</script>"\'&<b>|@all\u0000\u202e[x](http://y)'

it.each([
  {},
  { time: 'stamped' },
  { time: 'committed' },
  { method: 'percentile-bootstrap' },
] as const)('the sample is a result as the schema describes it, %j', (options) =>
  expect(checkResult(sampleResult(options))).toEqual([]),
)

const { sealed: series } = await evaluatedSeries()

/** The same with a hostile text in the place of these names. */
const hostile = (result: Result, ...names: readonly string[]): Result =>
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

describe.each<[string, () => string, () => string]>([
  ['hourly closes', () => renderHtml(sampleResult()), () => renderHtml(OF_HOURLY)],
  ['any series', () => renderHtml(structuredClone(series)), () => renderHtml(OF_SERIES)],
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
    expect(page.match(/chosen when outcomes could be known: no error rate holds/g)).toHaveLength(1)
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
    expect(rows).toHaveLength(result.reading.family.size)
    expect(result.reading.family.size).toBe(2784)
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
  const page = renderHtml({ ...result, window: { ...result.window, origins } })
  expect(page).toContain(
    `26 origins belong to no level of ${first?.name} and count over all origins only.`,
  )
})

type Reason = CandidateDisposition['reasons'][number]

const reason = (given: Partial<Reason>): Reason => ({
  code: 'practical_floor_not_reached',
  leads_to: 'inconclusive',
  comparator: 'ar1',
  step: 'overall',
  score: 'point_loss',
  test: null,
  found: 0.41,
  limit: 0.05,
  details: [],
  ...given,
})

const COMPARED = ['persistence', 'seasonal_naive_24h', 'ar1', 'strongest_simple']

const sample = sampleResult()
const lines = (reasons: Reason[]) =>
  reasonLines(sample, { candidate: 'm', disposition: 'inconclusive', reasons }, 99)

it('the table compares with the floor what the verdict does, the worst in the place of missing outcomes', () => {
  const result = sampleResult()
  const rivals = { candidate: 'kronos-small', comparator: 'persistence' }
  const floor = (found: number) => {
    const code = found < 0.05 ? 'practical_floor_not_reached' : 'improvement_established'
    const reasons = [reason({ code, comparator: 'persistence', found })]
    const { candidate, comparator } = rivals
    const dispositions = [{ candidate, disposition: 'inconclusive' as const, reasons }]
    return shownRequirements(withReading(result, { dispositions }), candidate, comparator)[0]
  }
  const needs = ', needs\u00a0−2.00\u202f%'
  expect(floor(0.012)).toMatchObject({ answer: 'not_met', figure: `−1.20\u202f%${needs}` })
  expect(floor(0.3)).toMatchObject({ answer: 'met', figure: `−30.00\u202f%${needs}` })
})

it('says which p each part of a joint test needs, and of which test an adjusted p is', () => {
  const result = sampleResult({ strata: false })
  const tests = result.reading.tests.map((test) => ({
    ...test,
    by_verdict: test.step === 'overall',
  }))
  const verdicts = result.reading.verdicts.map((of) => ({ ...of, multiplier: 4.6 }))
  const shown = withReading(result, { tests, verdicts })
  // 0.05 / 4.6
  expect(renderHtml(shown)).toContain('(each p of its joint test at most 0.0109)')
  expect(renderMarkdown(shown)).toMatch(/%, p [^|]* \\\(joint test\\\) \|/)
})

it('charges for waiting in one number against each comparator, wherever it is required', () => {
  const result = withReading(sampleResult({ strata: false }), {
    waiting: COMPARED.map((comparator) => ({ comparator, step: 'overall', w: 0.005 })),
  })
  const [floor] = shownRequirements(result, 'kronos-small', 'persistence')
  expect(floor?.figure).toContain('needs\u00a0−2.50\u202f%')
  expect(renderHtml(result)).toContain('with the charge for waiting 2.5\u202f% against persistence')
})

it('a test of the direction that is not asked for is called so, and not blocked', () => {
  const result = sampleResult({ strata: false })
  const of = { candidate: 'kronos-small', comparator: 'ar1', step: 16, score: 'direction_error' }
  const tests = result.reading.tests.map((test) =>
    Object.entries(of).every(([name, value]) => test[name as keyof typeof of] === value)
      ? { ...test, decision: 'blocked' as const, blocked_reasons: ['too_few_pairs'] }
      : test,
  )
  const dispositions = result.reading.dispositions!.map((one) => ({
    ...one,
    reasons: [reason({ code: 'direction_not_comparable', ...of, found: null, limit: null })],
  }))
  const page = renderHtml(withReading(result, { tests, dispositions }))
  expect(page).not.toContain('blocked: too few pairs')
  expect(page).toContain('not asked: the comparator predicts up or down too rarely')
})

const BOOTSTRAP = { method: 'percentile-bootstrap' } as const

describe('where a bootstrap was drawn', () => {
  it('the table says, too, that so small a p is of a loss that is higher', () => {
    const [, figure] = shownRequirements(sampleResult(BOOTSTRAP), 'lstm-2024', 'persistence')
    expect(figure).toMatchObject({ answer: 'not_met' })
    expect(figure?.figure).toMatch(/^significantly higher, /)
    const [, better] = shownRequirements(sampleResult(BOOTSTRAP), 'kronos-small', 'persistence')
    expect(better?.figure).not.toContain('higher')
  })

  it('an adjusted p is said to be the least attainable', () => {
    const page = sampleResult(BOOTSTRAP)
    const least = (page.reading.family.size * 2) / 200_001
    const tests = page.reading.tests.map((test) => ({
      ...test,
      p_adjusted: test.p === null ? null : least,
    }))
    for (const render of [renderHtml, renderMarkdown]) {
      expect(render(withReading(page, { tests }))).toContain(
        `${least.toFixed(3)}, the least attainable`,
      )
    }
  })

  it('every candidate is called not decided, with its figure', () => {
    const page = renderHtml(sampleResult(BOOTSTRAP))
    expect(page.match(/class="chip">Not decided/g)).toHaveLength(3)
    expect(page).toMatch(/is not judged, because its protocol decides by a bootstrap; its overall/)
    expect(page).toMatch(/up to [+−]?\d+\.\d points/)
  })
})

it('differences in direction are in points, in words, table and drawing alike', () => {
  const page = renderHtml(sampleResult())
  expect(page).toContain('mean direction worse by at most 2.0 percentage points')
  expect(page).toContain('limit +2.0 points')
})

it('what a reader must know comes first, then the verdict, then what had to be shown', () => {
  const page = renderHtml(withRules(sampleResult(), { alpha: 0.051 }))
  const places = ['Before you read this', 'class="lead"', 'had to show against', 'class="reasons"']
  const found = places.map((text) => page.indexOf(text))
  expect(found).toEqual([...found].sort((a, b) => a - b))
  expect(found[0]).toBeGreaterThan(0)
})

it.each([
  ['hourly closes', sampleResult({ time: 'committed' })],
  ['any series', series],
])('a paragraph has at most two sentences, of %s', (_, result) => {
  const texts = [...renderHtml(result).matchAll(/<p(?: [^>]*)?>(.*?)<\/p>/gs)].map(
    ([, text = '']) => text.replaceAll(/<[^>]*>/g, '').trim(),
  )
  expect(texts.length).toBeGreaterThan(20)
  // The label of a mark is no sentence; the word of a protocol is quoted.
  const sentences = (text: string) =>
    text.replaceAll(/“[^”]*”/g, 'quoted').split(/[.!?]\)?(?= +[A-Z“])/).length
  const labelled = new Set(['Unwitnessed log', 'Self-declared time', 'Unexplained log entries'])
  const long = texts.filter((text) => {
    const [first = ''] = text.split('.')
    return sentences(text) > (labelled.has(first) ? 3 : 2)
  })
  expect(long).toEqual([])
})

describe('reasons', () => {
  it('make one line where they differ in comparator or step alone', () => {
    const may = (comparator: string, step: number, found: number) =>
      reason({ code: 'regression_limit_exceeded', comparator, step, found })
    const silent = (comparator: string, step: number) =>
      reason({ code: 'direction_not_comparable', comparator, step, score: 'direction_error' })
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
      'The direction error was not compared where a comparator predicts up or down too rarely for a test, or never: against persistence and strongest_simple at 2 h, 4 h.',
    ])
    expect(rest).toEqual([])
  })

  it('stay apart where they differ in anything else', () => {
    const blocked = (details: string[], step: number) =>
      reason({ code: 'deciding_test_blocked', leads_to: 'blocked', details, step })
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
      'The loss could not be tested (too few pairs): against ar1 at 2 h.',
      'The loss could not be tested (too few effective blocks): against ar1 at 4 h.',
    ])
  })

  it('say of a test without any pair that there is none, and no more, wherever it is shown', () => {
    const result = sampleResult({ strata: false })
    const blocked_reasons = ['no_pairs', 'too_few_pairs', 'too_few_blocks']
    const none = { p: null, p_adjusted: null, rank: null, multiplier: null, bounds: null }
    const tests = result.reading.tests.map((test) => ({
      ...{ ...test, ...none, observed: null, pairs: 0, effective_blocks: 0 },
      ...{ decision: 'blocked' as const, blocked_reasons },
    }))
    const blocked = withReading(result, { tests })
    for (const page of [renderHtml(blocked), renderMarkdown(blocked)]) {
      expect(page).toContain('blocked: no pairs')
      expect(page).not.toContain('too few')
    }
    const { shown, rest } = lines([
      reason({
        ...{ code: 'deciding_test_blocked', leads_to: 'blocked', details: blocked_reasons },
        step: 2,
      }),
    ])
    expect([...shown, ...rest]).toEqual([
      'The loss could not be tested (no pairs): against ar1 at 2 h.',
    ])
  })

  it('begin with what the others come of: why attempts were not scored', () => {
    const result = sampleResult()
    const [{ candidate } = { candidate: '' }] = result.reading.dispositions ?? []
    const of2688 = { committed_late: 2688, outcome_missing: 2690 }
    const accounting = result.reading.accounting.map((cell) =>
      cell.model === candidate && cell.step === 'overall' && cell.scope === 'all'
        ? { ...cell, expected: 2698, point: { ...cell.point, scored: 0 }, reasons: of2688 }
        : cell,
    )
    const silent = {
      ...{ comparator: 'ar1', step: 2, limit: 0.02, found: 1 },
      leads_to: 'blocked' as const,
    }
    const reasons = [
      reason({ ...silent, code: 'availability_limit_exceeded' }),
      reason({ ...silent, code: 'deciding_test_blocked', details: ['no_pairs'] }),
    ]
    const of = { candidate, disposition: 'blocked', reasons } as const
    const late = withReading(result, { accounting, dispositions: [of] })
    const [root = '', next = ''] = reasonLines(late, of, 9).shown
    expect(root).toBe(
      '2,688 of its 2,698 expected attempts were not scored: the first valid checkpoint that contains it came after its deadline (committed_late).',
    )
    expect(next).toBe(
      '100\u202f% of its forecasts could not be scored (limit 2\u202f%): against ar1 at 2 h.',
    )
    for (const page of [renderHtml(late), renderMarkdown(late).replaceAll('\\', '')]) {
      const [at, after] = [page.indexOf(root), page.indexOf('of its forecasts could not be scored')]
      expect([at > 0, after > at]).toEqual([true, true])
    }
  })

  it('name every comparator that takes the name of a built-in rule', () => {
    const code = 'comparator_substituted'
    const two = ['a', 'b'].map((comparator) => reason({ code, comparator, step: null }))
    expect(lines(two).shown).toEqual([expect.stringMatching(/: against a and b\.$/)])
  })

  it('of every code can be said alone and together', () => {
    const [list] = readingSchema.properties.dispositions.anyOf
    const { properties } = list!.items!.properties.reasons.items
    const codes = properties.code.enum as Reason['code'][]
    expect(codes.length).toBeGreaterThan(12)
    for (const code of codes) {
      const two = ['a', 'b'].map((comparator) => reason({ code, comparator, step: 2 }))
      for (const text of [...lines(two).shown, ...lines(two.slice(1)).shown]) {
        expect(text, code).not.toMatch(/undefined|null|NaN|\[object|–/)
        expect(text).toMatch(/^[A-Z\d].*\.$/)
      }
    }
  })
})

describe('report.md', () => {
  it.each([
    ['hourly closes', OF_HOURLY],
    ['any series', OF_SERIES],
  ])('of %s cannot be broken by a name', (_, result) => {
    const page = renderMarkdown(result)
    expect(page).not.toMatch(/<script>|@all|NaN|Infinity|undefined|\[object/)
    const tables = page.split('\n\n').filter((part) => part.startsWith('| '))
    expect(tables.length).toBeGreaterThan(5)
    for (const table of tables) {
      const bars = table.split('\n').map((row) => row.replaceAll('\\|', '').split('|').length)
      expect(new Set(bars).size).toBe(1)
    }
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
