import type { Step } from '../contract/pointer.js'
import { MAX_DEPTH } from './canonical.js'
import { describeCharacter, Faults, type JsonFault, UnreadableJson } from './faults.js'
import { FORBIDDEN_CHARACTER, readString } from './strings.js'

/** Called with every value when its end is reached, if positions are needed. */
export type Recorder = (path: readonly Step[], position: ValuePosition) => void

export interface ValuePosition {
  readonly start: number
  readonly end: number
  /** Position of the member's name, quotes included; absent in arrays and at the top. */
  readonly nameStart?: number
  readonly nameEnd?: number
}

interface ParseOptions {
  readonly recorder?: Recorder
  /** Maximum levels of nesting. */
  readonly levels?: number
}

export interface ParsedText {
  readonly value: unknown
  readonly faults: readonly JsonFault[]
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy
const LITERALS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Parses a JSON text and reports everything that RFC 8259 or RFC 7493 forbids. */
export function parseJson(text: string, options: ParseOptions = {}): ParsedText {
  return new Parser(text, options).run()
}

class Parser {
  readonly #text: string
  readonly #recorder: Recorder | undefined
  readonly #path: Step[] = []
  /** Offsets of the open brackets, for the message about a text that ends too early. */
  readonly #open: number[] = []
  readonly #faults: Faults = new Faults(this.#path)
  readonly #levels: number
  /** Computed once for the whole text, and not for each string. */
  readonly #clean: boolean
  #at = 0

  constructor(text: string, { recorder, levels = MAX_DEPTH }: ParseOptions) {
    this.#text = text
    this.#recorder = recorder
    this.#levels = levels
    this.#clean = !FORBIDDEN_CHARACTER.test(text)
  }

  run(): ParsedText {
    let value: unknown
    try {
      value = this.#value()
      this.#space()
      if (this.#at < this.#text.length) this.#trailing()
    } catch (error) {
      if (!(error instanceof UnreadableJson)) throw error
    }
    return { value, faults: this.#faults.list }
  }

  #value(nameStart?: number, nameEnd?: number): unknown {
    this.#space()
    const start = this.#at
    const value = this.#bare()
    if (this.#recorder) {
      const span = { start, end: this.#at }
      const named = nameStart === undefined || nameEnd === undefined
      this.#recorder(this.#path, named ? span : { ...span, nameStart, nameEnd })
    }
    return value
  }

  #bare(): unknown {
    const code = this.#text.charCodeAt(this.#at)
    if (code === 0x22) return this.#string()
    if (code === 0x7b) return this.#object()
    if (code === 0x5b) return this.#array()
    if (code === 0x2d || code === 0x2b || code === 0x2e || (code >= 0x30 && code <= 0x39)) {
      const token = readNumber(this.#text, this.#at, this.#faults)
      this.#at = token.end
      return token.value
    }
    WORD.lastIndex = this.#at
    const word = WORD.exec(this.#text)?.[0]
    if (word === undefined) this.#unexpected('a value')
    const literal = LITERALS.get(word)
    const start = this.#at
    this.#at += word.length
    if (literal !== undefined) return literal
    if (this.#at === this.#text.length && [...LITERALS.keys()].some((l) => l.startsWith(word))) {
      this.#faults.fatal('json-truncated', this.#at, this.#at, this.#opened())
    }
    this.#faults.add('json-form', start, this.#at, { fault: 'literal', found: word.slice(0, 40) })
    return null
  }

  #object(): Record<string, unknown> {
    const value: Record<string, unknown> = {}
    this.#enter()
    while (!this.#closes(0x7d)) {
      if (this.#text.charCodeAt(this.#at) !== 0x22) this.#unexpected('a member name in quotes')
      const nameStart = this.#at
      const name = this.#string()
      const nameEnd = this.#at
      this.#path.push(name)
      if (Object.hasOwn(value, name)) {
        this.#faults.add('json-duplicate-name', nameStart, nameEnd, { name })
      }
      this.#space()
      if (this.#text.charCodeAt(this.#at) !== 0x3a) this.#unexpected("':' after the member name")
      this.#at++
      define(value, name, this.#value(nameStart, nameEnd))
      this.#path.pop()
      this.#separator(0x7d, "',' or '}'")
    }
    this.#open.pop()
    return value
  }

  #array(): unknown[] {
    const values: unknown[] = []
    this.#enter()
    while (!this.#closes(0x5d)) {
      this.#path.push(values.length)
      values.push(this.#value())
      this.#path.pop()
      this.#separator(0x5d, "',' or ']'")
    }
    this.#open.pop()
    return values
  }

  #enter(): void {
    if (this.#open.length >= this.#levels) {
      this.#faults.fatal('json-depth', this.#at, this.#at + 1, { limit: this.#levels })
    }
    this.#open.push(this.#at)
    this.#at++
  }

  /** Skips the closing bracket if it is next. */
  #closes(bracket: number): boolean {
    this.#space()
    if (this.#text.charCodeAt(this.#at) !== bracket) return false
    this.#at++
    return true
  }

  /** After an element: skips a comma that something must follow, or stops at the closing bracket. */
  #separator(bracket: number, expected: string): void {
    this.#space()
    const code = this.#text.charCodeAt(this.#at)
    if (code === bracket) return
    if (code !== 0x2c) this.#unexpected(expected)
    const comma = this.#at
    this.#at++
    this.#space()
    const next = this.#text.charCodeAt(this.#at)
    if (next === bracket)
      this.#faults.add('json-form', comma, comma + 1, { fault: 'trailing-comma', found: ',' })
  }

  #string(): string {
    const { value, end } = readString(this.#text, this.#at, this.#faults, this.#clean)
    this.#at = end
    return value
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) this.#at++
      else if (code === 0x2f && this.#comment()) continue
      else return
    }
  }

  #comment(): boolean {
    const start = this.#at
    const block = this.#text.startsWith('/*', start)
    if (!block && !this.#text.startsWith('//', start)) return false
    const stop = this.#text.indexOf(block ? '*/' : '\n', start + 2)
    this.#at = stop === -1 ? this.#text.length : stop + (block ? 2 : 0)
    this.#faults.add('json-form', start, this.#at, { fault: 'comment', found: '' })
    return true
  }

  #trailing(): never {
    const found = describeCharacter(this.#text, this.#at)
    this.#faults.fatal('json-form', this.#at, this.#at + 1, { fault: 'trailing-text', found })
  }

  #unexpected(expected: string): never {
    if (this.#at >= this.#text.length) {
      this.#faults.fatal('json-truncated', this.#at, this.#at, this.#opened())
    }
    const found = describeCharacter(this.#text, this.#at)
    this.#faults.fatal('json-syntax', this.#at, this.#at + 1, { expected, found })
  }

  /** The innermost bracket that is still open at the end of the text. */
  #opened(): { what: string; openOffset: number } {
    const offset = this.#open.at(-1)
    if (offset === undefined) return { what: 'text', openOffset: 0 }
    return { what: this.#text[offset] === '{' ? 'object' : 'array', openOffset: offset }
  }
}

/** Sets an own member, even one called `__proto__`, as JSON.parse does. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value
  else
    Object.defineProperty(target, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** What was probably meant as a number: everything up to the next delimiter. */
const NUMBER_LIKE = /[-+.\w]+/y

interface NumberToken {
  readonly value: number
  readonly end: number
}

/**
 * Parses the number at `start`. A malformed number is reported and read as 0. A number that a double cannot represent
 * is also reported: `1e999` has no value, `1e-999` would silently become zero, and an integer beyond ±(2^53−1) may lose
 * a digit. Such an integer is allowed if it is spelled as in the canonical form of its double, so that canonical text
 * can be read again.
 */
export function readNumber(text: string, start: number, faults: Faults): NumberToken {
  NUMBER_LIKE.lastIndex = start
  const end = NUMBER_LIKE.test(text) ? NUMBER_LIKE.lastIndex : start + 1
  const source = text.slice(start, end)
  if (!NUMBER.test(source)) {
    faults.add('json-form', start, end, { fault: 'number', found: source })
    return { value: 0, end }
  }
  const value = Number(source)
  if (value !== 0 && (Number.isSafeInteger(value) || value % 1 !== 0) && Number.isFinite(value)) {
    return { value, end }
  }
  const found = shorten(source)
  const isInteger = !/[.eE]/.test(source)
  if (isInteger && losesDigits(source, value)) {
    faults.add('json-number-range', start, end, { fault: 'integer', found })
  } else if (!Number.isFinite(value) || (value === 0 && /^-?[0.]*[1-9]/.test(source))) {
    faults.add('json-number-range', start, end, { fault: 'double', found })
  }
  return { value, end }
}

/**
 * Whether an integer beyond ±(2^53−1) may lose a digit: its digits differ from those that RFC 8785 writes for its
 * double.
 */
export const losesDigits = (digits: string, value: number): boolean =>
  Math.abs(value) > Number.MAX_SAFE_INTEGER && digits !== String(value)

/** Shortens long digits for messages; the position shows where the rest is. */
function shorten(digits: string): string {
  return digits.length <= 40 ? digits : `${digits.slice(0, 36)}…`
}
