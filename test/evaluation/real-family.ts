import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import {
  formatStored,
  type Instant,
  instantOrNaN,
  MICROS_PER_HOUR,
} from '../../src/contract/instant.js'
import type { Plan, Protocol } from '../../src/contract/types.js'
import type { PairingRow } from '../../src/forecast/row.js'
import { draftPlan } from '../../src/registration/template.js'
import { ownValue } from '../protocol/sample.js'
import { BY_VERDICT } from '../registration/made.js'
import { BARE, type ReadResult } from './made.js'

/** Real closes are not ours to publish: where they are absent there is nothing to run on. */
export const REAL_CLOSES = '../shared/data/closes_btcusd_1h_2024_2025.csv'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const COMPARATORS = [
  ...['persistence', 'seasonal_naive_24h', 'drift_24h', 'ar1', 'strongest_simple', 'wider'],
]
/** Six months of closes; four of them are the window. */
const CLOSES = 182 * 24
const WINDOW = { from: '2024-03-01T00:00:00Z', to: '2024-06-28T23:00:00Z' }
const PLAN: Plan = {
  ...draftPlan({ mode: 'backtest', window: WINDOW, source: 'kept apart' }),
  name: 'four real months',
  // So long that waiting decides whether a candidate is better.
  due_minutes: 10,
  candidates: ['seer', 'echo'],
  bound: { wider: 'wider' },
  strata: [
    {
      ...{ name: 'volatility', by: 'volatility', lookback_hours: 24 },
      // Hardly an hour lies in the last.
      levels: [
        { level: 'low', below: 0.005 },
        { level: 'high', below: 0.0125 },
        { level: 'extreme' },
      ],
    },
    {
      ...{ name: 'session', by: 'hour_of_day' },
      levels: [
        { level: 'night', hours: HOURS.slice(0, 8) },
        { level: 'day', hours: HOURS.slice(8) },
      ],
    },
    { name: 'week_part', by: 'omitted', reason: 'kept small' },
  ],
}

/**
 * Made models on the real closes: `seer` knows a little of the way ahead and has gaps; `echo` says what
 * persistence says; the intervals of `echo` and of `wider` hold every outcome, and their scores
 * therefore differ by a constant.
 */
function* modelRows(closes: ReadonlyMap<Instant, number>): Generator<PairingRow> {
  const to = instantOrNaN(WINDOW.to)
  let hour = 0
  for (let origin = instantOrNaN(WINDOW.from); origin <= to; origin += MICROS_PER_HOUR, hour++) {
    const p0 = closes.get(origin) ?? Number.NaN
    for (const horizon of [2, 4, 8, 16]) {
      const target = origin + horizon * MICROS_PER_HOUR
      const way = Math.log((closes.get(target) ?? Number.NaN) / p0)
      const row = (model: string, forecast: number, spread: number): PairingRow => ({
        ...{ ...BARE, originAt: formatStored(origin), model, horizon },
        ...{ targetAt: formatStored(target), generatedAt: formatStored(origin) },
        ...{ sourcePrice: p0, forecast },
        quantiles: [forecast * Math.exp(-spread), forecast, forecast * Math.exp(spread)],
      })
      yield row('echo', p0, 1)
      if (hour % 97 !== 13) {
        const chance = 0.002 * Math.sin(hour * hour)
        yield row('seer', p0 * Math.exp(0.06 * way + chance), 0.006 * Math.sqrt(horizon))
      }
      yield row('wider', p0 * Math.exp(0.003 * Math.cos(hour * hour + horizon)), 1.25)
    }
  }
}

/** Everything that both ways of running it need. */
export interface RealFamily {
  readonly plan: Plan
  readonly protocol: Protocol
  /** In normal form, as text and by instant. */
  readonly text: string
  readonly closes: ReadonlyMap<Instant, number>
  readonly rows: readonly PairingRow[]
}

/** Files of golden figures: of all closes, and of closes with gaps, without strata. */
export const GOLDEN = ['verdict.csv', 'gaps.csv'] as const
export type Golden = (typeof GOLDEN)[number]

/**
 * One hour in so many has no close, from an hour on: about 1 %. After each of them `ar1` says nothing for a month, so it is neither a
 * comparator there nor in the pool, whose members are compared where all of them forecast.
 */
const GAPS = { every: 89, from: 17 }
const POOL_WITH_GAPS = ['drift_24h', 'persistence', 'seasonal_naive_24h']

/** @param replicates of the bootstrap, on which nothing here depends. */
export function realFamily(replicates: number, golden: Golden): RealFamily {
  const lines = readFileSync(REAL_CLOSES, 'utf8')
    .split('\n')
    .slice(0, CLOSES + 1)
  const closesOf = (text: readonly string[]) =>
    new Map(
      text.slice(1).map((line) => {
        const [at = '', close] = line.split(',')
        return [instantOrNaN(at), Number(close)]
      }),
    )
  const protocol = ownValue()
  protocol.protocol_version = 'real-1'
  protocol.uncertainty.replicates = replicates
  // Models forecast from all of them: what is missing is an outcome.
  const rows = [...modelRows(closesOf(lines))]
  protocol.uncertainty.method = BY_VERDICT
  const isWhole = golden === 'verdict.csv'
  const kept = lines.filter((_, at) => isWhole || at === 0 || at % GAPS.every !== GAPS.from)
  const closes = closesOf(kept)
  const strata = PLAN.strata.map(({ name }) => {
    return { name, by: 'omitted', reason: 'kept small' } as const
  })
  // Of four that have to be required two are one model.
  const plan = isWhole ? PLAN : { ...PLAN, strata, bound: { wider: 'wider', wide: 'wider' } }
  protocol.estimands.comparisons.required = isWhole
    ? COMPARATORS
    : [...COMPARATORS.filter((name) => name !== 'ar1'), 'wide']
  if (!isWhole) protocol.estimands.comparisons.simple_baseline_pool = POOL_WITH_GAPS
  return { plan, protocol, text: `${kept.join('\n')}\n`, closes, rows }
}

type Tests = ReadResult['tests']

/** A line of what the script wrote, for every test of the family, and for what there is of verdicts. */
export function expectAgreement(result: ReadResult, text: string): void {
  const { tests } = result
  const [heading = '', ...all] = text.trim().split('\n')
  const names = new Set(tests.map(({ name }) => name))
  const lines = all.filter((line) => names.has(line.split(',')[0] as string))
  const found = verdictLines(result)
  // The direction of persistence is no test, and what cannot be had is not there.
  const beside = all.filter((line) => !lines.includes(line) && isShown(line))
  expect(beside).toHaveLength(found.length)
  beside.forEach((line, at) => {
    const [words, numbers] = parted(line.split(','))
    const [said, values] = parted(found[at] as readonly (string | number)[])
    expect(words).toEqual(said)
    expectNear(line, values, numbers)
  })
  const [, , ...columns] = heading.split(',')
  expect(columns).toEqual(Object.keys(figuresOf(tests[0])))
  expect(lines).toHaveLength(tests.length)
  lines.forEach((line, index) => {
    const test = tests[index] as Tests[number]
    const [name, decision, ...numbers] = line.split(',')
    const said = test.decision === 'blocked' ? test.blocked_reasons.join('+') : test.decision
    expect([test.name, said]).toEqual([name, decision])
    if (test.decision === 'blocked') return
    expectNear(
      line,
      Object.values(figuresOf(test)).map((value) => value ?? Number.NaN),
      numbers,
    )
  })
}

/** Whether there is a figure in what stands beside the tests. */
const isShown = (line: string) =>
  !/persistence\/direction_error/.test(line) && !/^hln,[^,]*$/.test(line)

function expectNear(
  line: string,
  found: readonly number[],
  expected: readonly (string | number)[],
): void {
  expect(found, line).toHaveLength(expected.length)
  found.forEach((value, at) => {
    const other = Number(expected[at])
    const off = value === other ? 0 : Math.abs(value / other - 1)
    expect(off, `${line}: ${value}, expected ${other}`).toBeLessThan(1e-10)
  })
}

/** Words and numbers of a line. */
function parted(cells: readonly (string | number)[]): [(string | number)[], number[]] {
  const isWord = (cell: string | number) => Number.isNaN(Number(cell))
  return [cells.filter(isWord), cells.filter((cell) => !isWord(cell)).map(Number)]
}

/** Simultaneous bounds, what is beside the tests, what waiting is worth, then each hypothesis with what became of its candidate. */
function verdictLines(result: ReadResult) {
  const { tests, verdicts, dispositions, waiting } = result
  const worth = waiting.map(({ comparator, step, w: of }) => [
    ...['waiting', comparator, step === 'overall' ? step : `${step}h`],
    of,
  ])
  const bounds = tests.flatMap(({ name, bounds_simultaneous: both }) =>
    both ? [['simultaneous', name, both.lower, both.upper]] : [],
  )
  const hypotheses = verdicts.map(({ candidate, p, p_adjusted }) => {
    const verdict = dispositions.find((one) => one.candidate === candidate)?.disposition ?? ''
    return [`verdict/${candidate}`, verdict, ...[p, p_adjusted].filter((value) => value !== null)]
  })
  return [...bounds, ...besideLines(result), ...worth, ...hypotheses]
}

function besideLines({ tests, measures }: ReadResult) {
  const there = (...cells: (string | number | null | undefined)[]) =>
    cells.filter((cell): cell is string | number => cell !== null && cell !== undefined)
  const beside = tests.flatMap(({ name, memory, hln }) => {
    if (memory) return [there('week_memory', name, memory.ratio, memory.limit, memory.p)]
    return hln === null ? [] : [there('hln', name, hln.statistic, hln.p)]
  })
  const quantiles = measures.flatMap(({ model, step, below }) =>
    Object.entries(below).map(([quantile, { share, bounds }]) =>
      there(`below/${model}/${step}h/${quantile}`, share, bounds?.lower, bounds?.upper),
    ),
  )
  return [...beside, ...quantiles]
}

function figuresOf(test: Tests[number] | undefined) {
  return {
    observed: test?.observed,
    standard_error: test?.standard_error,
    p: test?.p,
    lower: test?.bounds?.lower,
    upper: test?.bounds?.upper,
    p_adjusted: test?.p_adjusted,
    lower_adjusted: test?.bounds_adjusted?.lower,
    upper_adjusted: test?.bounds_adjusted?.upper,
  }
}

/** Rejected and only rejected tests have adjusted bounds without 0; every kind of edge is there. */
export function expectDuality(tests: Tests): void {
  for (const { name, decision, bounds_adjusted: bounds } of tests) {
    expect(bounds === null, name).toBe(decision === 'blocked')
    if (bounds === null) continue
    expect(bounds.lower > 0 || bounds.upper < 0, name).toBe(decision === 'rejected')
  }
  const count = (of: (test: Tests[number]) => boolean) => tests.filter(of).length
  expect(count(({ decision }) => decision === 'rejected')).toBeGreaterThan(200)
  expect(count(({ decision }) => decision === 'not_rejected')).toBeGreaterThan(200)
  for (const reason of ['too_few_pairs', 'too_few_blocks', 'no_variance'] as const) {
    expect(count(({ blocked_reasons: why }) => why.includes(reason))).toBeGreaterThan(5)
  }
  // Every difference is 0 for a copy's point losses, and for coverages of intervals that hold every
  // outcome: (5 + 4) tests over all origins and in each of the four levels with pairs enough.
  expect(count(({ p, bounds }) => p === 1 && bounds?.lower === 0 && bounds.upper === 0)).toBe(45)
}
