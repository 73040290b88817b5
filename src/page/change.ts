import { canonicalize } from '../document/canonical.js'
import type { Result } from '../evaluation/result/result.js'
import { resultDigest } from '../evaluation/result-digest.js'

/** A forecast that was changed in the text of the pairs. */
export interface TamperedForecast {
  readonly text: string
  /** From 1. */
  readonly line: number
  readonly before: string
  readonly after: string
}

const VALUE = /("value":)([^,}]+)/
const larger = (number: string) => JSON.stringify(Number(number) * 1.01)

/**
 * Makes the first nonzero scored forecast of a model one per cent larger, with its quantiles; undefined if the text has
 * none.
 */
export function tamperForecast(text: string, model: string): TamperedForecast | undefined {
  const lines = text.split('\n')
  const modelMember = `"model":${JSON.stringify(model)},`
  const valueIn = (line: string) => VALUE.exec(line)?.[2] ?? '0'
  const isMeant = (line: string) =>
    line.includes(modelMember) && line.includes('"status":"scored"') && Number(valueIn(line)) !== 0
  const at = lines.findIndex(isMeant)
  if (at < 0) return undefined
  const line = lines[at] as string
  const before = valueIn(line)
  const after = larger(before)
  lines[at] = line
    .replace(VALUE, `$1${after}`)
    .replace(/"quantiles":\[[^\]]*/, (all) => all.replace(/-?\d[^,]*/g, larger))
  return { text: lines.join('\n'), line: at + 1, before, after }
}

/** Edits a result to name other pairs and its own new digest, as a forger would. */
export function resealResult(result: Result, pairsSha256: string): string {
  const pairs = { ...result.inputs.pairs, sha256: pairsSha256 }
  const forged = { ...result, inputs: { ...result.inputs, pairs } }
  return `${canonicalize({ ...forged, result_sha256: resultDigest(forged) })}\n`
}
