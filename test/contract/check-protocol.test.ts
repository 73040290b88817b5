import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import { checkProtocol } from '../../src/contract/generated/check-protocol.js'
import { protocol } from './samples.js'

// biome-ignore lint/suspicious/noExplicitAny: documents are broken on purpose
type Change = (document: any) => void

function codesAfter(change: Change): string[] {
  const document = structuredClone(protocol())
  change(document)
  return checkProtocol(document).map(({ code, pointer }) => `${code} ${pointer}`)
}

describe('checkProtocol', () => {
  it('accepts a protocol that keeps every rule', () => {
    expect(checkProtocol(protocol())).toEqual([])
  })

  const cases: readonly (readonly [string, Change, string[]])[] = [
    ['a wrong constant', (d) => (d.issue = 411), ['wrong-value /issue']],
    [
      'a constant of another type',
      (d) => (d.schema_version = '1'),
      ['wrong-value /schema_version'],
    ],
    ['a wrong list', (d) => d.pairing.key.reverse(), ['wrong-value /pairing/key']],
    ['another horizon', (d) => d.horizons_hours.push(24), ['wrong-value /horizons_hours']],
    ['an empty text', (d) => (d.purpose = ''), ['empty-text /purpose']],
    [
      'a digest in capitals',
      (d) => (d.protocol_sha256 = 'A'.repeat(64)),
      ['malformed-text /protocol_sha256'],
    ],
    [
      'too few comparisons',
      (d) => d.estimands.comparisons.required.pop(),
      ['item-count /estimands/comparisons/required'],
    ],
    [
      'repeated strata',
      (d) => (d.sampling.strata = ['a', 'b', 'a', 'b']),
      ['listed-twice /sampling/strata/2', 'listed-twice /sampling/strata/3'],
    ],
    ['an empty stratum', (d) => (d.sampling.strata = ['']), ['empty-text /sampling/strata/0']],
    [
      'alpha of 0',
      (d) => (d.uncertainty.multiplicity.alpha = 0),
      ['out-of-bounds /uncertainty/multiplicity/alpha'],
    ],
    [
      'alpha above 0.05',
      (d) => (d.uncertainty.multiplicity.alpha = 0.050001),
      ['out-of-bounds /uncertainty/multiplicity/alpha'],
    ],
    [
      'a negative floor',
      (d) => (d.design.practical_effect_floor = -0.01),
      ['out-of-bounds /design/practical_effect_floor'],
    ],
    [
      'no replicate',
      (d) => (d.uncertainty.replicates = 0),
      ['out-of-bounds /uncertainty/replicates'],
    ],
    [
      'a broken replicate',
      (d) => (d.uncertainty.replicates = 1.5),
      ['wrong-type /uncertainty/replicates'],
    ],
    [
      'a key missing deep inside',
      (d) => delete d.design.limits.directional_loss,
      ['missing-key /design/limits'],
    ],
    [
      'an unknown key with odd letters',
      (d) => (d.market['a/b~c'] = 1),
      ['unknown-key /market/a~1b~0c'],
    ],
    [
      'a post-hoc change',
      (d) => (d.immutability.post_hoc_changes = true),
      ['wrong-value /immutability/post_hoc_changes'],
    ],
    ['an object where a text belongs', (d) => (d.purpose = {}), ['wrong-type /purpose']],
  ]
  it.each(cases)('finds %s', (_name, change, expected) => {
    expect(codesAfter(change)).toEqual(expected)
  })

  it('names the nearest key that is not there yet', () => {
    const { purpose, ...rest } = protocol()
    const findings = checkProtocol({ ...rest, prupose: purpose })
    expect(findings).toContainEqual({
      code: 'unknown-key',
      severity: 'error',
      pointer: '/prupose',
      args: { keys: ['prupose'], nearest: ['purpose'] },
    })
  })

  it('lists what is missing, and what is unknown, once for each object', () => {
    const { purpose, ...rest } = protocol()
    const found = checkProtocol({ market: {}, prupose: purpose, note: 1, status: rest.status })
    expect(found.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'missing-key ',
      'unknown-key /prupose',
      'missing-key /market',
    ])
    const [missing, unknown] = found.map(messageOf)
    expect(missing?.text).toMatch(/^12 keys are missing: "schema_version", .* and "immutability"$/)
    expect(unknown).toEqual({
      text: 'unknown keys "prupose" and "note"',
      help: 'Did you mean "purpose" for "prupose"? Remove the others.',
    })
  })

  it('does not flood where a document is of another kind', () => {
    const other = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`row${index}`, 1]))
    const [missing, unknown, ...rest] = checkProtocol(other).map(messageOf)
    expect(rest).toEqual([])
    expect(missing?.text).toContain('14 keys are missing')
    expect(unknown?.text).toMatch(/"row19" and 4980 more$/)
    expect(unknown?.help).toBe('Remove them.')
  })

  it('reports every fault of a document in one run', () => {
    const codes = codesAfter((d) => {
      d.issue = 0
      d.extra = 1
      delete d.market
      d.uncertainty.seed = 'x'
      d.sampling.strata = []
    })
    expect(codes.sort()).toEqual([
      'item-count /sampling/strata',
      'missing-key ',
      'unknown-key /extra',
      'wrong-type /uncertainty/seed',
      'wrong-value /issue',
    ])
  })

  it.each([[null], [[]], ['text'], [1]])('says of %j that it is no object', (value) => {
    expect(checkProtocol(value).map(({ code, pointer }) => code + pointer)).toEqual(['wrong-type'])
  })
})
