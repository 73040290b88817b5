import { writeVintage } from '../outcomes/vintage.js'
import { type Format, printReport } from '../output/print.js'
import { readSeriesProtocol } from '../protocol/series.js'
import { importTruth } from '../truth/import.js'
import { TRUTH_COLUMNS } from '../truth/rows.js'
import { RELEASES_FILE, type TruthManifest } from '../truth/vintage.js'
import type { Context } from './command.js'
import { columnNames } from './options.js'
import { WRITTEN_WORDS, type Written, written } from './vintages.js'
import { grouped, twoColumns } from './wording.js'
import { interruptible } from './work.js'

interface SeriesOutcomesArgs {
  readonly file: string
  readonly protocol: string
  readonly format: Format
  readonly columns?: readonly string[] | undefined
  readonly completeTo?: string | undefined
  readonly label?: 'start' | 'end' | undefined
  readonly repeated?: 'earlier-first' | 'later-first' | undefined
  readonly source?: string | undefined
  readonly vintageId?: string | undefined
  readonly out?: string | undefined
  readonly 'dry-run': boolean
}

/** `outcomes import` of a table of any series. */
export async function importSeriesOutcomes(args: SeriesOutcomesArgs, context: Context) {
  const { file, label, repeated, completeTo, source, vintageId } = args
  const { protocol, periods } = await readSeriesProtocol(args.protocol)
  const columns = columnNames(args.columns, Object.keys(TRUTH_COLUMNS))
  const naming = { label, repeated }
  const options = { protocol, periods, columns, naming, completeTo, source, vintageId }
  const result = await interruptible('Nothing was written.', (signal) =>
    importTruth(file, { ...options, now: context.now(), signal }),
  )
  const common = { findings: result.findings, checked: [file] }
  if (!result.ok) {
    const headline = `${file} gives no vintage; nothing was written`
    const figures = { vintage: null, folder: null, written: false }
    return await printReport(context, args.format, { ...common, figures, headline })
  }
  const { manifest, releases } = result
  const { folder, outcome } = written(args, manifest, (folder) =>
    writeVintage(folder, manifest, releases, RELEASES_FILE),
  )
  return await printReport(context, args.format, {
    ...common,
    figures: { vintage: manifest, folder, written: outcome === 'written' },
    headline: file,
    body: truthTable(manifest, folder, outcome),
  })
}

/** What an import of outcomes found and where it was written, for a person. */
function truthTable(manifest: TruthManifest, folder: string, outcome: Written): string {
  const { source, first_as_of: first, last_as_of: last } = manifest
  return twoColumns([
    ['vintage', manifest.vintage_id],
    ['source', source === 'unspecified' ? 'unspecified (say it with --source)' : source],
    ['series', grouped(manifest.series)],
    ['releases', `${grouped(manifest.rows)}${first === null ? '' : `, from ${first} to ${last}`}`],
    ['complete to', manifest.complete_to ?? 'unknown'],
    ['sha256', manifest.sha256],
    [WRITTEN_WORDS[outcome], folder],
  ])
}
