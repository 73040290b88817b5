import { ForeproofError } from '../contract/error.js'
import { firstByte, NEWLINE, type Piece, refuseLarge, type Splitter } from './piece.js'

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Follows strings and brackets just far enough to know where an element of the array ends. */
export function arraySplitter(file: string): Splitter {
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
    const place = { line, column }
    advance(rest.subarray(at, end + 1))
    rest = rest.subarray(end + 1)
    scanned = 0
    if (blank === -1 && isLast && elements === 0) return []
    return [{ bytes: element.subarray(at), ...place, pointer: `/${elements++}` }]
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
      refuseLarge(rest.length, file, line)
      return pieces
    },
    end() {
      if (!closed) throw truncatedArray(file, line)
      const after = firstByte(rest)
      if (after !== -1) {
        advance(rest.subarray(0, after))
        throw trailing(file, line, column)
      }
      return []
    },
  }
}

function truncatedArray(file: string, line: number): ForeproofError {
  return new ForeproofError('invalid-input', 'the array does not end: the file was cut off', {
    file,
    position: { line, column: 1 },
    help: 'Copy or write the file again.',
  })
}

function trailing(file: string, line: number, column: number): ForeproofError {
  return new ForeproofError('invalid-input', 'text after the end of the array', {
    file,
    position: { line, column },
    help: 'One array per file; for more values use one per line (NDJSON).',
  })
}
