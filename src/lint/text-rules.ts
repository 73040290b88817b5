import type { Protocol, Registration } from '../contract/types.js'
import {
  DEFAULT_LIMITS,
  DEFAULT_PUBLICATION_LAG,
  DIRECTION_PAIRS_FACTOR,
} from '../registration/plan-rules.js'
import { AR1_RETURNS } from '../scoring/baselines/ar1.js'
import { DRIFT_HOURS } from '../scoring/baselines/drift.js'
import { EMA_RETURNS, EMA_SPAN } from '../scoring/baselines/ema-return.js'
import { isBaselineName } from '../scoring/baselines/names.js'
import { ERRORS, LEAST_ERRORS } from '../scoring/baselines/quantiles.js'
import { MATURITY_HOURS } from '../scoring/baselines/strongest-simple.js'
import { PENALTY } from '../scoring/interval-score.js'
import type { TextRule } from './types.js'
import { uncertaintyRules } from './uncertainty-rules.js'

/** Texts about what is computed, and the numbers of the computation that each is about. */
export function textRules(
  protocol: Protocol,
  registration: Registration | undefined,
  cosine: boolean,
): TextRule[] {
  return [
    ...pairingRules(protocol, registration),
    ...pointRules(protocol, registration),
    ...intervalRules(protocol),
    ...comparisonRules(protocol),
    ...designRules(protocol, registration),
    ...uncertaintyRules(protocol, registration, cosine),
  ]
}

/** Limits are registered; until they are, the usual ones hold. */
const limitsOf = (registration?: Registration) => registration?.limits ?? DEFAULT_LIMITS

function pairingRules({ pairing, ...protocol }: Protocol, registration?: Registration): TextRule[] {
  const { availability_limit: all, availability_limit_stratum: level } = limitsOf(registration)
  const lag =
    registration === undefined ? DEFAULT_PUBLICATION_LAG : registration.publication_lag_minutes
  const { horizons_hours: horizons } = protocol
  const present = (...values: (number | undefined)[]) =>
    values.filter((value) => value !== undefined)
  return [
    {
      pointer: '/pairing/target_rule',
      text: pairing.target_rule,
      uses: { horizons },
      // Minutes and seconds of a whole hour.
      also: [60, 3600],
    },
    {
      pointer: '/pairing/forecast_information_cutoff',
      text: pairing.forecast_information_cutoff,
      uses: { publication_lag_minutes: present(lag) },
      also: horizons,
      usual: [DEFAULT_PUBLICATION_LAG],
    },
    {
      pointer: '/pairing/failure_denominator',
      text: pairing.failure_denominator,
      uses: { availability_limit: present(all), availability_limit_stratum: present(level) },
      also: horizons,
      usual: Object.values(DEFAULT_LIMITS),
    },
  ]
}

function pointRules(protocol: Protocol, registration?: Registration): TextRule[] {
  const { formula, secondary } = protocol.estimands.point
  const { horizons_hours: horizons } = protocol
  const at = '/estimands/point'
  const percent = { 'factor of percent': [100] }
  return [
    { pointer: `${at}/formula`, text: formula, uses: { horizons } },
    {
      pointer: `${at}/secondary/price_absolute_percent_error`,
      text: secondary.price_absolute_percent_error,
      uses: percent,
    },
    {
      pointer: `${at}/secondary/signed_log_return_bias`,
      text: secondary.signed_log_return_bias,
      uses: {},
    },
    {
      pointer: `${at}/secondary/signed_price_percent_bias`,
      text: secondary.signed_price_percent_bias,
      uses: percent,
    },
    {
      pointer: `${at}/secondary/direction`,
      text: secondary.direction,
      uses: { direction_epsilon: [limitsOf(registration).direction_epsilon] },
    },
  ]
}

function intervalRules({ estimands }: Protocol): TextRule[] {
  const { interval } = estimands
  const quantiles = [...interval.quantiles]
  const level = [0.8, 0.2]
  const rule = (
    name: 'bounds' | 'pinball' | 'primary_interval_score' | 'coverage' | 'width',
    uses: TextRule['uses'],
    also: readonly number[] = [],
  ) => ({ pointer: `/estimands/interval/${name}`, text: interval[name], uses, also })
  return [
    rule('bounds', { quantiles, 'level and alpha': level }, [2, PENALTY]),
    rule('pinball', { quantiles }, [2]),
    rule('primary_interval_score', { 'level and alpha': level, penalty: [PENALTY] }, [
      ...[2, ...quantiles],
    ]),
    rule('coverage', { 'level and alpha': level }, quantiles),
    rule('width', { 'factor of percent': [100] }, [...level, ...quantiles]),
  ]
}

/** Where models of the user stand among the comparators, the text may speak of their numbers. */
function comparisonRules({ estimands, horizons_hours: horizons }: Protocol): TextRule[] {
  const { required, simple_baseline_pool: pool, selection } = estimands.comparisons
  if (![...required, ...pool].every(isBaselineName)) return []
  const uses = {
    'hours of drift_24h, drift_7d': Object.values(DRIFT_HOURS),
    'returns of ar1': [AR1_RETURNS],
    'span and returns of ema_return_24h': [EMA_SPAN, EMA_RETURNS],
    'hours before strongest_simple learns of a target': [MATURITY_HOURS],
    'errors for quantiles': [ERRORS, LEAST_ERRORS],
  }
  const also = [...horizons, ...estimands.interval.quantiles, 7, AR1_RETURNS - 1]
  return [{ pointer: '/estimands/comparisons/selection', text: selection, uses, also }]
}

function designRules(protocol: Protocol, registration?: Registration): TextRule[] {
  const { design, sampling, horizons_hours: horizons, uncertainty } = protocol
  const limits = limitsOf(registration)
  const floor = design.practical_effect_floor
  const { per_horizon_regression: regression, directional_loss: direction } = limits
  const minimum = sampling.minimum_effective_sample
  const length = uncertainty.block_length_origins
  const block = { block_length_origins: [length] }
  const minima = {
    'pairs and blocks of the smallest sample': [
      minimum.paired_origins_per_horizon,
      minimum.effective_independent_blocks_per_comparison,
    ],
  }
  // 20 blocks of 24 hours are 480 hours.
  const sample = [...horizons, minimum.effective_independent_blocks_per_comparison * length]
  return [
    {
      pointer: '/sampling/minimum_effective_sample/rule',
      text: minimum.rule,
      uses: { ...minima, ...block },
      also: sample,
    },
    {
      pointer: '/sampling/effective_sample',
      text: sampling.effective_sample,
      uses: { ...block, ...minima },
      also: sample,
    },
    {
      pointer: '/design/practical_effect_definition',
      text: design.practical_effect_definition,
      uses: { practical_effect_floor: [floor] },
      also: [100, 1 - floor],
    },
    {
      pointer: '/design/limits/per_horizon_regression',
      text: design.limits.per_horizon_regression,
      uses: { 'registered limit': [regression] },
      // As a factor: 1.05 times the loss of the comparator.
      also: [...horizons, 1 + regression],
      usual: Object.values(DEFAULT_LIMITS),
    },
    {
      pointer: '/design/limits/directional_loss',
      text: design.limits.directional_loss,
      uses: { 'registered limit': [direction] },
      // Against a rate of one half: 52 % instead of 50 %.
      also: [...horizons, limits.direction_epsilon, 0.5, 0.5 + direction, DIRECTION_PAIRS_FACTOR],
      usual: Object.values(DEFAULT_LIMITS),
    },
  ]
}
