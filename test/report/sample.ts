import type {
  CandidateDisposition,
  EvaluationResult,
  Horizon,
  ModelMeasures,
  ResultAccounting,
  ResultBounds,
  ResultMeasure,
  ResultModel,
  ResultStratum,
  ResultTest,
  SharedKeys,
} from '../../src/evaluation/result/types.js'
import { reasonOf } from '../../src/inference/disposition.js'
import { STATUSES } from '../../src/pairing/types.js'
import { MEASURES } from '../../src/registration/types.js'
import { numbers } from '../support/random.js'

type ProofOfTime = NonNullable<EvaluationResult['time']>

const HORIZONS = [2, 4, 8, 16]
const EXPECTED = 13_856
const LEVELS: [string, string[]][] = [
  ['volatility', ['low', 'middle', 'high']],
  ['session', ['Asia', 'Europe', 'America']],
  ['weekend', ['weekday']],
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

const hex = (seed: number) => {
  const next = numbers(seed)
  return Array.from({ length: 64 }, () => Math.floor(next() * 16).toString(16)).join('')
}

const loss = (model: string, horizon: Horizon) =>
  (QUALITY[model] ?? 1) * (horizon === 'overall' ? 0.0085 : 0.0034 * Math.sqrt(horizon))

const around = (value: number, half: number): ResultBounds => ({
  lower: value - half,
  upper: value + half,
})

export interface SampleOptions {
  readonly mode?: EvaluationResult['mode']
  readonly exploratory?: boolean
  readonly strata?: boolean
  /** Whether authorities stamped the registration, and the checkpoints of a log the forecasts. */
  readonly time?: 'stamped' | 'committed'
  /** The method of the tests; percentile-bootstrap where it is left out. */
  readonly method?: 'ewc-t'
  /** A name put in place of the first candidate's, for hostile texts. */
  readonly rename?: string
}

function strata(options: SampleOptions): ResultStratum[] {
  const levels = LEVELS.flatMap(([name, all]) => all.map((level) => ({ name, level })))
  return ['all', ...(options.strata === false ? [] : levels)]
}

function accounting(model: string, stratum: ResultStratum, next: () => number): ResultAccounting[] {
  const scale = stratum === 'all' ? 1 : 0.33
  const candidate = !COMPARATORS.includes(model)
  const cells = HORIZONS.map((horizon): ResultAccounting => {
    const expected = Math.round(EXPECTED * scale)
    const failed = candidate ? Math.round(expected * 0.004 * next()) : 0
    const abstained = model === 'gradient-boosted-v4' ? Math.round(expected * 0.03) : 0
    const missing = candidate ? Math.round(expected * 0.02 * next()) : horizon
    const ineligible = model === 'lstm-2024' ? Math.round(expected * 0.011) : 0
    const scored = expected - failed - abstained - missing - ineligible
    const point = { scored, failed, abstained, missing, ineligible }
    const reasons = {
      ...(failed > 0 && { recorded_failure: failed }),
      ...(abstained > 0 && { recorded_abstention: abstained }),
      ...(missing > 0 && { forecast_missing: missing }),
      ...(ineligible > 0 && { lookahead: ineligible }),
    }
    return { model, horizon, stratum, expected, point, interval: point, reasons }
  })
  const sum = (pick: (cell: ResultAccounting) => number) =>
    cells.reduce((total, cell) => total + pick(cell), 0)
  const point = Object.fromEntries(
    STATUSES.map((status) => [status, sum((cell) => cell.point[status])]),
  ) as ResultAccounting['point']
  const names = cells.flatMap((cell) => Object.keys(cell.reasons))
  const reasons = Object.fromEntries(
    names.map((name) => [name, sum((cell) => cell.reasons[name] ?? 0)]),
  )
  const expected = sum((cell) => cell.expected)
  return [...cells, { model, horizon: 'all', stratum, expected, point, interval: point, reasons }]
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

type Draft = { -readonly [K in keyof ResultTest]: ResultTest[K] }

function test(
  pair: readonly [string, string],
  measure: ResultMeasure,
  horizon: Horizon,
  stratum: ResultStratum,
  next: () => number,
): Draft {
  const [candidate, comparator] = pair
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
  const name = `${candidate} vs ${comparator} | ${measure} | ${horizon} | ${stratum === 'all' ? 'all' : `${stratum.name}=${stratum.level}`}`
  return {
    name,
    candidate,
    comparator,
    measure,
    horizon,
    stratum,
    decides: stratum === 'all' && (measure === 'direction_error' || measure === 'point_loss'),
    pairs: small ? 312 : stratum === 'all' ? 13_412 : 4_410,
    effective_blocks: small ? 14 : stratum === 'all' ? 577 : 240,
    observed,
    comparator_mean: base,
    bounds: small ? null : around(observed, 1.96 * error),
    standard_error: small ? null : error,
    p: small ? null : p,
    rank: null,
    multiplier: null,
    p_adjusted: null,
    bounds_adjusted: small ? null : around(observed, 4 * error),
    decision: small ? 'blocked' : 'not_rejected',
    blocked_reasons: small ? ['too_few_pairs', 'too_few_blocks'] : [],
  }
}

function family(candidates: readonly string[], options: SampleOptions, next: () => number) {
  const tests: Draft[] = []
  for (const candidate of candidates) {
    for (const comparator of COMPARATORS) {
      for (const stratum of strata(options)) {
        const pair = [candidate, comparator] as const
        tests.push(test(pair, 'point_loss', 'overall', stratum, next))
        for (const horizon of HORIZONS) {
          for (const measure of MEASURES) {
            tests.push(test(pair, measure, horizon, stratum, next))
          }
        }
      }
    }
  }
  let running = 0
  const sorted = tests.filter((one) => one.p !== null).sort((a, b) => (a.p ?? 1) - (b.p ?? 1))
  sorted.forEach((one, index) => {
    one.rank = index + 1
    one.multiplier = tests.length - index
    running = Math.max(running, Math.min(1, (one.p ?? 1) * one.multiplier))
    one.p_adjusted = running
    if (running <= 0.05) one.decision = 'rejected'
  })
  return tests
}

function dispositions(
  candidates: readonly string[],
  mode: EvaluationResult['mode'],
): CandidateDisposition[] {
  const [first = '', second = '', third = ''] = candidates
  type Code = CandidateDisposition['reasons'][number]['code']
  const overall = (
    code: Code,
    found: number,
    limit: number | null,
    leads_to: CandidateDisposition['disposition'] = 'inconclusive',
  ) =>
    COMPARATORS.map((comparator) => {
      const place = { comparator, horizon: 'overall', measure: 'point_loss' } as const
      return reasonOf({ code, leads_to, ...place, found, limit })
    })
  const backtest = reasonOf({ code: 'retrospective', leads_to: 'inconclusive' })
  const floor = overall('practical_floor_not_reached', 0.004, 0.02)
  const p = overall('not_significant', 0.41, 0.05)
  return [
    {
      candidate: first,
      disposition: mode === 'retrospective' ? 'inconclusive' : 'eligible_for_human_review',
      reasons: [
        ...(mode === 'retrospective' ? [backtest] : []),
        ...overall('improvement_established', 0.038, 0.02, 'eligible_for_human_review'),
      ],
    },
    {
      candidate: second,
      disposition: 'inconclusive',
      reasons: floor.flatMap((one, index) => [one, p[index]!]),
    },
    {
      candidate: third,
      disposition: 'negative',
      reasons: overall('significantly_worse', 0.091, null),
    },
  ]
}

function shared(candidates: readonly string[]): SharedKeys[] {
  return candidates.flatMap((candidate) =>
    COMPARATORS.flatMap((comparator) =>
      HORIZONS.map((horizon) => ({
        candidate,
        comparator,
        horizon,
        stratum: 'all' as const,
        expected: EXPECTED,
        shared: 13_412,
        lost: {
          candidate_not_scored: 420,
          comparator_not_scored: 20,
          neither_scored: 4,
          vintage_mismatch: 0,
        },
      })),
    ),
  )
}

function models(candidates: readonly string[]): ResultModel[] {
  return [
    ...candidates.map((name) => {
      return { name, role: 'candidate', source: 'history', required_as: [] } as const
    }),
    ...COMPARATORS.map((name) => {
      return { name, role: 'comparator', source: 'built_in', required_as: [name] } as const
    }),
  ]
}

/** What the cosine test says of a test besides. */
function ewcMembers({ p, bounds, decides, multiplier }: Draft): Partial<ResultTest> {
  return {
    degrees_of_freedom: p === null ? null : 36,
    weight: decides ? 0.8 / 108 : 0.2 / 2_600,
    multiplier: multiplier === null ? null : multiplier / 9.7,
    ...(decides && { bootstrap: p === null || bounds === null ? null : { p, ...bounds } }),
  }
}

/** Two of three authorities stamped; the forecasts are committed but for some. */
function proofOfTime(candidates: readonly string[], committed: boolean): ProofOfTime {
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
          models: candidates.map((model, index) => ({
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
  const candidates = CANDIDATES.map((name, index) =>
    index === 0 && options.rename !== undefined ? options.rename : name,
  )
  const all = [...candidates, ...COMPARATORS]
  const cells = strata(options)
  const mode = options.mode ?? 'prospective'
  const tests = family(CANDIDATES, options, next).map((one) => ({
    ...one,
    candidate: candidates[CANDIDATES.indexOf(one.candidate)] ?? '',
    ...(options.method === 'ewc-t' && ewcMembers(one)),
  }))
  return {
    result_version: 1,
    result_sha256: hex(1),
    code: { name: 'foreproof', version: '0.1.0', sha256: hex(2) },
    mode,
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
    ...(options.time && { time: proofOfTime(candidates, options.time === 'committed') }),
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
    models: models(candidates),
    strata:
      options.strata === false
        ? []
        : LEVELS.map(([name, levels]) => ({
            name,
            levels: levels.map((level) => ({ level, origins: 4_618 })),
          })),
    accounting: all.flatMap((model) => cells.flatMap((cell) => accounting(model, cell, next))),
    outside_grid: { horizon_not_in_protocol: 13_856, model_not_in_plan: 120 },
    measures: all.flatMap((model, index) =>
      cells.flatMap((cell) =>
        (['overall', ...HORIZONS] as Horizon[]).map((horizon) => ({
          ...measures(index < 3 ? (CANDIDATES[index] ?? '') : model, horizon, cell, next),
          model,
        })),
      ),
    ),
    shared_keys: shared(candidates),
    family: {
      size: tests.length,
      sha256: hex(6),
      rejected: tests.filter((one) => one.decision === 'rejected').length,
      blocked: tests.filter((one) => one.decision === 'blocked').length,
    },
    tests,
    controls: [
      ...(
        [
          ['copy', 0],
          ['shift', 0.001],
        ] as const
      ).map(([kind, x]) => {
        return { name: kind, kind, expected: x, least: x, greatest: x, passed: true }
      }),
    ],
    dispositions: dispositions(candidates, mode),
  }
}
