import { type Finding, finding } from '../contract/findings/finding.js'
import type { Plan, Protocol, Registration } from '../contract/types.js'
import { hasVerdict } from './family.js'
import { originsOf } from './time-rules.js'

/** The limits that hold where a plan gives none of its own. */
export const DEFAULT_LIMITS = {
  per_horizon_regression: 0.05,
  directional_loss: 0.02,
  direction_epsilon: 1e-6,
  availability_limit: 0.02,
  availability_limit_stratum: 0.05,
} as const

/** Minutes after its origin in which a prospective forecast has to be made, where a plan does not say. */
export const DEFAULT_PUBLICATION_LAG = 60

/**
 * How many times the minimum of pairs a comparator has to call a direction before it is asked about
 * one: without a margin, a handful of origins would decide whether there is a test.
 */
export const DIRECTION_PAIRS_FACTOR = 1.1

type Limits = { readonly [K in keyof typeof DEFAULT_LIMITS]: number }

/** The limits that a text of a protocol states, in their order. */
type Stated = readonly [pointer: string, text: string, names: readonly (keyof Limits)[]]

const statedIn = ({ design, estimands, pairing }: Protocol): Stated[] => [
  ...(['per_horizon_regression', 'directional_loss'] as const).map(
    (name) => [`/design/limits/${name}`, design.limits[name], [name]] as const,
  ),
  [DIRECTION, estimands.point.secondary.direction, ['direction_epsilon']],
  [SILENCE, pairing.failure_denominator, ['availability_limit', 'availability_limit_stratum']],
]
const DIRECTION = '/estimands/point/secondary/direction'
const SILENCE = '/pairing/failure_denominator'

/**
 * The limits of a protocol. Documents of version 1 state them in texts, as numbers between 0 and 1:
 * where a text has as many as belong there, in their order, these bind; where not, the usual ones do.
 */
export function protocolLimits(protocol: Protocol): Limits {
  const stated = statedIn(protocol).map(([, text, names]) => numbered(text, names))
  return Object.assign({}, DEFAULT_LIMITS, ...stated)
}

/** Texts from which no limit is read, so that the usual one holds, and those from which a looser one is. */
export function statedDoubts(protocol: Protocol): Finding[] {
  return statedIn(protocol).flatMap(([pointer, text, names]) => {
    const stated = numbered(text, names)
    return names.flatMap((name): Finding[] => {
      const usual = DEFAULT_LIMITS[name]
      const limit = stated?.[name]
      if (limit === undefined) return [finding('limit-unread', { name, usual }, { pointer })]
      if (limit <= usual) return []
      return [finding('limit-lax', { name, limit, usual }, { pointer })]
    })
  })
}

/** Decimals such as 0.05 and 1e-6; no part of a word or of a longer number, and no 0.5 percent or points. */
const DECIMAL =
  /(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w%]|\.\d|\s*(?:%|per\s?cent|(?:percentage\s)?points?\b))/gi

function numbered(text: string, names: readonly (keyof Limits)[]): Partial<Limits> | undefined {
  const found = [...text.matchAll(DECIMAL)].map(([number]) => Number(number))
  const shares = [...new Set(found.filter((number) => number > 0 && number < 1))]
  if (shares.length !== names.length) return undefined
  return Object.fromEntries(names.map((name, at) => [name, shares[at]]))
}

/**
 * Limits that are looser than the protocol's. A plan may ask for more than the document that it is judged
 * by, never for less: who freezes a protocol sets its numbers. Asked of registrations with verdict
 * hypotheses; earlier ones were only warned.
 */
export function bindingFindings(
  registration: {
    readonly inference?: Registration['inference'] | undefined
    readonly limits: Partial<Registration['limits']>
    readonly window: Plan['window']
  },
  protocol: Protocol,
): Finding[] {
  if (!hasVerdict(registration)) return []
  const bounds = { ...protocolLimits(protocol), direction_pairs_factor: DIRECTION_PAIRS_FACTOR }
  const loosened = Object.entries(bounds).flatMap(([name, bound]) => {
    const limit = registration.limits[name as keyof typeof bounds]
    if (limit === undefined || limit <= bound) return []
    const at = { pointer: `/limits/${name}` }
    return [finding('limit-beyond-protocol', { name, limit, bound }, at)]
  })
  // In a window in which no comparator can be asked about direction, its limit would bind nothing.
  const { paired_origins_per_horizon: minimum } = protocol.sampling.minimum_effective_sample
  const origins = originsOf(registration.window)
  const least = Math.ceil(minimum * DIRECTION_PAIRS_FACTOR)
  if (origins < minimum || origins >= least) return loosened
  const args = { origins, least }
  return [...loosened, finding('window-without-direction', args, { pointer: '/window' })]
}

/**
 * Limits of a plan that are looser than others. With verdict hypotheses the protocol's bind, and looser ones
 * are refused; without, looser ones than the usual are allowed, and reported.
 */
export function limitFindings(plan: Plan, protocol: Protocol): Finding[] {
  const { limits = {}, publication_lag_minutes: lag } = plan
  const loosened = (limit: number | undefined, usual: number, pointer: string) =>
    limit === undefined || limit <= usual
      ? []
      : [finding('limit-loosened', { limit, usual }, { pointer })]
  const binding = hasVerdict(plan)
    ? bindingFindings({ ...plan, limits }, protocol)
    : Object.entries(DEFAULT_LIMITS).flatMap(([name, usual]) =>
        loosened(limits[name as keyof Limits], usual, `/limits/${name}`),
      )
  return [...binding, ...loosened(lag, DEFAULT_PUBLICATION_LAG, '/publication_lag_minutes')]
}
