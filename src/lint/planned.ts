import type { Finding } from '../contract/findings/finding.js'
import type { Protocol, Registration } from '../contract/types.js'
import type { Document } from '../document/read.js'
import { locateFindings } from '../protocol/rules/check.js'
import { lintProtocol, lintRegistered, registeredDesign } from './protocol.js'
import { lintTexts } from './texts.js'

/**
 * Whether a protocol can reach a conclusion with the family and window that a plan comes to.
 * Findings lead into the protocol, and into the plan that the registration was made from.
 */
export function lintPlanned(
  registration: Registration,
  documents: { readonly protocol: Document; readonly plan: Document },
): Finding[] {
  const { family_size: familySize } = registration
  const protocol = documents.protocol.value as Protocol
  // A family that is too large is a fault of the plan, not of the protocol.
  const design = lintProtocol(protocol, familySize, registration).filter(
    ({ code }) => code !== 'significance-unreachable',
  )
  const own = lintRegistered(protocol, registeredDesign(registration))
  return [
    ...locateFindings([...design, ...lintTexts(protocol, registration)], documents.protocol),
    // A plan has no family_size: what makes it is the whole plan.
    ...locateFindings(
      own.map((each) => (each.pointer === '/family_size' ? { ...each, pointer: '' } : each)),
      documents.plan,
    ),
  ]
}
