import { type Finding, finding } from '../contract/findings/finding.js'
import type { InferenceMethod, Plan, Protocol } from '../contract/types.js'

/** What a template proposes. */
export const TEMPLATE_INFERENCE = {
  method: 'ewc-t',
  weights: { deciding: 0.8, other: 0.2 },
} as const satisfies InferenceMethod

/** The word that a protocol's text about uncertainty has for each method. */
export const METHOD_WORDS = { 'ewc-t': 'cosine', 'percentile-bootstrap': 'bootstrap' } as const

/** What is wrong with the method of a plan or registration; one that names none is left alone. */
export function inferenceFindings(
  { inference }: Pick<Plan, 'inference'>,
  { uncertainty }: Pick<Protocol, 'uncertainty'>,
): Finding[] {
  if (inference === undefined) return []
  const findings: Finding[] = []
  if (inference.method === 'ewc-t') {
    const { deciding, other } = inference.weights
    const sum = deciding + other
    if (Math.abs(sum - 1) > 1e-9) {
      findings.push(finding('weights-not-one', { sum }, { pointer: '/inference/weights' }))
    }
  }
  const { method } = inference
  const word = METHOD_WORDS[method]
  if (!uncertainty.method.toLowerCase().includes(word)) {
    findings.push(
      finding('method-not-in-protocol', { method, word }, { pointer: '/inference/method' }),
    )
  }
  return findings
}
