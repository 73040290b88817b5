import { ForeproofError } from '../../contract/error.js'
import { attemptOf, type ManifestReader, resourceWith } from '../../forecast/resource.js'
import { attemptTextFaults, provenanceFaults } from '../../forecast/row-faults.js'
import { manifestReader } from '../../forecast/serialize.js'
import type { HistoryEntry } from '../store/entry-types.js'
import { attemptLeaf, forecastLeaf, type KeyedLeaf } from './leaf.js'

/** Says the leaf of a stored row, of either kind; undefined where no resource can say what it holds. */
export function leafReader(): (row: HistoryEntry) => KeyedLeaf | undefined {
  const manifestOf = manifestReader()
  return (row) => leafOfRow(row, manifestOf)
}

function leafOfRow(
  { forecast, attempt }: HistoryEntry,
  manifestOf: ManifestReader,
): KeyedLeaf | undefined {
  if (attempt !== undefined) {
    const said = attempt.provenance
    const faults = [
      ...attemptTextFaults(attempt),
      ...(said === undefined ? [] : provenanceFaults(attempt, said)),
    ]
    return faults.length > 0 ? undefined : attemptLeaf(attemptOf(attempt))
  }
  try {
    return forecast && forecastLeaf(resourceWith(forecast, manifestOf))
  } catch (cause) {
    if (cause instanceof ForeproofError) return undefined
    throw cause
  }
}
