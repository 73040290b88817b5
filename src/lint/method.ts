import type { InferenceMethod, Protocol, Registration } from '../contract/types.js'
import { methodNamed } from '../registration/plan-rules.js'

/**
 * The method that a design is judged by: that of the registration or, before there is one, the one
 * that the protocol names.
 */
export function lintedMethod(
  protocol: Pick<Protocol, 'uncertainty'>,
  registration?: Pick<Registration, 'inference'>,
): InferenceMethod['method'] {
  const fixed = registration === undefined ? methodNamed(protocol) : registration.inference?.method
  return fixed ?? 'percentile-bootstrap'
}
