import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/document/canonical.js'
import { compareDocuments, differenceFindings } from '../../src/protocol/rules/compare.js'
import { argsOf } from '../contract/args-of.js'
import { changed, ownValue } from './sample.js'

/** `kind pointer direction` of every difference between the own protocol and a changed copy. */
// biome-ignore lint/suspicious/noExplicitAny: tests bend it out of shape on purpose
function differences(change: (protocol: any) => void): string[] {
  const protocol = ownValue()
  change(protocol)
  return compareDocuments(ownValue(), protocol).map(({ kind, pointer, direction }) =>
    [kind, pointer, direction].filter(Boolean).join(' '),
  )
}

describe('compareDocuments', () => {
  it.each([
    ['/uncertainty/replicates', 100, 'loosens'],
    ['/uncertainty/replicates', 1_000_000, 'tightens'],
    ['/uncertainty/block_length_origins', 12, 'loosens'],
    ['/uncertainty/multiplicity/alpha', 0.01, 'tightens'],
    ['/sampling/minimum_effective_sample/paired_origins_per_horizon', 1, 'loosens'],
    [
      '/sampling/minimum_effective_sample/effective_independent_blocks_per_comparison',
      99,
      'tightens',
    ],
    ['/design/practical_effect_floor', 0, 'loosens'],
    ['/uncertainty/seed', 7, ''],
  ])('%s to %d %s', (pointer, value, direction) => {
    const found = compareDocuments(ownValue(), changed({ [pointer]: value }))
    expect(found).toMatchObject([{ kind: 'changed', pointer }])
    expect(found[0]?.direction ?? '').toBe(direction)
  })

  it('distinguishes lists of names by what is in them', () => {
    const at = '/estimands/comparisons/required'
    expect(differences((p) => p.estimands.comparisons.required.splice(1, 1))).toEqual([
      `removed ${at}/1 loosens`,
    ])
    expect(differences((p) => p.estimands.comparisons.required.push('x'))).toEqual([
      `added ${at}/5 tightens`,
    ])
    expect(differences((p) => p.estimands.comparisons.required.reverse())).toEqual([
      `reordered ${at}`,
    ])
  })

  it('names members that came, went and were renamed', () => {
    const found = differences((p) => {
      p.market['a/b'] = 1
      delete p.market.outcome
    })
    expect(found).toEqual(['removed /market/outcome', 'added /market/a~1b'])
  })

  it('compares lists of numbers item by item, and says when their lengths differ', () => {
    expect(differences((p) => p.horizons_hours.splice(0, 1, 1))).toEqual([
      'changed /horizons_hours/0',
    ])
    expect(differences((p) => p.horizons_hours.push(32))).toEqual(['changed /horizons_hours'])
  })

  it('finds nothing exactly when the canonical forms are equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = canonicalize(a) === canonicalize(b)
        expect(compareDocuments(a, b).length === 0).toBe(same)
        expect(compareDocuments(a, structuredClone(a))).toEqual([])
      }),
    )
  })

  it('shows of long texts where they part', () => {
    const text = 'x'.repeat(300)
    const [finding] = differenceFindings(compareDocuments({ a: `${text}1` }, { a: `${text}2` }))
    expect(argsOf(finding).from).toContain('1')
    expect(argsOf(finding).to).toContain('2')
    expect(String(argsOf(finding).from).length).toBeLessThan(70)
  })

  it.each([
    ['a zero-width space', 'seer', 'se\u200ber', '"se\\u{200b}er"'],
    ['a no-break space', 'a b', 'a\u00a0b', '"a\\u{a0}b"'],
    ['a mark that turns the direction', 'ab', 'a\u202eb', '"a\\u{202e}b"'],
    ['a Cyrillic letter', 'seer', 's\u0435er', '"s\\u{435}er"'],
    ['a Greek letter', 'Alpha', '\u0391lpha', '"\\u{391}lpha"'],
    ['an accent that was there before', 'caf\u00e9 1', 'caf\u00e9 2', '"caf\u00e9 2"'],
  ])('shows %s by its code point where only one text has it', (_, from, to, shown) => {
    const [changed] = differenceFindings(compareDocuments({ a: from }, { a: to }))
    expect(argsOf(changed)).toMatchObject({ from: JSON.stringify(from), to: shown })
  })
})
