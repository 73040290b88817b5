import type { Finding, Position } from '../contract/findings/finding.js'
import { type JsonFault, MAX_FAULTS } from './faults.js'
import { parseJson } from './json.js'
import { type ParsedText, parse, type Recorder, type ValuePlace } from './parser.js'
import { LineIndex } from './place.js'
import { parentOf, pointerOf } from './pointer.js'
import { decode } from './text.js'

/** Size that documents may have, in bytes. */
export const MAX_BYTES = 1_048_576

export interface ReadOptions {
  /** Largest size accepted, in bytes; 1 MiB where it is not given. */
  readonly maxBytes?: number
}

export interface Document {
  readonly ok: true
  readonly file: string
  readonly value: unknown
  /** The decoded source. */
  readonly text: string
  /** True when the source has no backslash: then no text in it needs escaping. */
  readonly plain: boolean
  /**
   * Where a value stands, or its member name. A pointer to nothing gives the nearest value above
   * it, so that a missing member is placed at the object it is missing from.
   */
  readonly positionOf: (pointer: string, part?: 'value' | 'name') => Position
}

export interface UnreadableDocument {
  readonly ok: false
  readonly file: string
  readonly findings: readonly Finding[]
  /** The source as far as it could be decoded, for showing the lines around a finding. */
  readonly text: string
}

/**
 * Reads one document strictly, as I-JSON (RFC 7493): UTF-8 without a byte order mark, no duplicate
 * member name, no lone surrogate or noncharacter, no integer outside ±(2^53−1), at most 64 levels
 * and 1 MiB. Whatever it violates is a finding; nothing is repaired silently.
 * @param file - the name that findings carry.
 */
export function readDocument(
  bytes: Uint8Array,
  file: string,
  options: ReadOptions = {},
): Document | UnreadableDocument {
  const { text, faults, readable } = decode(bytes, options.maxBytes ?? MAX_BYTES)
  const parsed: ParsedText = readable ? parseJson(text) : { value: undefined, faults: [] }
  if (faults.length === 0 && parsed.faults.length === 0) {
    const plain = !text.includes('\\')
    return { ok: true, file, value: parsed.value, text, plain, positionOf: placer(text) }
  }
  const lines = new LineIndex(text)
  const places = new Places(text)
  const findings: Finding[] = faults.map((fault) => ({
    code: fault.code,
    severity: 'error',
    file,
    pointer: places.pointerAt(fault.offset),
    ...(text === '' ? {} : { position: lines.position(fault.offset) }),
    args: fault.args,
  }))
  for (const fault of parsed.faults) findings.push(findingOf(fault, file, lines, places))
  if (parsed.faults.length >= MAX_FAULTS) {
    findings.push({ code: 'json-more', severity: 'note', file, args: { count: MAX_FAULTS } })
  }
  return { ok: false, file, findings, text }
}

function findingOf(fault: JsonFault, file: string, lines: LineIndex, places: Places): Finding {
  const { openOffset, ...args } = fault.args
  const pointer = pointerOf(fault.path)
  const earlier =
    fault.code === 'json-duplicate-name' ? places.find(pointer)?.nameStart : openOffset
  const there = earlier === undefined ? undefined : lines.position(Number(earlier))
  return {
    code: fault.code,
    severity: 'error',
    file,
    pointer,
    position: lines.position(fault.start, fault.end),
    args: there === undefined ? args : { ...args, line: there.line, column: there.column },
  }
}

function placer(text: string): Document['positionOf'] {
  const places = new Places(text)
  const lines = new LineIndex(text)
  return (pointer, part = 'value') => {
    let place = places.find(pointer)
    for (let up = parentOf(pointer); place === undefined && up !== undefined; up = parentOf(up)) {
      place = places.find(up)
    }
    if (place === undefined) return { line: 1, column: 1 }
    const { nameStart, nameEnd } = place
    if (part === 'name' && nameStart !== undefined) return lines.position(nameStart, nameEnd)
    return lines.position(place.start, place.end)
  }
}

/** Places by pointer, read again from the text when the first one is asked for. */
class Places {
  readonly #text: string
  #byPointer: Map<string, ValuePlace> | undefined

  constructor(text: string) {
    this.#text = text
  }

  find(pointer: string): ValuePlace | undefined {
    return this.#all().get(pointer)
  }

  /** The innermost value around an offset. */
  pointerAt(offset: number): string {
    let best = ''
    let width = Number.POSITIVE_INFINITY
    for (const [pointer, { start, end }] of this.#all()) {
      if (start <= offset && offset < end && end - start < width) {
        best = pointer
        width = end - start
      }
    }
    return best
  }

  #all(): Map<string, ValuePlace> {
    if (this.#byPointer === undefined) {
      const places = new Map<string, ValuePlace>()
      const recorder: Recorder = (path, place) => {
        const pointer = pointerOf(path)
        // Of members with the same name the first one keeps the pointer.
        if (!places.has(pointer)) places.set(pointer, place)
      }
      parse(this.#text, { recorder })
      this.#byPointer = places
    }
    return this.#byPointer
  }
}
