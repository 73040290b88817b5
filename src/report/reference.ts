import type { EvaluationResult } from '../evaluation/result/types.js'
import { listed, percent, percentagePoints as points } from '../output/figures.js'
import { hasVerdict } from '../registration/family.js'
import { DEFAULT_LIMITS as limits } from '../registration/limits.js'

type Settings = EvaluationResult['settings']
type NumberIn<T> = { [K in keyof T]-?: NonNullable<T[K]> extends number ? K : never }[keyof T]

const share = (value: number) => percent(value)
const { availability_limit_stratum: level } = limits

/** A number of the reference protocol, and which side of it is laxer. */
type ReferenceNumber = readonly [
  what: string,
  member: NumberIn<Settings>,
  reference: number,
  laxer: 'less' | 'more',
  shown: (value: number) => string,
]

/** What other protocols are held against; a test compares it with the frozen file. */
const REFERENCE = {
  version: 'btcusd-hourly-3',
  required: ['persistence', 'seasonal_naive_24h', 'drift_24h', 'ar1', 'strongest_simple'],
  pool: ['persistence', 'seasonal_naive_24h', 'drift_24h', 'drift_7d', 'ar1', 'ema_return_24h'],
  numbers: [
    ['practical floor', 'practical_effect_floor', 0.03, 'less', share],
    ['limit of the loss', 'regression_limit', limits.per_horizon_regression, 'more', share],
    ['limit of the direction error', 'direction_limit', limits.directional_loss, 'more', points],
    [
      'smallest move with a direction',
      'direction_epsilon',
      limits.direction_epsilon,
      'more',
      String,
    ],
    ['share left out', 'availability_limit', limits.availability_limit, 'more', share],
    ['share left out in a level', 'availability_limit_stratum', level, 'more', share],
    ['minimum of pairs', 'minimum_pairs', 500, 'less', String],
    ['minimum of effective blocks', 'minimum_blocks', 20, 'less', String],
    ['alpha', 'alpha', 0.05, 'more', String],
    ['block length in hours', 'block_length_origins', 24, 'less', String],
  ] satisfies ReferenceNumber[],
} as const

/**
 * One sentence that lists what is laxer in an evaluation than under the reference protocol, as far as its result has
 * the number; none where nothing is.
 */
export function laxerNumbers(result: EvaluationResult): string[] {
  const { settings } = result
  const numbers = REFERENCE.numbers.flatMap(([what, member, reference, laxer, shown]) => {
    const value = settings[member] ?? reference
    const isLaxer = laxer === 'less' ? value < reference : value > reference
    return isLaxer ? [`${what} ${shown(value)} (${shown(reference)})`] : []
  })
  const required = result.models.flatMap(({ required_as: names }) => names)
  const absent = REFERENCE.required.filter((name) => !required.includes(name))
  const pool = settings.baseline_pool ?? []
  // Where it is empty, no strongest one takes part.
  const left = pool.length === 0 ? [] : REFERENCE.pool.filter((name) => !pool.includes(name))
  const all = [
    ...(hasVerdict(settings) ? [] : ['no verdict hypothesis, by the rules of earlier protocols']),
    ...numbers,
    ...(absent.length === 0 ? [] : [`not required: ${listed(absent)}`]),
    ...(left.length === 0 ? [] : [`not in the pool of strongest_simple: ${listed(left)}`]),
  ]
  if (all.length === 0) return []
  return [
    `Laxer than the reference protocol ${REFERENCE.version} (its number in brackets): ${all.join('; ')}.`,
  ]
}
