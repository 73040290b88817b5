import { type Finding, finding } from '../../contract/findings/finding.js'

const NEEDED = ['model', 'origin_at', 'quantile_level', 'predicted'] as const
/** One of them says when the target is; of two, each has to say the same. */
const TARGETS = ['horizon', 'target_at'] as const
const MORE = ['scale', 'observed', 'source_price_usd'] as const

export type QuantileColumn =
  | (typeof NEEDED)[number]
  | (typeof TARGETS)[number]
  | (typeof MORE)[number]

/** Which cell of a row is what, and what is to be said of the columns. */
export interface QuantileHeader {
  readonly at: ReadonlyMap<QuantileColumn, number>
  readonly findings: readonly Finding[]
}

/** Says which column of a quantile table is what. With an error among the findings its rows cannot be read. */
export function quantileHeader(columns: readonly string[], file: string): QuantileHeader {
  const known: readonly QuantileColumn[] = [...NEEDED, ...TARGETS, ...MORE]
  const at = new Map(known.map((name) => [name, columns.indexOf(name)] as const))
  for (const [name, index] of at) if (index === -1) at.delete(name)
  const told = (findings: readonly Finding[]): QuantileHeader => ({ at, findings })
  if (columns.includes('sample_id')) return told([finding('quantiles-samples', {}, { file })])
  const missing: string[] = NEEDED.filter((name) => !at.has(name))
  if (!TARGETS.some((name) => at.has(name))) missing.push('horizon')
  if (missing.length > 0) {
    return told([finding('quantiles-columns', { missing, found: columns }, { file })])
  }
  const rest = columns.filter((name) => !known.some((each) => each === name))
  return told([
    ...(rest.length > 0 ? [finding('natural-ignored', { columns: rest }, { file })] : []),
    ...(at.has('observed') ? [finding('quantiles-observed', {}, { file })] : []),
  ])
}
