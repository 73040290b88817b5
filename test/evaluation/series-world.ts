import { formatStored, type Instant, MICROS_PER_DAY } from '../../src/contract/instant.js'
import { compareText } from '../../src/contract/order.js'
import type { Plan, SeriesProtocol } from '../../src/contract/types.js'
import type { SeriesTaskBasis } from '../../src/evaluation/plan.js'
import { seriesTask } from '../../src/evaluation/task.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { describePeriods, type PeriodList } from '../../src/periods/list.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { createRegistration } from '../../src/registration/build.js'
import { findWindowOrigins } from '../../src/registration/series-plan-rules.js'
import { draftPlan } from '../../src/registration/template.js'
import { computeScales } from '../../src/scoring/scales.js'
import type { Release } from '../../src/truth/releases.js'
import { createTruth, createTruthManifest } from '../../src/truth/releases-vintage.js'
import { createSeriesTruth } from '../../src/truth/series-truth.js'
import { exampleProtocol } from '../registration/series-examples.js'
import { numbers } from '../support/random.js'
import { BARE, batches, resultOf } from './made.js'

const HEX = 'a'.repeat(64)
const WEEK = 7 * MICROS_PER_DAY
/** A Sunday, in winter and in New York. */
const START = Date.UTC(2022, 0, 2, 5) * 1000
const LEAD_IN = 60
const ERRORS = { window: 40, minimum: 20 }
const baselinesWith = (errors: typeof ERRORS): SeriesProtocol['baselines'] => [
  { id: 'last_value', kind: 'persistence', errors },
  { id: 'trend', kind: 'drift', errors },
]
/** Of series, in the order of the protocol; the last one starts late. */
const SERIES = [
  ['US', 'nation', 4000],
  ['06', 'west', 420],
  ['53', 'west', 90],
  ['12', 'south', 300],
  ['48', 'south', 350],
  ['13', 'south', 120],
] as const

export interface SeriesWorldOptions {
  /** Origins of the window, 80 unless said otherwise. */
  readonly origins?: number
  /** How much of the way to the outcome the candidate knows; 0.1 unless said otherwise. */
  readonly sight?: number
  /** Candidates that forecast, `mine` alone unless said otherwise. */
  readonly models?: readonly string[]
  readonly mode?: 'prospective' | 'backtest'
  readonly protocol?: Partial<SeriesProtocol>
  readonly plan?: Partial<Plan>
}

/** Weeks of admissions that are revised upwards, forecast from the week before to two weeks ahead. */
/** What an evaluation rests on, and its protocol. */
export type WorldBasis = SeriesTaskBasis & { readonly protocol: SeriesProtocol }

export function seriesWorld(options: SeriesWorldOptions = {}): WorldBasis & {
  readonly rows: readonly PairingRow[]
} {
  const { origins = 80, mode = 'prospective', models = ['mine'] } = options
  const { horizons = [-1, 0, 1, 2] } = options.protocol ?? {}
  const length = LEAD_IN + origins + 1 + Math.max(...horizons)
  const periods: PeriodList = Array.from({ length }, (_, at) => ({
    label: `W${String(at).padStart(3, '0')}`,
    ...{ start: START + at * WEEK, end: START + (at + 1) * WEEK },
  }))
  const protocol: SeriesProtocol = {
    ...exampleProtocol('weekly', periods),
    series: SERIES.map(([id, group]) => {
      const from = id === '13' && { from: 'W100' }
      return { id, group, unit: 'admissions', source: 'the health department', ...from }
    }),
    zone: 'UTC',
    periods: { ...describePeriods(periods), made_by: 'a test' },
    horizons,
    comparisons: { required: ['last_value', 'trend'] },
    baselines: baselinesWith(ERRORS),
    ...options.protocol,
  }
  const window = { from: 'W060', to: periods[LEAD_IN + origins - 1]!.label }
  const plan: Plan = {
    ...draftPlan({ mode, window, source: 'the health department' }),
    name: 'admissions',
    candidates: [...models],
    ...options.plan,
  }
  const registeredAt = mode === 'prospective' ? START : periods.at(-1)!.end + 60 * MICROS_PER_DAY
  const basis = seriesBasis(
    { protocol, periods, vintage: madeReleases(periods) },
    plan,
    registeredAt,
  )
  // Drawn origin by origin, and given as a history gives them.
  const drawn = [...madeForecasts(basis, options.sight ?? 0.1, models)]
  return { ...basis, rows: drawn.sort((a, b) => compareText(a.series, b.series)) }
}

/** A plan that is registered, with all that its evaluation needs. */
export function seriesBasis(
  given: Pick<WorldBasis, 'protocol' | 'periods' | 'vintage'>,
  plan: Plan,
  registeredAt: Instant,
): WorldBasis {
  const { protocol, periods, vintage } = given
  const rules = compileRules(protocol, periods)
  const truth = createSeriesTruth({ ...protocol, ...rules }, periods, vintage)
  const found = computeScales(protocol, periods, truth, registeredAt)
  if (!found.ok) throw new Error(JSON.stringify(found.findings))
  const { scales } = found
  const scaled = scales.length > 0 ? { scales, at: registeredAt } : undefined
  const registration = createRegistration(
    plan,
    compileRules(protocol, periods),
    registeredAt,
    periods,
    scaled,
  )
  const origins = findWindowOrigins(periods, registration.window)
  return { ...given, rules, tooLax: [], truth, registration, origins }
}

/** Out a day after the week at 90 % of what they will be, at 97 % a week later, whole after three. */
function madeReleases(periods: PeriodList) {
  const next = numbers(5)
  const normal = () => next() + next() + next() + next() - 2
  const table = new Map(
    SERIES.map(([id, , level], index) => {
      let log = Math.log(level)
      const own = periods.map(({ label, end }, at) => {
        log += 0.12 * normal() + 0.06 * (Math.log(level) - log)
        const final = Math.exp(log)
        const early = 0.9 * Math.exp(0.05 * normal())
        const releases: Release[] = [early, 0.97, 1].map((share, late) => {
          const days = 1 + [0, 7, 21][late]!
          return { asOf: end + days * MICROS_PER_DAY, value: Math.round(final * share) }
        })
        // Two weeks without a report, and a series that starts when the window is half over.
        const absent = (index === 2 && (at === 77 || at === 78)) || (index === 5 && at < 100)
        return [label, absent ? [] : releases] as const
      })
      return [id, new Map(own.filter(([, releases]) => releases.length > 0))] as const
    }),
  )
  const manifest = createTruthManifest({
    ...{ table, sha256: HEX, source: 'the health department', input: null },
    completeTo: periods.at(-1)!.end + 90 * MICROS_PER_DAY,
  })
  return createTruth(manifest, table)
}

/** Forecasts that know a part of the way; now and then one failed, was withheld or is not there. */
function* madeForecasts(
  { protocol, periods, rules, truth }: Omit<WorldBasis, 'registration' | 'vintage'>,
  sight: number,
  models: readonly string[],
): Generator<PairingRow> {
  const next = numbers(9)
  const { levels } = protocol.forecast
  const ids = protocol.series.map(({ id }) => id).sort()
  const last = periods.length - 1 - Math.max(...protocol.horizons)
  for (let origin = LEAD_IN; origin < last; origin++) {
    for (const id of ids) {
      const series = protocol.series.findIndex((one) => one.id === id)
      for (const horizon of protocol.horizons) {
        const place = `${id} ${origin} ${horizon}`
        if (place === '12 70 1') continue
        const [base, outcome] = [origin - 1, origin + horizon].map((at) => truth.value(series, at))
        const due = rules.due(origin)
        const known = truth.view(series, origin - 1, due) / 0.95
        const from = Number.isNaN(known) ? (base ?? Number.NaN) : known
        const whole = Number.isNaN(outcome!) || Number.isNaN(from) ? 100 : from
        const target = Number.isNaN(outcome!) ? whole : outcome!
        const spread = 0.1 * Math.sqrt(horizon + 2)
        const attempt = place === '48 81 2' ? 'failed' : place === '06 90 0' ? 'abstained' : null
        for (const model of models) {
          const noise = 0.16 * (next() + next() - 1)
          const point = whole * (target / whole) ** sight * Math.exp(noise)
          yield {
            ...{ ...BARE, series: id, originAt: periods[origin]!.label, model },
            ...{ horizon, levels, attempt },
            generatedAt: formatStored(due),
            forecast: attempt ? null : point,
            quantiles: levels.map((level) =>
              attempt ? null : point * Math.exp(spread * 2.5 * (Number(level) - 0.5)),
            ),
          }
        }
      }
    }
  }
}

/** So many series, in so many groups or none, at so many steps. */
const sized = (series: number, groups: number, steps: number): Partial<SeriesProtocol> => ({
  series: SERIES.slice(0, series).map(([id], at) => ({
    ...{ id, unit: 'admissions', source: 'the health department' },
    ...(groups > 0 && { group: `group ${at % groups}` }),
  })),
  horizons: Array.from({ length: steps }, (_, at) => at + 1),
  // A hundred weeks ahead there are few errors in a window of a year: one will do.
  baselines: baselinesWith({ ...ERRORS, minimum: 1 }),
})
const FOUR = ['fourth', 'mine', 'other', 'third']

/** Evaluations with much to show; the first is as of tomorrow's quarters of an hour. */
export const LARGE_WORLDS: Readonly<Record<string, SeriesWorldOptions>> = {
  'a hundred steps': { origins: 45, protocol: sized(1, 0, 100) },
  'a hundred steps in four groups': { origins: 45, protocol: sized(5, 4, 100) },
  'a hundred steps of four candidates': {
    ...{ origins: 45, models: FOUR },
    protocol: sized(1, 0, 100),
  },
  'eight steps of four candidates': { models: FOUR, protocol: sized(1, 0, 8) },
  'eight steps of four candidates in three groups': { models: FOUR, protocol: sized(6, 3, 8) },
  'six series in groups, with releases': {},
}

/** The result of an evaluation of any series, and its pairs as text. */
export async function evaluatedSeries(
  options: SeriesWorldOptions = {},
): ReturnType<typeof resultOf> {
  const { rows, ...basis } = seriesWorld(options)
  return await resultOf(seriesTask(basis), () => batches(rows))
}
