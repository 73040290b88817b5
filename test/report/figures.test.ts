import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import {
  changeInPoints,
  counted,
  decimal,
  decimalNotZero,
  formatWhole,
  listed,
  percent,
  percentagePoints,
  probability,
  readableTime,
  signedPercent,
} from '../../src/output/figures.js'
import { renderHtml } from '../../src/report/html/page.js'
import { at, linear, logarithmic } from '../../src/report/html/scale.js'
import { renderFigures } from '../../src/report/renderers.js'
import { sampleResult } from './sample.js'

describe('figures', () => {
  it('round, sign and group the same everywhere', () => {
    expect(percent(0.05213, 2)).toBe('5.21\u202f%')
    expect(percent(null)).toBe('–')
    expect(percent(Number.NaN)).toBe('–')
    expect(signedPercent(0.012)).toBe('+1.2\u202f%')
    expect(signedPercent(-0.012)).toBe('−1.2\u202f%')
    expect(signedPercent(-0.00001)).toBe('−0.001\u202f%')
    expect(signedPercent(-1e-12)).toBe('0.0\u202f%')
    expect(percent(0.0004)).toBe('0.04\u202f%')
    expect(changeInPoints(0.0004)).toBe('+0.04 points')
    expect(percentagePoints(0.0004)).toBe('0.04 percentage points')
    expect(decimal(-0.0001, 2)).toBe('0.00')
    expect(formatWhole(1234567)).toBe('1,234,567')
    expect(formatWhole(999)).toBe('999')
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

  it('end, whatever figure a result states', () => {
    expect(linear([1e6, 1e6 + 2e-10], 5).ticks.length).toBeLessThan(20)
    expect(linear([-1e308, 1e308], 5).ticks).toEqual([])
    expect(logarithmic(Number.POSITIVE_INFINITY, 1).ticks).toEqual([])
  })

  it('write coordinates shortly', () => {
    expect([at(1), at(1.005), at(-0.001), at(12.5)]).toEqual(['1', '1', '0', '12.5'])
  })
})

const HOSTILE =
  '</svg><script>alert(1)</script>"\'&<b>|,\n\\input{/etc/passwd}%$_^~#\u0000\u202e\uffff'
const result = sampleResult({ time: 'committed', strata: false, rename: HOSTILE })
const files = renderFigures(result)
const text = (name: string) => files[name] ?? ''
const PARTS = ['scored', 'failed', 'abstained', 'missing', 'ineligible'] as const
type Name =
  | (typeof PARTS)[number]
  | ('model' | 'mean' | 'lower' | 'expected' | 'boundary' | 'decision' | 'p_drawn')
  | ('comparator' | 'step' | 'difference')
const rows = (name: string): Record<Name, string>[] => parse(text(name), { columns: true })

describe('the figures of a result', () => {
  it('have names that do not depend on those of the models', () => {
    const charts = [
      ...['time-line', 'committed-forecasts', 'attempts', 'loss'],
      ...['difference-1', 'direction-1', 'difference-2', 'direction-2', 'difference-3'],
      ...['direction-3', 'coverage', 'holm-ladder'],
    ]
    expect(Object.keys(files)).toEqual([
      ...charts.flatMap((name) => [`${name}.svg`, `${name}.csv`]),
    ])
    expect(renderFigures(result)).toEqual(files)
  })

  it('are drawings on white that need nothing else', () => {
    for (const [name, svg] of Object.entries(files).filter(([name]) => name.endsWith('.svg'))) {
      expect(svg, name).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" role="img"/)
      expect(svg).toMatch(/<title id="t">[^<]+<\/title>\n<desc id="d">[^<]+<\/desc>/)
      expect(svg).toContain('<rect width="100%" height="100%" fill="#fff"/>')
      expect(svg).not.toMatch(/var\(|<script|url\(|href|NaN|undefined|\uffff|\u202e/)
    }
  })

  it('have what is drawn beside them, number by number', () => {
    const [first] = rows('loss.csv')
    const measure = result.reading.measures.find(
      ({ model, scope }) => model === HOSTILE && scope === 'all',
    )
    expect(first?.model).toBe(HOSTILE)
    expect(Number(first?.mean)).toBe(measure?.means.point_loss)
    expect(Number(first?.lower)).toBe(measure?.bounds.point_loss?.lower)
    const attempts = rows('attempts.csv')
    expect(attempts).toHaveLength(7 * result.settings.rules.steps.length)
    for (const row of attempts) {
      expect(PARTS.reduce((sum, name) => sum + Number(row[name]), 0)).toBe(Number(row.expected))
    }
    const ladder = rows('holm-ladder.csv')
    expect(ladder).toHaveLength(result.reading.family.size)
    // All weights remain, and each p is scaled to the mean weight.
    expect(Number(ladder[0]?.boundary)).toBeCloseTo(
      result.settings.rules.alpha / (0.4 * result.reading.family.size),
      12,
    )
    for (const row of ladder.filter(({ decision }) => decision === 'rejected')) {
      expect(Number(row.p_drawn)).toBeLessThanOrEqual(Number(row.boundary))
    }
    const [difference] = rows('difference-1.csv')
    const test = result.reading.tests.find(
      ({ candidate, comparator, step }) =>
        candidate === HOSTILE && comparator === difference?.comparator && step === 'overall',
    )
    expect(difference?.step).toBe('overall')
    expect(Number(difference?.difference)).toBe(
      (test?.observed ?? 0) / (test?.comparator_mean ?? 1),
    )
  })

  it('are the files that the page holds', () => {
    const page = renderHtml(result)
    const links = [...page.matchAll(/<a download="([^"]+)" href="data:([^;]+)[^,]*,([^"]+)"/g)]
    const charts = Object.keys(files)
    expect(links.map(([, name]) => name)).toEqual(charts)
    for (const [, name = '', , data = ''] of links) {
      expect(Buffer.from(data, 'base64').toString(), name).toBe(files[name])
    }
  })
})
