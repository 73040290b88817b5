import type { ArgsOf, Code } from '../contract/findings/finding.js'
import type { Step } from '../contract/pointer.js'

type JsonFaultCode = Exclude<Extract<Code, `json-${string}`>, 'json-more'>

/** The arguments of a finding, but with an offset instead of a line and a column. */
type JsonFaultArgs<C extends JsonFaultCode> = C extends 'json-truncated'
  ? { readonly what: string; readonly openOffset: number }
  : C extends 'json-duplicate-name'
    ? { readonly name: string }
    : ArgsOf<C>

/** A fault of the text, by offset; lines and pointers are computed only when it is reported. */
export type JsonFault<C extends JsonFaultCode = JsonFaultCode> = {
  [K in C]: {
    readonly code: K
    readonly start: number
    readonly end: number
    readonly path: readonly Step[]
    readonly args: JsonFaultArgs<K>
  }
}[C]

/** Maximum number of faults; a file with more is not meant as JSON. */
export const MAX_FAULTS = 100

/** Thrown by `Faults.fatal`, caught by the reader: parsing cannot continue after this point. */
export class UnreadableJson extends Error {}

export class Faults {
  readonly list: JsonFault[] = []

  /** @param path - the parser's current path, which it changes; copied when a fault is added. */
  constructor(private readonly path: readonly Step[]) {}

  add<C extends JsonFaultCode>(code: C, start: number, end: number, args: JsonFaultArgs<C>): void {
    const fault = { code, start, end, path: [...this.path], args }
    // As for findings, the compiler cannot see that code and arguments match one member of the union.
    this.list.push(fault as unknown as JsonFault)
    if (this.list.length >= MAX_FAULTS) throw new UnreadableJson()
  }

  fatal<C extends JsonFaultCode>(
    code: C,
    start: number,
    end: number,
    args: JsonFaultArgs<C>,
  ): never {
    this.add(code, start, end, args)
    throw new UnreadableJson()
  }
}

/** Shows a character to people: `'x'`, or its code point if it is invisible. */
export function describeCharacter(text: string, at: number): string {
  const point = text.codePointAt(at)
  if (point === undefined) return 'the end of the text'
  if (point > 0x20 && point < 0x7f) return `'${String.fromCodePoint(point)}'`
  return codePointName(point)
}

export function codePointName(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}
