import { ForeproofError } from '../../contract/error.js'
import { codeVersion } from '../../evaluation/code-version.js'
import { refuseInside } from '../../evaluation/evidence/drawn-folder.js'
import { REFERENCE_DATES } from '../../exchange/hubverse/columns.js'
import { printReport } from '../../output/print.js'
import { tableBytes } from '../../table/write.js'
import { evidenceTable, TABLE_NAMES } from '../../tidy/evidence-table.js'
import { command } from '../command.js'
import { EXCHANGES, exportTo } from '../export-to.js'
import { checkOutput, needed, oneOf, oneOfOr, text } from '../options.js'
import { besideRows, countedRows, tableOptions, tableOutput, writeTable } from '../table-output.js'
import { grouped } from '../wording.js'
import { interruptible } from '../work.js'

export default command({
  positionals: '<source> [table]',
  examples: [
    ['foreproof export evidence scores --out scores.csv', 'Every figure of every model'],
    ['foreproof export evidence losses --out losses.parquet', 'The losses of every origin'],
    [
      'foreproof export history.sqlite --to hubverse --out hub',
      'Every forecast, as a modeling hub',
    ],
    [
      'foreproof export evidence --to scoringutils --out quantiles.csv',
      'For as_forecast_quantile()',
    ],
  ],
  options: {
    source: needed('The folder that foreproof score wrote; with --to, a history too'),
    table: oneOf(TABLE_NAMES, 'Figures, registered tests, losses by origin, or attempts'),
    to: oneOf(EXCHANGES, 'Forecasts in a format of others, instead of a table'),
    outcomes: text('For the forecasts of a history: the vintage that has the closes'),
    'max-files': {
      type: 'number',
      default: 10_000,
      describe: 'Of a hub: refuse to write more files of model output',
    },
    'reference-dates': oneOfOr(
      'hourly',
      REFERENCE_DATES,
      'Of a hub: a file for each model and origin, or for each model and week',
    ),
    ...tableOptions('csv'),
  },
  run: async ({ source: folder, table: name, ...args }, context) => {
    if (args.to !== undefined) {
      if (name === undefined) return await exportTo(args.to, folder, args, context)
      throw new ForeproofError('usage', `--to ${args.to} writes forecasts, and no table ${name}`, {
        help: 'Leave one of the two out.',
      })
    }
    if (name === undefined || args.outcomes !== undefined) {
      const what = name === undefined ? 'which table to write is not said' : '--outcomes needs --to'
      throw new ForeproofError('usage', what, {
        help: `Name ${TABLE_NAMES.join(', ')}, or a format: --to ${EXCHANGES.join(' or --to ')}.`,
      })
    }
    const { file, format } = tableOutput(args, 'csv', context)
    checkOutput(file, [])
    if (file !== undefined) refuseInside(folder, file)
    const output = besideRows(file, context)
    const left = file === undefined ? 'Rows are missing.' : 'Nothing was written.'
    return await interruptible(left, async (signal) => {
      const made = await evidenceTable({ folder, table: name, code: codeVersion(), signal })
      if (!made.ok) {
        const headline = 'not exported; nothing was written'
        return await printReport(output, 'text', { findings: made.findings, headline })
      }
      const { table, rows } = countedRows(made.table)
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
