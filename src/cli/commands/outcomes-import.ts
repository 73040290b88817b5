import { readFileSync } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { ForeproofError } from '../../contract/error.js'
import type { Finding } from '../../contract/findings/finding.js'
import { importOutcomes, type OutcomesImportResult } from '../../outcomes/import.js'
import { OUTCOME_FORMATS } from '../../outcomes/types.js'
import { writeVintage } from '../../outcomes/vintage.js'
import { type Format, printReport } from '../../output/print.js'
import { readSeriesProtocol } from '../../protocol/series.js'
import { importTruth } from '../../truth/import.js'
import { TRUTH_COLUMNS } from '../../truth/rows.js'
import { RELEASES_FILE, type TruthManifest } from '../../truth/vintage.js'
import { type Context, command } from '../command.js'
import { columnNames, FORMAT, flag, needed, oneOf, PERIOD_NAMING, text, texts } from '../options.js'
import { VINTAGES, WRITTEN_WORDS, type Written, written } from '../vintages.js'
import { grouped, twoColumns } from '../wording.js'
import { interruptible } from '../work.js'

export default command({
  positionals: '<file>',
  examples: [
    ['foreproof outcomes import XBTUSD_60.csv', 'Recognise the format, write vintages/…'],
    [
      'foreproof outcomes import bars.csv --source okx --stamp close',
      'State what the file does not say',
    ],
    [
      'foreproof outcomes import target-data.csv --protocol protocols/flu-1.json',
      'Outcomes of any series, with all their releases',
    ],
    [
      'foreproof outcomes import load.csv --protocol protocols/load-1.json --columns period=hour,value=mw --label end --repeated earlier-first --complete-to 2026-06-30',
      'Hours by the local clock, not revised',
    ],
  ],
  options: {
    format: FORMAT,
    file: needed('Export of an exchange, or - for standard input; with --protocol a table'),
    source: text('The exchange the closes are from'),
    stamp: oneOf(
      ['open', 'close'],
      'Whether a time is that of the open or of the close (default: as the format says)',
    ),
    'input-format': oneOf(
      OUTCOME_FORMATS,
      'Read the file as this format instead of recognising it',
    ),
    'vintage-id': text('A name of your own for the vintage'),
    pair: oneOf(['BTC/USD'], 'Confirm the pair when the file name says another one'),
    protocol: text('A protocol of version 2: the file is a table of outcomes of its series'),
    columns: texts('With --protocol: names of columns in the table: period=hour,value=mw'),
    'complete-to': text(
      'With --protocol: up to when the table has everything (default: its latest as_of)',
    ),
    ...PERIOD_NAMING,
    out: text(`Folder to write (${VINTAGES}/<vintage id>)`),
    'dry-run': flag('Check, and write nothing'),
  },
  run: async (args, context) => {
    refuseBeside(args)
    if (args.protocol !== undefined) {
      const vintageId = args['vintage-id'] && safe(args['vintage-id'])
      const source = args.source && named('source', args.source)
      const given = { ...args, protocol: args.protocol, completeTo: args['complete-to'] }
      return await importSeriesOutcomes({ ...given, vintageId, source }, context)
    }
    const fromStdin = args.file === '-'
    const file = fromStdin ? '<stdin>' : args.file
    const options = {
      now: context.now(),
      pairStated: args.pair !== undefined,
      ...(args.source === undefined ? {} : { source: named('source', args.source) }),
      ...(args.stamp === undefined ? {} : { stamp: args.stamp }),
      ...(args['input-format'] === undefined ? {} : { format: args['input-format'] }),
      ...(args['vintage-id'] === undefined ? {} : { vintageId: safe(args['vintage-id']) }),
      ...(fromStdin ? { input: context.stdin as AsyncIterable<Uint8Array> } : {}),
    }
    const result = await interruptible('Nothing was written.', (signal) => {
      // A producer may pause for long.
      if (fromStdin) addAbortSignal(signal, context.stdin as Readable)
      return importOutcomes(file, { ...options, signal })
    })
    const common = { findings: result.findings, checked: [file], source: sourceOf(result.findings) }
    if (!result.ok) {
      const headline = `${file} gives no vintage; nothing was written`
      const figures = { vintage: null, folder: null, written: false }
      return await printReport(context, args.format, { ...common, figures, headline })
    }
    const { folder, outcome } = written(args, result.manifest, (folder) =>
      writeVintage(folder, result.manifest, result.closes),
    )
    return await printReport(context, args.format, {
      ...common,
      figures: { vintage: result.manifest, folder, written: outcome === 'written' },
      headline: file,
      body: vintageTable(result, folder, outcome),
    })
  },
})

/** What is said of a table of any series, and what of an exchange's export. */
const OF_SERIES = ['columns', 'complete-to', 'label', 'repeated'] as const
const OF_CLOSES = ['stamp', 'input-format', 'pair'] as const

/** @throws {ForeproofError} `usage` for an option that says nothing of such a file. */
function refuseBeside(given: Readonly<Record<string, unknown>>): void {
  const [others, beside] = given.protocol ? [OF_CLOSES, 'beside'] : [OF_SERIES, 'without']
  const option = others.find((name) => given[name] !== undefined)
  if (option !== undefined) {
    const help = 'A protocol of version 2 says what series the outcomes are of.'
    throw new ForeproofError('usage', `--${option} ${beside} --protocol`, { help })
  }
  if (given.protocol && given.file === '-') {
    const help = 'Save the table and name the file: its digest is recorded.'
    throw new ForeproofError('usage', '- beside --protocol: no standard input', { help })
  }
}

/** The lines around a fault are shown from the file itself, which is read again only then. */
function sourceOf(findings: readonly Finding[]): (file: string) => string | undefined {
  let text: string | undefined
  const placed = findings.some((finding) => finding.position !== undefined)
  return (file) => {
    if (!placed || file === '<stdin>') return undefined
    try {
      text ??= readFileSync(file, 'utf8')
      return text
    } catch {
      return undefined
    }
  }
}

function named(option: string, value: string): string {
  if (value.trim() !== '' && value.length <= 100 && !/\p{Cc}/u.test(value)) return value
  throw new ForeproofError('usage', `--${option}: 1 to 100 printable characters`, {
    help: 'Name the exchange, such as kraken.',
  })
}

function safe(value: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(value)) return value
  throw new ForeproofError('usage', '--vintage-id: not safe as the name of a folder', {
    help: 'Use letters, digits, dots, hyphens and underscores, beginning with a letter or digit.',
  })
}

const GAPS_SHOWN = 5

const UNIT_WORDS = {
  s: 'in Unix seconds',
  ms: 'in Unix milliseconds',
  us: 'in Unix microseconds',
  ns: 'in Unix nanoseconds',
  text: 'as text in UTC',
} as const

const STAMP_WORDS = {
  open: 'open (a bar closes one hour after its time)',
  close: 'close (a bar closes at its time)',
} as const

/** What an import of closes found and where it was written, for a person. */
function vintageTable(
  { manifest, units }: OutcomesImportResult & { ok: true },
  folder: string,
  outcome: Written,
): string {
  const { input, source } = manifest
  const rows: (readonly [string, string])[] = [
    ['vintage', manifest.vintage_id],
    ['format', `${input?.format}, times ${units.map((unit) => UNIT_WORDS[unit]).join(' and ')}`],
    ['stamp', STAMP_WORDS[input?.stamp ?? 'close']],
    ['source', source === 'unspecified' ? 'unspecified (say it with --source)' : source],
    ['closes', `${manifest.count}, from ${manifest.first} to ${manifest.last}`],
    ...gapRows(manifest.gaps),
    ['sha256', manifest.sha256],
    [WRITTEN_WORDS[outcome], folder],
  ]
  return twoColumns(rows)
}

interface Gap {
  readonly from: string
  readonly to: string
  readonly hours: number
}

function gapRows(gaps: readonly Gap[]): (readonly [string, string])[] {
  if (gaps.length === 0) return [['gaps', 'none']]
  const missing = gaps.reduce((sum, gap) => sum + gap.hours, 0)
  const shown = gaps
    .slice(0, GAPS_SHOWN)
    .map(({ from, to, hours }) => (hours === 1 ? from : `${from} to ${to} (${hours} hours)`))
  const rest = gaps.length - GAPS_SHOWN
  const more = rest > 0 ? [`and ${rest} more, all in manifest.json`] : []
  return [
    ['gaps', `${gaps.length}, ${missing} hours in all`],
    ...[...shown, ...more].map((text) => ['', text] as const),
  ]
}

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
async function importSeriesOutcomes(args: SeriesOutcomesArgs, context: Context) {
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
