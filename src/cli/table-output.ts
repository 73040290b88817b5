import { writePiecesAtomic } from '../files/atomic.js'
import type { ReportOutput } from '../output/print.js'
import { TABLE_FORMATS, type Table, type TableFormat } from '../table/table.js'
import type { Context } from './command.js'
import { choice, text, usage } from './options.js'
import { writeOut } from './output.js'

/** The options of a command whose answer is a table. */
export const tableOptions = (fallback: TableFormat) => ({
  out: text('File to write (default, and with -: standard output)'),
  format: choice(TABLE_FORMATS, `What to write (by the ending of --out, else ${fallback})`),
})

/** The destination and format of a table. */
interface TableOutput {
  /** Undefined for standard output. */
  readonly file: string | undefined
  readonly format: TableFormat
}

/**
 * Resolves the values of `tableOptions`.
 * @throws {ForeproofError} `usage` if Parquet would go to a terminal.
 */
export function tableOutput(
  args: { readonly out: string | undefined; readonly format: TableFormat | undefined },
  fallback: TableFormat,
  { stdout }: Pick<Context, 'stdout'>,
): TableOutput {
  const file = args.out === '-' ? undefined : args.out
  const byName = TABLE_FORMATS.find((format) => file?.toLowerCase().endsWith(`.${format}`))
  const format = args.format ?? byName ?? fallback
  if (file === undefined && format === 'parquet' && stdout.isTTY) {
    throw usage(
      'Parquet is not for a terminal',
      'Name a file with --out, or lead the output into one.',
    )
  }
  return { file, format }
}

/** Writes to standard output, or to a file that appears only when it is complete. */
export async function writeTable(
  bytes: AsyncIterable<string | Uint8Array>,
  file: string | undefined,
  { stdout }: Pick<Context, 'stdout'>,
): Promise<void> {
  if (file !== undefined) return await writePiecesAtomic(file, bytes)
  for await (const piece of bytes) await writeOut(stdout, piece)
}

/** If the rows go to standard output, messages about them go to standard error. */
export function diagnosticRows(file: string | undefined, context: Context): ReportOutput {
  return file === undefined ? { ...context, colour: false, stdout: context.stderr } : context
}

/** A table that counts the rows read from it. */
export function countedRows(table: Table): { readonly table: Table; readonly rows: () => number } {
  let count = 0
  const rows = async function* () {
    for await (const batch of table.rows) {
      count += batch.length
      yield batch
    }
  }
  return { table: { columns: table.columns, rows: rows() }, rows: () => count }
}
