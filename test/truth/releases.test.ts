import { describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { ALWAYS, countedValue, datedReleases, inForce } from '../../src/truth/releases.js'

const at = (date: string) => checkedInstant(`${date}T00:00:00Z`)

// A week that ends on the 8th: a first value, nothing, another one, and a late one.
const RELEASES = [
  { asOf: at('2026-01-10'), value: 10 },
  { asOf: at('2026-01-17'), value: undefined },
  { asOf: at('2026-01-24'), value: 12 },
  { asOf: at('2026-03-01'), value: 13 },
]

describe('a release is in force until the next one', () => {
  it.each([
    ['2026-01-09', undefined],
    ['2026-01-10', 10],
    ['2026-01-16', 10],
    ['2026-01-17', undefined],
    ['2026-02-28', 12],
    ['2027-01-01', 13],
  ])('%s', (date, value) => {
    expect(inForce(RELEASES, at(date))).toBe(value)
  })
})

describe('the value that counts', () => {
  it.each<[SeriesProtocol['outcome']['release'], string, number | undefined]>([
    [{ rule: 'first', wait: 'P7D' }, '2026-01-16', 10],
    [{ rule: 'first', wait: 'PT0S' }, '2026-01-09', undefined],
    [{ rule: 'as_of_lag', lag: 'P10D' }, '2026-01-18', undefined],
    [{ rule: 'as_of_lag', lag: 'P28D' }, '2026-02-05', 12],
    [{ rule: 'as_of_instant', at: '2026-06-01T00:00:00Z' }, '2026-06-01', 13],
  ])('by %j', (rule, settled, value) => {
    expect(countedValue(rule, RELEASES, at(settled))).toBe(value)
  })

  it('of what is not revised is the only one', () => {
    const releases = [{ asOf: ALWAYS, value: 7 }]
    expect(countedValue({ rule: 'unrevised', wait: 'P1D' }, releases, at('2026-01-10'))).toBe(7)
  })
})

it('a value without a date is public when it could be known, no earlier', () => {
  const undated = datedReleases([{ asOf: ALWAYS, value: 7 }], at('2026-01-09'))
  expect(inForce(undated, at('2026-01-08'))).toBeUndefined()
  expect(inForce(undated, at('2026-01-09'))).toBe(7)
  expect(datedReleases(RELEASES, at('2026-01-09'))).toBe(RELEASES)
})
