import { BASELINE_NAMES, isBaselineName, STRONGEST_SIMPLE } from '../../contract/baseline-names.js'
import type { Protocol, RulesData } from '../../contract/types.js'
import {
  type HourlyLimits,
  METHOD,
  methodNamed,
  PUBLICATION_LAG,
  protocolLimits,
  readLimits,
  weightsUnder,
} from './hourly-texts.js'

type Score = RulesData['scores'][number]

const LOG = { kind: 'log', offset: null } as const
const [LOWER, MEDIAN, UPPER] = ['0.1', '0.5', '0.9'] as const
const LEVELS = [LOWER, MEDIAN, UPPER]

/** Members of the rules by the names of the limits that version 1 states in texts. */
export const LIMIT_MEMBERS: Readonly<Record<keyof HourlyLimits, string>> = {
  harm: '/limits/harm',
  direction: '/limits/direction',
  epsilon: '/scores/1/epsilon',
  availability: '/limits/availability',
  availability_stratum: '/limits/availability_stratum',
}

/** Compiles the rules of a protocol of version 1: one series of hourly closes, in the terms of any series. */
export function compileHourly(protocol: Protocol): RulesData {
  const { estimands, sampling, uncertainty, design } = protocol
  const { required, simple_baseline_pool: pool } = estimands.comparisons
  const minimum = sampling.minimum_effective_sample
  const { epsilon, ...limits } = protocolLimits(protocol)
  const { replicates, seed, block_length_origins: block } = uncertainty
  const named = methodNamed(protocol)
  return {
    schema: 1,
    version: protocol.protocol_version,
    sha256: protocol.protocol_sha256,
    series: [{ id: protocol.market.instrument, unit: 'USD', group: null, from: null }],
    zone: 'UTC',
    periods: { kind: 'hours' },
    origins: {
      due: { anchor: 'end', minutes: PUBLICATION_LAG },
      ...{ waiting: 'charged', waiting_reason: null },
    },
    steps: [...protocol.horizons_hours],
    seen: 'origin',
    outcome: {
      over: 'end',
      known: { anchor: 'end', offset: 'PT0S' },
      release: { rule: 'unrevised', wait: 'PT0S', lag: null, at: null },
    },
    forecast: {
      ...{ levels: LEVELS, minimum: null, positive: true, integer: false },
      interval: 'separate',
    },
    scores: hourlyScores(epsilon),
    scaling: { kind: 'none', period_steps: null },
    baselines: BASELINE_NAMES.map((id) => {
      const members = id === STRONGEST_SIMPLE ? [...pool] : null
      return { id, kind: 'hourly', season: null, pool: members, errors: null }
    }),
    required: required.map((name) => ({
      name,
      model: isBaselineName(name) ? { built_in: name } : { by_plan: true },
    })),
    strata: sampling.strata.map((name) => ({ name, by: 'by_plan' })),
    dependence: {
      block_origins: block,
      minimum_blocks: minimum.effective_independent_blocks_per_comparison,
      minimum_pairs: minimum.paired_origins_per_horizon,
    },
    alpha: uncertainty.multiplicity.alpha,
    weights: named === 'ewc-t' ? weightsUnder(protocol) : null,
    limits: { ...limits, practical_effect: design.practical_effect_floor },
    test:
      named === 'ewc-t'
        ? { method: named, minimum_blocks: 16, minimum_origins: 1, counted: 'fewest' }
        : { method: 'percentile-bootstrap', replicates, seed },
    read_from_text: [
      ...readLimits(protocol).map(({ pointer, name, value }) => {
        return { pointer, member: LIMIT_MEMBERS[name], value }
      }),
      ...(named === undefined ? [] : [{ pointer: METHOD, member: '/test/method', value: named }]),
    ],
  }
}

function hourlyScores(epsilon: number): Score[] {
  const bounds = { lower: LOWER, upper: UPPER }
  const of = (id: string, kind: Score['kind'], own: Partial<Score> = {}): Score => ({
    ...{ id, kind, transform: LOG, level: null, lower: null, upper: null, epsilon: null },
    ...{ primary: false, tested: 'other', ...own },
  })
  return [
    of('point_loss', 'absolute_error', { primary: true, tested: 'deciding' }),
    of('direction_error', 'direction', { epsilon, tested: 'deciding' }),
    of('interval_score', 'interval', bounds),
    ...LEVELS.map((level) => of(`pinball_${level}`, 'pinball', { level })),
    of('coverage', 'coverage', { ...bounds, transform: { kind: 'identity', offset: null } }),
  ]
}
