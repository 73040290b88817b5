import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/evaluation/result/types.js'
import { comparisonPage } from '../../src/report/comparison/page.js'
import { sampleResult } from './sample.js'

const one = sampleResult({ strata: false })
/** The same figures as another result. */
const twin = other(() => undefined)

/** The same evaluation with something changed. */
function other(change: (draft: Draft) => unknown): Result {
  const draft = structuredClone(one) as Draft
  draft.result_sha256 = 'e'.repeat(64)
  change(draft)
  return draft as Result
}
type Mutable<T> = { -readonly [K in keyof T]: Mutable<T[K]> }
type Draft = Mutable<Result>

const pageOf = (...results: Result[]) =>
  comparisonPage(
    results,
    results.map((_, index) => `evidence-${index}`),
  )
const banners = (page: string) =>
  [...page.matchAll(/class="banner" role="note"><b>([^<]*)<\/b> ([^<]*)</g)].map(
    ([, word, says]) => `${word} ${says}`,
  )

describe('a comparison', () => {
  it('of alike evaluations says that they may be held against each other', () => {
    const page = pageOf(one, twin)
    expect(banners(page)).toEqual([])
    expect(page).toContain('Protocol, window, outcomes and steps are the same in all.')
  })

  it('says of one result that it is one', () => {
    expect(banners(pageOf(one, twin, one))).toEqual([
      'The same result. The evaluations 1 and 3 are one result: that they agree says nothing.',
    ])
  })

  it.each<[string, (draft: Draft) => unknown]>([
    ['protocol', ({ inputs }) => (inputs.protocol.sha256 = 'f'.repeat(64))],
    ['window', ({ settings }) => (settings.window.to = '2025-08-31T08:00:00Z')],
    ['outcomes', ({ inputs }) => (inputs.outcomes.sha256 = 'f'.repeat(64))],
    ['steps', ({ settings }) => (settings.rules.steps = [2, 4])],
  ])('of evaluations that differ in %s warns before every figure', (what, change) => {
    const page = pageOf(one, other(change))
    const found = banners(page)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(new RegExp(`^Not comparable\\. The evaluations differ in ${what}: `))
    expect(page.indexOf('Not comparable')).toBeLessThan(page.indexOf('<table'))
  })

  it('names another family, history or code, which spoil nothing', () => {
    const page = pageOf(
      one,
      other(({ reading, inputs, code }) => {
        for (const of of [reading.family, inputs.history, code]) of.sha256 = 'f'.repeat(64)
      }),
    )
    expect(banners(page)).toEqual([])
    expect(page).toMatch(/<li>history: [0-9a-f]{8}… \(evaluation 1\); ffffffff… \(evaluation 2\)/)
  })

  it('has a row for every candidate and criterion of every evaluation, and names its result', () => {
    const page = pageOf(one, twin)
    const rows = (caption: string) => {
      const at = page.indexOf(`<caption>${caption}`)
      return page.slice(at, page.indexOf('</table>', at)).match(/<th scope="row"/g)?.length
    }
    expect(rows('The verdict on every candidate')).toBe(2 * 3)
    expect(rows('What kronos-small had to show')).toBe(2 * 4)
    for (const sha256 of [one.result_sha256, 'eeeeeeee']) {
      expect(page).toContain(`>${sha256.slice(0, 8)}…</td>`)
    }
  })
})
