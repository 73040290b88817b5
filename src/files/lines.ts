import { closeSync } from 'node:fs'
import { ForeproofError, fileError } from '../contract/error.js'
import { openRegular, type RegularOptions, readInto } from './regular.js'

const PIECE = 1_048_576

/**
 * The lines of a file that foreproof wrote, some at a time; the file need not fit into memory.
 * @param longest - characters that a line may have.
 * @throws {ForeproofError} `invalid-input` for a longer line, and for a last line without an end.
 */
export function* linesIn(
  file: string,
  longest: number,
  options: RegularOptions = { links: 'refuse' },
): Generator<readonly string[]> {
  const descriptor = openRegular(file, options)
  try {
    const piece = Buffer.alloc(PIECE)
    let rest = ''
    let line = 0
    for (let read = readInto(descriptor, piece); read > 0; read = readInto(descriptor, piece)) {
      const text = rest + piece.toString('latin1', 0, read)
      const lines = text.split('\n')
      rest = lines.pop() ?? ''
      line += lines.length
      if (rest.length > longest) throw faultyLine(file, line + 1, 'is too long')
      yield lines.map((each) => Buffer.from(each, 'latin1').toString('utf8'))
    }
    if (rest !== '') throw faultyLine(file, line + 1, 'is not ended')
  } catch (cause) {
    throw fileError(cause, file)
  } finally {
    closeSync(descriptor)
  }
}

/** The error for a line that foreproof cannot have written. */
export function faultyLine(file: string, line: number, says: string): ForeproofError {
  return new ForeproofError('invalid-input', `${file}:${line}: this line ${says}`, {
    file,
    position: { line, column: 1 },
    help: 'The file was edited or cut. Take it as foreproof wrote it.',
  })
}
