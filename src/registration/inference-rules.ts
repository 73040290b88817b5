import { type Finding, finding } from '../contract/findings/finding.js'
import type { InferenceMethod, Plan, Protocol } from '../contract/types.js'

/** What a template proposes. */
export const TEMPLATE_INFERENCE = {
  method: 'ewc-t',
  weights: { deciding: 0.8, other: 0.2 },
} as const satisfies InferenceMethod

/** Words by which a protocol's text on uncertainty names a method. */
const METHOD_WORDS = { 'ewc-t': 'cosine', 'percentile-bootstrap': 'bootstrap' } as const

/**
 * The method that a protocol names; undefined where its text speaks of none. One that speaks of both
 * means the cosine test, with the bootstrap as a diagnostic beside it.
 */
export function methodNamed({
  uncertainty,
}: Pick<Protocol, 'uncertainty'>): InferenceMethod['method'] | undefined {
  const text = uncertainty.method.toLowerCase()
  if (text.includes(METHOD_WORDS['ewc-t'])) return 'ewc-t'
  return text.includes(METHOD_WORDS['percentile-bootstrap']) ? 'percentile-bootstrap' : undefined
}

/** What is wrong with the method of a plan or registration; without one, it is the bootstrap. */
export function inferenceFindings(
  { inference }: Pick<Plan, 'inference'>,
  protocol: Pick<Protocol, 'uncertainty'>,
): Finding[] {
  const findings: Finding[] = []
  if (inference?.method === 'ewc-t') {
    const { deciding, other } = inference.weights
    const sum = deciding + other
    if (Math.abs(sum - 1) > 1e-9) {
      findings.push(finding('weights-not-one', { sum }, { pointer: '/inference/weights' }))
    }
  }
  const method = inference?.method ?? 'percentile-bootstrap'
  const named = methodNamed(protocol)
  if (named === method || (named === undefined && inference === undefined)) return findings
  const pointer = inference === undefined ? '' : '/inference/method'
  const args = { method, named: named ?? null }
  return [...findings, finding('method-not-in-protocol', args, { pointer })]
}
