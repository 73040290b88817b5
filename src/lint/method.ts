import type { InferenceMethod, Protocol, Registration } from '../contract/types.js'
import { METHOD_WORDS } from '../registration/inference-rules.js'

/**
 * The method that a design is judged by: that of the registration or, before there is one, the one
 * that the protocol names. A protocol may name the bootstrap beside the cosine test, as a diagnostic.
 */
export function lintedMethod(
  { uncertainty }: Pick<Protocol, 'uncertainty'>,
  registration?: Pick<Registration, 'inference'>,
): InferenceMethod['method'] {
  if (registration !== undefined) return registration.inference?.method ?? 'percentile-bootstrap'
  const named = uncertainty.method.toLowerCase().includes(METHOD_WORDS['ewc-t'])
  return named ? 'ewc-t' : 'percentile-bootstrap'
}
