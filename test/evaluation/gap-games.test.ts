import { describe, expect, it } from 'vitest'
import { FIRST, LAST, played, several } from './played.js'

/**
 * What a keeper of outcomes and an author of groups could do: each of these made a candidate eligible, or a rival
 * negative, by the rules before.
 */

const GOOD = several(10, { loss: 0.7 })
const inWindow = (at: number) => at > FIRST && at <= LAST + 1

describe('outcomes that are left out', () => {
  it('find a good candidate where none is, and one that has no skill otherwise', async () => {
    expect((await played({ series: GOOD })).disposition).toBe('eligible_for_human_review')
    const { disposition } = await played({ series: several(10, { loss: 1 }) })
    expect(disposition).not.toBe('eligible_for_human_review')
  })

  it('where the candidate is worst, about a tenth, make it neither eligible nor negative', async () => {
    const series = several(10, { loss: 1 })
    const isLeftOut = (_: string, at: number, worse: number) => inWindow(at) && worse > 0.3
    const { disposition, codes } = await played({ series, isLeftOut })
    expect([disposition, codes[0]]).toEqual(['inconclusive', 'outcomes_missing'])
  })

  it('count in the verdict where they are few: the worst against it, the best for it', async () => {
    const isLeftOut = (id: string, at: number) => id === 's11' && at > LAST - 20 && at <= LAST
    const { result, disposition } = await played({ series: GOOD, isLeftOut })
    expect(disposition).toBe('eligible_for_human_review')
    const overall = result.tests.find(({ step, scope }) => step === 'overall' && scope === 'all')
    const part = result.verdicts[0]?.parts.find(({ step }) => step === 'overall')
    const { lower, upper } = overall!.bounds_simultaneous!
    expect(part!.observed!).toBeGreaterThan(overall!.observed!)
    expect((lower + upper) / 2).toBeLessThan(overall!.observed!)
  })

  it('of all of the largest series, though few of all, end in no verdict without scales', async () => {
    const series = [...several(60, { loss: 0.7 }), { id: 'large', loss: 2, size: 500 }]
    const isLeftOut = (id: string, at: number) => id === 'large' && inWindow(at)
    const { disposition, reasons } = await played({ series, isLeftOut })
    expect([disposition, reasons[0]?.code]).toEqual(['inconclusive', 'outcomes_missing'])
    expect(reasons[0]?.details).toEqual(['series large'])
  })

  it.each<[string, (at: number) => boolean, string]>([
    ['all', (at) => at < FIRST, 'D60'],
    ['every second day', (at) => at < 50 && at % 2 === 0, 'D47'],
  ])('before the window, %s, end in no verdict', async (_, isOut, list) => {
    const isLeftOut = (_id: string, at: number) => isOut(at)
    const { disposition, reasons } = await played({ series: GOOD, isLeftOut })
    expect([disposition, reasons[0]?.code]).toEqual(['inconclusive', 'outcomes_missing'])
    const [before, would] = reasons[0]!.details
    expect(before).toBe('before the window')
    if (list !== 'D60') expect(would).toBe(`a list from ${list}`)
  })

  it('because a series begins late are expected, unless the protocol says from when on', async () => {
    const late = (more: object) => [
      ...several(4, { loss: 0.7 }),
      { id: 'late', loss: 0.7, ...more },
    ]
    const isLeftOut = (id: string, at: number) => id === 'late' && at < 58
    const without = await played({ series: late({}), isLeftOut })
    expect(without.reasons[0]).toMatchObject({
      ...{ code: 'outcomes_missing', details: ['before the window', 'late from D58'] },
    })
    const said = await played({ series: late({ from: 'D58' }), isLeftOut })
    expect(said.disposition).toBe('eligible_for_human_review')
    const half = await played({ series: late({ from: 'D120' }) })
    expect(half.disposition).toBe('eligible_for_human_review')
    const keys = half.cells.map(({ series, registered }) => [series, registered])
    // D120 is the target of the origin D119; the last one is D179.
    expect(keys).toContainEqual(['late', 61])
    expect(keys).toContainEqual(['s10', 120])
  })
})

describe('groups', () => {
  it('of which one is worse keep a candidate from eligible', async () => {
    const [adults, children] = [
      several(8, { loss: 0.6, group: 'adults' }),
      several(2, { loss: 1.35, group: 'children' }, 'c'),
    ]
    for (const isLeftOut of [undefined, (id: string, at: number) => id === 'c10' && at % 5 === 0]) {
      const game = { series: [...adults, ...children], ...(isLeftOut && { isLeftOut }) }
      const { disposition, codes } = await played(game)
      expect(disposition).toBe('inconclusive')
      expect(codes).toContain('group_harm_not_excluded')
    }
  })

  it('are those without one, too', async () => {
    const series = [
      ...several(2, { loss: 0.3, group: 'good', size: 40 }),
      ...several(18, { loss: 1.2 }, 'r'),
    ]
    const { disposition, reasons } = await played({ series })
    expect(disposition).toBe('inconclusive')
    expect(reasons.find(({ code }) => code === 'group_harm_not_excluded')?.details).toEqual([
      'rest',
    ])
  })

  it('of one bad series of a good rival make it no negative one', async () => {
    const series = [...GOOD, { id: 'bad', loss: 2, group: 'apart' }]
    const { disposition, codes } = await played({ series })
    expect(disposition).toBe('inconclusive')
    expect(codes).toContain('group_harm_not_excluded')
    expect(codes).not.toContain('regression_limit_exceeded')
  })
})
