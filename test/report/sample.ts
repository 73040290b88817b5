import { sha256Hex } from '../../src/document/digest.js'
import type {
  CandidateDisposition,
  Reading,
  Result,
  ResultAccounting,
  ResultBounds,
  ResultDifference,
  ResultMeasures,
  ResultTest,
  ResultVerdict,
  StepOrAll,
} from '../../src/evaluation/result/result.js'
import { weightedHolm } from '../../src/inference/holm.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { enumerateFamily, scopeName } from '../../src/registration/family.js'
import { frozen } from '../registration/made.js'
import { numbers } from '../support/random.js'

type ProofOfTime = NonNullable<Result['time']>

const HORIZONS = [2, 4, 8, 16]
const EXPECTED = 13_856
const STRATA = Object.entries({
  volatility: ['low', 'middle', 'high'],
  session: ['Asia', 'Europe', 'America'],
  weekend: ['weekday'],
}).map(([name, levels]) => ({
  ...{ name, by: 'hour_of_day' as const, levels: levels.map((level) => ({ level })) },
}))
/** All origins, then each level. */
const SCOPES = [
  'all',
  ...STRATA.flatMap(({ name, levels }) =>
    levels.map(({ level }) => scopeName({ name, level }, 'all')),
  ),
]
const CANDIDATES = ['kronos-small', 'gradient-boosted-v4', 'lstm-2024']
const COMPARATORS = ['persistence', 'seasonal_naive_24h', 'ar1', 'strongest_simple']
/** Relative size of each model's loss. */
const QUALITY: Record<string, number> = {
  'kronos-small': 0.962,
  'gradient-boosted-v4': 0.996,
  'lstm-2024': 1.09,
  persistence: 1,
  seasonal_naive_24h: 1.021,
  ar1: 1.004,
  strongest_simple: 0.999,
}

/** Why attempts of a status were not scored. */
const REASONS: Record<string, string> = {
  failed: 'recorded_failure',
  abstained: 'recorded_abstention',
  missing: 'forecast_missing',
  ineligible: 'lookahead',
}

const hex = (seed: number) => sha256Hex(`${seed}`)

const loss = (model: string, step: StepOrAll) =>
  (QUALITY[model] ?? 1) * (step === 'overall' ? 0.0085 : 0.0034 * Math.sqrt(step))

const around = (value: number, half: number): ResultBounds => ({
  lower: value - half,
  upper: value + half,
})

export interface SampleOptions {
  readonly kind?: Result['kind']
  readonly exploratory?: boolean
  readonly strata?: boolean
  /** Whether authorities stamped the registration, and the checkpoints of a log the forecasts. */
  readonly time?: 'stamped' | 'committed'
  /** The method of the tests; the cosine test where it is left out. */
  readonly method?: 'percentile-bootstrap'
  /** A name put in place of the first candidate's, for hostile texts. */
  readonly rename?: string
}

function accounting(model: string, scope: string, next: () => number): ResultAccounting[] {
  const whole = Math.round(EXPECTED * (scope === 'all' ? 1 : 0.33))
  const isCandidate = CANDIDATES.includes(model)
  const failed = isCandidate ? Math.round(whole * 0.004 * next()) : 0
  const missing = isCandidate ? Math.round(whole * 0.02 * next()) : 7
  const cell = (step: StepOrAll, times: number): ResultAccounting => {
    const unscored = {
      failed: times * failed,
      abstained: times * (model === 'gradient-boosted-v4' ? Math.round(whole * 0.03) : 0),
      missing: times * missing,
      ineligible: times * (model === 'lstm-2024' ? Math.round(whole * 0.011) : 0),
    }
    const of = Object.entries(unscored).filter(([, count]) => count > 0)
    const reasons = Object.fromEntries(of.map(([status, count]) => [REASONS[status], count]))
    const expected = times * whole
    const left = of.reduce((sum, [, count]) => sum + count, 0)
    const point = { ...unscored, scored: expected - left }
    return { model, step, scope, expected, without_outcome: 0, point, interval: point, reasons }
  }
  return [...HORIZONS.map((step) => cell(step, 1)), cell('overall', HORIZONS.length)]
}

function measures(
  model: string,
  step: StepOrAll,
  scope: string,
  next: () => number,
): ResultMeasures {
  const mean = loss(model, step)
  const coverage = 0.8 + (next() - 0.6) * 0.08
  const whole = scope === 'all'
  const means = {
    point_loss: mean,
    absolute_percent_error: mean * 100,
    log_return_bias: (next() - 0.5) * 1e-4,
    percent_bias: (next() - 0.5) * 1e-2,
    direction_error: 0.49,
    interval_score: mean * 5.4,
    'pinball_0.1': mean * 0.26,
    'pinball_0.5': mean * 0.5,
    'pinball_0.9': mean * 0.28,
    coverage: model === 'lstm-2024' && step === 16 ? null : coverage,
    width: mean * 3,
    width_percent: mean * 300,
  }
  const pairs = Math.round(EXPECTED * (whole ? 0.98 : 0.31) * (step === 'overall' ? 4 : 1))
  const below = (share: number) => ({ pairs, share, bounds: around(share, 0.01) })
  return {
    ...{ model, step, scope },
    pairs: Object.fromEntries(Object.keys(means).map((name) => [name, pairs])),
    means,
    bounds: whole
      ? { point_loss: around(mean, mean * 0.06), coverage: around(coverage, 0.018) }
      : {},
    below:
      whole && step !== 'overall'
        ? { '0.1': below(0.1), '0.5': below(0.5), '0.9': below(0.9) }
        : {},
  }
}

type Estimated = Omit<ResultTest, 'rank' | 'multiplier' | 'p_adjusted' | 'decision'>

/** The estimate of a test, and what it is measured by. */
function estimated(definition: ReturnType<typeof enumerateFamily>[number], next: () => number) {
  const {
    name,
    candidate,
    comparator,
    measure: score,
    horizon: step,
    stratum,
    decides,
  } = definition
  const share = score === 'direction_error' || score === 'coverage'
  const base = share ? 0.5 : loss(comparator, step)
  const effect = share
    ? ((QUALITY[candidate] ?? 1) - 1) * 0.15
    : loss(candidate, step) - loss(comparator, step)
  const error = (share ? 0.0032 : base * 0.0075) * (stratum === 'all' ? 1 : 1.9)
  const observed = effect + (next() + next() - 1) * error
  const z = Math.abs(observed) / error
  const small = stratum !== 'all' && stratum.level === 'weekday'
  const p = Math.min(1, Math.max(2 / 200_001, Math.exp(-0.717 * z - 0.416 * z * z)))
  const test: Estimated = {
    ...{ name, candidate, comparator, score, step, scope: scopeName(stratum, 'all'), decides },
    cells: step === 'overall' ? HORIZONS.length : 1,
    pairs: small ? 312 : stratum === 'all' ? 13_412 : 4_410,
    effective_blocks: small ? 14 : stratum === 'all' ? 577 : 240,
    observed,
    comparator_mean: base,
    bounds: small ? null : around(observed, 1.96 * error),
    standard_error: small ? null : error,
    degrees_of_freedom: null,
    p: small ? null : p,
    weight: null,
    level_adjusted: null,
    bounds_adjusted: small ? null : around(observed, 4 * error),
    ...{ bounds_simultaneous: null, group_bound: null, by_verdict: false },
    ...{ hln: null, memory: null, cumulative: null },
    blocked_reasons: small ? ['too_few_pairs', 'too_few_blocks'] : [],
  }
  return test
}

function family({ method, strata }: SampleOptions, next: () => number): ResultTest[] {
  const isCosine = method !== 'percentile-bootstrap'
  const rules = {
    ...compileRules(frozen('btcusd-hourly-4')),
    strata: strata === false ? [] : STRATA,
  }
  const tests = enumerateFamily(rules, {
    candidates: CANDIDATES.map((name) => ({ name })),
    comparators: COMPARATORS.map((name) => ({ name })),
  }).map((definition) => estimated(definition, next))
  const deciding = tests.filter(({ decides }) => decides).length
  const weights = tests.map(({ decides }) => {
    if (!isCosine) return 1
    return decides ? 0.3 / deciding : 0.1 / (tests.length - deciding)
  })
  const ps = tests.map(({ p }) => p)
  const steps = weightedHolm(ps, weights, 0.05)
  return tests.map((test, index): ResultTest => {
    const step = steps[index]
    return {
      ...test,
      rank: step?.rank ?? null,
      multiplier: step?.multiplier ?? null,
      p_adjusted: step?.adjustedP ?? null,
      decision: step ? (step.rejected ? 'rejected' : 'not_rejected') : 'blocked',
      ...(isCosine && {
        degrees_of_freedom: test.p === null ? null : 16,
        weight: weights[index]!,
      }),
    }
  })
}

/** The losses of a candidate at every step and overall, each held against its limit. */
function verdicts(tests: readonly ResultTest[]): ResultVerdict[] {
  return CANDIDATES.map((candidate) => {
    const parts = tests
      .filter((of) => of.candidate === candidate && of.scope === 'all' && of.decides)
      .map(({ name: test, comparator, step, score, observed, comparator_mean: base, p }) => {
        const limit = step === 'overall' ? 0 : 0.05 * (base ?? 0)
        return { test, comparator, step, score, observed, limit, p }
      })
    const p = Math.max(...parts.map((part) => part.p ?? 1))
    const isRejected = candidate === CANDIDATES[0]
    return {
      ...{ candidate, weight: 0.2, p, rank: 1, multiplier: 1, p_adjusted: isRejected ? 0.01 : p },
      ...{ decision: isRejected ? 'rejected' : 'not_rejected', parts },
    }
  })
}

function dispositions(kind: Result['kind']): CandidateDisposition[] | null {
  if (kind === 'not_decided') return null
  const [first = '', second = '', third = ''] = CANDIDATES
  type Reason = CandidateDisposition['reasons'][number]
  const overall = (of: Pick<Reason, 'code' | 'leads_to' | 'found' | 'limit'>): Reason[] =>
    COMPARATORS.map((comparator) => {
      return { ...of, comparator, step: 'overall', score: 'point_loss', test: null, details: [] }
    })
  const isPast = kind === 'backtest'
  const best = isPast ? 'lower' : 'eligible_for_human_review'
  const open = isPast ? 'neither' : 'inconclusive'
  const worst = isPast ? 'higher' : 'negative'
  const floor = { code: 'practical_floor_not_reached', found: 0.004, limit: 0.02 } as const
  const better = { code: 'improvement_established', found: 0.038, limit: 0.02 } as const
  const worse = { code: 'significantly_worse', found: 0.091, limit: null } as const
  return [
    { candidate: first, disposition: best, reasons: overall({ ...better, leads_to: best }) },
    { candidate: second, disposition: open, reasons: overall({ ...floor, leads_to: open }) },
    { candidate: third, disposition: worst, reasons: overall({ ...worse, leads_to: worst }) },
  ]
}

function differences(): ResultDifference[] {
  const unscored = { candidate_not_scored: 420, comparator_not_scored: 20, neither_scored: 4 }
  const keys = {
    ...{ expected: EXPECTED, with_outcome: EXPECTED, shared: 13_412 },
    ...{ lost: { ...unscored, vintage_mismatch: 0 }, uncalled: null, intervals_withheld: 40 },
  }
  return CANDIDATES.flatMap((candidate) =>
    COMPARATORS.flatMap((comparator) =>
      HORIZONS.map((step) => {
        const means = { observed: {}, comparator_mean: {} }
        return { candidate, comparator, step, scope: 'all', ...keys, ...means }
      }),
    ),
  )
}

/** Two of three authorities stamped; the forecasts are committed but for some. */
function proofOfTime(committed: boolean): ProofOfTime {
  const stamp = (gen_time: string, accuracy_seconds: number | null, in_time = true) => ({
    ...{ gen_time, accuracy_seconds, in_time, token_sha256: hex(20), entry: 3 },
    ...{ entry_sha256: hex(7), revocation: 'not_checked' as const },
  })
  return {
    level: 'stamped',
    at_least: 2,
    stamped_at: '2023-12-30T09:12:50Z',
    authorities: [
      { name: 'freetsa', anchor_sha256: hex(21), stamp: stamp('2023-12-30T09:12:49Z', 1) },
      { name: 'digicert', anchor_sha256: hex(22), stamp: stamp('2023-12-30T09:12:47Z', null) },
      {
        ...{ name: 'late-one', anchor_sha256: hex(23) },
        stamp: stamp('2024-03-01T00:00:00Z', 0.5, false),
      },
    ],
    commitment: committed
      ? {
          log: 'forecasts.example.org/log',
          size: 163_904,
          root: hex(24),
          checkpoints: 13_900,
          stamped: 13_880,
          last_stamped_at: '2025-08-01T00:02:11.5Z',
          stamps_sha256: hex(25),
          models: CANDIDATES.map((model, index) => ({
            ...{ model, expected: 4 * EXPECTED, committed: 54_000 - 9_000 * index },
            ...{ committed_late: 120 * index, not_committed: 700 * index, withdrawn: index },
          })),
          unexplained: 1,
        }
      : null,
  }
}

/** The rules of the reference, with limits that are a little laxer, as a result has them. */
function rulesOf({ method }: SampleOptions): Result['settings']['rules'] {
  const compiled = compileRules(frozen('btcusd-hourly-4'))
  const { series, calendar, inputs, latest, due, known, settled, targetsAt, ...rules } = compiled
  return {
    ...rules,
    required: COMPARATORS.map((name) => ({ name, model: { built_in: name } })),
    dependence: { block_origins: 24, minimum_pairs: 720, minimum_blocks: 30 },
    limits: { ...rules.limits, practical_effect: 0.02, harm: 0.05, direction: 0.02 },
    weights: { verdict: 0.6, deciding: 0.3, other: 0.1 },
    ...(method === 'percentile-bootstrap' && {
      ...{ weights: null, test: { method, replicates: 200_000, seed: 410 } },
    }),
  }
}

function readingOf(options: SampleOptions, kind: Result['kind']): Reading {
  const next = numbers(7)
  const all = [...CANDIDATES, ...COMPARATORS]
  const scopes = options.strata === false ? ['all'] : SCOPES
  const tests = family(options, next)
  const isDecided = options.method !== 'percentile-bootstrap'
  return {
    accounting: all.flatMap((model) => scopes.flatMap((scope) => accounting(model, scope, next))),
    beside_grid: { horizon_not_in_protocol: 13_856, model_not_in_plan: 120 },
    measures: all.flatMap((model) =>
      scopes.flatMap((scope) =>
        (['overall', ...HORIZONS] as const).map((step) => measures(model, step, scope, next)),
      ),
    ),
    differences: differences(),
    waiting: [],
    nowcasts: [],
    far_off: [],
    family: {
      size: tests.length,
      sha256: hex(6),
      rejected: tests.filter((one) => one.decision === 'rejected').length,
      blocked: tests.filter((one) => one.decision === 'blocked').length,
    },
    tests,
    verdicts: isDecided ? verdicts(tests) : [],
    dispositions: dispositions(kind),
    other_rules: [],
    newest_known: HORIZONS.map((step) => ({ step, origins: EXPECTED, median_steps: 0 })),
    spread: [],
  }
}

/** A result of the size and shape of a real one: 19 months, 3 candidates, 4 comparators. */
export function sampleResult(options: SampleOptions = {}): Result {
  const undecided = options.method === 'percentile-bootstrap' ? 'not_decided' : 'evaluation'
  const kind = options.kind ?? undecided
  const result: Result = {
    ...{ result_version: 1, result_sha256: hex(1), kind },
    code: { name: 'foreproof', version: '0.1.0', sha256: hex(2) },
    exploratory: options.exploratory ?? false,
    earlier_readings: options.exploratory ? 2 : 0,
    inputs: {
      protocol: { version: '2026-03-btc-v2', sha256: hex(3), ledger_entry_sha256: hex(4) },
      registration: {
        name: 'spring-2026-shootout',
        sha256: hex(5),
        registered_at: '2023-12-30T09:12:44Z',
        family_sha256: hex(6),
        ledger_entry_sha256: hex(7),
      },
      history: { sha256: hex(8), rows: 163_904 },
      outcomes: {
        ...{ id: 'coinbase-btcusd-2024-2025', sha256: hex(9), source: 'coinbase', rows: 13_872 },
        complete_to: '2025-08-01T00:00:00Z',
      },
      pairs: { sha256: hex(10), rows: 387_968 },
    },
    time: options.time ? proofOfTime(options.time === 'committed') : null,
    registrations: null,
    settings: {
      ...{ registration_version: 1, registration_sha256: hex(5) },
      ...{ name: 'spring-2026-shootout', description: null },
      registered_at: '2023-12-30T09:12:44Z',
      protocol: { version: '2026-03-btc-v2', sha256: hex(3) },
      mode: kind === 'backtest' ? 'backtest' : 'prospective',
      window: {
        ...{ from: '2024-01-01T01:00:00Z', to: '2025-07-31T08:00:00Z', origins: EXPECTED },
        first_inputs: '2024-01-01T01:00:00Z',
        first_due: '2024-01-01T01:02:00Z',
        last_due: '2025-07-31T08:02:00Z',
        last_settled: '2025-08-01T00:00:00Z',
      },
      candidates: CANDIDATES.map((name) => ({ name, source: 'history' })),
      comparators: COMPARATORS.map((name) => {
        return { name, source: 'built_in', required_as: [name] }
      }),
      not_asked: [],
      provenance_required: true,
      outcomes: { source: 'coinbase', vintage_id: null, vintage_sha256: null },
      ...{ time: null, commitment: options.time === 'committed' ? 'stamped' : 'self_declared' },
      ...{ commitment_log: null, scales_as_of: null, instants: null },
      family: { size: readingOf(options, kind).family.size, sha256: hex(6) },
      rules: rulesOf(options),
    },
    window: {
      ...{ through: null, origins: EXPECTED, blocks: 577, origins_a_day: 24 },
      ...{ due_by_end: false, waiting_worth: 0.006, year_not_asked: false },
      ...{ seen_after_end: null, lower_if_final: null },
    },
    implausible: [],
    series: { count: 1, units: { count: 1, first: ['USD'] }, groups: [] },
    strata: (options.strata === false ? [] : STRATA).map(({ name, levels }) => {
      return { name, levels: levels.map(({ level }) => ({ level, origins: 4_618 })) }
    }),
    cells: {
      ...{ lines: HORIZONS.length, sha256: hex(11), no_test: [], no_means: [] },
      steps: HORIZONS.map((step) => ({ step, cells: 1, in_test: 1, in_means: 1 })),
    },
    reading: readingOf(options, kind),
    second_reading: null,
  }
  const { rename } = options
  if (rename === undefined) return result
  const named = JSON.stringify(CANDIDATES[0])
  return JSON.parse(JSON.stringify(result).replaceAll(named, () => JSON.stringify(rename)))
}

type Rules = Result['settings']['rules']

/** A result with other rules. */
export const withRules = (result: Result, change: Partial<Rules>): Result => ({
  ...result,
  settings: { ...result.settings, rules: { ...result.settings.rules, ...change } },
})

/** A result with another reading. */
export const withReading = (result: Result, change: Partial<Reading>): Result => ({
  ...result,
  reading: { ...result.reading, ...change },
})
