import type { Finding } from '../../contract/findings/finding.js'
import { readDocument } from '../../document/read.js'
import { iJsonFault, levelsOf } from '../../forecast/i-json.js'

/** The most bytes that one line, element or page may have. */
export const MAX_VALUE_BYTES = 64 * 1024 * 1024

export type ReadValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/** Reads one JSON value of an input as strictly as every document, and so that pages can be made of it. */
export function readValue(bytes: Uint8Array, file: string): ReadValue {
  const read = readDocument(bytes, file, { maxBytes: MAX_VALUE_BYTES })
  if (!read.ok) return read
  const levels = levelsOf(read.value)
  if (read.exactDepth !== undefined && read.exactDepth <= levels) return read
  const fault = iJsonFault(read.value, levels)
  if (fault === undefined) return read
  const position = read.positionOf(fault.pointer ?? '')
  return { ok: false, findings: [{ ...fault, file, position }] }
}
