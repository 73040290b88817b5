import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formatStored, MICROS_PER_HOUR } from '../../../src/contract/instant.js'
import { HOURLY_LEVELS, type PairingRow } from '../../../src/forecast/row.js'
import type { PowerFigures } from '../../../src/lint/power/figures.js'
import { forecastLine } from '../../evaluation/world.js'
import { inProcess } from '../../support/in-process.js'
import { FIRST, powerWorld } from './world.js'

const { at, prices, commandLine } = powerWorld()

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
