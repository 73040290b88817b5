import type { ExitCode } from '../../contract/error.js'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { codeVersion } from '../../evaluation/code-version.js'
import { refuseInside } from '../../evaluation/evidence/draw.js'
import type { Omissions } from '../../exchange/forecasts.js'
import type { HubWritten } from '../../exchange/hubverse/folder.js'
import { writeHub } from '../../exchange/hubverse/write.js'
import { writeSeriesHub } from '../../exchange/hubverse/write-series.js'
import { scoringutilsTable } from '../../exchange/scoringutils/table.js'
import { type ForecastSource, openForecasts } from '../../exchange/source.js'
import { printReport } from '../../output/print.js'
import { readSeriesProtocol } from '../../protocol/series.js'
import type { TableFormat } from '../../table/types.js'
import { tableBytes } from '../../table/write.js'
import { evidenceTable, TABLE_NAMES } from '../../tidy/evidence-table.js'
import { readTruth } from '../../truth/vintage.js'
import { type ArgumentsOf, type Context, command } from '../command.js'
import { checkOutput, needed, oneOf, text, usage } from '../options.js'
import { besideRows, countedRows, tableOptions, tableOutput, writeTable } from '../table-output.js'
import { grouped } from '../wording.js'
import { interruptible } from '../work.js'

/** Formats of others that forecasts can be written in. */
const EXCHANGES = ['hubverse', 'scoringutils'] as const
type Exchange = (typeof EXCHANGES)[number]

const options = {
  source: needed('The folder that foreproof score wrote; with --to, a history too'),
  table: oneOf(
    TABLE_NAMES,
    'Figures, registered tests, losses by origin, attempts, or series by step',
  ),
  to: oneOf(EXCHANGES, 'Forecasts in a format of others, instead of a table'),
  outcomes: text(
    'For the forecasts of a history: the vintage that has the closes; of any series, the releases',
  ),
  protocol: text('Of a history of any series, with --to hubverse: the protocol of version 2'),
  ...tableOptions('csv'),
}
type Arguments = ArgumentsOf<typeof options>

export default command({
  positionals: '<source> [table]',
  examples: {
    'foreproof export evidence scores --out scores.csv': 'Every figure of every model',
    'foreproof export evidence losses --out losses.parquet': 'The losses of every origin',
    'foreproof export history.sqlite --to hubverse --out hub': 'Every forecast, as a modeling hub',
    'foreproof export evidence --to scoringutils --out quantiles.csv': 'For as_forecast_quantile()',
  },
  options,
  run: async (args, context) => {
    const { source: folder, table: name } = args
    if (args.protocol !== undefined) {
      if (args.to === 'hubverse') return await seriesHub(folder, args.protocol, args, context)
      throw usage('--protocol needs --to hubverse', 'It is for forecasts of any series.')
    }
    if (args.to !== undefined) {
      if (name === undefined) return await exportTo(args.to, folder, args, context)
      throw usage(
        `--to ${args.to} writes forecasts, and no table ${name}`,
        'Leave one of the two out.',
      )
    }
    if (name === undefined || args.outcomes !== undefined) {
      const what = name === undefined ? 'which table to write is not said' : '--outcomes needs --to'
      throw usage(
        what,
        `Name ${TABLE_NAMES.join(', ')}, or a format: --to ${EXCHANGES.join(' or --to ')}.`,
      )
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

type Opened = Extract<ForecastSource, { ok: true }>

/** `foreproof export SOURCE --to FORMAT`. @returns the exit code. */
async function exportTo(
  to: Exchange,
  source: string,
  asked: Arguments,
  context: Context,
): Promise<ExitCode> {
  const out = asked.out === '-' ? undefined : asked.out
  if (out !== undefined) refuseInside(source, out)
  const left = out === undefined && to === 'scoringutils' ? 'Rows are missing.' : NOTHING
  return await interruptible(left, async (signal) => {
    const { outcomes } = asked
    const opened = await openForecasts({ source, outcomes, code: codeVersion(), signal })
    if (opened.ok && to === 'hubverse')
      return await hubverse(opened, source, asked, context, signal)
    if (opened.ok) return await scoringutils(opened, source, asked, context)
    const headline = 'not exported; nothing was written'
    return await printReport(besideRows(out, context), 'text', {
      findings: opened.findings,
      headline,
    })
  })
}

const NOTHING = 'Nothing was written.'

/** A history of any series as a hub. @returns the exit code. */
async function seriesHub(
  source: string,
  protocol: string,
  { out, format = 'csv', outcomes }: Arguments,
  context: Context,
): Promise<ExitCode> {
  const folder = demandHub(out, format)
  const task = await readSeriesProtocol(protocol)
  const truth = outcomes === undefined ? undefined : readTruth(outcomes)
  return await interruptible(NOTHING, async (signal) => {
    const { leftOut, ...hub } = await writeSeriesHub({ source, task, ...folder, truth, signal })
    const findings = leftOutFindings('hubverse', leftOut, folder.out)
    return await printHub(hub, { source, ...folder }, findings, context)
  })
}

async function printHub(
  { forecasts, models, rounds, files }: HubWritten,
  {
    source,
    out,
    format,
  }: { readonly source: string; readonly out: string; readonly format: string },
  findings: readonly Finding[],
  context: Context,
): Promise<ExitCode> {
  const counts = `${grouped(forecasts)} forecasts, ${models.length} models, ${grouped(rounds)} rounds, ${grouped(files)} files of model output`
  const [body, headline] = [`${out}: ${counts}, as ${format}`, `${source}: exported as a hub`]
  return await printReport(context, 'text', { findings, body, headline })
}

/** @throws {ForeproofError} `usage` for what is no place or format of a hub. */
function demandHub(out: string | undefined, format: TableFormat) {
  if (out !== undefined && out !== '-' && (format === 'csv' || format === 'parquet')) {
    return { out, format } as const
  }
  const isOther = format !== 'csv' && format !== 'parquet'
  const what = isOther ? 'a hub is CSV or Parquet' : 'a hub is a folder'
  throw usage(
    `${what}: --to hubverse --out FOLDER --format csv|parquet`,
    'Name a folder that does not exist.',
  )
}

async function hubverse(
  { forecasts, leftOut, findings }: Opened,
  source: string,
  asked: Arguments,
  context: Context,
  signal: AbortSignal,
): Promise<ExitCode> {
  const folder = demandHub(asked.out, asked.format ?? 'csv')
  const hub = await writeHub(forecasts, { ...folder, signal })
  const all = [...findings, ...leftOutFindings('hubverse', leftOut, folder.out)]
  return await printHub(hub, { source, ...folder }, all, context)
}

async function scoringutils(
  { forecasts, leftOut, findings }: Opened,
  source: string,
  asked: Arguments,
  context: Context,
): Promise<ExitCode> {
  const { file, format } = tableOutput(asked, 'csv', context)
  checkOutput(file, [source])
  const { table, rows } = countedRows(scoringutilsTable(forecasts, leftOut))
  await writeTable(tableBytes(table, format), file, context)
  return await printReport(besideRows(file, context), 'text', {
    findings: [...findings, ...leftOutFindings('scoringutils', leftOut, file ?? source)],
    body: `${file ?? 'standard output'}: ${grouped(rows())} rows, as ${format}`,
    headline: `${source}: exported for scoringutils`,
  })
}

function leftOutFindings(format: Exchange, { counts }: Omissions, file: string): Finding[] {
  if (Object.keys(counts).length === 0) return []
  return [finding('exchange-left-out', { format, counts }, { file })]
}
