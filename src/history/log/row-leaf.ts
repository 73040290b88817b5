import { ForeproofError } from '../../contract/error.js'
import { attemptOf, type ManifestReader, resourceWith } from '../../forecast/resource.js'
import type { AttemptRow, HistoryRow } from '../../forecast/row.js'
import { attemptTextFaults, provenanceFaults } from '../../forecast/row-faults.js'
import { manifestReader } from '../../forecast/serialize.js'
import type { HistoryEntry } from '../store/entry-types.js'
import { attemptLeaf, forecastLeaf, type KeyedLeaf } from './leaf.js'
import { type EntryWriter, entryWriter } from './mapped-entry.js'

/** Says the leaf of a stored row, of either kind; undefined where no resource can say what it holds. */
export function leafReader(): (row: HistoryEntry) => KeyedLeaf | undefined {
  const manifestOf = manifestReader()
  const entryOf = entryWriter()
  return ({ forecast, attempt }) => {
    if (attempt !== undefined) return leafOfAttempt(attempt)
    return forecast && leafOfForecast(forecast, manifestOf, entryOf)
  }
}

function leafOfAttempt(attempt: AttemptRow): KeyedLeaf | undefined {
  const said = attempt.provenance
  const faults = [
    ...attemptTextFaults(attempt),
    ...(said === undefined ? [] : provenanceFaults(attempt, said)),
  ]
  return faults.length > 0 ? undefined : attemptLeaf(attemptOf(attempt))
}

function leafOfForecast(
  row: HistoryRow,
  manifestOf: ManifestReader,
  entryOf: EntryWriter,
): KeyedLeaf | undefined {
  try {
    const resource = resourceWith(row, manifestOf)
    return forecastLeaf(resource, entryOf(row, resource))
  } catch (cause) {
    if (cause instanceof ForeproofError) return undefined
    throw cause
  }
}
