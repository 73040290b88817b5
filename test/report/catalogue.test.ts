import { describe, expect, it } from 'vitest'
import { CATALOGUE, SECTIONS } from '../../src/contract/findings/catalogue.js'
import { type Finding, finding, isCode, messageOf } from '../../src/contract/findings/finding.js'

const known = SECTIONS.flatMap(({ rows }) => Object.keys(rows))

describe('the catalogue of findings', () => {
  it('has each code once, in words and hyphens, and in one section', () => {
    expect(known.filter((code, index) => known.indexOf(code) !== index)).toEqual([])
    expect(known.filter((code) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(code))).toEqual([])
    expect([...known].sort()).toEqual(Object.keys(CATALOGUE).sort())
  })

  it.each(known.filter(isCode))('gives %s an example of which a sentence can be made', (code) => {
    const { example, faults } = CATALOGUE[code]
    const own = faults.map((fault) => ({ ...example, fault }))
    for (const args of [example, ...own]) {
      const { text, help } = messageOf({ code, args, severity: 'error' } as Finding)
      expect(text).not.toBe('')
      expect(`${text} ${help ?? ''}`).not.toMatch(
        /undefined|\bNaN (?!is no|One)|\[object|\{\w+[}: ]/,
      )
    }
  })

  it('sets the models of the wrong history apart from one another', () => {
    const { text, help } = messageOf(
      finding('history-without-models', { models: ['seer', 'oracle'], found: ['sear', 'orcale'] }),
    )
    expect(text).toContain('(seer, oracle)')
    expect(help).toContain('It has rows of: sear, orcale.')
  })
})

describe('finding', () => {
  it('takes the severity from the catalogue, and leaves out what is not given', () => {
    expect(
      finding('json-more', { count: 3 }, { file: 'a.json', pointer: undefined }),
    ).toStrictEqual({
      code: 'json-more',
      severity: 'note',
      file: 'a.json',
      args: { count: 3 },
    })
  })

  it('does not compile with a wrong code or a wrong argument', () => {
    // @ts-expect-error no such code
    expect(() => finding('json-mere', { count: 3 })).toThrow()
    // @ts-expect-error a text is no number
    finding('json-more', { count: '3' })
    // @ts-expect-error an argument is missing
    finding('page-too-long', { limit: 3 })
    // @ts-expect-error no such argument
    finding('json-more', { faults: 3 })
    // @ts-expect-error two codes whose arguments differ
    finding(known.length > 3 ? 'json-more' : 'json-depth', { count: 3 })
  })
})
