import { firstByte, NEWLINE, type Piece, refuseLarge, type Splitter } from './piece.js'

/** One value per line; blank lines are none. */
export function lineSplitter(file: string): Splitter {
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
      refuseLarge(rest.length, file, line + 1)
      return pieces
    },
    end: () => (rest.length === 0 ? [] : piece(rest)),
  }
}
