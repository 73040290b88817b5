import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatUtc, MICROS_PER_DAY, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { SCHEMA_FILES } from '../../src/contract/schemas/index.js'
import type { Plan, Protocol, RulesData, SeriesProtocol } from '../../src/contract/types.js'
import { describePeriods, type PeriodList } from '../../src/periods/list.js'
import { bindPlan, looserLimits } from '../../src/protocol/rules/bind.js'
import { compileRules, type Rules } from '../../src/protocol/rules/compile.js'
import { createRegistration } from '../../src/registration/build.js'
import { planFindings } from '../../src/registration/plan-rules.js'
import { frozen, NOW, plan, session, volatility } from '../registration/made.js'
import { BEFORE, EXAMPLES, exampleOf } from '../registration/series-examples.js'
import { ROOT } from '../support/run.js'
import { WEEKS, weekly } from './weekly.js'

/** What a test needs whatever a protocol asks for and what its degrees of freedom are counted by. */
const SERIES_TEST = { minimum_blocks: 10, minimum_origins: 30, counted: 'any' }
const HOURLY_TEST = { minimum_blocks: 16, minimum_origins: 1, counted: 'fewest' }

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  schemas: Object.values(SCHEMA_FILES),
  formats: { 'date-time': true },
})
const isRulesData = ajv.getSchema('urn:foreproof:schema:rules:v1')

/** The data of rules as it would be written, held against its schema. */
function dataOf(rules: Rules): RulesData {
  const { calendar: _, ...written } = JSON.parse(JSON.stringify(rules))
  expect(isRulesData?.(written), JSON.stringify(isRulesData?.errors)).toBe(true)
  return written
}

/** Without what is null, as documents write it. */
const said = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_, each) => (each === null ? undefined : each)))

/** Whether compiled rules say of a document of version 2 what it says itself. */
function expectSame(protocol: SeriesProtocol, periods: PeriodList): Rules {
  const rules = compileRules(protocol, periods)
  const data = dataOf(rules)
  const { made_by: _, ...facts } = protocol.periods
  const { method, alpha } = protocol.uncertainty
  const { minimum, ...forecast } = protocol.forecast
  const numbers = Object.entries(protocol.limits).map(([name, value]) => [name, Number(value)])
  expect(said(data)).toEqual({
    ...{ schema: 2, version: protocol.protocol_version, sha256: protocol.protocol_sha256 },
    series: protocol.series.map(({ source, ...series }) => series),
    zone: protocol.zone,
    periods: { kind: 'list', ...facts },
    origins: { waiting: 'charged', ...protocol.origins },
    ...{ outcome: protocol.outcome, steps: protocol.horizons },
    seen: 'due',
    forecast: {
      levels: forecast.levels,
      ...(minimum !== undefined && { minimum: Number(minimum) }),
      ...{ positive: false, integer: forecast.integer, interval: 'required' },
    },
    scores: protocol.scores.map(({ primary = false, transform, ...score }) => ({
      transform: { kind: 'identity' },
      ...score,
      ...(transform && { transform }),
      primary,
      ...(primary && { tested: 'deciding' }),
    })),
    ...{ scaling: protocol.scaling, baselines: protocol.baselines },
    required: protocol.comparisons.required.map((name) => {
      const isBaseline = protocol.baselines.some(({ id }) => id === name)
      return { name, model: isBaseline ? { built_in: name } : { history: name } }
    }),
    ...{ strata: [], dependence: protocol.dependence },
    ...{ alpha: Number(alpha), weights: { verdict: 0.6, deciding: 0.4 } },
    ...{
      limits: Object.fromEntries(numbers),
      test: { method, ...SERIES_TEST },
      read_from_text: [],
    },
  })
  const { calendar } = rules
  const others = periods.filter(({ label, start, end }, at) => {
    const own = [calendar.position(label), calendar.label(at), calendar.start(at), calendar.end(at)]
    const same = [at, label, start, end].every((each, index) => each === own[index])
    return !same || !Object.is(rules.inputs(at), rules.due(at))
  })
  expect(others).toEqual([])
  return rules
}

describe('a protocol of version 2', () => {
  it.each(EXAMPLES)('is compiled as it is written, and its plan adds nothing: %s', async (name) => {
    const { protocol, periods, plan: own } = await exampleOf(name)
    const rules = expectSame(protocol, periods)
    const { comparators } = createRegistration(
      own,
      compileRules(protocol, periods),
      BEFORE,
      periods,
    )
    const models = rules.required.map(({ model }) => Object.values(model)[0])
    expect(models).toEqual(comparators.map((each) => each.name))
    dataOf(rules)
  })

  it('means by a name that is no baseline the model of the history of exactly that name', () => {
    const required = ['last_value', 'champion, of 2026']
    const rules = expectSame({ ...weekly(), comparisons: { required } }, WEEKS)
    expect(rules.required).toEqual([
      { name: 'last_value', model: { built_in: 'last_value' } },
      { name: 'champion, of 2026', model: { history: 'champion, of 2026' } },
    ])
  })

  const days = fc.integer({ min: -3, max: 9 })
  const hours = fc.integer({ min: 0, max: 30 })
  const offset = fc.tuple(fc.integer({ min: 0, max: 9 }), hours)
  const text = ([whole, rest]: readonly [number, number]) => `P${whole}DT${rest}H`
  const length = ([whole, rest]: readonly [number, number]) =>
    whole * MICROS_PER_DAY + rest * MICROS_PER_HOUR
  const anchor = fc.constantFrom('start', 'end')

  it('has the times and targets that its members say, by the clock of UTC', () => {
    const rule = fc.constantFrom('unrevised', 'first', 'as_of_lag', 'as_of_instant')
    const anchors = fc.tuple(anchor, offset, anchor, offset)
    const steps = fc.uniqueArray(days, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(anchors, rule, offset, steps, (times, release, wait, horizons) => {
        const [dueFrom, dueBy, knownFrom, knownBy] = times
        const at = '2026-12-01T00:00:00Z'
        const parts = { unrevised: 'wait', first: 'wait', as_of_lag: 'lag', as_of_instant: 'at' }
        const value = release === 'as_of_instant' ? at : text(wait)
        const ascending = [...horizons].sort((a, b) => a - b)
        const protocol: SeriesProtocol = {
          ...weekly(),
          zone: 'UTC',
          horizons: ascending,
          origins: { due: { anchor: dueFrom, offset: text(dueBy) } },
          outcome: {
            known: { anchor: knownFrom, offset: text(knownBy) },
            over: 'period',
            release: { rule: release, [parts[release]]: value },
          },
        }
        const periods = WEEKS.slice(0, 12)
        const rules = expectSame(
          { ...protocol, periods: { ...describePeriods(periods), made_by: 'a test' } },
          periods,
        )
        for (const [position, period] of periods.entries()) {
          const known = period[knownFrom] + length(knownBy)
          expect(rules.due(position)).toBe(period[dueFrom] + length(dueBy))
          expect(rules.known(position)).toBe(known)
          const settled = {
            ...{ unrevised: known + length(wait), first: known + length(wait) },
            ...{ as_of_lag: period.end + length(wait), as_of_instant: Date.parse(at) * 1000 },
          }
          expect(rules.settled(position)).toBe(settled[release])
          const there = ascending.filter((step) => position + step >= 0 && position + step < 12)
          expect(rules.targetsAt(position)).toEqual(there)
        }
      }),
      { numRuns: 40 },
    )
  })
})

const LIMITS = { availability: 0.02, availability_stratum: 0.05, harm: 0.05, direction: 0.02 }
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

const BY_VERDICT = [
  { method: 'ewc-t', ...HOURLY_TEST },
  { verdict: 0.6, deciding: 0.3, other: 0.1 },
] as const

describe('a protocol of version 1', () => {
  it.each([
    [
      'btcusd-hourly-1',
      { method: 'percentile-bootstrap', replicates: 200_000, seed: 20_261_121 },
      null,
    ],
    [
      'btcusd-hourly-2',
      { method: 'ewc-t', ...HOURLY_TEST },
      { verdict: null, deciding: 0.8, other: 0.2 },
    ],
    ['btcusd-hourly-3', ...BY_VERDICT],
    ['btcusd-hourly-4', ...BY_VERDICT],
  ])('comes to the same value: %s', (name, test, weights) => {
    const protocol = frozen(name)
    const data = dataOf(compileRules(protocol))
    expect(data).toMatchObject({
      ...{ schema: 1, version: name, sha256: protocol.protocol_sha256, zone: 'UTC' },
      series: [{ id: 'BTC/USD', unit: 'USD', group: null }],
      ...{ periods: { kind: 'hours' }, steps: [2, 4, 8, 16], seen: 'origin' },
      origins: { due: { anchor: 'end', minutes: 2 } },
      forecast: { levels: ['0.1', '0.5', '0.9'], positive: true, interval: 'separate' },
      limits: { ...LIMITS, practical_effect: 0.03 },
      dependence: { block_origins: 24, minimum_blocks: 20, minimum_pairs: 500 },
      ...{ alpha: 0.05, test, weights },
      required: builtInNames(protocol),
      strata: ['volatility', 'session', 'week_part'].map((each) => ({ name: each, by: 'by_plan' })),
    })
    const scores = data.scores.map(({ id, kind, transform, tested, primary }) =>
      [id, kind, transform.kind, tested, ...(primary ? ['primary'] : [])].join(' '),
    )
    expect(scores).toEqual([
      'point_loss absolute_error log deciding primary',
      'direction_error direction log deciding',
      'interval_score interval log other',
      'pinball_0.1 pinball log other',
      'pinball_0.5 pinball log other',
      'pinball_0.9 pinball log other',
      'coverage coverage identity other',
    ])
    expect(data.scores[1]?.epsilon).toBe(1e-6)
    expect(data.read_from_text.map(({ member, value }) => `${member} ${value}`)).toEqual([
      ...['/limits/harm 0.05', '/limits/direction 0.02', '/scores/1/epsilon 0.000001'],
      ...(name === 'btcusd-hourly-1'
        ? []
        : ['/limits/availability 0.02', '/limits/availability_stratum 0.05']),
      `/test/method ${test.method}`,
    ])
  })

  it('says what is read from its texts, and where', () => {
    const protocol = frozen('btcusd-hourly-4')
    protocol.design.limits.per_horizon_regression = 'No more than 0.2, and not 0.1.'
    protocol.design.limits.directional_loss = 'At most 0.04.'
    protocol.uncertainty.method = 'By rank.'
    const { limits, test, read_from_text: texts } = dataOf(compileRules(protocol))
    expect(limits).toMatchObject({ harm: 0.05, direction: 0.04 })
    expect(test.method).toBe('percentile-bootstrap')
    expect(texts[0]).toEqual({
      ...{ pointer: '/design/limits/directional_loss', member: '/limits/direction', value: 0.04 },
    })
    expect(texts.map(({ member }) => member)).not.toContain('/limits/harm')
    expect(texts.map(({ member }) => member)).not.toContain('/test/method')
  })

  it.each(['plan', 'plan-prospective'])('is bound to the %s of the demo', (file) => {
    const own: Plan = read(`fixtures/${file}.json`)
    const rules = bindPlan(compileRules(frozen('btcusd-hourly-4')), own)
    const data = dataOf(rules)
    expect(data.strata).toEqual(own.strata)
    expect(data.limits).toEqual({ ...LIMITS, practical_effect: 0.03 })
    expect(data.origins.due).toEqual({ anchor: 'end', minutes: own.due_minutes })
  })
})

const builtInNames = ({ estimands }: Protocol) =>
  estimands.comparisons.required.map((name) => ({ name, model: { built_in: name } }))

const share = fc.integer({ min: 1, max: 30 }).map((thousandths) => thousandths / 1000)
const limitsOf = fc.record(
  {
    ...{ harm: share, direction: share, epsilon: share },
    ...{ availability: share, availability_stratum: share },
  },
  { requiredKeys: [] },
)
const anyPlan = fc.record({
  limits: limitsOf,
  minutes: fc.option(fc.integer({ min: 0, max: 300 }), { nil: undefined }),
  strata: fc.subarray([session, volatility]),
})

describe('a plan of version 1', () => {
  const protocol = frozen('btcusd-hourly-4')
  protocol.design.limits.per_horizon_regression = 'At most 0.02.'
  protocol.sampling.strata = ['session', 'volatility']
  protocol.estimands.comparisons.required = ['persistence', 'incumbent', 'strongest_simple']
  protocol.estimands.comparisons.simple_baseline_pool = ['persistence', 'trend']
  const rules = compileRules(protocol)
  const bound = { harm: 0.02, direction: 0.02, epsilon: 1e-6 }
  const silence = { availability: 0.02, availability_stratum: 0.05 }
  const base = { ...bound, ...silence }

  it('adds to the rules what today’s registration has, and refuses looser limits', () => {
    fc.assert(
      fc.property(anyPlan, ({ limits, minutes, strata }) => {
        const own = plan({
          ...{ limits, strata, bound: { incumbent: 'kernel_memory', trend: 'drift_7d' } },
          ...(minutes !== undefined && { due_minutes: minutes }),
        })
        const registration = createRegistration(own, compileRules(protocol), NOW)
        const made = bindPlan(rules, own)
        const data = dataOf(made)
        const expected = { ...base, ...limits }
        expect(registration.rules).toEqual(JSON.parse(JSON.stringify(data)))
        expect(data.limits).toEqual({
          availability: expected.availability,
          availability_stratum: expected.availability_stratum,
          ...{ harm: expected.harm, direction: expected.direction },
          practical_effect: protocol.design.practical_effect_floor,
        })
        expect(data.scores[1]?.epsilon).toBe(expected.epsilon)
        expect(data.required.map(({ model }) => Object.values(model)[0])).toEqual([
          ...['persistence', 'kernel_memory', 'strongest_simple'],
        ])
        expect(data.strata.slice(0, strata.length)).toEqual(strata)
        const pool = data.baselines.find(({ id }) => id === 'strongest_simple')?.pool
        expect(pool).toEqual(['drift_7d', 'persistence'])
        const loose = Object.entries(limits).filter(
          ([name, limit]) => limit > base[name as keyof typeof base],
        )
        const pointers = loose.map(([name]) => `/limits/${name}`).sort()
        expect(
          looserLimits(rules, own)
            .map(({ pointer }) => pointer)
            .sort(),
        ).toEqual(pointers)
        const refused = planFindings(own, compileRules(protocol), NOW).filter(
          ({ code }) => code === 'limit-beyond-protocol',
        )
        expect(refused).toHaveLength(pointers.length)
      }),
    )
  })

  it('names full hours, in whatever spelling, and puts other instants between them', () => {
    const { calendar } = rules
    expect(calendar.position('2026-01-01T00:30:00Z')).toBe(NOW / MICROS_PER_HOUR + 0.5)
    expect(calendar.position('2026-01-01')).toBeNaN()
    expect(calendar.position('2026-01-01T01:00:00+01:00')).toBe(NOW / MICROS_PER_HOUR)
    const micros = fc.integer({ min: 0, max: 5e15 })
    fc.assert(
      fc.property(micros, (instant) => {
        expect(calendar.label(calendar.position(formatUtc(instant)))).toBe(formatUtc(instant))
      }),
    )
  })
})
