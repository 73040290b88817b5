import { codeVersion } from '../../evaluation/code-version.js'
import { refuseInside } from '../../evaluation/evidence/drawn-folder.js'
import { printReport } from '../../output/print.js'
import type { Table } from '../../table/types.js'
import { tableBytes } from '../../table/write.js'
import { evidenceTable, TABLE_NAMES } from '../../tidy/evidence-table.js'
import { command } from '../command.js'
import { interruptible } from '../interrupt.js'
import { checkOutput } from '../options/pair-inputs.js'
import { tableOutput, withTableOutput, writeTable } from '../options/table.js'
import { grouped } from '../wording.js'

export default command({
  positionals: '<folder> <table>',
  describe: 'Write an evaluation as a table for pandas, R or DuckDB',
  examples: [
    ['foreproof export evidence scores --out scores.csv', 'Every figure of every model'],
    ['foreproof export evidence losses --out losses.parquet', 'The losses of every origin'],
  ],
  options: (yargs) =>
    withTableOutput(
      yargs
        .positional('folder', {
          type: 'string',
          demandOption: true,
          describe: 'The folder that foreproof score wrote',
        })
        .positional('table', {
          choices: TABLE_NAMES,
          demandOption: true,
          describe: 'Figures, registered tests, losses by origin, or attempts',
        }),
      'csv',
    ),
  run: async ({ folder, table: name, ...args }, context) => {
    const { file, format } = tableOutput(args, 'csv', context)
    checkOutput(file, [])
    if (file !== undefined) refuseInside(folder, file)
    // Rows own standard output where they go there: what is said of them steps aside.
    const output =
      file === undefined ? { ...context, colour: false, stdout: context.stderr } : context
    const left = file === undefined ? 'Rows are missing.' : 'Nothing was written.'
    return await interruptible(left, async (signal) => {
      const made = await evidenceTable({ folder, table: name, code: codeVersion(), signal })
      if (!made.ok) {
        const headline = 'not exported; nothing was written'
        return await printReport(output, 'text', { findings: made.findings, headline })
      }
      const { table, rows } = counted(made.table)
      await writeTable(tableBytes(table, format), file, context)
      const { result, findings } = made
      return await printReport(output, 'text', {
        findings,
        body: `${file ?? 'standard output'}: ${grouped(rows())} rows of ${name}, as ${format}\nresult_sha256: ${result.result_sha256}`,
        headline: `${result.inputs.registration.name}: exported from the result, which was not audited`,
      })
    })
  },
})

/** The table, and how many rows of it have been taken. */
function counted(table: Table): { readonly table: Table; readonly rows: () => number } {
  let taken = 0
  const rows = async function* () {
    for await (const batch of table.rows) {
      taken += batch.length
      yield batch
    }
  }
  return { table: { columns: table.columns, rows: rows() }, rows: () => taken }
}
