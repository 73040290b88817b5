import type { Finding } from '../../contract/findings/finding.js'
import { moved } from '../../document/moved.js'
import { readDocument } from '../../document/read.js'
import type { Piece } from './piece.js'
import { MAX_VALUE_BYTES } from './read-value.js'

/** Tells a finding where in its file it belongs. */
export type Locate = (finding: Finding) => Finding

/** Locates findings of a value by reading its text again, which only a faulty value costs. */
export function locateIn(piece: Piece, file: string): Locate {
  return (finding) => {
    const pointer = finding.pointer ?? ''
    const read = readDocument(piece.bytes, file, { maxBytes: MAX_VALUE_BYTES })
    const position = read.ok ? read.positionOf(pointer) : { line: 1, column: 1 }
    return moved({ ...finding, file, pointer, position }, piece)
  }
}
