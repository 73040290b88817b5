import { closeSync } from 'node:fs'
import { ForeproofError, fileError } from '../contract/error.js'
import { openRegular, type RegularOptions, readInto } from './regular.js'

const PIECE = 1_048_576

/**
 * The lines of a file that foreproof wrote, in batches; the file need not fit into memory.
 * @param longest - maximum characters per line.
 * @throws {ForeproofError} `invalid-input` for a longer line, or a last line without a line end.
 */
export function* readLines(
  file: string,
  longest: number,
  options: RegularOptions = { links: 'refuse' },
): Generator<readonly string[]> {
  const descriptor = openRegular(file, options)
  const pieces = function* () {
    const piece = Buffer.alloc(PIECE)
    for (let read = readInto(descriptor, piece); read > 0; read = readInto(descriptor, piece)) {
      yield piece.subarray(0, read)
    }
  }
  try {
    yield* splitLines(pieces(), file, longest)
  } catch (cause) {
    throw fileError(cause, file)
  } finally {
    closeSync(descriptor)
  }
}

/** The same, from the bytes of a file, given in pieces. */
export function* splitLines(
  pieces: Iterable<Uint8Array>,
  file: string,
  longest: number,
): Generator<readonly string[]> {
  let rest = ''
  let line = 0
  for (const piece of pieces) {
    const { buffer, byteOffset, length } = piece
    const text = rest + Buffer.from(buffer, byteOffset, length).toString('latin1')
    const lines = text.split('\n')
    rest = lines.pop() ?? ''
    line += lines.length
    if (rest.length > longest) throw invalidLineError(file, line + 1, 'is too long')
    yield lines.map((each) => Buffer.from(each, 'latin1').toString('utf8'))
  }
  if (rest !== '') throw invalidLineError(file, line + 1, 'is not ended')
}

/** The error for a line that foreproof cannot have written. */
export function invalidLineError(file: string, line: number, message: string): ForeproofError {
  return new ForeproofError('invalid-input', `${file}:${line}: this line ${message}`, {
    file,
    position: { line, column: 1 },
    help: 'The file was edited or cut. Take it as foreproof wrote it.',
  })
}
