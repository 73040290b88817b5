import { type Finding, finding } from '../../contract/findings/finding.js'
import type { ReadonlyDeep } from '../../contract/readonly-deep.js'
import type { RulesData } from '../../contract/types.js'

/** A number in rules that determines how strict they are. */
interface StrictNumber {
  /** Its description; under version 2 a series has the limit that a level of a stratum has under version 1. */
  readonly what: string
  readonly laxer: 'more' | 'less'
  /** The reference of a version; of version 1, the rules of `btcusd-hourly-4`. */
  readonly reference: Readonly<Partial<Record<1 | 2, number>>>
  /** Rules with a laxer number are too lax to be used for verdicts. */
  readonly bound?: number
  /** Its pointer in a document of each version. */
  readonly at: Readonly<Record<1 | 2, string>>
}

const both = (number: number) => ({ 1: number, 2: number })
const SILENCE = '/pairing/failure_denominator'
const SAMPLE = '/sampling/minimum_effective_sample'

export const STRICT_NUMBERS = {
  practical_effect: {
    ...{ what: 'practical floor', laxer: 'less', reference: both(0.03), bound: 0.01 },
    at: { 1: '/design/practical_effect_floor', 2: '/limits/practical_effect' },
  },
  harm: {
    ...{ what: 'limit of the loss', laxer: 'more', reference: both(0.05), bound: 0.2 },
    at: { 1: '/design/limits/per_horizon_regression', 2: '/limits/harm' },
  },
  direction: {
    ...{ what: 'limit of the direction error', laxer: 'more', reference: both(0.02), bound: 0.05 },
    at: { 1: '/design/limits/directional_loss', 2: '/limits/direction' },
  },
  epsilon: {
    ...{ what: 'smallest move with a direction', laxer: 'more', reference: both(1e-6) },
    at: { 1: '/estimands/point/secondary/direction', 2: '/scores' },
  },
  availability: {
    ...{ what: 'share left out', laxer: 'more', reference: { 1: 0.02, 2: 0.05 }, bound: 0.05 },
    at: { 1: SILENCE, 2: '/limits/availability' },
  },
  availability_stratum: {
    ...{ what: 'share left out in a level or series', laxer: 'more', bound: 0.1 },
    ...{ reference: { 1: 0.05, 2: 0.1 }, at: { 1: SILENCE, 2: '/limits/availability_stratum' } },
  },
  minimum_pairs: {
    ...{ what: 'minimum of pairs', laxer: 'less', reference: { 1: 500 } },
    at: { 1: `${SAMPLE}/paired_origins_per_horizon`, 2: '/dependence/minimum_pairs' },
  },
  minimum_blocks: {
    ...{ what: 'minimum of effective blocks', laxer: 'less', reference: { 1: 20, 2: 10 } },
    at: {
      1: `${SAMPLE}/effective_independent_blocks_per_comparison`,
      2: '/dependence/minimum_blocks',
    },
  },
  alpha: {
    ...{ what: 'alpha', laxer: 'more', reference: both(0.05), bound: 0.05 },
    at: { 1: '/uncertainty/multiplicity/alpha', 2: '/uncertainty/alpha' },
  },
  block_origins: {
    ...{ what: 'block length in hours', laxer: 'less', reference: { 1: 24 } },
    at: { 1: '/uncertainty/block_length_origins', 2: '/dependence/block_origins' },
  },
} as const satisfies Record<string, StrictNumber>

export type StrictName = keyof typeof STRICT_NUMBERS
/** Absent or null if the rules, or a result, lack it. */
export type StrictNumbers = Readonly<Partial<Record<StrictName, number | null>>>

/** The numbers that determine how strict rules are. */
export function pickStrictNumbers({
  limits,
  scores,
  dependence,
  alpha,
}: ReadonlyDeep<Pick<RulesData, 'limits' | 'scores' | 'dependence' | 'alpha'>>): StrictNumbers {
  const epsilon = scores.find(({ kind }) => kind === 'direction')?.epsilon ?? null
  return { ...limits, ...dependence, epsilon, alpha }
}

/** A number that is laxer than the reference. */
export interface LaxNumber {
  readonly name: StrictName
  readonly found: number
  readonly bound: number
}

/** The numbers that are laxer than the reference of the version of a document. */
export const laxerThanReference = (
  rules: Parameters<typeof pickStrictNumbers>[0] & Pick<RulesData, 'schema'>,
): LaxNumber[] => laxer(pickStrictNumbers(rules), ({ reference }) => reference[rules.schema])

/** The numbers that are too lax for any verdict. */
export const beyondBounds = (numbers: StrictNumbers): LaxNumber[] =>
  laxer(numbers, ({ bound }) => bound)

function laxer(
  numbers: StrictNumbers,
  getBound: (number: StrictNumber) => number | undefined,
): LaxNumber[] {
  return Object.entries<StrictNumber>(STRICT_NUMBERS).flatMap(([key, number]) => {
    const name = key as StrictName
    const [found, bound] = [numbers[name] ?? null, getBound(number)]
    if (found === null || bound === undefined) return []
    const isLaxer = number.laxer === 'less' ? found < bound : found > bound
    return isLaxer ? [{ name, found, bound }] : []
  })
}

/**
 * From which increase of the direction error a candidate is negative. An author may set a lower limit, or a larger
 * epsilon, but this only keeps candidates from being eligible; it makes no rival negative.
 */
export const negativeDirection = (limit: number, epsilon: number): number =>
  epsilon > STRICT_NUMBERS.epsilon.reference[2]
    ? Number.POSITIVE_INFINITY
    : Math.max(limit, STRICT_NUMBERS.direction.reference[2])

/** The same for the loss at a step. */
export const negativeHarm = (limit: number): number =>
  Math.max(limit, STRICT_NUMBERS.harm.reference[2])

/** A reason why rules of version 1 are too lax for any eligible candidate. */
export interface TooLax {
  /** The number, and the bound that it exceeds; null for a comparator that is not required. */
  readonly found: number | null
  readonly limit: number | null
  /** The name of the number, or of the built-in that is not required. */
  readonly details: readonly string[]
}

const NEEDED = 'persistence'

/**
 * Numbers beyond those that version 2 refuses, and the built-in that is not required. The schema of version 1 leaves
 * both to the author, so one can register under such a protocol, but no candidate can be eligible.
 */
export function findTooLax(rules: RulesData): TooLax[] {
  // Refused before: no list of periods is frozen with such numbers.
  if (rules.schema === 2) return []
  const isRequired = rules.required.some(
    ({ model }) => 'built_in' in model && model.built_in === NEEDED,
  )
  const numbers = beyondBounds(pickStrictNumbers(rules)).map(({ name, found, bound }) => {
    return { found, limit: bound, details: [name] }
  })
  return isRequired ? numbers : [{ found: null, limit: null, details: [NEEDED] }, ...numbers]
}

/** Settings of a protocol that weaken its conclusions, or rule out any eligible candidate; with pointers into it. */
export function laxFindings(rules: RulesData): Finding[] {
  const { schema } = rules
  const beyond = findTooLax(rules)
  const named = new Set(beyond.flatMap(({ details }) => details))
  const below = laxerThanReference(rules)
  return [
    ...beyond.map(({ found, limit, details: [name = ''] }) => {
      if (found === null || limit === null) {
        const pointer = '/estimands/comparisons/required'
        return finding(
          'rules-too-lax',
          { fault: 'required', name, found: 0, bound: 0 },
          { pointer },
        )
      }
      const { what, at } = STRICT_NUMBERS[name as StrictName]
      const args = { fault: 'number', name: what, found, bound: limit } as const
      return finding('rules-too-lax', args, { pointer: at[schema] })
    }),
    ...below.flatMap(({ name, found: limit, bound: usual }) => {
      const { what, at } = STRICT_NUMBERS[name]
      if (named.has(name)) return []
      return [finding('limit-lax', { name: what, limit, usual }, { pointer: at[schema] })]
    }),
  ]
}
