import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ExitCode } from '../../contract/error.js'
import { finding } from '../../contract/findings/finding.js'
import { readCodeVersion } from '../../evaluation/code-version.js'
import { assertOutsideEvidence } from '../../evaluation/evidence/draw.js'
import { FILES } from '../../evaluation/evidence/folder.js'
import { catchBroken } from '../../evaluation/links.js'
import { openForecasts } from '../../exchange/evidence-forecasts.js'
import { Omissions } from '../../exchange/hubverse/omissions.js'
import { writeHub } from '../../exchange/hubverse/write.js'
import { seriesExport } from '../../history/export-series.js'
import { counted } from '../../output/figures.js'
import { printReport } from '../../output/print.js'
import { readSeriesProtocol } from '../../protocol/read-series-protocol.js'
import { isPostgres } from '../../store/postgres/address.js'
import { historyName, isUnknownAddress } from '../../store/shown.js'
import type { TableFormat } from '../../table/table.js'
import { tableBytes } from '../../table/write.js'
import { evidenceTable, TABLE_NAMES, type TableName } from '../../tidy/evidence-table.js'
import { readTruth } from '../../truth/releases-vintage.js'
import { type ArgumentsOf, type Context, command } from '../command.js'
import { assertWithout, checkOutput, choice, flag, needed, text, usage } from '../options.js'
import {
  countedRows,
  diagnosticRows,
  tableOptions,
  tableOutput,
  writeTable,
} from '../table-output.js'
import { grouped } from '../wording.js'
import { interruptible } from '../work.js'

/** The content of each table, for `--help`. */
const HOLDS: Readonly<Record<TableName, string>> = {
  scores: 'figures',
  tests: 'registered tests',
  losses: 'losses by origin',
  pairs: 'attempts',
  cells: 'series by step',
}

const options = {
  source: needed('The folder that foreproof score wrote; with --to, a history too'),
  table: choice(
    TABLE_NAMES,
    Object.entries(HOLDS)
      .map(([name, what]) => `${name}: ${what}`)
      .join('; '),
  ),
  long: flag('With pairs: the scored attempts, a row for each quantile'),
  to: choice(
    ['hubverse'] as const,
    'Forecasts as a modeling hub: of a history, or those that were scored',
  ),
  outcomes: text('With --to: releases, for the target data of the hub'),
  protocol: text('With --to: the protocol of version 2 that the forecasts are made under'),
  ...tableOptions('csv'),
}
type Arguments = ArgumentsOf<typeof options>

export default command({
  positionals: '<source> [table]',
  examples: {
    'foreproof export evidence scores --out scores.csv': 'Every figure of every model',
    'foreproof export evidence losses --out losses.parquet': 'The losses of every origin',
    'foreproof export evidence pairs --long --out quantiles.csv': 'For as_forecast_quantile()',
    'foreproof export flu.sqlite --to hubverse --protocol protocols/flu-1.json --out hub':
      'Every forecast, as a modeling hub',
    'foreproof export evidence --to hubverse --protocol protocols/flu-1.json --out hub':
      'The scored forecasts, baselines included',
  },
  options,
  run: async (args, context) => {
    assertUnmixed(args)
    const { table } = args
    return table === undefined
      ? await exportHub(args, context)
      : await exportTable({ ...args, table }, context)
  },
})

/** @throws {ForeproofError} `usage` for options that exclude each other. */
function assertUnmixed(args: Arguments): void {
  const { source, to, table, long } = args
  if (isUnknownAddress(source) || (to === undefined && isPostgres(source))) {
    throw usage(
      `${historyName(source)}: no evidence`,
      'Name the folder that foreproof score wrote; with --to, a history, as postgres://user@host/database too.',
    )
  }
  if (to === undefined) {
    const help = 'Use it only with --to, which makes a hub.'
    assertWithout(args, ['outcomes', 'protocol'], 'needs --to hubverse', help)
  }
  if (long === true && table !== 'pairs') throw usage('--long needs the table pairs', 'Name it.')
  if (to !== undefined && table !== undefined) {
    throw usage(`--to ${to} writes forecasts, not the table ${table}`, 'Leave one of the two out.')
  }
  if (to !== undefined || table !== undefined) return
  throw usage('no table was named', `Name ${TABLE_NAMES.join(', ')}, or a format: --to hubverse.`)
}

const NOTHING = 'Nothing was written.'
const NOT_EXPORTED = 'not exported; nothing was written'

/** A table of an evaluation. */
async function exportTable(
  args: Arguments & { readonly table: TableName },
  context: Context,
): Promise<ExitCode> {
  const { source, table, long } = args
  const { file, format } = tableOutput(args, 'csv', context)
  checkOutput(file, [source])
  if (file !== undefined) assertOutsideEvidence(source, file)
  const output = diagnosticRows(file, context)
  const left = file === undefined ? 'Rows are missing.' : NOTHING
  return await interruptible(left, async (signal) => {
    const made = await evidenceTable({
      folder: source,
      table,
      long,
      code: readCodeVersion(),
      signal,
    })
    if (!made.ok) {
      return await printReport(output, 'text', { findings: made.findings, headline: NOT_EXPORTED })
    }
    const { result, findings } = made
    const counted = countedRows(made.table)
    await writeTable(tableBytes(counted.table, format), file, context)
    const written = `${file ?? 'standard output'}: ${grouped(counted.rows())} rows, as ${format}`
    return await printReport(output, 'text', {
      findings,
      body: `${written}\nresult_sha256: ${result.result_sha256}`,
      headline: `${result.inputs.registration.name}: exported from the result, which was not audited`,
    })
  })
}

/** Forecasts as a modeling hub. */
async function exportHub(args: Arguments, context: Context): Promise<ExitCode> {
  const { source, protocol, outcomes } = args
  if (protocol === undefined) {
    throw usage(
      '--to hubverse needs --protocol',
      'Name the protocol of version 2 that the forecasts are made under; hourly forecasts cannot be written as a hub.',
    )
  }
  const folder = assertHub(args.out, args.format ?? 'csv')
  const { out, format } = folder
  assertOutsideEvidence(source, out)
  return await interruptible(NOTHING, async (signal) => {
    const task = await readSeriesProtocol(protocol)
    const truth = outcomes === undefined ? undefined : readTruth(outcomes, task.protocol)
    const leftOut = new Omissions()
    const given = isEvidence(source)
      ? await catchBroken(() =>
          openForecasts(source, task.protocol, { leftOut, code: readCodeVersion(), signal }),
        )
      : { rows: seriesExport(source, { signal }), findings: [] }
    if ('ok' in given) {
      const { findings } = given
      return await printReport(context, 'text', { findings, headline: NOT_EXPORTED })
    }
    const name = historyName(source)
    const hub = await writeHub({ source: name, rows: given.rows, leftOut, task, truth, ...folder })
    const { forecasts, models, rounds, files } = hub
    const counts = `${grouped(forecasts)} forecasts, ${counted(models.length, 'model')}, ${grouped(rounds)} rounds, ${grouped(files)} files of model output`
    const left = leftOut.counts
    const isLeft = Object.keys(left).length > 0
    return await printReport(context, 'text', {
      findings: [
        ...given.findings,
        ...(isLeft ? [finding('exchange-left-out', { counts: left }, { file: out })] : []),
      ],
      body: `${out}: ${counts}, as ${format}`,
      headline: `${name}: exported as a hub`,
    })
  })
}

/** A history is a file or an address. */
const isEvidence = (source: string): boolean => existsSync(join(source, FILES.result))

/** @throws {ForeproofError} `usage` for an invalid location or format of a hub. */
function assertHub(out: string | undefined, format: TableFormat) {
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
