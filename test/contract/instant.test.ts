import { describe, expect, it } from 'vitest'
import {
  checkedInstant,
  formatStored,
  formatUtc,
  parseTimestamp,
} from '../../src/contract/instant.js'

describe('parseTimestamp', () => {
  it('agrees with Date on whole milliseconds, with any offset', () => {
    for (const text of [
      '1970-01-01T00:00:00Z',
      '2024-02-29T23:59:59.999+00:00',
      '2026-11-21T08:00:00+05:30',
      '1999-12-31T23:00:00-01:00',
      '2000-03-01T00:00:00Z',
    ]) {
      expect(checkedInstant(text)).toBe(Date.parse(text) * 1000)
    }
  })

  it.each([
    ['2023-02-29T00:00:00Z', 'calendar'],
    ['2024-13-01T00:00:00Z', 'calendar'],
    ['2024-01-01T24:00:00Z', 'calendar'],
    ['2016-12-31T23:59:60Z', 'leap-second'],
    ['2024-01-01T00:00:00', 'offset-missing'],
    ['2024-01-01T00:00:00 00:00', 'space-for-plus'],
    ['2024-01-01T00:00:00.1234567Z', 'precision'],
    ['2024-01-01', 'syntax'],
    ['2024-01-01T00:00:00+0000', 'syntax'],
    ['', 'syntax'],
  ])('%s is a fault: %s', (text, fault) => {
    expect(parseTimestamp(text)).toEqual({ ok: false, fault })
  })

  it('keeps six fractional digits and ignores zeros beyond them', () => {
    expect(checkedInstant('2024-01-01T00:00:00.123456Z') % 1_000_000).toBe(123456)
    expect(checkedInstant('2024-01-01T00:00:00.1234560000Z') % 1_000_000).toBe(123456)
  })
})

describe('formats', () => {
  it('write UTC with and without a fraction', () => {
    expect(formatStored(checkedInstant('2024-01-01T01:00:00+01:00'))).toBe(
      '2024-01-01T00:00:00+00:00',
    )
    expect(formatUtc(checkedInstant('2024-01-01T00:00:00.5Z'))).toBe('2024-01-01T00:00:00.500000Z')
    expect(formatUtc(checkedInstant('1969-12-31T23:59:59.999999Z'))).toBe(
      '1969-12-31T23:59:59.999999Z',
    )
  })
})
