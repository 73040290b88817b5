import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { checkedInstant, type Instant } from '../../src/contract/instant.js'
import { later, type Offset, parseOffset } from '../../src/periods/offset.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'
import { weightedInterval } from '../../src/scoring/weighted-interval.js'
import { countedValue, type Release } from '../../src/truth/releases.js'

const FOLDER = '../shared/data/flusight'
const zone = zoneNamed('America/New_York') as Zone
const offset = (text: string) => parseOffset(text) as Offset

/** A date of the hub means its end by the clock of New York. */
function endOf(date: string): Instant {
  return zone.instantOf(checkedInstant(`${date}T00:00:00Z`) + 86_400_000_000)
}

function rowsOf(name: string): string[][] {
  const bytes = readFileSync(join(FOLDER, name))
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
}

/** All forecasts, by model, horizon, place and date: 23 quantiles each. */
function forecastsOf() {
  const forecasts = new Map<string, { levels: number[]; quantiles: number[] }>()
  for (const [model, , , horizon, end, place, , level, value] of rowsOf(
    'forecasts-2025-26.csv.gz',
  )) {
    const key = [model, horizon, place, end].join()
    const forecast = forecasts.get(key) ?? { levels: [], quantiles: [] }
    forecast.levels.push(Number(level))
    forecast.quantiles.push(Number(value))
    forecasts.set(key, forecast)
  }
  return forecasts
}

function truthOf() {
  const truth = new Map<string, Release[]>()
  for (const [place, end, asOf = '', value] of rowsOf('truth-vintages.csv.gz')) {
    const key = [place, end].join()
    const releases = truth.get(key) ?? []
    releases.push({ asOf: endOf(asOf), value: value === '' ? undefined : Number(value) })
    truth.set(key, releases)
  }
  for (const releases of truth.values()) releases.sort((a, b) => a.asOf - b.asOf)
  return truth
}

const LATEST = checkedInstant('2026-07-01T00:00:00Z')
const RULES = {
  first: { rule: 'first', settled: (_: Instant) => LATEST },
  as_of_lag_28d: {
    rule: 'as_of_lag',
    settled: (end: Instant) => later(end, offset('P28D'), zone),
  },
  latest: { rule: 'as_of_instant', settled: (_: Instant) => LATEST },
} as const
const SCALES: Readonly<Record<string, (x: number) => number>> = {
  identity: (x) => x,
  log_shift_1: (x) => Math.log(x + 1),
}

describe.skipIf(!existsSync(FOLDER))('a season of a hub, by its releases', () => {
  it('has the 108 figures that were computed elsewhere', () => {
    const forecasts = forecastsOf()
    const truth = truthOf()
    const oracle = rowsOf('oracle.csv')
    expect(oracle).toHaveLength(108)
    for (const [release = '', scale = '', model, horizon, n, wis, coverage] of oracle) {
      const rule = RULES[release as keyof typeof RULES]
      const on = SCALES[scale] as (x: number) => number
      let [count, sum, inside] = [0, 0, 0]
      for (const [key, { levels, quantiles }] of forecasts) {
        const [itsModel, itsHorizon, place, date = ''] = key.split(',')
        if (itsModel !== model || itsHorizon !== horizon) continue
        const end = endOf(date)
        const releases = truth.get([place, date].join()) ?? []
        const outcome = countedValue(rule, releases, rule.settled(end))
        if (outcome === undefined) continue
        const at = (level: number) => quantiles[levels.indexOf(level)] as number
        count++
        sum += weightedInterval(levels, quantiles.map(on), on(outcome))
        if (at(0.1) <= outcome && outcome <= at(0.9)) inside++
      }
      const name = [release, scale, model, horizon].join()
      expect([name, count]).toEqual([name, Number(n)])
      expect(Math.abs(sum / count / Number(wis) - 1), name).toBeLessThan(1e-12)
      expect(Math.abs(inside / count - Number(coverage)), name).toBeLessThan(1e-12)
    }
  })
})
