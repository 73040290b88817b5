import { ForeproofError } from '../contract/error.js'
import type { Position } from '../contract/findings/finding.js'
import type { PartOfFile } from '../document/moved.js'

export const OPEN_ARRAY = 0x5b
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d

/**
 * An input that begins with `[` is an array. If its first line is a complete object, or not an object, it has one
 * value per line. Otherwise it is one document.
 */
export function createSplitter(file: string): Splitter {
  let pending: Buffer = Buffer.alloc(0)
  let chosen: Splitter | undefined
  const choose = (atEnd: boolean): Splitter | undefined => {
    const start = firstByte(pending)
    if (start === -1 && !atEnd) return undefined
    if (pending[start] === OPEN_ARRAY) return arraySplitter(file)
    if (pending[start] !== OPEN_OBJECT) return lineSplitter(file)
    const newline = pending.indexOf(NEWLINE, start)
    if (newline === -1 && !atEnd) return undefined
    const line = newline === -1 ? pending : pending.subarray(0, newline)
    return lastByte(line) === CLOSE_OBJECT ? lineSplitter(file) : wholeSplitter(file)
  }
  const settle = (atEnd: boolean): Piece[] => {
    chosen = choose(atEnd)
    if (chosen === undefined) assertNotTooLarge(pending.length, file, 1)
    return chosen?.push(pending) ?? []
  }
  return {
    get sawArray() {
      return chosen?.sawArray === true
    },
    push(chunk) {
      if (chosen !== undefined) return chosen.push(chunk)
      pending = Buffer.concat([pending, chunk])
      return settle(false)
    },
    end() {
      const pieces = chosen === undefined ? settle(true) : []
      return [...pieces, ...(chosen?.end() ?? [])]
    },
  }
}

/** All of the input is one value. */
function wholeSplitter(file: string): Splitter {
  const chunks: Buffer[] = []
  let size = 0
  return {
    push(chunk) {
      chunks.push(chunk)
      size += chunk.length
      assertNotTooLarge(size, file, 1)
      return []
    },
    end: () => [{ bytes: Buffer.concat(chunks), line: 1, column: 1, pointer: '' }],
  }
}

/** Maximum size of one line, element or page. */
export const MAX_VALUE_BYTES = 64 * 1024 * 1024

/** The text of one JSON value and its position; the pointer is empty unless it is in an array. */
export interface Piece extends PartOfFile {
  readonly bytes: Buffer
}

/** Splits an input into values as bytes arrive, without parsing them. */
interface Splitter {
  push(chunk: Buffer): Piece[]
  /** The rest at the end of the input. */
  end(): Piece[]
  /** The input is an array, which may well be empty. */
  readonly sawArray?: boolean
}

export const NEWLINE = 0x0a
const WHITE_SPACE = [0x20, 0x09, 0x0d, NEWLINE]

/** Index of the first byte that is no white space, or -1. */
function firstByte(bytes: Buffer): number {
  return bytes.findIndex((byte) => byte > 0x20 || !WHITE_SPACE.includes(byte))
}

/** The last one, or undefined. */
export function lastByte(bytes: Buffer): number | undefined {
  return bytes.findLast((byte) => !WHITE_SPACE.includes(byte))
}

/** Throws at a value that is too large. */
function assertNotTooLarge(size: number, file: string, line: number): void {
  if (size <= MAX_VALUE_BYTES) return
  throw faulty(file, line, `a value longer than ${MAX_VALUE_BYTES} bytes`, PER_LINE)
}

const PER_LINE = 'Write one forecast per line (NDJSON).'
const ONE_ARRAY = 'One array per file; for more values use one per line (NDJSON).'

function faulty(file: string, line: number, message: string, help: string, column = 1) {
  return new ForeproofError('invalid-input', message, { file, position: { line, column }, help })
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d

/** Of an array such as `[1,]`. */
function noValue(file: string, { line, column }: Position, isLast: boolean) {
  const message = `the array has no value ${isLast ? 'after the last comma' : 'before a comma'}`
  return faulty(file, line, message, 'Remove the comma.', column)
}

/** Tracks strings and brackets, only to find where an element of the array ends. */
function arraySplitter(file: string): Splitter {
  let rest: Buffer = Buffer.alloc(0)
  let scanned = 0
  let depth = 0
  let inString = false
  let elements = 0
  let closed = false
  /** Of the first byte of `rest`. */
  let line = 1
  let column = 1

  const advance = (bytes: Buffer): void => {
    let newline = bytes.indexOf(NEWLINE)
    if (newline === -1) column += bytes.length
    for (; newline !== -1; newline = bytes.indexOf(NEWLINE, newline + 1)) {
      line++
      column = bytes.length - newline
    }
  }
  const cut = (end: number, isLast: boolean): Piece[] => {
    const element = rest.subarray(0, end)
    const blank = firstByte(element)
    const at = blank === -1 ? 0 : blank
    advance(element.subarray(0, at))
    const position = { line, column }
    advance(rest.subarray(at, end + 1))
    rest = rest.subarray(end + 1)
    scanned = 0
    if (blank === -1 && isLast && elements === 0) return []
    if (blank === -1) throw noValue(file, position, isLast)
    return [{ bytes: element.subarray(at), ...position, pointer: `/${elements++}` }]
  }
  const scan = (): Piece[] => {
    const pieces: Piece[] = []
    for (; scanned < rest.length && !closed; scanned++) {
      const byte = rest[scanned]
      if (inString) {
        if (byte === BACKSLASH) scanned++
        else if (byte === QUOTE) inString = false
      } else if (byte === QUOTE) inString = true
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (++depth === 1) {
          advance(rest.subarray(0, scanned + 1))
          rest = rest.subarray(scanned + 1)
          scanned = -1
        }
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        if (--depth === 0) {
          pieces.push(...cut(scanned, true))
          closed = true
        }
      } else if (byte === COMMA && depth === 1) {
        pieces.push(...cut(scanned, false))
        scanned = -1
      }
    }
    return pieces
  }
  return {
    sawArray: true,
    push(chunk) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const pieces = scan()
      assertNotTooLarge(rest.length, file, line)
      return pieces
    },
    end() {
      if (!closed) {
        const message = 'the array does not end: the file was cut off'
        throw faulty(file, line, message, 'Copy or write the file again.')
      }
      const after = firstByte(rest)
      if (after !== -1) {
        advance(rest.subarray(0, after))
        throw faulty(file, line, 'text after the end of the array', ONE_ARRAY, column)
      }
      return []
    },
  }
}

/** One value per line; blank lines are skipped. */
function lineSplitter(file: string): Splitter {
  let rest: Buffer = Buffer.alloc(0)
  let line = 0
  const piece = (bytes: Buffer): Piece[] => {
    line++
    return firstByte(bytes) === -1 ? [] : [{ bytes, line, column: 1, pointer: '' }]
  }
  return {
    push(chunk) {
      const pieces: Piece[] = []
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let start = 0
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        pieces.push(...piece(bytes.subarray(start, end)))
        start = end + 1
      }
      rest = bytes.subarray(start)
      assertNotTooLarge(rest.length, file, line + 1)
      return pieces
    },
    end: () => (rest.length === 0 ? [] : piece(rest)),
  }
}
