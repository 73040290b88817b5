import { describe, expect, it } from 'vitest'
import { createPairingPlan, type PlanOptions, withLevels } from '../../src/pairing/make-plan.js'
import { pairAttempts } from '../../src/pairing/pair.js'
import type { PairedAttempt, Reason } from '../../src/pairing/paired-attempt.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { listTruth } from '../../src/truth/shown-values.js'
import { changedIn } from '../protocol/sample.js'
import { WEEKS, weekly } from '../protocol/weekly.js'
import { row } from './made.js'

const PROTOCOL = changedIn(weekly(), {
  '/series': [{ id: 'US', unit: 'admissions', source: 'x' }],
  '/forecast/integer': true,
})
const LEVELS = PROTOCOL.forecast.levels
const TIMES = compileRules(PROTOCOL, WEEKS)
const AT = 60
const ORIGIN = WEEKS[AT]?.label ?? ''
const utc = (instant: number) => new Date(instant / 1000).toISOString()
/** Values that ascend; the median is 100. */
const VALUES = LEVELS.map((level) => 60 + Math.round(80 * Number(level)))

interface Given {
  readonly forecast?: number | null
  readonly quantiles?: readonly (number | null)[]
  readonly levels?: readonly string[]
  readonly generatedAt?: string
  readonly series?: string
  readonly model?: string
  readonly horizon?: number
}

/** The attempt of a forecast of one step, or of the row beside what is expected. */
async function attempt(
  given: Given | undefined,
  plan: Partial<PlanOptions> = {},
  value = 120,
): Promise<PairedAttempt | undefined> {
  const whole: PlanOptions = {
    ...{ from: AT, to: AT, models: ['a'], asOf: TIMES.settled(AT + 3), mode: 'prospective' },
    ...{ provenanceRequired: false, registeredAt: TIMES.due(AT), ...plan },
  }
  const truth = { value: () => value, view: () => value, releases: () => [] }
  const { series = 'US', model = 'a', horizon = 1, ...rest } = given ?? {}
  const made = {
    ...row('2026-01-01T00:00:00Z', horizon, model),
    ...{
      originAt: ORIGIN,
      series,
      targetAt: null,
      generatedAt: utc(TIMES.due(AT)),
      sourcePrice: null,
    },
    ...{ inputAvailableAt: null, selectionDataThrough: null },
    ...{ forecast: 100, levels: LEVELS, quantiles: VALUES, ...rest },
  }
  async function* rows() {
    if (given !== undefined) yield [withLevels(LEVELS)(made)]
  }
  const found: PairedAttempt[] = []
  for await (const some of pairAttempts(
    createPairingPlan(TIMES, listTruth(truth, WEEKS, TIMES), whole),
    rows(),
  ))
    found.push(...some)
  return found.find((one) =>
    model === 'a' && series === 'US' && horizon === 1
      ? one.expected && one.horizon === horizon
      : !one.expected,
  )
}

const last = LEVELS.length - 1
const swapped = VALUES.map((each, at) => (at === 0 ? 130 : each))

describe('a forecast of any series', () => {
  it.each<[string, Reason, Given | undefined, Partial<PlanOptions>?, number?]>([
    ['sound, made at the last moment', 'scored', {}],
    ['made after it', 'published_late', { generatedAt: utc(TIMES.due(AT) + 1000) }],
    ['registered after its due', 'before_registration', {}, { registeredAt: TIMES.due(AT) + 1 }],
    ['none', 'forecast_missing', undefined],
    ['settled at the as-of', 'scored', {}, { asOf: TIMES.settled(AT + 1) }],
    ['settled after it', 'not_matured', {}, { asOf: TIMES.settled(AT + 1) - 1 }],
    ['without a value that counts', 'outcome_missing', {}, {}, Number.NaN],
    ['without one, and settled after it', 'not_matured', {}, { asOf: 0 }, Number.NaN],
    ['without one, and late', 'outcome_missing', { generatedAt: '2099-01-01T00:00:00Z' }, {}, NaN],
    ['without a level', 'quantiles_incomplete', { levels: LEVELS.slice(1) }],
    ['a level without a number', 'quantiles_incomplete', { quantiles: VALUES.map(() => NaN) }],
    ['quantiles that cross', 'quantiles_cross', { quantiles: swapped }],
    ['another value than its median', 'quantiles_cross', { forecast: 101 }],
    ['no number', 'out_of_range', { forecast: Number.NaN }],
    ['below the minimum', 'out_of_range', { quantiles: VALUES.map((v, at) => (at ? v : -0.5)) }],
    ['beyond 1e100', 'out_of_range', { quantiles: VALUES.map((v, at) => (at < last ? v : 1e101)) }],
    ['not whole', 'not_integer', { quantiles: VALUES.map((v, at) => (at ? v : v + 0.5)) }],
    ['of another model', 'model_not_in_plan', { model: 'b' }],
    ['of another series', 'horizon_not_in_protocol', { series: 'XX' }],
    ['of another step', 'horizon_not_in_protocol', { horizon: 4 }],
  ])('%s: %s', async (_, reason, given, plan, value) => {
    expect((await attempt(given, plan, value))?.reason).toBe(reason)
  })
})
