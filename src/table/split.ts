import { firstByte, lastByte, NEWLINE, type Piece, refuseLarge, type Splitter } from './piece.js'
import { arraySplitter } from './split-array.js'
import { lineSplitter } from './split-lines.js'

const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * An input that begins with `[` is an array; one whose first line is a complete object, or no object
 * at all, holds a value per line; any other is one document.
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
    if (chosen === undefined) refuseLarge(pending.length, file, 1)
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
      refuseLarge(size, file, 1)
      return []
    },
    end: () => [{ bytes: Buffer.concat(chunks), line: 1, column: 1, pointer: '' }],
  }
}
