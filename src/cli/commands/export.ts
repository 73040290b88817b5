import type { ExitCode } from '../../contract/error.js'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { codeVersion } from '../../evaluation/code-version.js'
import { refuseInside } from '../../evaluation/evidence/draw.js'
import type { Omissions } from '../../exchange/forecasts.js'
import { writeHub } from '../../exchange/hubverse/write.js'
import { writeSeriesHub } from '../../exchange/hubverse/write-series.js'
import { scoringutilsTable } from '../../exchange/scoringutils/table.js'
import { openForecasts } from '../../exchange/source.js'
import { counted } from '../../output/figures.js'
import { printReport } from '../../output/print.js'
import { readSeriesProtocol } from '../../protocol/series.js'
import { isPostgres } from '../../store/postgres/address.js'
import { isNoHistory, shownHistory } from '../../store/shown.js'
import type { TableFormat } from '../../table/types.js'
import { tableBytes } from '../../table/write.js'
import { evidenceTable, TABLE_NAMES, type TableName } from '../../tidy/evidence-table.js'
import { readTruth } from '../../truth/vintage.js'
import { type ArgumentsOf, type Context, command } from '../command.js'
import { checkOutput, needed, oneOf, text, usage } from '../options.js'
import { besideRows, countedRows, tableOptions, tableOutput, writeTable } from '../table-output.js'
import { grouped } from '../wording.js'
import { interruptible } from '../work.js'

/** Formats of others that forecasts can be written in. */
const EXCHANGES = ['hubverse', 'scoringutils'] as const
type Exchange = (typeof EXCHANGES)[number]

/** What each table holds, for `--help`. */
const HOLDS: Readonly<Record<TableName, string>> = {
  scores: 'figures',
  tests: 'registered tests',
  losses: 'losses by origin',
  pairs: 'attempts',
  cells: 'series by step',
}

const options = {
  source: needed('The folder that foreproof score wrote; with --to, a history too'),
  table: oneOf(
    TABLE_NAMES,
    Object.entries(HOLDS)
      .map(([name, what]) => `${name}: ${what}`)
      .join('; '),
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
    refuseMixed(args)
    return args.to === 'hubverse' ? await exportHub(args, context) : await exportRows(args, context)
  },
})

/** @throws {ForeproofError} `usage` for what does not go together. */
function refuseMixed({ source, to, table, outcomes, protocol }: Arguments): void {
  if (isNoHistory(source) || (to === undefined && isPostgres(source))) {
    throw usage(
      `${shownHistory(source)}: no evidence`,
      'Name the folder that foreproof score wrote; with --to, a history, as postgres://user@host/database too.',
    )
  }
  if (protocol !== undefined && to !== 'hubverse') {
    throw usage('--protocol needs --to hubverse', 'It is for forecasts of any series.')
  }
  if (to !== undefined && table !== undefined) {
    throw usage(`--to ${to} writes forecasts, and no table ${table}`, 'Leave one of the two out.')
  }
  if (to !== undefined || (table !== undefined && outcomes === undefined)) return
  throw usage(
    table === undefined ? 'which table to write is not said' : '--outcomes needs --to',
    `Name ${TABLE_NAMES.join(', ')}, or a format: --to ${EXCHANGES.join(' or --to ')}.`,
  )
}

const NOTHING = 'Nothing was written.'
const NOT_EXPORTED = 'not exported; nothing was written'

/** A table of an evaluation, or forecasts for scoringutils. */
async function exportRows(args: Arguments, context: Context): Promise<ExitCode> {
  const { source, table: name } = args
  const { file, format } = tableOutput(args, 'csv', context)
  checkOutput(file, [source])
  if (file !== undefined) refuseInside(source, file)
  const output = besideRows(file, context)
  const left = file === undefined ? 'Rows are missing.' : NOTHING
  return await interruptible(left, async (signal) => {
    const made =
      name === undefined
        ? await quantileTable(source, args.outcomes, signal)
        : await evidenceTable({ folder: source, table: name, code: codeVersion(), signal })
    if (!made.ok) {
      return await printReport(output, 'text', { findings: made.findings, headline: NOT_EXPORTED })
    }
    const { table, rows } = countedRows(made.table)
    await writeTable(tableBytes(table, format), file, context)
    const body = `${file ?? 'standard output'}: ${grouped(rows())} rows, as ${format}`
    if ('leftOut' in made) {
      const findings = [
        ...made.findings,
        ...leftOutFindings('scoringutils', made.leftOut, file ?? shownHistory(source)),
      ]
      const headline = `${shownHistory(source)}: exported for scoringutils`
      return await printReport(output, 'text', { findings, body, headline })
    }
    const { result, findings } = made
    return await printReport(output, 'text', {
      findings,
      body: `${body}\nresult_sha256: ${result.result_sha256}`,
      headline: `${result.inputs.registration.name}: exported from the result, which was not audited`,
    })
  })
}

/** Forecasts as a table for scoringutils. */
async function quantileTable(source: string, outcomes: string | undefined, signal: AbortSignal) {
  const opened = await openForecasts({ source, outcomes, code: codeVersion(), signal })
  if (!opened.ok) return opened
  return { ...opened, table: scoringutilsTable(opened.forecasts, opened.leftOut) }
}

/** Forecasts as a modeling hub. */
async function exportHub(args: Arguments, context: Context): Promise<ExitCode> {
  const { source } = args
  const folder = demandHub(args.out, args.format ?? 'csv')
  const { out, format } = folder
  refuseInside(source, out)
  return await interruptible(NOTHING, async (signal) => {
    const hub = await writtenHub(args, { ...folder, signal })
    if (!hub.ok) {
      return await printReport(context, 'text', { findings: hub.findings, headline: NOT_EXPORTED })
    }
    const { forecasts, models, rounds, files } = hub.written
    const counts = `${grouped(forecasts)} forecasts, ${counted(models.length, 'model')}, ${grouped(rounds)} rounds, ${grouped(files)} files of model output`
    return await printReport(context, 'text', {
      findings: [...hub.findings, ...leftOutFindings('hubverse', hub.leftOut, out)],
      body: `${out}: ${counts}, as ${format}`,
      headline: `${shownHistory(source)}: exported as a hub`,
    })
  })
}

/** Of hourly forecasts, or of those of any series under their protocol. */
async function writtenHub(
  { source, protocol, outcomes }: Arguments,
  into: ReturnType<typeof demandHub> & { readonly signal: AbortSignal },
) {
  if (protocol === undefined) {
    const { signal } = into
    const opened = await openForecasts({ source, outcomes, code: codeVersion(), signal })
    return opened.ok ? { ...opened, written: await writeHub(opened.forecasts, into) } : opened
  }
  const task = await readSeriesProtocol(protocol)
  const truth = outcomes === undefined ? undefined : readTruth(outcomes, task.protocol)
  const { leftOut, ...written } = await writeSeriesHub({ source, task, truth, ...into })
  return { ok: true, findings: [], leftOut, written } as const
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

function leftOutFindings(format: Exchange, { counts }: Omissions, file: string): Finding[] {
  if (Object.keys(counts).length === 0) return []
  return [finding('exchange-left-out', { format, counts }, { file })]
}
