import { describe, expect, it } from 'vitest'
import { type Comparable, countComparison, lossCause } from '../../src/pairing/compare.js'

const scored: Comparable = {
  origin: 0,
  horizon: 2,
  status: 'scored',
  intervalStatus: 'scored',
  vintageId: null,
  vintageSha256: null,
}
const failed: Comparable = { ...scored, status: 'failed', intervalStatus: 'failed' }
const pointOnly: Comparable = { ...scored, intervalStatus: 'missing' }
const on = (vintageId: string | null, vintageSha256: string | null): Comparable => ({
  ...scored,
  vintageId,
  vintageSha256,
})

describe('a key in a comparison', () => {
  it.each([
    ['counts when both are scored', scored, scored, undefined],
    ['is lost to the candidate', failed, scored, 'candidate_not_scored'],
    ['is lost to the comparator', scored, failed, 'comparator_not_scored'],
    ['is lost to both', failed, failed, 'neither_scored'],
    ['counts on one vintage', on('v', 'x'), on('v', 'x'), undefined],
    ['is lost when the vintages have two names', on('v', 'x'), on('w', 'x'), 'vintage_differs'],
    ['is lost when the vintages have two digests', on('v', 'x'), on('v', 'y'), 'vintage_differs'],
    ['is lost when one digest is not recorded', on('v', 'x'), on('v', null), 'vintage_differs'],
    ['counts when one records no vintage', on('v', 'x'), scored, undefined],
  ] as const)('%s', (_name, candidate, comparator, cause) => {
    expect(lossCause(candidate, comparator)).toBe(cause)
  })

  it('is judged by the interval for the interval', () => {
    expect(lossCause(pointOnly, scored)).toBeUndefined()
    expect(lossCause(pointOnly, scored, 'interval')).toBe('candidate_not_scored')
  })

  it('is one key', () => {
    expect(() => lossCause(scored, { ...scored, horizon: 4 })).toThrow(/different keys/)
    expect(() => lossCause(scored, { ...scored, origin: 1 })).toThrow(/different keys/)
  })

  it('is counted once, under one cause', () => {
    const pairs = [
      [scored, scored],
      [failed, scored],
      [failed, scored],
      [scored, failed],
      [failed, failed],
      [on('v', 'x'), on('w', 'x')],
    ] as const
    expect(countComparison(pairs)).toEqual({
      keys: 6,
      counted: 1,
      lost: {
        neither_scored: 1,
        candidate_not_scored: 2,
        comparator_not_scored: 1,
        vintage_differs: 1,
      },
    })
  })
})
