import { latexText } from './text.js'

export interface LatexTable {
  readonly caption: string
  /** What `\\ref` finds it by. */
  readonly label: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** How many columns stand flush left; those after them stand flush right. */
  readonly left: number
  /** The result that the figures are from. */
  readonly result: string
}

/** A table for a paper. It needs no package, and a document in UTF-8. */
export function latexTable({ caption, label, head, rows, left, result }: LatexTable): string {
  const line = (cells: readonly string[]) => `${cells.map(latexText).join(' & ')} \\\\`
  const columns = head.map((_, index) => (index < left ? 'l' : 'r')).join('')
  return `% Made by foreproof from result ${result}.
% No package is needed. Put it in with \\input{...}; change caption, label and place as you like.
\\begin{table}
\\caption{${latexText(caption)}}
\\label{${label}}
\\begin{tabular}{${columns}}
\\hline
${line(head)}
\\hline
${rows.map((row) => `${line(row)}\n`).join('')}\\hline
\\end{tabular}
\\end{table}
`
}
