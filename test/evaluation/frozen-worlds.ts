import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { formatStored, MICROS_PER_DAY, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import type { HourlyBasis } from '../../src/evaluation/plan.js'
import type { PairingRow } from '../../src/forecast/row.js'
import type { PeriodList } from '../../src/periods/list.js'
import { dayPeriods, hourPeriods, withOrigins } from '../../src/periods/make.js'
import { openSessions } from '../../src/periods/read.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'
import { compileRules, rulesOver } from '../../src/protocol/rules/compile.js'
import { findTooLax } from '../../src/protocol/rules/lax.js'
import { draftPlan } from '../../src/registration/template.js'
import type { Release } from '../../src/truth/releases.js'
import { createTruth, createTruthManifest } from '../../src/truth/releases-vintage.js'
import { exampleProtocol } from '../registration/series-examples.js'
import { numbers } from '../support/random.js'
import {
  BARE,
  type Change,
  HALVES,
  halvesOf,
  madeProtocol,
  madeRegistration,
  madeRows,
  madeVintage,
} from './made.js'
import {
  LARGE_WORLDS,
  type SeriesWorldOptions,
  seriesBasis,
  type WorldBasis,
} from './series-world.js'
import { at } from './world.js'

const CANDIDATES = ['fifth', 'fourth', 'other', 'seer', 'third']

/** Hourly closes of 30 days with strata and five candidates, some with gaps. */
export function hourlyWorld(): { basis: HourlyBasis; rows: ReturnType<typeof rowsOf> } {
  const hours = 24 * 30
  const vintage = madeVintage(hours)
  const change: Change = {
    candidates: CANDIDATES.map((name) => ({ source: 'history', name })),
    ...{ due_minutes: 5, strata: HALVES },
  }
  const registration = madeRegistration(hours, change)
  const basis = {
    ...{ registration, vintage, strata: halvesOf(registration) },
    rules: rulesOver(registration.rules, []),
    tooLax: findTooLax(compileRules(madeProtocol())),
  }
  return { basis, rows: rowsOf(hours, vintage) }
}

function rowsOf(hours: number, vintage: ReturnType<typeof madeVintage>) {
  const models = CANDIDATES.map((name, at) => ({ name, sight: 0.05 + 0.08 * at }))
  return [...madeRows(hours, vintage, models, false)].map((row, at) =>
    row.model === 'other' && at % 40 < 3
      ? { ...row, attempt: 'failed' as const, forecast: null }
      : row,
  )
}

/** Directions are asked, in groups too. */
const DIRECTED: SeriesWorldOptions['protocol'] = {
  scores: [
    { id: 'ae', kind: 'absolute_error', transform: { kind: 'log' }, primary: true },
    { id: 'up', kind: 'direction', epsilon: '0.01' },
    { id: 'coverage_80', kind: 'coverage', lower: '0.1', upper: '0.9' },
  ],
  limits: {
    ...{ availability: '0.05', availability_stratum: '0.1', harm: '0.05' },
    ...{ practical_effect: '0.03', direction: '0.02' },
  },
}

const GROUPS = 'eight steps of four candidates in three groups'
/** Of any series, by what is particular about them. */
export const SERIES_WORLDS: Readonly<Record<string, SeriesWorldOptions>> = {
  'six series in groups, with releases': {},
  directions: { protocol: DIRECTED },
  [GROUPS]: LARGE_WORLDS[GROUPS] as SeriesWorldOptions,
}

const SHARED = '../shared/data'
export const HAS_SHARED = existsSync(SHARED)

/** Real calendars and values, with made forecasts that know a part of the way. */
export const REAL_WORLDS: Readonly<Record<string, () => Promise<World>>> = {
  temperatures: async () => {
    const [, ...rows] = textOf('temperature/melbourne-min-1981-1990.csv').split('\n')
    const values = new Map(rows.map((row) => row.split(',') as [string, string]))
    const days = { from: at('1981-01-01T00:00:00Z'), to: at('1984-12-31T00:00:00Z') }
    const periods = dayPeriods(days, zoneNamed('UTC') as Zone)
    return made('daily', periods, (label) => values.get(label), [800, 1100])
  },
  sessions: async () => {
    const read = await openSessions(join(SHARED, 'sessions/xnys-2018-2022.csv'))
    if (!read.ok) throw new Error('not read')
    const next = numbers(3)
    const walk = new Map<string, string>()
    let price = 100
    for (const { label } of read.periods) {
      price *= Math.exp(0.01 * (next() + next() - 1))
      walk.set(label, price.toFixed(2))
    }
    return made('sessions', read.periods, (label) => walk.get(label), [500, 760])
  },
  load: async () => {
    const text = gunzipSync(readFileSync(join(SHARED, 'load/pjme-2014-2017.csv.gz'))).toString()
    const [, ...rows] = text.trimEnd().split('\n')
    const zone = zoneNamed('America/New_York') as Zone
    // The first hour of the file ends with the last day of the year before.
    const days = { from: at('2013-12-31T00:00:00Z'), to: at('2014-12-31T00:00:00Z') }
    const all = hourPeriods(days, zone)
    const first = all.findIndex(({ end }) => end === at('2014-01-01T05:00:00Z'))
    const values = new Map(
      rows.map((row, hour) => [all[first + hour]?.label ?? '', row.split(',')[1]]),
    )
    const periods = withOrigins(
      all.slice(first),
      { at: { clock: 12 * MICROS_PER_HOUR }, steps: 'tomorrow' },
      zone,
    )
    return made('load', periods, (label) => values.get(label), [150 * 24, 280 * 24])
  },
}

type World = WorldBasis & { readonly rows: readonly PairingRow[] }
const textOf = (name: string) => readFileSync(join(SHARED, name), 'utf8').trimEnd()

/** @param places - of the first and last period of the window. */
function made(
  example: 'daily' | 'sessions' | 'load',
  periods: PeriodList,
  valueAt: (label: string) => string | undefined,
  [from, to]: readonly [number, number],
): World {
  const drafted = exampleProtocol(example, periods)
  const protocol: SeriesProtocol = {
    ...drafted,
    series: drafted.series.slice(0, 1),
    outcome: { ...drafted.outcome, release: { rule: 'unrevised', wait: 'P3D' } },
  }
  const [{ id = '' } = {}] = protocol.series
  const own = periods.flatMap(({ label, end }): [string, Release[]][] => {
    const value = valueAt(label)
    return value === undefined ? [] : [[label, [{ asOf: end, value: Number(value) }]]]
  })
  const table = new Map([[id, new Map(own)]])
  const manifest = createTruthManifest({
    ...{ table, sha256: 'a'.repeat(64), source: 'shared', input: null },
    completeTo: periods.at(-1)!.end + 30 * MICROS_PER_DAY,
  })
  const label = (place: number) =>
    periods.slice(place).find(({ origin }) => origin !== false)!.label
  const window = { from: label(from), to: label(to) }
  const plan = {
    ...draftPlan({ mode: 'prospective', window, source: 'shared' }),
    ...{ name: example, candidates: ['able', 'blind'] },
  }
  const given = { protocol, periods, vintage: createTruth(manifest, table) }
  const basis = seriesBasis(given, plan, periods[from - 5]!.end)
  return { ...basis, rows: forecasts(basis, id) }
}

function forecasts({ rules, truth, origins, protocol, periods }: WorldBasis, series: string) {
  const next = numbers(7)
  const { levels } = protocol.forecast
  return origins.flatMap((origin) =>
    rules.targetsAt(origin).flatMap((horizon) =>
      ['able', 'blind'].map((model): PairingRow => {
        const [base, outcome] = [origin, origin + horizon].map((of) => truth.value(0, of))
        const [last, target] = [base!, outcome!].map((value) => (Number.isNaN(value) ? 10 : value))
        const sight = model === 'able' ? 0.5 : 0.1
        const spread = 0.05 * Math.abs(last!) + 0.1
        const point = last! + sight * (target! - last!) + spread * (next() + next() - 1)
        return {
          ...{ ...BARE, series, originAt: periods[origin]!.label, model, horizon, levels },
          generatedAt: formatStored(rules.due(origin)),
          forecast: point,
          quantiles: levels.map((level) => point + spread * 3 * (Number(level) - 0.5)),
        } as PairingRow
      }),
    ),
  )
}
