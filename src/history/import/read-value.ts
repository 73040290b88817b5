import type { Finding } from '../../contract/findings/finding.js'
import { moved } from '../../document/moved.js'
import { readDocument } from '../../document/read.js'
import { MAX_VALUE_BYTES, type Piece } from '../../table/split.js'
import type { NaturalRow } from '../natural/rows.js'
import type { StoredKey } from '../store/entry-types.js'
import { type Accepted, accept } from './accept.js'
import type { ValueSource } from './import-types.js'
import { keyOfValue } from './value.js'

/** Tells a finding where in its file it belongs. */
export type Locate = (finding: Finding) => Finding

/** What one value of an import turned out to be. */
export interface ReadValue {
  readonly accepted: Accepted
  readonly locate: Locate
}

/** A JSON value: a forecast resource, an attempt, or an API body with forecasts. */
export function readValue(value: unknown, { file, line }: ValueSource): ReadValue {
  const locate: Locate = (finding) => ({
    ...finding,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { position: { line, column: 1 } }),
  })
  return { accepted: accept(value), locate }
}

/** The text of one value of a file. */
export function readPiece(piece: Piece, file: string): ReadValue {
  const read = readDocument(piece.bytes, file, { maxBytes: MAX_VALUE_BYTES })
  if (!read.ok) return faulty(read.findings.map((finding) => moved(finding, piece)))
  const locate: Locate = (finding) => {
    const pointer = finding.pointer ?? ''
    return moved({ ...finding, file, pointer, position: read.positionOf(pointer) }, piece)
  }
  return { accepted: accept(read.value), locate }
}

/** A row of a table. */
export function readRow(row: NaturalRow, file: string): ReadValue {
  if ('findings' in row) return faulty(row.findings)
  return readValue(row.value, { file, line: row.line })
}

/** The keys of what was accepted. */
export function keysOfRead({ accepted: { forecasts, attempt } }: ReadValue): StoredKey[] {
  const keys = forecasts.map(({ resource }) => keyOfValue(resource))
  return attempt === undefined ? keys : [...keys, keyOfValue(attempt)]
}

/** @param findings - know their places. */
function faulty(findings: readonly Finding[]): ReadValue {
  return { accepted: { forecasts: [], findings }, locate: (finding) => finding }
}
