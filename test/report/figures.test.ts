import { describe, expect, it } from 'vitest'
import {
  change,
  changeInPoints,
  counted,
  decimal,
  decimalNotZero,
  listed,
  percent,
  percentagePoints,
  probability,
  readableTime,
  whole,
} from '../../src/output/figures.js'
import { at, linear, logarithmic } from '../../src/report/html/scale.js'

describe('figures', () => {
  it('round, sign and group the same everywhere', () => {
    expect(percent(0.05213, 2)).toBe('5.21\u202f%')
    expect(percent(null)).toBe('–')
    expect(percent(Number.NaN)).toBe('–')
    expect(change(0.012)).toBe('+1.2\u202f%')
    expect(change(-0.012)).toBe('−1.2\u202f%')
    expect(change(-0.00001)).toBe('−0.001\u202f%')
    expect(change(-1e-12)).toBe('0.0\u202f%')
    expect(percent(0.0004)).toBe('0.04\u202f%')
    expect(changeInPoints(0.0004)).toBe('+0.04 points')
    expect(percentagePoints(0.0004)).toBe('0.04 percentage points')
    expect(decimal(-0.0001, 2)).toBe('0.00')
    expect(whole(1234567)).toBe('1\u202f234\u202f567')
    expect(whole(999)).toBe('999')
  })

  it.each([
    [1, '1'],
    [0.5, '0.50'],
    [0.0312, '0.031'],
    [0.00012, '0.00012'],
    [0.00001, '1.0×10⁻⁵'],
    [9.9999e-6, '1.0×10⁻⁵'],
    [null, '–'],
  ])('p-value %s is written %s', (p, text) => {
    expect(probability(p)).toBe(text)
  })

  it.each([
    [0, '0.0000'],
    [0.00005, '0.0001'],
    [2.9e-8, 'below 0.0001'],
    [-2.9e-8, 'above −0.0001'],
    [null, '–'],
  ])('%s is written %s, and looks like 0 only where it is 0', (value, text) => {
    expect(decimalNotZero(value, 4)).toBe(text)
  })

  it('join words', () => {
    expect(counted(1, 'block')).toBe('1 block')
    expect(counted(0, 'block')).toBe('0 blocks')
    expect(listed(['a', 'b', 'c'])).toBe('a, b and c')
    expect(readableTime('2024-01-01T01:00:00Z')).toBe('2024-01-01 01:00 UTC')
    expect(readableTime('2024-01-01T01:00:30.5Z')).toBe('2024-01-01 01:00:30.5 UTC')
  })
})

describe('scales', () => {
  it('hold all values, with round ticks', () => {
    const scale = linear([-0.043, 0.11, null, Number.NaN], 9)
    expect(scale.share(-0.043)).toBeGreaterThan(0)
    expect(scale.share(0.11)).toBeLessThan(1)
    expect(scale.ticks).toEqual([-0.04, -0.02, 0, 0.02, 0.04, 0.06, 0.08, 0.1])
  })

  it('can be drawn with one value or none', () => {
    for (const values of [[], [0], [5, 5], [null]]) {
      const scale = linear(values, 5)
      expect(scale.max).toBeGreaterThan(scale.min)
      expect(scale.ticks.length).toBeGreaterThan(1)
    }
  })

  it('put powers of ten at equal distances', () => {
    const scale = logarithmic(1e-5, 1)
    expect(scale.ticks).toHaveLength(6)
    expect(scale.share(1e-5)).toBeCloseTo(0, 12)
    expect(scale.share(0.1) - scale.share(0.01)).toBeCloseTo(0.2, 12)
  })

  it('write coordinates shortly', () => {
    expect([at(1), at(1.005), at(-0.001), at(12.5)]).toEqual(['1', '1', '0', '12.5'])
  })
})
