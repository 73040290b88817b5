import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { checkProtocol } from '../../src/contract/generated/check-protocol.js'
import { type Changes, changedIn, sampleProtocol } from '../protocol/sample.js'

const codesAfter = (changes: Changes) =>
  checkProtocol(changedIn(sampleProtocol(), changes)).map(
    ({ code, pointer }) => `${code} ${pointer}`,
  )

describe('checkProtocol', () => {
  it('accepts a protocol that keeps every rule', () => expect(codesAfter({})).toEqual([]))

  it.each([
    ['a constant of another type', '/schema_version', '1', 'wrong-value'],
    ['a wrong list', '/pairing/key', ['horizon_hours', 'target_at', 'origin_at'], 'wrong-value'],
    ['another horizon', '/horizons_hours', [2, 4, 8, 16, 24], 'wrong-value'],
    ['an empty text', '/purpose', '', 'empty-text'],
    ['a digest in capitals', '/protocol_sha256', 'A'.repeat(64), 'malformed-text'],
    ['too few comparisons', '/estimands/comparisons/required', ['a', 'b', 'c'], 'item-count'],
    ['alpha of 0', '/uncertainty/multiplicity/alpha', 0, 'out-of-bounds'],
    ['alpha above 0.05', '/uncertainty/multiplicity/alpha', 0.050001, 'out-of-bounds'],
    ['no replicate', '/uncertainty/replicates', 0, 'out-of-bounds'],
    ['a broken replicate', '/uncertainty/replicates', 1.5, 'wrong-type'],
    ['a key missing deep inside', '/design/limits', { per_horizon_regression: 'x' }, 'missing-key'],
  ])('finds %s', (_name, pointer, value, code) => {
    expect(codesAfter({ [pointer]: value })).toEqual([`${code} ${pointer}`])
  })

  it('finds an unknown key with odd letters, and each repetition of a stratum', () => {
    const { market } = sampleProtocol()
    const odd = codesAfter({ '/market': { ...market, 'a/b~c': 1 } })
    expect(odd).toEqual(['unknown-key /market/a~1b~0c'])
    const codes = codesAfter({ '/sampling/strata': ['a', 'b', 'a', 'b'] })
    expect(codes).toEqual(['listed-twice /sampling/strata/2', 'listed-twice /sampling/strata/3'])
  })

  it('names the nearest key that is not there yet', () => {
    const { purpose, ...rest } = sampleProtocol()
    const findings = checkProtocol({ ...rest, prupose: purpose })
    expect(findings).toContainEqual({
      code: 'unknown-key',
      severity: 'error',
      pointer: '/prupose',
      args: { keys: ['prupose'], nearest: ['purpose'] },
    })
  })

  it('lists what is missing, and what is unknown, once for each object', () => {
    const { purpose, ...rest } = sampleProtocol()
    const found = checkProtocol({ market: {}, prupose: purpose, note: 1, status: rest.status })
    expect(found.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'missing-key ',
      'unknown-key /prupose',
      'missing-key /market',
    ])
    const [missing, unknown] = found.map(formatMessage)
    expect(missing?.text).toMatch(/^12 keys are missing: "schema_version", .* and "immutability"$/)
    expect(unknown).toEqual({
      text: 'unknown keys "prupose" and "note"',
      help: 'Did you mean "purpose" for "prupose"? Remove the others.',
    })
  })

  it('does not flood where a document is of another kind', () => {
    const other = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`row${index}`, 1]))
    const [missing, unknown, ...rest] = checkProtocol(other).map(formatMessage)
    expect(rest).toEqual([])
    expect(missing?.text).toContain('14 keys are missing')
    expect(unknown?.text).toMatch(/"row19" and 4980 more$/)
    expect(unknown?.help).toBe('Remove them.')
  })

  it('reports every fault of a document in one run', () => {
    const codes = codesAfter({
      ...{ '/issue': 0, '/extra': 1, '/market': undefined },
      ...{ '/uncertainty/seed': 'x', '/sampling/strata': [] },
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
