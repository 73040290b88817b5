import type { Attempt, ForecastResource } from '../../contract/types.js'
import {
  attemptOf,
  readManifest,
  resourceOf,
  type StoredResource,
} from '../../forecast/resource.js'
import type { AttemptRow, HistoryRow } from '../../forecast/row.js'
import { attemptLeaf, forecastLeaf } from '../log/leaf.js'
import { entryWriter } from '../log/mapped-entry.js'
import type { HistoryWriter } from '../store/types.js'
import { forecastColumns, type KnownOrigin, originRowOf } from './column-mapping.js'
import { differences } from './differences.js'
import { normaliseAttempt, normaliseForecast } from './normalise.js'

/** What became of one row that was put into a history. */
export type PutResult =
  | { readonly kind: 'added' | 'unchanged' }
  /** The key is taken by something else, which stays; `differs` are pointers into the new one. */
  | {
      readonly kind: 'conflict'
      readonly differs: readonly string[]
      readonly with: 'forecast' | 'attempt'
    }

export interface RowWriter {
  /** A resource that the contract has accepted. */
  forecast(resource: ForecastResource): Promise<PutResult>
  attempt(attempt: Attempt): Promise<PutResult>
}

const ADDED: PutResult = { kind: 'added' }
const UNCHANGED: PutResult = { kind: 'unchanged' }
const POINTERS = 8
/** Forecasts of one origin mostly follow one another; a manifest may be large. */
const ORIGINS_KEPT = 64

/** Puts values into a history through its writer; the first write of a key wins. */
export function createRowWriter(writer: HistoryWriter): RowWriter {
  const origins = new Map<string, KnownOrigin>()
  const entryOf = entryWriter()

  const originOf = async (resource: StoredResource): Promise<KnownOrigin> => {
    const kept = origins.get(resource.origin_at)
    if (kept !== undefined) return kept
    let row = await writer.origin(resource.origin_at)
    if (row === undefined) {
      row = originRowOf(resource)
      await writer.addOrigin(row)
    }
    const origin = { row, manifest: readManifest(row.manifestJson) }
    if (origins.size >= ORIGINS_KEPT) origins.clear()
    origins.set(resource.origin_at, origin)
    return origin
  }
  return {
    async forecast(given) {
      const resource = normaliseForecast(given)
      const { origin_at: originAt, model, horizon_hours: horizonHours } = resource
      if ((await writer.attempt({ originAt, model: model.name, horizonHours })) !== undefined) {
        return { kind: 'conflict', differs: [''], with: 'attempt' }
      }
      const known = await originOf(resource)
      const row = forecastColumns(resource, known)
      if (await writer.addForecast(row)) {
        const entry = entryOf({ origin: known.row, whole: row.whole }, resource)
        await writer.appendLeaf(forecastLeaf(resource, entry))
        return ADDED
      }
      return compared(await writer.forecast(row), resource)
    },
    async attempt(given) {
      const attempt = normaliseAttempt(given)
      const before = await writer.attempt(attempt)
      if (before !== undefined) {
        const differs = differences(comparable(attempt), comparable(before), POINTERS)
        return differs.length === 0
          ? UNCHANGED
          : { kind: 'conflict', differs: differs.map(attemptPointer), with: 'attempt' }
      }
      if ((await writer.forecast(attempt)) !== undefined) {
        return { kind: 'conflict', differs: [''], with: 'forecast' }
      }
      await writer.addAttempt(attempt)
      await writer.appendLeaf(attemptLeaf(attemptOf(attempt)))
      return ADDED
    },
  }
}

function comparable({ status, reason, recordedAt, provenance }: AttemptRow) {
  const said = [
    provenance?.inputAvailableAt ?? null,
    provenance?.selectionDataThrough ?? null,
    provenance?.vintageId ?? null,
    provenance?.vintageSha256 ?? null,
  ]
  return { status, reason, recordedAt, provenance: said }
}

/** Pointers into an attempt as it is written, not as it is compared. */
function attemptPointer(pointer: string): string {
  if (pointer === '/recordedAt') return '/recorded_at'
  return pointer.startsWith('/provenance/') ? '/provenance' : pointer
}

function compared(before: HistoryRow | undefined, resource: StoredResource): PutResult {
  let stored: unknown
  try {
    stored = before && resourceOf(before)
  } catch {
    // The row that is there cannot be shown as a resource: it is something else in any case.
  }
  const differs = differences(resource, stored, POINTERS)
  return differs.length === 0 ? UNCHANGED : { kind: 'conflict', differs, with: 'forecast' }
}
