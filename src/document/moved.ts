import type { Finding } from '../contract/findings/finding.js'

/** The position of a text in the file that contains it. */
export interface PartOfFile {
  readonly line: number
  readonly column: number
  /** Pointer to its value in the file. */
  readonly pointer: string
}

/** Converts a finding's position in a text to the position in the file that contains the text. */
export function moveFindings(finding: Finding, part: PartOfFile): Finding {
  const { position } = finding
  const toLine = (line: number) => part.line - 1 + line
  const toColumn = (column: number, line: number | undefined) =>
    column + (line === 1 ? part.column - 1 : 0)
  return {
    ...withArgumentsMoved(finding, ({ line, column }) => {
      return { line: toLine(line), column: toColumn(column, line) }
    }),
    ...(finding.pointer !== undefined && { pointer: `${part.pointer}${finding.pointer}` }),
    position: {
      line: toLine(position?.line ?? 1),
      column: toColumn(position?.column ?? 1, position?.line),
      ...(position?.endLine !== undefined && { endLine: toLine(position.endLine) }),
      ...(position?.endColumn !== undefined && {
        endColumn: toColumn(position.endColumn, position.endLine),
      }),
    },
  }
}

interface LineAndColumn {
  readonly line: number
  readonly column: number
}

/** The arguments of some findings contain another position in the same text. */
function withArgumentsMoved(finding: Finding, move: (at: LineAndColumn) => LineAndColumn): Finding {
  if (finding.code !== 'json-truncated' && finding.code !== 'json-duplicate-name') return finding
  return { ...finding, args: { ...finding.args, ...move(finding.args) } } as Finding
}
