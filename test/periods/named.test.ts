import { describe, expect, it } from 'vitest'
import { NamedPeriods, type PeriodNaming } from '../../src/periods/named.js'
import { HOURS, WEEKS } from '../truth/sample.js'

const named = (periods: typeof WEEKS, naming: PeriodNaming = {}) =>
  new NamedPeriods(periods, 'America/New_York', naming)

/** What texts name, one after another: a label, or why none. */
function labels(periods: typeof WEEKS, texts: readonly string[], naming: PeriodNaming = {}) {
  const finder = named(periods, naming)
  return texts.map((text) => {
    const found = finder.find(text, '')
    return found.ok ? periods[found.at]?.label : found.fault
  })
}

describe('what names a period', () => {
  it('is its label, the day before the midnight that ends it, or that midnight with an offset', () => {
    const texts = ['2025-W45', '2025-11-08', '2025-11-09T05:00:00Z', '2025-11-09 00:00:00-05:00']
    expect(labels(WEEKS, texts)).toEqual(['2025-W45', '2025-W45', '2025-W45', '2025-W45'])
  })

  it('is nothing that is within a period, before the list, or no text of these', () => {
    const texts = ['2025-11-07', '2025-11-08T12:00:00Z', '2024-01-01', 'wk 45']
    expect(labels(WEEKS, texts)).toEqual(Array(4).fill('not-a-period'))
    expect(labels(WEEKS, ['2025-11-31'])).toEqual(['calendar'])
  })

  it('is a time without an offset only where that is said to be UTC, or local', () => {
    const text = '2025-11-01 15:00'
    expect(labels(HOURS, [text])).toEqual(['zone-missing'])
    // 15:00 UTC is 11:00 in New York, when the hour of 10 ends.
    expect(labels(HOURS, [text], { utc: true })).toEqual(['2025-11-01T10:00'])
    expect(labels(HOURS, [text], { label: 'start' })).toEqual(['2025-11-01T15:00'])
    expect(labels(HOURS, [text], { label: 'end' })).toEqual(['2025-11-01T14:00'])
  })

  // Ends, and the later hour first: test/truth/import.test.ts.
  it('is in the hour that comes twice what the file is said to have first', () => {
    const text = '2025-11-02 01:00'
    const local = [text, text, text, '2025-11-02T01:00/2']
    const [first, second] = ['2025-11-02T01:00', '2025-11-02T01:00/2']
    const unsaid = [...Array(3).fill('repeated'), second]
    expect(labels(HOURS, local, { label: 'start' })).toEqual(unsaid)
    const said = labels(HOURS, local, { label: 'start', repeated: 'earlier-first' })
    expect(said).toEqual([first, second, 'not-a-period', second])
  })

  it('is counted for each row', () => {
    const finder = named(HOURS, { label: 'start', repeated: 'earlier-first' })
    const found = ['a', 'b', 'a'].map((row) => finder.find('2025-11-02 01:00', row))
    const at = found.map((each) => each.ok && HOURS[each.at]?.label)
    expect(at).toEqual(['2025-11-02T01:00', '2025-11-02T01:00', '2025-11-02T01:00/2'])
  })

  it('is no local time that the clock skips', () => {
    expect(labels(HOURS, ['2025-03-09 02:30'], { label: 'start' })).toEqual(['skipped'])
  })
})
