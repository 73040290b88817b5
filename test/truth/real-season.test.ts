import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { weekPeriods } from '../../src/periods/make.js'
import { NamedPeriods } from '../../src/periods/named.js'
import { seriesTimes } from '../../src/periods/series-times.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'
import { seriesScores } from '../../src/scoring/series-scores.js'
import { seriesTruth } from '../../src/task/series-truth.js'
import { checkTruth } from '../../src/truth/check.js'
import type { TruthVintage } from '../../src/truth/vintage.js'
import { temporaryFolder } from '../support/folder.js'
import { day, protocolOf, vintageFrom } from './sample.js'

const FOLDER = '../shared/data/flusight'
const ZONE = 'America/New_York'
const folder = temporaryFolder()
const zone = zoneNamed(ZONE) as Zone
const WEEKS = weekPeriods({ from: day('2022-01-30'), to: day('2026-06-27') }, 'sunday', zone)

const textOf = (name: string) => gunzipSync(readFileSync(join(FOLDER, name))).toString()
const rowsOf = (text: string) => {
  const lines = text.trimEnd().split('\n').slice(1)
  return lines.map((line) => line.split(','))
}

const LEVELS = [
  ...['0.01', '0.025', '0.05', '0.1', '0.15', '0.2', '0.25', '0.3', '0.35', '0.4', '0.45', '0.5'],
  ...['0.55', '0.6', '0.65', '0.7', '0.75', '0.8', '0.85', '0.9', '0.95', '0.975', '0.99'],
]

/** All forecasts, by model, horizon, place and date: the quantiles of all levels. */
function forecastsOf() {
  const forecasts = new Map<string, Float64Array>()
  for (const row of rowsOf(textOf('forecasts-2025-26.csv.gz'))) {
    const [model, , , horizon, end, place, , level = '', value] = row
    const key = [model, horizon, place, end].join()
    const quantiles = forecasts.get(key) ?? new Float64Array(LEVELS.length).fill(Number.NaN)
    quantiles[LEVELS.indexOf(level)] = Number(value)
    forecasts.set(key, quantiles)
  }
  return forecasts
}

const RELEASES: Readonly<Record<string, SeriesProtocol['outcome']['release']>> = {
  first: { rule: 'first', wait: 'P9999D' },
  as_of_lag_28d: { rule: 'as_of_lag', lag: 'P28D' },
  latest: { rule: 'as_of_instant', at: '2026-07-01T00:00:00Z' },
}
const SCALES: Readonly<Record<string, SeriesProtocol['scores'][number]['transform']>> = {
  identity: { kind: 'identity' },
  log_shift_1: { kind: 'log_shift', offset: '1' },
}

const PLACES = ['06', '12', '17', '25', '36', '39', '48', '53', '55', '56', 'US']

function protocolBy(release: string, scale: string, places: readonly string[]): SeriesProtocol {
  const transform = SCALES[scale]
  return protocolOf(places, ZONE, WEEKS, {
    outcome: {
      known: { anchor: 'end', offset: 'P0D' },
      release: RELEASES[release] as SeriesProtocol['outcome']['release'],
    },
    forecast: { point: 'median', levels: LEVELS, minimum: '0', integer: false },
    scores: [
      { id: 'wis', kind: 'weighted_interval', primary: true, ...(transform && { transform }) },
      { id: 'coverage_80', kind: 'coverage', lower: '0.1', upper: '0.9' },
    ],
  })
}

async function vintageOf(places: readonly string[]): Promise<TruthVintage> {
  const file = join(folder, 'truth-vintages.csv')
  writeFileSync(file, textOf('truth-vintages.csv.gz'))
  const protocol = protocolBy('as_of_lag_28d', 'identity', places)
  const now = checkedInstant('2026-07-01T00:00:00Z')
  const { vintage, findings } = await vintageFrom(file, { protocol, periods: WEEKS }, now)
  expect(findings).toEqual([])
  return vintage
}

/** Count, mean score and coverage by release, scale, model and horizon, the whole way from the files. */
function figuresOf(vintage: TruthVintage, places: readonly string[]) {
  const forecasts = forecastsOf()
  const names = new NamedPeriods(WEEKS, ZONE)
  const figures = new Map<string, { count: number; sum: number; inside: number }>()
  for (const release of Object.keys(RELEASES)) {
    for (const scale of Object.keys(SCALES)) {
      const protocol = protocolBy(release, scale, places)
      const truth = seriesTruth(protocol, WEEKS, seriesTimes(protocol, WEEKS), vintage)
      const [wis, coverage] = seriesScores(
        protocol,
        places.map(() => 1),
      )
      for (const [key, quantiles] of forecasts) {
        const [model, horizon, place = '', date = ''] = key.split(',')
        const found = names.find(date, '')
        const series = places.indexOf(place)
        const outcome = truth.value(series, found.ok ? found.at : -1)
        if (Number.isNaN(outcome)) continue
        const name = [release, scale, model, horizon].join()
        const figure = figures.get(name) ?? { count: 0, sum: 0, inside: 0 }
        const median = quantiles[LEVELS.indexOf('0.5')] as number
        figure.count++
        figure.sum += wis?.of(median, quantiles, outcome, series) ?? Number.NaN
        figure.inside += coverage?.of(median, quantiles, outcome, series) ?? Number.NaN
        figures.set(name, figure)
      }
    }
  }
  return figures
}

describe.skipIf(!existsSync(FOLDER))('a season of a hub, by its releases', () => {
  it('has the 108 figures that were computed elsewhere, from its own table to the scores', async () => {
    const rows = rowsOf(textOf('truth-vintages.csv.gz'))
    const vintage = await vintageOf(PLACES)
    // Every row of the file changes what is in force, but those that begin with NA.
    const absent = rows.filter(([, , , value]) => value === 'NA')
    expect(absent).toHaveLength(17)
    expect(vintage.manifest).toMatchObject({
      series: PLACES.length,
      rows: rows.length - 17,
      complete_to: '2026-06-28T04:00:00Z',
    })
    const figures = figuresOf(vintage, PLACES)
    const oracle = rowsOf(readFileSync(join(FOLDER, 'oracle.csv'), 'utf8'))
    expect(oracle).toHaveLength(108)
    for (const [release, scale, model, horizon, n, wis, coverage] of oracle) {
      const name = [release, scale, model, horizon].join()
      const { count = 0, sum = 0, inside = 0 } = figures.get(name) ?? {}
      expect([name, count]).toEqual([name, Number(n)])
      expect(Math.abs(sum / count / Number(wis) - 1), name).toBeLessThan(1e-12)
      expect(Math.abs(inside / count - Number(coverage)), name).toBeLessThan(1e-12)
    }
    // By the protocol of the hub values are known on the Friday after: most files are older than that.
    const outcome = {
      known: { anchor: 'end', offset: 'P5D' },
      release: RELEASES.first,
    } as SeriesProtocol['outcome']
    const protocol = { ...protocolBy('first', 'identity', PLACES), outcome }
    const [early] = checkTruth(protocol, WEEKS, seriesTimes(protocol, WEEKS), vintage)
    expect(early?.args).toMatchObject({ fault: 'early' })
  })
})
