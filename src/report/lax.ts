import type { AnyResult, EvaluationResult } from '../evaluation/result/types.js'
import { keepSentences, listed, percent, percentagePoints } from '../output/figures.js'
import {
  type LaxNumber,
  laxerThanReference,
  STRICT_NUMBERS,
  type StrictName,
  type StrictNumbers,
} from '../protocol/rules/lax.js'
import { hasVerdict } from '../registration/family.js'

type SaidNumber = Omit<LaxNumber, 'name'> & { readonly name: string }

const SHARES: readonly string[] = [
  'practical_effect',
  'harm',
  'availability',
  'availability_stratum',
]

/** A number that shows how strict rules are, as text: `share left out 20 % (2 %)`. */
export function strictSaid({ name, found, bound }: SaidNumber): string {
  const shown = (value: number) => {
    if (name === 'direction') return percentagePoints(value)
    return SHARES.includes(name) ? percent(value) : String(value)
  }
  // A result written by another program may contain any name.
  const what = Object.hasOwn(STRICT_NUMBERS, name) ? STRICT_NUMBERS[name as StrictName].what : name
  return `${what} ${shown(found)} (${shown(bound)})`
}

/** The strictness numbers of an evaluation; a plan may have made them stricter than its protocol. */
function strictNumbersIn(result: AnyResult): StrictNumbers {
  const { settings: all } = result
  const shared = {
    practical_effect: all.practical_effect_floor,
    harm: all.regression_limit,
    direction: all.direction_limit ?? null,
    availability: all.availability_limit ?? null,
    minimum_pairs: all.minimum_pairs,
    minimum_blocks: all.minimum_blocks,
    alpha: all.alpha,
  }
  if (result.result_version === 1) {
    const { direction_epsilon: epsilon, block_length_origins: block_origins } = result.settings
    const { availability_limit_stratum: availability_stratum = null } = result.settings
    return { ...shared, epsilon, block_origins, availability_stratum }
  }
  const { scores, availability_limit_series: availability_stratum } = result.settings
  const epsilon = scores.find(({ kind }) => kind === 'direction')?.epsilon
  return {
    ...shared,
    availability_stratum,
    epsilon: epsilon === undefined ? null : Number(epsilon),
  }
}

/**
 * The requirements of the version 1 reference, and the pool of its strongest simple comparator; a test compares them
 * with the frozen file.
 */
const REFERENCE = {
  required: ['persistence', 'seasonal_naive_24h', 'drift_24h', 'ar1', 'strongest_simple'],
  pool: ['persistence', 'seasonal_naive_24h', 'drift_24h', 'drift_7d', 'ar1', 'ema_return_24h'],
} as const

function hourlyLaxer(result: EvaluationResult) {
  const { settings } = result
  const required = result.models.flatMap(({ required_as: names }) => names)
  const absent = REFERENCE.required.filter((name) => !required.includes(name))
  const pool = settings.baseline_pool ?? []
  // With an empty pool, there is no strongest comparator.
  const left = pool.length === 0 ? [] : REFERENCE.pool.filter((name) => !pool.includes(name))
  return keepSentences([
    !hasVerdict(settings) && 'no verdict hypothesis, by the rules of earlier protocols',
    absent.length > 0 && `not required: ${listed(absent)}`,
    left.length > 0 && `not in the pool of strongest_simple: ${listed(left)}`,
  ])
}

/**
 * One sentence that lists what is laxer in an evaluation than in the reference of its version, for the numbers in its
 * result; undefined if nothing is.
 */
export function laxerNumbers(result: AnyResult): string | undefined {
  const numbers = laxerThanReference(strictNumbersIn(result), result.result_version)
  const all = [
    ...numbers.map(strictSaid),
    ...(result.result_version === 1 ? hourlyLaxer(result) : []),
  ]
  if (all.length === 0) return undefined
  return `Laxer than the reference (its number in brackets): ${all.join('; ')}.`
}
