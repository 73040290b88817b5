import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkPower } from '../../../src/contract/generated/check-power.js'
import { formatStored, MICROS_PER_HOUR } from '../../../src/contract/instant.js'
import { HOURLY_LEVELS, type PairingRow } from '../../../src/forecast/row.js'
import { studentTail } from '../../../src/inference/student-t.js'
import { cutPastCloses } from '../../../src/lint/power/comparator.js'
import type { PowerFigures } from '../../../src/lint/power/figures.js'
import { forecastLine } from '../../evaluation/world.js'
import { inProcess } from '../../support/in-process.js'
import { FIRST, powerWorld } from './world.js'

const { at, prices, closesFile, planFile, commandLine, first } = powerWorld()

function rowAt(hour: number, horizon: number, price: number, forecast: number): PairingRow {
  const instant = (at: number) => formatStored(FIRST + at * MICROS_PER_HOUR)
  return {
    ...{ originAt: instant(hour), model: 'ridge_lags', horizon, targetAt: instant(hour + horizon) },
    ...{ generatedAt: instant(hour), sourcePrice: price, forecast, level: 0.8, attempt: null },
    ...{ quantiles: [forecast * 0.9, forecast, forecast * 1.1], inputAvailableAt: null },
    ...{ series: '', levels: HOURLY_LEVELS },
    ...{ selectionDataThrough: null, vintageId: null, vintageSha256: null },
  }
}

/** Pearson's, by its definition. */
function correlationOf(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length
  const [ma, mb] = [mean(a), mean(b)]
  const spread = (values: readonly number[], m: number) =>
    Math.sqrt(mean(values.map((x) => (x - m) ** 2)))
  return mean(a.map((x, i) => (x - ma) * ((b[i] as number) - mb))) / spread(a, ma) / spread(b, mb)
}

describe('power', () => {
  it('shares alpha as registered and asks of each kind of test the t that its share needs', async () => {
    const figures = await first()
    expect(checkPower(figures)).toEqual([])
    expect(figures.outcomes).toMatchObject({
      hours: 113 * 24,
      to: '2025-12-24T23:00:00Z',
      cut: 360,
    })
    // 4 comparators: 29 tests each, over all origins and 4 levels; 1 + 4 + 4 of them decide.
    expect(figures.family).toMatchObject({ size: 580, deciding: 36, registered: true })
    expect(figures.window).toMatchObject({ origins: 576, blocks: 24, blocked: null })
    const level = (0.05 * 0.8) / 36
    const overall = figures.needed.find(({ tests }) => tests === 'overall')!
    expect(overall.degrees_of_freedom).toBe(6)
    expect(overall.level).toBeCloseTo(level, 12)
    expect(studentTail(overall.t, 6)).toBeCloseTo(level, 12)
    const others = figures.needed.filter(({ tests }) => tests === 'strata' || tests === 'other')
    for (const { weight } of others) expect(weight).toBeCloseTo(0.2 / 544, 12)
    expect(figures.not_computed).toEqual(['kernel_memory'])
    expect(figures.comparators.filter(({ reference }) => reference)).toHaveLength(1)
    // A difference of what is more alike is found sooner, and longer windows find more.
    const smallest = figures.predictions.map((each) => each.smallest_reduction ?? 1)
    expect(smallest).toEqual([...smallest].sort((a, b) => b - a))
    for (const { power, days_needed } of figures.predictions) {
      expect(power.map((each) => each.power)).toEqual(
        power.map((e) => e.power).sort((a, b) => a - b),
      )
      const days = days_needed.map((each) => each.days ?? 1e9)
      expect(days).toEqual([...days].sort((a, b) => b - a))
    }
  })

  it('writes chart, table and figures, from closes before the window alone', async () => {
    // From the window on, the price is another one; only the vintage's digest may show that.
    const other = closesFile('other.csv', (hour) => (hour < 113 * 24 ? prices[hour]! : 1))
    const { code, stderr } = await inProcess(commandLine({ outcomes: other, out: at('again') }))
    expect(code, stderr).toBe(0)
    const files = readdirSync(at('first')).sort()
    expect(files).toEqual(['power.csv', 'power.json', 'power.svg'])
    const digestsAside = (text: string) => text.replace(/[0-9a-f]{64}|Z-[0-9a-f]{8}\b/g, '')
    for (const file of files) {
      const text = readFileSync(join(at('first'), file), 'utf8')
      const again = readFileSync(join(at('again'), file), 'utf8')
      expect(digestsAside(again)).toBe(digestsAside(text))
      expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/)
      expect(text).not.toMatch(/<script|<link|<img|@import|url\(/i)
    }
    expect(readFileSync(join(at('first'), 'power.csv'), 'utf8')).toMatch(
      /^days,correlation,candidate,smallest_reduction\n20,0.8,,/,
    )
    const taken = await inProcess(commandLine({ out: at('first') }))
    expect(taken.code).toBe(1)
    expect(taken.stderr).toContain('already exists')
  })

  it.each([
    [['--seed', '1.5'], 2, /--seed: the value must be a whole number/],
    [['--history', 'absent.sqlite'], 2, /absent\.sqlite/],
  ])('refuses %j', async (more, expected, says) => {
    const { code, stderr } = await inProcess([...commandLine(), ...more])
    expect(stderr).toMatch(says)
    expect(code).toBe(expected)
  })

  it.each([
    [
      'before',
      { from: '2025-09-01T00:00:00Z', to: '2025-09-30T23:00:00Z' },
      /no close .* lies before/,
    ],
    ['early', { from: '2025-09-05T00:00:00Z', to: '2025-09-30T23:00:00Z' }, /too few for the comp/],
  ])('says what closes are too few: %s', async (name, window, says) => {
    const path = planFile(`${name}.json`, { window })
    const { code, stderr } = await inProcess(commandLine({ plan: path }))
    expect(stderr).toMatch(says)
    expect(code).toBe(1)
  })

  it('estimates from a history how the errors of a candidate went with those of the comparator', async () => {
    const horizons = [2, 4, 8, 16]
    const origins = Array.from({ length: 120 }, (_, index) => 1000 + index)
    const errors = horizons.map(() => [[], []] as [number[], number[]])
    const lines = origins.flatMap((hour) =>
      horizons.map((horizon, at) => {
        const [now, then] = [prices[hour] as number, prices[hour + horizon] as number]
        const forecast = now * Math.exp(0.004 * Math.sin(hour * hour + horizon))
        errors[at]?.[0].push(Math.log(forecast / then))
        errors[at]?.[1].push(Math.log(now / then))
        return forecastLine(rowAt(hour, horizon, now, forecast))
      }),
    )
    writeFileSync(at('past.ndjson'), `${lines.join('\n')}\n`)
    const history = at('history.sqlite')
    const imported = await inProcess([
      ...['history', 'import', at('past.ndjson'), '--history', history],
    ])
    expect(imported.code, imported.stdout).toBe(0)
    const { code, stdout, stderr } = await inProcess(commandLine({ history, format: 'json' }))
    expect(code, stderr).toBe(0)
    const { predictions } = JSON.parse(stdout) as PowerFigures
    const estimated = predictions.filter(({ candidate }) => candidate !== null)
    expect(estimated).toMatchObject([{ candidate: 'ridge_lags', pairs: 120 }])
    const mean = errors.reduce((sum, [own, other]) => sum + correlationOf(own, other), 0) / 4
    expect(mean).toBeGreaterThan(0.5)
    // The comparator is the strongest simple one, which errs nearly as persistence does.
    expect(estimated[0]?.correlation).toBeCloseTo(mean, 1)
    // The assumed candidates stay beside it.
    expect(predictions.map(({ correlation }) => correlation).slice(0, 3)).toEqual([0.8, 0.9, 0.95])
  })
})

describe('past closes', () => {
  it('give an hour without a close the one before, and say how many', () => {
    const closeAt = (instant: number) =>
      instant === FIRST + 2 * MICROS_PER_HOUR
        ? undefined
        : 100 + (instant - FIRST) / MICROS_PER_HOUR
    const closes = { first: FIRST, last: FIRST + 9 * MICROS_PER_HOUR, closeAt }
    const past = cutPastCloses(closes, FIRST + 4 * MICROS_PER_HOUR)
    expect([...past.values]).toEqual([100, 101, 101, 103])
    expect(past).toMatchObject({ filled: 1, cut: 6 })
  })
})
