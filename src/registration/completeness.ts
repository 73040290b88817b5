import { type Finding, finding } from '../contract/findings/finding.js'
import type { Protocol, Registration } from '../contract/types.js'
import { methodNamed } from './inference-rules.js'

/** Members that came together, with the rules against silence; by the pointer of each. */
const TOGETHER: Readonly<Record<string, (registration: Registration) => unknown>> = {
  '/limits/availability_limit': ({ limits }) => limits.availability_limit,
  '/limits/availability_limit_stratum': ({ limits }) => limits.availability_limit_stratum,
  '/limits/direction_pairs_factor': ({ limits }) => limits.direction_pairs_factor,
  '/publication_lag_minutes': ({ publication_lag_minutes: lag }) => lag,
  '/scorer': ({ scorer }) => scorer,
}

/** Members that a plan may leave out, and that no registration from before has. */
const LATER = ['inference', 'time', 'commitment', 'commitment_log'] as const

/**
 * A registration made before there were rules against silence has none of their members and is judged
 * without them. One that has any of them has all: whoever takes one out takes its rule out. The same
 * holds under a protocol that describes the cosine test, for none was registered under such a one before.
 */
export function completenessFindings(registration: Registration, protocol: Protocol): Finding[] {
  const isThere = (of: (registration: Registration) => unknown) => of(registration) !== undefined
  const late =
    methodNamed(protocol) === 'ewc-t' ||
    LATER.some((member) => registration[member] !== undefined) ||
    Object.values(TOGETHER).some(isThere)
  if (!late) return []
  return Object.entries(TOGETHER)
    .filter(([, of]) => !isThere(of))
    .map(([pointer]) =>
      finding(
        'registration-incomplete',
        { member: pointer.slice(1).replace('/', '.') },
        { pointer },
      ),
    )
}
