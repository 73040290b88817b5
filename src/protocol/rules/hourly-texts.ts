import { type Finding, finding } from '../../contract/findings/finding.js'
import type { Protocol, RulesData, SeriesProtocol } from '../../contract/types.js'
import { WEIGHTS } from './weights.js'

/** The limits that apply if a plan sets none. */
export const DEFAULT_LIMITS = {
  harm: 0.05,
  direction: 0.02,
  epsilon: 1e-6,
  availability: 0.02,
  availability_stratum: 0.05,
} as const

/**
 * The default of templates for the minutes after its origin within which a prospective forecast must be made: enough to
 * compute, and worth almost nothing.
 */
export const PUBLICATION_LAG = 2

export type HourlyLimits = { readonly [K in keyof typeof DEFAULT_LIMITS]: number }
type Name = keyof HourlyLimits

/** The limits that a text of a protocol states, in their order. */
type Stated = readonly [pointer: string, text: string, names: readonly Name[]]

const statedIn = ({ design, estimands, pairing }: Protocol): Stated[] => [
  [HARM, design.limits.per_horizon_regression, ['harm']],
  [DIRECTION_LOSS, design.limits.directional_loss, ['direction']],
  [DIRECTION, estimands.point.secondary.direction, ['epsilon']],
  [SILENCE, pairing.failure_denominator, ['availability', 'availability_stratum']],
]
const HARM = '/design/limits/per_horizon_regression'
const DIRECTION_LOSS = '/design/limits/directional_loss'
const DIRECTION = '/estimands/point/secondary/direction'
const SILENCE = '/pairing/failure_denominator'

/** A limit that a text states as a number between 0 and 1, with the pointer of the text. */
interface ReadLimit {
  readonly pointer: string
  readonly name: Name
  readonly value: number
}

/**
 * The limits that the texts of a protocol state. If a text has exactly the expected number of numbers, they bind, in
 * their order; if not, the defaults apply.
 */
export function readLimits(protocol: Protocol): ReadLimit[] {
  return statedIn(protocol).flatMap(([pointer, text, names]) =>
    Object.entries(numbered(text, names) ?? {}).map(([name, value]) => {
      return { pointer, name: name as Name, value }
    }),
  )
}

/** The limits of a protocol: those that its texts state, else the defaults. */
export function protocolLimits(protocol: Protocol): HourlyLimits {
  const read = readLimits(protocol).map(({ name, value }) => [name, value])
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(read) }
}

/** Texts from which no limit can be read, so that the default applies. */
export function unreadLimits(protocol: Protocol): Finding[] {
  const read = new Set(readLimits(protocol).map(({ name }) => name))
  return statedIn(protocol).flatMap(([pointer, , names]) =>
    names.flatMap((name) => {
      const args = { name, usual: DEFAULT_LIMITS[name] }
      return read.has(name) ? [] : [finding('limit-unread', args, { pointer })]
    }),
  )
}

/** Decimals such as 0.05 and 1e-6; not part of a word or a longer number, and not 0.5 percent or points. */
const DECIMAL =
  /(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w%]|\.\d|\s*(?:%|per\s?cent|(?:percentage\s)?points?\b))/gi

function numbered(text: string, names: readonly Name[]): Partial<HourlyLimits> | undefined {
  const numbers = [...text.matchAll(DECIMAL)].map(([number]) => Number(number))
  const shares = [...new Set(numbers.filter((number) => number > 0 && number < 1))]
  if (shares.length !== names.length) return undefined
  return Object.fromEntries(names.map((name, at) => [name, shares[at]]))
}

/** The pointer of the text in which a protocol describes its tests. */
export const METHOD = '/uncertainty/method'

/** Whether a protocol's text on its method mentions verdict hypotheses; older protocols do not. */
export function describesVerdict({ uncertainty }: Protocol): boolean {
  return uncertainty.method.toLowerCase().includes('verdict hypothesis')
}

/** Why nothing can be registered under a protocol: its text asks for neither a verdict nor a bootstrap. */
export function undecidedFindings(protocol: Protocol | SeriesProtocol): Finding[] {
  if (protocol.schema_version === 2) return []
  const named = methodNamed(protocol)
  if (named === 'percentile-bootstrap' || (named !== undefined && describesVerdict(protocol))) {
    return []
  }
  const fault = named === undefined ? 'unnamed' : 'no-hypothesis'
  const args = { fault, version: protocol.protocol_version } as const
  return [finding('protocol-undecided', args, { pointer: METHOD })]
}

/**
 * How alpha is divided under a protocol that uses the cosine test; one older than verdict hypotheses has none for them.
 */
export const weightsUnder = (protocol: Protocol): NonNullable<RulesData['weights']> =>
  describesVerdict(protocol) ? { ...WEIGHTS } : { verdict: null, deciding: 0.8, other: 0.2 }

/**
 * The method that a protocol names; undefined if its text names none. A text that names both means the cosine test,
 * because it may mention a bootstrap in addition.
 */
export function methodNamed({ uncertainty }: Protocol): RulesData['test']['method'] | undefined {
  const text = uncertainty.method.toLowerCase()
  if (text.includes('cosine')) return 'ewc-t'
  return text.includes('bootstrap') ? 'percentile-bootstrap' : undefined
}
