import type { Step } from './pointer.js'

export type JsonFaultCode =
  | 'json-syntax'
  | 'json-truncated'
  | 'json-trailing-text'
  | 'json-trailing-comma'
  | 'json-comment'
  | 'json-literal'
  | 'json-number-form'
  | 'json-integer-range'
  | 'json-number-range'
  | 'json-control-character'
  | 'json-escape'
  | 'json-lone-surrogate'
  | 'json-noncharacter'
  | 'json-duplicate-name'
  | 'json-depth'

/** A fault of the text, by offset; lines and pointers are worked out only when it is reported. */
export interface JsonFault {
  readonly code: JsonFaultCode
  readonly start: number
  readonly end: number
  readonly path: readonly Step[]
  readonly args: Readonly<Record<string, string | number>>
}

/** Reports stop here: a file with so many faults is another kind of file. */
export const MAX_FAULTS = 100

/** Thrown by `Faults.fatal`, caught by the reader: nothing sensible can be read beyond this point. */
export class Unreadable extends Error {}

export class Faults {
  readonly list: JsonFault[] = []
  readonly #path: readonly Step[]

  /** @param path - the reader's own, live: it is copied when a fault is added. */
  constructor(path: readonly Step[]) {
    this.#path = path
  }

  add(code: JsonFaultCode, start: number, end: number, args: JsonFault['args'] = {}): void {
    this.list.push({ code, start, end, path: [...this.#path], args })
    if (this.list.length >= MAX_FAULTS) throw new Unreadable()
  }

  fatal(code: JsonFaultCode, start: number, end: number, args: JsonFault['args'] = {}): never {
    this.add(code, start, end, args)
    throw new Unreadable()
  }
}

/** How a character is named to a person: `'x'`, or its code point where it cannot be seen. */
export function describeCharacter(text: string, at: number): string {
  const point = text.codePointAt(at)
  if (point === undefined) return 'the end of the text'
  if (point > 0x20 && point < 0x7f) return `'${String.fromCodePoint(point)}'`
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}
