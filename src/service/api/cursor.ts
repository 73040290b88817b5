import { createHash } from 'node:crypto'
import type { Instant } from '../../contract/instant.js'
import { API_VERSION } from '../../contract/limits.js'
import type { RowKey } from '../../forecast/row.js'
import type { PageFilters } from '../../store/history-reader.js'
import { invalidRequest } from './fault.js'

/** Where a traversal continues. */
export interface Continuation {
  /** The last row that was returned. */
  readonly last: RowKey
  /**
   * The newest matching origin when the traversal began, so that all its pages have the same freshness.
   */
  readonly newest: Instant
}

/** The digits of the lower and the upper bound beyond their microseconds; empty for most. */
export type FinerBounds = readonly [from: string, to: string]

/** Version of the cursor's layout; a service reads only the layout it writes. */
const CURSOR_VERSION = 1
const DIGEST_BYTES = 12
/** As long as the longest URL, because a cursor contains the name of a model. */
const MAX_CURSOR_CHARACTERS = 8192

/**
 * Encodes a cursor: a digest and the continuation, in base64url. The digest covers the API version, the filters and
 * the continuation, so an edited token, or one of other filters, is rejected. It protects against mistakes, not
 * attacks: every caller may read every row. So it needs no key and survives a restart.
 */
export function encodeCursor(
  filters: PageFilters,
  finer: FinerBounds,
  { last, newest }: Continuation,
): string {
  const { origin, horizonHours, model } = last
  const content = JSON.stringify([CURSOR_VERSION, origin, horizonHours, model, newest])
  const bytes = Buffer.concat([computeDigest(filters, finer, content), Buffer.from(content)])
  return bytes.toString('base64url')
}

/**
 * Decodes a cursor. The caller checks that its row exists.
 * @throws {RequestFault} 400 if it was not made by this API version for these filters.
 */
export function decodeCursor(
  filters: PageFilters,
  finer: FinerBounds,
  cursor: string,
): Continuation {
  const bytes =
    cursor.length > MAX_CURSOR_CHARACTERS ? Buffer.alloc(0) : Buffer.from(cursor, 'base64url')
  // Decoding ignores other characters and spare bits, so compare with the exact token.
  if (bytes.length <= DIGEST_BYTES || bytes.toString('base64url') !== cursor) throw mismatchFault()
  const content = bytes.toString('utf8', DIGEST_BYTES)
  if (!computeDigest(filters, finer, content).equals(bytes.subarray(0, DIGEST_BYTES)))
    throw mismatchFault()
  const [version, origin, horizonHours, model, newest] = parseContent(content)
  const areIntegers = [origin, horizonHours, newest].every(Number.isSafeInteger)
  if (version !== CURSOR_VERSION || !areIntegers || typeof model !== 'string') throw mismatchFault()
  return {
    last: { origin: Number(origin), horizonHours: Number(horizonHours), model },
    newest: Number(newest),
  }
}

export function mismatchFault() {
  return invalidRequest(
    'The cursor does not belong to this request: use next_cursor as it was returned, with the same filters.',
  )
}

function parseContent(content: string): unknown[] {
  try {
    const value: unknown = JSON.parse(content)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

function computeDigest(filters: PageFilters, finer: FinerBounds, content: string): Buffer {
  const { originFrom, originTo, horizonHours, model, runId } = filters
  const bound = [API_VERSION, originFrom, originTo, horizonHours, model, runId, ...finer, content]
  return createHash('sha256')
    .update(JSON.stringify(bound.map((part) => part ?? null)))
    .digest()
    .subarray(0, DIGEST_BYTES)
}
