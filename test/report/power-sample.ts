import type { PowerFigures } from '../../src/lint/power/figures.js'
import { CURVE_DAYS, REDUCTIONS } from '../../src/lint/power/predict.js'

const LINES = [
  { correlation: 0.5, candidate: null, least: 0.21 },
  { correlation: 0.9, candidate: null, least: 0.09 },
  { correlation: 0.98, candidate: null, least: 0.04 },
  { correlation: 0.99, candidate: null, least: 0.028 },
]

/** Figures of the size and shape of real ones: 180 days, four correlations, some lines too short. */
export function samplePower(
  options: { readonly name?: string; readonly candidate?: string; readonly verdict?: boolean } = {},
): PowerFigures {
  const lines = LINES.map((line, at) => ({
    ...line,
    candidate: at === 1 ? (options.candidate ?? null) : line.candidate,
  }))
  const share = (hits: number) => ({ hits, of: 400 })
  return {
    power_version: 1,
    code: { name: 'foreproof', version: '0.1.0', sha256: 'd'.repeat(64) },
    plan: { name: options.name ?? 'autumn-2026', sha256: 'a'.repeat(64) },
    protocol: { version: 'btcusd-hourly-2', sha256: 'b'.repeat(64) },
    outcomes: {
      vintage_id: 'coinbase-btcusd-2020-2026',
      sha256: 'c'.repeat(64),
      from: '2020-01-01T01:00:00Z',
      to: '2026-05-31T23:00:00Z',
      hours: 56_231,
      filled: 12,
      cut: 40,
    },
    window: {
      from: '2026-06-01T00:00:00Z',
      to: '2026-11-27T23:00:00Z',
      origins: 4_320,
      days: 180,
      blocks: 180,
      blocked: null,
    },
    family: {
      method: 'ewc-t',
      registered: true,
      size: 1_305,
      deciding: 45,
      alpha: 0.05,
      weights: options.verdict
        ? { verdict: 0.6, deciding: 0.3, other: 0.1 }
        : { deciding: 0.8, other: 0.2 },
    },
    ...(options.verdict && {
      verdict: {
        ...{ candidates: 3, horizons_hours: [2, 4, 8, 16], practical_floor: 0.03 },
        ...{ lag_worth: 0.0073, regression_limit: 0.05, direction_limit: 0.02 },
      },
    }),
    needed: (['overall', 'point', 'direction', 'other', 'strata'] as const).map((tests, at) => ({
      tests,
      memory: at < 3 ? 'hours' : 'days',
      count: 5 + at * 20,
      weight: 0.02 / (at + 1),
      level: 0.001 / (at + 1),
      degrees_of_freedom: 24 - at,
      t: 3.8 + at * 0.3,
    })),
    comparators: [
      { name: 'persistence', mean_loss: 0.0081, reference: true },
      { name: 'seasonal_naive_24h', mean_loss: 0.0124, reference: false },
    ],
    not_computed: ['another-model'],
    stand_in: false,
    not_estimated: [],
    drawn_from: 56_000,
    seed: 1729,
    predictions: lines.map(({ correlation, candidate, least }) => ({
      correlation,
      candidate,
      pairs: candidate === null ? null : 4_200,
      smallest_reduction: least,
      power: REDUCTIONS.map((reduction) => ({
        reduction,
        power: Math.min(1, (0.8 * reduction) / least),
      })),
      days_needed: REDUCTIONS.map((reduction) => ({
        reduction,
        days: least > 4 * reduction ? null : Math.ceil(180 * (least / reduction) ** 2),
      })),
    })),
    curve: CURVE_DAYS.map((days) => ({
      days,
      smallest: lines.map(({ least }) => (days < 30 ? null : least * Math.sqrt(180 / days))),
    })),
    simulation: {
      evaluations: 400,
      shard: null,
      counts: {
        power: lines.map(({ least }) =>
          REDUCTIONS.map((reduction) =>
            share(Math.min(400, Math.round((320 * reduction) / least))),
          ),
        ),
        size: { any: share(17), deciding: share(9) },
      },
    },
  }
}
