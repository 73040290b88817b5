import { describe, expect, it } from 'vitest'
import { checkedInstant, formatUtc } from '../../src/contract/instant.js'
import { later, type Offset, parseOffset } from '../../src/periods/offset.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'
import {
  ALWAYS,
  countedValue,
  inForce,
  type ReleaseRule,
  settledAt,
  viewAt,
} from '../../src/truth/releases.js'

const at = (date: string) => checkedInstant(`${date}T00:00:00Z`)
const offset = (text: string) => parseOffset(text) as Offset
const utc = zoneNamed('UTC') as Zone
const newYork = zoneNamed('America/New_York') as Zone

describe('offsets', () => {
  it.each([
    ['P28D', 28, 0],
    ['-PT73H', 0, -73 * 3.6e9],
    ['P1DT12H30M5S', 1, 45_005e6],
    ['PT0S', 0, 0],
  ])('%s', (text, days, time) => {
    expect(parseOffset(text)).toEqual({ days, time })
  })

  it.each(['P', 'PT', 'P1M', 'P1Y', 'P1W', '28D', 'P1DT', 'P1.5D', ''])('%j is none', (text) => {
    expect(parseOffset(text)).toBeUndefined()
  })

  it('in days move the date, in hours the instant', () => {
    // Midnight in New York, before the clock is put forward on 2026-03-08 and after.
    const midnight = checkedInstant('2026-03-01T05:00:00Z')
    expect(formatUtc(later(midnight, offset('P28D'), newYork))).toBe('2026-03-29T04:00:00Z')
    expect(formatUtc(later(midnight, offset('PT672H'), newYork))).toBe('2026-03-29T05:00:00Z')
    expect(formatUtc(later(midnight, offset('-P1D'), newYork))).toBe('2026-02-28T05:00:00Z')
  })
})

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
  const end = at('2026-01-08')
  const known = at('2026-01-09')
  it.each<[ReleaseRule, string, number | undefined]>([
    [{ rule: 'first', wait: offset('P7D') }, '2026-01-16', 10],
    [{ rule: 'first', wait: offset('PT0S') }, '2026-01-09', undefined],
    [{ rule: 'as_of_lag', lag: offset('P10D') }, '2026-01-18', undefined],
    [{ rule: 'as_of_lag', lag: offset('P28D') }, '2026-02-05', 12],
    [{ rule: 'as_of_instant', at: at('2026-06-01') }, '2026-06-01', 13],
  ])('by %j', (rule, settled, value) => {
    expect(settledAt(rule, end, known, utc)).toBe(at(settled))
    expect(countedValue(rule, RELEASES, at(settled))).toBe(value)
  })

  it('of what is not revised is the only one', () => {
    const rule: ReleaseRule = { rule: 'unrevised', wait: offset('P1D') }
    expect(countedValue(rule, [{ asOf: ALWAYS, value: 7 }], at('2026-01-10'))).toBe(7)
  })
})

it('a view at an instant holds nothing that came later', () => {
  const known = at('2026-01-09')
  expect(viewAt(RELEASES, known, at('2026-01-23'))).toBeUndefined()
  expect(viewAt(RELEASES, known, at('2026-01-24'))).toBe(12)
  const undated = [{ asOf: ALWAYS, value: 7 }]
  expect(viewAt(undated, known, at('2026-01-08'))).toBeUndefined()
  expect(viewAt(undated, known, at('2026-01-09'))).toBe(7)
})
