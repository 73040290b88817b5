import { EXIT, type ExitCode } from '../contract/error.js'
import { printable, printableJson, printableLines } from '../contract/printable.js'
import type { HistoryImportCounts } from '../history/import/import.js'
import type { Terminal } from './command.js'

/** `1 protocol`, `2 protocols`, `2 entries`. */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** A whole number with separators: `13,872`. */
export function grouped(value: number): string {
  return value.toLocaleString('en')
}

/**
 * Names with a remark each, one per line, in two columns; a name without a remark is left out. The text is untrusted.
 * @param least - smallest width of the first column.
 */
export function twoColumns(
  given: readonly (readonly [name: string, text: string | undefined])[],
  least = 0,
): string {
  const rows = given.filter(([, text]) => text !== undefined)
  const width = Math.max(least, ...rows.map(([name]) => printable(name).length))
  return rows
    .map(([name, text = '']) => `${printable(name).padEnd(width)}  ${printable(text)}`.trimEnd())
    .join('\n')
}

/** Rows of cells in columns: the first left-aligned, figures right-aligned. The text is untrusted. */
export function alignColumns(given: readonly (readonly string[])[]): string[] {
  const rows = given.map((row) => row.map(printable))
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const padded = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(padded).join('  '))
}

/** The result of writing rows to a history. */
export function putCounts(
  name: string,
  { added, unchanged, conflicts }: HistoryImportCounts,
): string {
  return `${name.padEnd(9)}  ${added} new, ${unchanged} already there, ${conflicts} in conflict`
}

/** The texts of documents by name, for the lines around findings. */
export function textLookup(documents: readonly { readonly file: string; readonly text: string }[]) {
  const texts = new Map(documents.map(({ file, text }) => [file, text]))
  return (file: string) => texts.get(file) || undefined
}

/** Prints an answer that is not a list of findings: as JSON, or as text. */
export function printAnswer(
  { stdout }: Pick<Terminal, 'stdout'>,
  isJson: boolean,
  figures: object,
  text: string,
): ExitCode {
  const shown = isJson ? printableJson(figures, 2) : printableLines(text)
  stdout.write(`${shown.trimEnd()}\n`)
  return EXIT.holds
}
