import type { Registration } from '../../src/contract/types.js'
import { sha256Hex } from '../../src/document/digest.js'
import type {
  CandidateDisposition,
  EvaluationResult,
  Horizon,
  ModelMeasures,
  ResultAccounting,
  ResultBounds,
  ResultStratum,
  ResultTest,
  SharedKeys,
} from '../../src/evaluation/result/types.js'
import { reasonOf } from '../../src/inference/disposition.js'
import { weightedHolm } from '../../src/inference/holm.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { enumerateFamily, stratumLevels } from '../../src/registration/family.js'
import type { HourlyTest } from '../../src/registration/types.js'
import { frozen } from '../registration/made.js'
import { numbers } from '../support/random.js'

type ProofOfTime = NonNullable<EvaluationResult['time']>

const HORIZONS = [2, 4, 8, 16]
const EXPECTED = 13_856
const STRATA = Object.entries({
  volatility: ['low', 'middle', 'high'],
  session: ['Asia', 'Europe', 'America'],
  weekend: ['weekday'],
}).map(([name, levels]) => ({
  ...{ name, by: 'hour_of_day' as const, levels: levels.map((level) => ({ level })) },
}))
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

const loss = (model: string, horizon: Horizon) =>
  (QUALITY[model] ?? 1) * (horizon === 'overall' ? 0.0085 : 0.0034 * Math.sqrt(horizon))

const around = (value: number, half: number): ResultBounds => ({
  lower: value - half,
  upper: value + half,
})

export interface SampleOptions {
  readonly kind?: EvaluationResult['kind']
  readonly exploratory?: boolean
  readonly strata?: boolean
  /** Whether authorities stamped the registration, and the checkpoints of a log the forecasts. */
  readonly time?: 'stamped' | 'committed'
  /** The method of the tests; percentile-bootstrap where it is left out. */
  readonly method?: 'ewc-t'
  /** A name put in place of the first candidate's, for hostile texts. */
  readonly rename?: string
}

function accounting(model: string, stratum: ResultStratum, next: () => number): ResultAccounting[] {
  const whole = Math.round(EXPECTED * (stratum === 'all' ? 1 : 0.33))
  const isCandidate = CANDIDATES.includes(model)
  const failed = isCandidate ? Math.round(whole * 0.004 * next()) : 0
  const missing = isCandidate ? Math.round(whole * 0.02 * next()) : 7
  const cell = (horizon: number | 'all', times: number): ResultAccounting => {
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
    return { model, horizon, stratum, expected, point, interval: point, reasons }
  }
  return [...HORIZONS.map((horizon) => cell(horizon, 1)), cell('all', HORIZONS.length)]
}

function measures(model: string, horizon: Horizon, stratum: ResultStratum, next: () => number) {
  const mean = loss(model, horizon)
  const coverage = 0.8 + (next() - 0.6) * 0.08
  const whole = stratum === 'all'
  const found: ModelMeasures = {
    model,
    horizon,
    stratum,
    pairs: Math.round(EXPECTED * (whole ? 0.98 : 0.31) * (horizon === 'overall' ? 4 : 1)),
    point_loss: mean,
    point_loss_bounds: whole ? around(mean, mean * 0.06) : null,
    absolute_percent_error: mean * 100,
    log_return_bias: (next() - 0.5) * 1e-4,
    percent_bias: (next() - 0.5) * 1e-2,
    direction: { eligible: 13_500, accuracy: 0.49 + next() * 0.04, error_rate: 0.49 },
    interval: {
      pairs: 13_500,
      score: mean * 5.4,
      pinball: { '0.1': mean * 0.26, '0.5': mean * 0.5, '0.9': mean * 0.28 },
      coverage: model === 'lstm-2024' && horizon === 16 ? null : coverage,
      coverage_bounds: whole ? around(coverage, 0.018) : null,
      coverage_difference: coverage - 0.8,
      width: mean * 3,
      width_percent: mean * 300,
    },
  }
  return found
}

/** The estimate of a test, and what it is measured by. */
function estimated(definition: HourlyTest, next: () => number) {
  const { role: _role, memory: _memory, group: _group, ...test } = definition
  const { candidate, comparator, measure, horizon, stratum } = test
  const share = measure === 'direction_error' || measure === 'coverage'
  const base = share ? 0.5 : loss(comparator, horizon)
  const effect = share
    ? ((QUALITY[candidate] ?? 1) - 1) * 0.15
    : loss(candidate, horizon) - loss(comparator, horizon)
  const error = (share ? 0.0032 : base * 0.0075) * (stratum === 'all' ? 1 : 1.9)
  const observed = effect + (next() + next() - 1) * error
  const z = Math.abs(observed) / error
  const small = stratum !== 'all' && stratum.level === 'weekday'
  const p = Math.min(1, Math.max(2 / 200_001, Math.exp(-0.717 * z - 0.416 * z * z)))
  return {
    ...test,
    pairs: small ? 312 : stratum === 'all' ? 13_412 : 4_410,
    effective_blocks: small ? 14 : stratum === 'all' ? 577 : 240,
    observed,
    comparator_mean: base,
    bounds: small ? null : around(observed, 1.96 * error),
    standard_error: small ? null : error,
    p: small ? null : p,
    bounds_adjusted: small ? null : around(observed, 4 * error),
    blocked_reasons: small ? (['too_few_pairs', 'too_few_blocks'] as const) : [],
  }
}

function family(
  { method }: SampleOptions,
  strata: Registration['strata'],
  next: () => number,
): ResultTest[] {
  const tests = enumerateFamily(compileRules(frozen('btcusd-hourly-3')), {
    candidates: CANDIDATES.map((name) => ({ name })),
    comparators: COMPARATORS.map((name) => ({ name })),
    strata,
  }).map((definition) => estimated(definition as HourlyTest, next))
  const deciding = tests.filter(({ decides }) => decides).length
  const weights = tests.map(({ decides }) => {
    if (method === undefined) return 1
    return decides ? 0.8 / deciding : 0.2 / (tests.length - deciding)
  })
  const ps = tests.map(({ p }) => p)
  const steps = weightedHolm(ps, weights, 0.05)
  return tests.map((test, index) => {
    const step = steps[index]
    const { p } = test
    const cosine = {
      degrees_of_freedom: p === null ? null : 36,
      weight: weights[index]!,
    }
    return {
      ...test,
      rank: step?.rank ?? null,
      multiplier: step?.multiplier ?? null,
      p_adjusted: step?.adjustedP ?? null,
      decision: step ? (step.rejected ? 'rejected' : 'not_rejected') : 'blocked',
      ...(method && cosine),
    }
  })
}

function dispositions(kind: EvaluationResult['kind']): CandidateDisposition[] {
  const [first = '', second = '', third = ''] = CANDIDATES
  const overall = (of: Omit<Parameters<typeof reasonOf>[0], 'comparator'>) =>
    COMPARATORS.map((comparator) => {
      return reasonOf({ ...of, comparator, horizon: 'overall', measure: 'point_loss' })
    })
  const isPast = kind === 'backtest'
  const best = isPast ? 'lower' : 'eligible_for_human_review'
  const open = isPast ? 'neither' : 'inconclusive'
  const worst = isPast ? 'higher' : 'negative'
  const inconclusive = { leads_to: open } as const
  const eligible = { leads_to: best } as const
  const floor = { code: 'practical_floor_not_reached', found: 0.004, limit: 0.02 } as const
  return [
    {
      candidate: first,
      disposition: best,
      reasons: [
        ...overall({ code: 'improvement_established', ...eligible, found: 0.038, limit: 0.02 }),
      ],
    },
    {
      candidate: second,
      disposition: open,
      reasons: overall({ ...floor, ...inconclusive }),
    },
    {
      candidate: third,
      disposition: worst,
      reasons: overall({ code: 'significantly_worse', leads_to: worst, found: 0.091 }),
    },
  ]
}

function shared(): SharedKeys[] {
  const unscored = { candidate_not_scored: 420, comparator_not_scored: 20, neither_scored: 4 }
  const keys = { expected: EXPECTED, shared: 13_412, lost: { ...unscored, vintage_mismatch: 0 } }
  return CANDIDATES.flatMap((candidate) =>
    COMPARATORS.flatMap((comparator) =>
      HORIZONS.map((horizon) => ({ candidate, comparator, horizon, stratum: 'all', ...keys })),
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

/** A result of the size and shape of a real one: 19 months, 3 candidates, 4 comparators. */
export function sampleResult(options: SampleOptions = {}): EvaluationResult {
  const next = numbers(7)
  const all = [...CANDIDATES, ...COMPARATORS]
  const strata = options.strata === false ? [] : STRATA
  const cells = stratumLevels(strata)
  const kind = options.kind ?? 'evaluation'
  const tests = family(options, strata, next)
  const result: EvaluationResult = {
    result_version: 1,
    result_sha256: hex(1),
    code: { name: 'foreproof', version: '0.1.0', sha256: hex(2) },
    kind,
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
      vintage: {
        id: 'coinbase-btcusd-2024-2025',
        sha256: hex(9),
        source: 'coinbase',
        first: '2024-01-01T01:00:00Z',
        last: '2025-08-01T00:00:00Z',
        closes: 13_872,
      },
      pairs: { sha256: hex(10), rows: 387_968 },
    },
    ...(options.time && { time: proofOfTime(options.time === 'committed') }),
    settings: {
      horizons_hours: HORIZONS,
      from: '2024-01-01T01:00:00Z',
      to: '2025-07-31T08:00:00Z',
      as_of: '2025-08-01T00:00:00Z',
      origins: EXPECTED,
      block_length_origins: 24,
      blocks_in_window: 577,
      replicates: 200_000,
      seed: 410,
      alpha: 0.05,
      minimum_pairs: 720,
      minimum_blocks: 30,
      practical_effect_floor: 0.02,
      regression_limit: 0.05,
      direction_limit: 0.02,
      direction_epsilon: 1e-6,
      interval_level: 0.8,
      provenance_required: true,
      ...(options.time && { publication_lag_minutes: 60 }),
      ...(options.method === 'ewc-t' && {
        inference: { method: 'ewc-t' as const, weights: { deciding: 0.8, other: 0.2 } },
      }),
    },
    models: all.map((name, index) =>
      index < CANDIDATES.length
        ? { name, role: 'candidate', source: 'history', required_as: [] }
        : { name, role: 'comparator', source: 'built_in', required_as: [name] },
    ),
    strata: strata.map(({ name, levels }) => {
      return { name, levels: levels.map(({ level }) => ({ level, origins: 4_618 })) }
    }),
    accounting: all.flatMap((model) => cells.flatMap((cell) => accounting(model, cell, next))),
    outside_grid: { horizon_not_in_protocol: 13_856, model_not_in_plan: 120 },
    measures: all.flatMap((model) =>
      cells.flatMap((cell) =>
        (['overall', ...HORIZONS] as const).map((horizon) => measures(model, horizon, cell, next)),
      ),
    ),
    shared_keys: shared(),
    family: {
      size: tests.length,
      sha256: hex(6),
      rejected: tests.filter((one) => one.decision === 'rejected').length,
      blocked: tests.filter((one) => one.decision === 'blocked').length,
    },
    tests,
    dispositions: dispositions(kind),
  }
  const { rename } = options
  if (rename === undefined) return result
  const named = JSON.stringify(CANDIDATES[0])
  return JSON.parse(JSON.stringify(result).replaceAll(named, () => JSON.stringify(rename)))
}
