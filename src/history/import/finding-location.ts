import type { Finding } from '../../contract/findings/finding.js'
import { readDocument } from '../../document/read.js'
import { MAX_VALUE_BYTES } from './read-value.js'
import type { Piece } from './splitter.js'

/** Tells a finding where in its file it belongs. */
export type Locate = (finding: Finding) => Finding

/** Locates findings of a value by reading its text again, which only a faulty value costs. */
export function locateIn(piece: Piece, file: string): Locate {
  return (finding) => {
    const pointer = finding.pointer ?? ''
    const read = readDocument(piece.bytes, file, { maxBytes: MAX_VALUE_BYTES })
    const position = read.ok ? read.positionOf(pointer) : { line: 1, column: 1 }
    return moveIntoFile({ ...finding, file, pointer, position }, piece)
  }
}

/** From a place in the value's text to one in its file. */
export function moveIntoFile(finding: Finding, { line, column, pointer }: Piece): Finding {
  const { position, args } = finding
  // Sentences about another place in the same text name it by line and column.
  const { line: there } = args
  const elsewhere = typeof there === 'number' && {
    args: {
      ...args,
      line: line - 1 + there,
      column: Number(args.column) + (there === 1 ? column - 1 : 0),
    },
  }
  return {
    ...finding,
    ...elsewhere,
    ...(finding.pointer !== undefined && { pointer: `${pointer}${finding.pointer}` }),
    position: {
      line: line - 1 + (position?.line ?? 1),
      column: (position?.column ?? 1) + (position?.line === 1 ? column - 1 : 0),
      ...(position?.endLine !== undefined && { endLine: line - 1 + position.endLine }),
      ...(position?.endColumn !== undefined && {
        endColumn: position.endColumn + (position.endLine === 1 ? column - 1 : 0),
      }),
    },
  }
}
