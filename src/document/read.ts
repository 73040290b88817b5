import { type Finding, finding, type Position } from '../contract/findings/finding.js'
import { formatPointer } from '../contract/pointer.js'
import { type JsonFault, MAX_FAULTS } from './faults.js'
import { parseJson } from './parser.js'
import { ValuePositions } from './positions.js'
import { decode } from './text.js'

/** Maximum size of documents, in bytes. */
export const MAX_BYTES = 1_048_576

/** Maximum size of documents that list many series: protocols of version 2 and registrations. */
export const MAX_LIST_DOCUMENT_BYTES = 16 * MAX_BYTES

export interface ReadOptions {
  /** Maximum size in bytes; 1 MiB by default. */
  readonly maxBytes?: number
}

export interface Document {
  readonly ok: true
  readonly file: string
  readonly value: unknown
  /** The decoded source. */
  readonly text: string
  /**
   * The position of a value, or of its member name. If a pointer leads to nothing, the nearest value above it is used,
   * so that a missing member is reported at its object.
   */
  readonly positionAt: (pointer: string, part?: 'value' | 'name') => Position
}

export interface UnreadableDocument {
  readonly ok: false
  readonly file: string
  readonly findings: readonly Finding[]
  /** The source as far as it could be decoded, to show the lines around a finding. */
  readonly text: string
}

/**
 * Parses one document strictly, as I-JSON (RFC 7493): UTF-8 without a byte order mark, no duplicate member name, no
 * lone surrogate or noncharacter, no integer that a double cannot represent, at most 64 levels and 1 MiB. Each
 * violation is a finding; nothing is silently repaired.
 * @param file - the name for findings.
 */
export function readDocument(
  bytes: Uint8Array,
  file: string,
  options: ReadOptions = {},
): Document | UnreadableDocument {
  const { text, fault } = decode(bytes, options.maxBytes ?? MAX_BYTES)
  const positions = new ValuePositions(text)
  if (fault !== undefined) {
    const { offset, ...rest } = fault
    const at = text === '' ? {} : { position: positions.lines.position(offset) }
    const located = {
      ...rest,
      severity: 'error',
      file,
      pointer: positions.pointerAt(offset),
      ...at,
    }
    return { ok: false, file, findings: [located as Finding], text }
  }
  const parsed = parseJson(text)
  if (parsed.faults.length === 0) {
    const positionAt: Document['positionAt'] = (pointer, part) =>
      positions.positionAt(pointer, part)
    return { ok: true, file, value: parsed.value, text, positionAt }
  }
  const findings: Finding[] = []
  for (const fault of parsed.faults) findings.push(toFinding(fault, file, positions))
  if (parsed.faults.length >= MAX_FAULTS) {
    findings.push(finding('json-more', { count: MAX_FAULTS }, { file }))
  }
  return { ok: false, file, findings, text }
}

function toFinding(fault: JsonFault, file: string, positions: ValuePositions): Finding {
  const { lines } = positions
  const { start, end, path, ...rest } = fault
  const pointer = formatPointer(path)
  const at = { file, pointer, position: lines.position(start, end) }
  switch (rest.code) {
    case 'json-truncated': {
      const { what, openOffset } = rest.args
      const { line, column } = lines.position(openOffset)
      return finding(rest.code, { what, line, column }, at)
    }
    case 'json-duplicate-name': {
      const { line, column } = lines.position(positions.find(pointer)?.nameStart ?? 0)
      return finding(rest.code, { name: rest.args.name, line, column }, at)
    }
    default:
      return { ...rest, severity: 'error', ...at }
  }
}
