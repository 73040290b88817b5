import { ForeproofError } from '../contract/error.js'

/** The most bytes that one line, element or page may have. */
export const MAX_VALUE_BYTES = 64 * 1024 * 1024

/** The text of one JSON value of an input, and where it begins. */
export interface Piece {
  readonly bytes: Buffer
  readonly line: number
  readonly column: number
  /** Pointer to it in the whole input: `/12` for an element of an array, else empty. */
  readonly pointer: string
}

/** Cuts an input into values without reading them, as its bytes come. */
export interface Splitter {
  push(chunk: Buffer): Piece[]
  /** What is left at the end of the input. */
  end(): Piece[]
  /** The input is an array, which may well be empty. */
  readonly sawArray?: boolean
}

export const NEWLINE = 0x0a
const WHITE_SPACE = [0x20, 0x09, 0x0d, NEWLINE]

/** Index of the first byte that is no white space, or -1. */
export function firstByte(bytes: Buffer): number {
  return bytes.findIndex((byte) => byte > 0x20 || !WHITE_SPACE.includes(byte))
}

/** The last one, or undefined. */
export function lastByte(bytes: Buffer): number | undefined {
  return bytes.findLast((byte) => !WHITE_SPACE.includes(byte))
}

/** Stops at a value that is longer than any may be. */
export function refuseLarge(size: number, file: string, line: number): void {
  if (size <= MAX_VALUE_BYTES) return
  throw new ForeproofError('invalid-input', `a value longer than ${MAX_VALUE_BYTES} bytes`, {
    file,
    position: { line, column: 1 },
    help: 'Write one forecast per line (NDJSON).',
  })
}
