import { describe, expect, it } from 'vitest'
import { checkResult } from '../../src/evaluation/result/check.js'
import { renderHtml } from '../../src/report/html/page.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { reasonSentence } from '../../src/report/sentences.js'
import { sampleResult } from './sample.js'

const HOSTILE = '</svg><script>alert(1)</script>"\'&<b>|@all\u0000\u202e[x](http://y)'

describe('the sample', () => {
  it('is a result as the schema describes it', () => {
    expect(checkResult(sampleResult())).toEqual([])
  })
})

describe('report.html', () => {
  it('gives the same bytes for the same result', () => {
    expect(renderHtml(sampleResult())).toBe(renderHtml(sampleResult()))
  })

  it('needs nothing from elsewhere and runs no script', () => {
    const page = renderHtml(sampleResult())
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\son\w+=|https?:/i)
    expect(page).toContain("default-src 'none'")
  })

  it('escapes names, in text, attributes and drawings alike', () => {
    const page = renderHtml(sampleResult({ rename: HOSTILE, strata: false }))
    expect(page).not.toContain('<script>alert')
    expect(page).not.toContain('\u0000')
    expect(page).not.toContain('\u202e')
    expect(page).toContain('&lt;/svg&gt;&lt;script&gt;')
  })

  it('says retrospective and exploratory wherever a disposition is shown', () => {
    const page = renderHtml(sampleResult({ mode: 'retrospective', exploratory: true }))
    expect(page).toMatch(/<title>[^<]*retrospective exploratory evaluation/)
    expect(page).toContain('<b>Retrospective.</b>')
    expect(page).toContain('<b>Exploratory.</b>')
    const chips = [...page.matchAll(/class="chip">([^<]*)</g)].map((match) => match[1])
    expect(chips).toHaveLength(3)
    for (const chip of chips) expect(chip).toMatch(/retrospective, exploratory/)
    expect(page).not.toContain('Eligible for human review')
  })

  it('has an identifier once only, and every reference leads somewhere', () => {
    const page = renderHtml(sampleResult())
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1])
    expect(new Set(ids).size).toBe(ids.length)
    const wanted = [...page.matchAll(/(?:aria-labelledby|href)="#?([^"]+)"/g)].flatMap((match) =>
      (match[1] ?? '').split(' '),
    )
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('shows every test of the family once in the whole ladder', () => {
    const result = sampleResult()
    const page = renderHtml(result)
    const ladder = page.slice(page.indexOf('The whole ladder, in ascending order of p'))
    const rows = ladder.slice(0, ladder.indexOf('</table>')).match(/<tr><th scope="row"/g)
    expect(rows).toHaveLength(result.family.size)
    expect(result.family.size).toBe(2784)
  })

  it('never writes a number that is none', () => {
    for (const page of [renderHtml(sampleResult()), renderMarkdown(sampleResult())]) {
      expect(page).not.toMatch(/NaN|Infinity|undefined|\[object/)
    }
  })
})

describe('on paper', () => {
  it('keeps the margins of the sheet and every reason of a verdict', () => {
    const page = renderHtml(sampleResult())
    expect(page).toContain('@page{margin:')
    const print = page.slice(page.indexOf('@media print'))
    const hides = print.indexOf('details:not([open]){display:none}')
    expect(print.indexOf('.card details{display:block}')).toBeGreaterThan(hides)
    expect(print).toContain('.card details::details-content{content-visibility:visible}')
  })
})

describe('the strata', () => {
  it('counts the origins that belong to no level', () => {
    const result = sampleResult()
    const [first] = result.strata
    const inside = first?.levels.reduce((sum, level) => sum + level.origins, 0) ?? 0
    const origins = inside + 26
    const page = renderHtml({ ...result, settings: { ...result.settings, origins } })
    expect(page).toContain(
      `26 origins belong to no level of ${first?.name} and count over all origins only.`,
    )
  })
})

describe('a reason', () => {
  const notLower = (found: number) =>
    reasonSentence({
      code: 'not_significant',
      leads_to: 'inconclusive',
      comparator: 'ar1',
      horizon: 'overall',
      measure: 'point_loss',
      test: null,
      found,
      limit: 0.05,
      details: [],
    })

  it('never denies a difference that is significant to the other side', () => {
    expect(notLower(0.039)).toBe(
      'Against ar1, the overall loss is not significantly lower: it differs significantly, to the other side (adjusted p 0.039).',
    )
    expect(notLower(0.41)).toBe(
      'Against ar1, the overall loss is not significantly lower after Holm’s correction (adjusted p 0.410).',
    )
  })

  it('gives differences in direction in points, in words, table and drawing alike', () => {
    const page = renderHtml(sampleResult())
    expect(page).toContain('direction worse by at most 2.0 percentage points')
    expect(page).toContain('limit +2.0 points')
    expect(page).toMatch(/up to [+−]?\d+\.\d points/)
  })
})

describe('report.md', () => {
  it('cannot be broken by a name', () => {
    const page = renderMarkdown(sampleResult({ rename: HOSTILE }))
    expect(page).not.toContain('<script>')
    expect(page).not.toContain('@all')
    const rows = page.split('\n').filter((line) => line.startsWith('| '))
    const bars = rows.map((row) => row.replaceAll('\\|', '').split('|').length)
    expect(new Set(bars)).toEqual(new Set([8, 11]))
  })

  it('carries every mark, disposition and digest', () => {
    const result = sampleResult({ mode: 'retrospective', exploratory: true })
    const page = renderMarkdown(result)
    expect(page).toContain('**Retrospective.**')
    expect(page).toContain('**Exploratory.**')
    expect(page).toContain('### lstm-2024: Negative (retrospective, exploratory)')
    expect(page).toContain(result.result_sha256)
  })
})
