import type { SeriesProtocol } from '../../../contract/types.js'
import { sha256Hex } from '../../../document/digest.js'

/** Of more series the chance to be eligible would take hours to compute. */
const MOST_SERIES = 200

/**
 * A protocol with at most 200 of its series: those that strata go by, then those whose ids have the smallest SHA-256,
 * so that nobody chooses them.
 */
export function withFewSeries(protocol: SeriesProtocol): SeriesProtocol {
  const { series, strata = [] } = protocol
  if (series.length <= MOST_SERIES) return protocol
  const named = new Set(strata.map((stratum) => stratum.series))
  const keyOf = (id: string) => `${named.has(id) ? '' : 'x'}${sha256Hex(id)}`
  const inOrder = series.map(({ id }) => ({ id, key: keyOf(id) }))
  inOrder.sort((a, b) => (a.key < b.key ? -1 : 1))
  const used = new Set(inOrder.slice(0, MOST_SERIES).map(({ id }) => id))
  return { ...protocol, series: series.filter(({ id }) => used.has(id)) }
}
