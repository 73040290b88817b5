import { canonicalize } from '../document/canonical.js'
import { digestWithout } from '../document/digest.js'
import type { EvaluationResult } from '../evaluation/result/types.js'

/** A price that was changed in a text of pairs. */
export interface ChangedPrice {
  readonly text: string
  /** From 1. */
  readonly line: number
  readonly before: string
  readonly after: string
}

/** The first scored forecast of a model, made one per cent larger; undefined where the text has none. */
export function changedPrice(text: string, model: string): ChangedPrice | undefined {
  const lines = text.split('\n')
  const own = `"model":${JSON.stringify(model)},`
  const at = lines.findIndex((line) => line.includes(own) && line.includes('"status":"scored"'))
  const line = lines[at]
  const before = /"predicted_price_usd":([^,}]+)/.exec(line ?? '')?.[1]
  if (line === undefined || before === undefined) return undefined
  const after = JSON.stringify(Number(before) * 1.01)
  lines[at] = line.replace(`"predicted_price_usd":${before}`, `"predicted_price_usd":${after}`)
  return { text: lines.join('\n'), line: at + 1, before, after }
}

/** A result that names other pairs and its own digest, as one who forges would write it. */
export function fitted(result: EvaluationResult, pairsSha256: string): string {
  const pairs = { ...result.inputs.pairs, sha256: pairsSha256 }
  const forged = { ...result, inputs: { ...result.inputs, pairs } }
  return `${canonicalize({ ...forged, result_sha256: digestWithout(forged, 'result_sha256') })}\n`
}
