import { join } from 'node:path'
import type { Finding } from '../../contract/findings/finding.js'
import { readSeriesProtocol } from '../../protocol/read-series-protocol.js'
import { importOutcomes } from '../../truth/closes/import-closes.js'
import type { VintageManifest } from '../../truth/closes/vintage.js'
import { importTruth } from '../../truth/import.js'
import type { TruthManifest } from '../../truth/releases-vintage.js'
import { TRUTH_COLUMNS } from '../../truth/truth-reader.js'
import { writeVintage } from '../../truth/vintage-files.js'
import { type ArgumentsOf, type Context, command } from '../command.js'
import {
  assertWithout,
  CSV_FORM,
  choice,
  columnNames,
  FORMAT,
  flag,
  needed,
  PERIOD_NAMING,
  parseRowChoice,
  ROW_CHOICE,
  readAs,
  text,
  texts,
  usage,
} from '../options.js'
import { grouped, twoColumns } from '../wording.js'
import { interruptible, uninterrupted } from '../work.js'

/** Vintages are stored side by side in this folder, unless --out is given. */
const VINTAGES = 'vintages'

const options = {
  format: FORMAT,
  file: needed(
    'Export of an exchange, or - for standard input; with --protocol a table, or a folder of tables',
  ),
  source: readAs(text('The exchange the closes are from'), sourceIn),
  stamp: choice(
    ['open', 'close'],
    'Whether a time is that of the open or of the close (default: as the format says)',
  ),
  protocol: text('A protocol of version 2: the file is a table of outcomes of its series'),
  columns: texts('With --protocol: names of columns in the table: period=hour,value=mw'),
  'out-of-domain': choice(
    ['absent'],
    'With --protocol: treat values below the minimum, or not whole where they must be, as missing (default: an error)',
  ),
  'complete-to': text(
    'With --protocol: time up to which the table is complete (default: its latest as_of)',
  ),
  ...PERIOD_NAMING,
  ...CSV_FORM,
  melt: flag('With --protocol: each series is a column of the table'),
  ...ROW_CHOICE,
  out: text(`Folder to write (${VINTAGES}/<vintage id>)`),
  'dry-run': flag('Check, and write nothing'),
}
type Arguments = ArgumentsOf<typeof options>

export default command({
  positionals: '<file>',
  examples: {
    'foreproof outcomes import XBTUSD_60.csv': 'Recognise the format, write vintages/…',
    'foreproof outcomes import bars.csv --source okx --stamp close':
      'State what the file does not say',
    'foreproof outcomes import target-data.csv --protocol protocols/flu-1.json':
      'Outcomes of any series, with all their releases',
    'foreproof outcomes import target-data/time-series --protocol protocols/flu-1.json --target "wk inc flu hosp"':
      'A folder of them, as_of=DATE in its folders; one of its targets',
    'foreproof outcomes import load.csv --protocol protocols/load-1.json --columns period=hour,value=mw --label end --repeated earlier-first --complete-to 2026-06-30':
      'Hours by the local clock, not revised',
  },
  options,
  run: async (args, context) => {
    assertFitting(args)
    const { protocol } = args
    const { file, findings, vintage } = await interruptible('Nothing was written.', (signal) =>
      protocol === undefined
        ? importCloses(args, context, signal)
        : importReleases(args, protocol, context, signal),
    )
    const common = { findings, checked: [file] }
    if (vintage === undefined) {
      const headline = `${file} gives no vintage; nothing was written`
      const figures = { vintage: null, folder: null, written: false }
      return await context.report({ ...common, figures, headline })
    }
    const { manifest, write, facts } = vintage
    const folder = args.out ?? join(VINTAGES, manifest.vintage_id)
    const outcome = args['dry-run'] ? 'dry-run' : uninterrupted(() => write(folder))
    return await context.report({
      ...common,
      figures: { vintage: manifest, folder, written: outcome === 'written' },
      headline: file,
      body: twoColumns([
        ['vintage', manifest.vintage_id],
        ...facts,
        ['sha256', manifest.sha256],
        [WRITTEN_WORDS[outcome], folder],
      ]),
    })
  },
})

const WRITTEN_WORDS = {
  written: 'written',
  unchanged: 'unchanged',
  'dry-run': 'would write',
} as const

type Fact = readonly [name: string, says: string]

interface Imported {
  readonly file: string
  readonly findings: readonly Finding[]
  /** Undefined if the file has none. */
  readonly vintage?: {
    readonly manifest: VintageManifest | TruthManifest
    readonly write: (folder: string) => 'written' | 'unchanged'
    /** Facts for users besides its name and digest. */
    readonly facts: readonly Fact[]
  }
}

async function importCloses(
  args: Arguments,
  { stdin, now }: Context,
  signal: AbortSignal,
): Promise<Imported> {
  const fromStdin = args.file === '-'
  const file = fromStdin ? '<stdin>' : args.file
  const result = await importOutcomes(file, {
    now: now(),
    signal,
    source: args.source,
    stamp: args.stamp,
    input: fromStdin ? (stdin as AsyncIterable<Uint8Array>) : undefined,
  })
  const { findings } = result
  if (!result.ok) return { file, findings }
  const { manifest, closes, units } = result
  const write = (folder: string) => writeVintage(folder, manifest, closes)
  return { file, findings, vintage: { manifest, write, facts: factsOfCloses(manifest, units) } }
}

async function importReleases(
  args: Arguments,
  path: string,
  { now }: Context,
  signal: AbortSignal,
): Promise<Imported> {
  const { file, label, repeated, outside, utc } = args
  const { protocol, periods } = await readSeriesProtocol(path)
  const result = await importTruth(file, {
    protocol,
    periods,
    columns: columnNames(args.columns, Object.keys(TRUTH_COLUMNS)),
    naming: { label: label?.target, repeated, outside, utc },
    completeTo: args['complete-to'],
    outOfDomain: args['out-of-domain'],
    melt: args.melt,
    ...parseRowChoice(args),
    separator: args.sep,
    decimalComma: args.decimal === ',',
    source: args.source,
    now: now(),
    signal,
  })
  const { findings } = result
  if (!result.ok) return { file, findings }
  const { manifest, releases, firstRow } = result
  const write = (folder: string) => writeVintage(folder, manifest, releases)
  return {
    file,
    findings,
    vintage: { manifest, write, facts: factsOfReleases(manifest, firstRow) },
  }
}

/** Options for a table of any series, and options for an exchange's export. */
const OF_SERIES = [
  'columns',
  'complete-to',
  'out-of-domain',
  'label',
  'repeated',
  'outside',
  'utc',
  'sep',
  'decimal',
  'melt',
  'target',
  'only',
  'ignore',
] as const
const OF_CLOSES = ['stamp'] as const

/** @throws {ForeproofError} `usage` for an option that does not apply to such a file. */
function assertFitting(given: Readonly<Record<string, unknown>>): void {
  const help = 'A protocol of version 2 says what series the outcomes are of.'
  if (given.protocol) assertWithout(given, OF_CLOSES, 'cannot be used with --protocol', help)
  else assertWithout(given, OF_SERIES, 'needs --protocol', help)
  if (given.protocol && given.file === '-') {
    throw usage(
      'standard input cannot be used with --protocol',
      'Save the table and name the file: its digest is recorded.',
    )
  }
}

function sourceIn(value: string): string {
  if (value.trim() !== '' && value.length <= 100 && !/\p{Cc}/u.test(value)) return value
  throw usage('--source: 1 to 100 printable characters', 'Name the exchange, such as kraken.')
}

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

const sourceText = ({ source }: { readonly source: string }) =>
  source === 'unspecified' ? 'unspecified (say it with --source)' : source

function factsOfCloses(manifest: VintageManifest, units: readonly (keyof typeof UNIT_WORDS)[]) {
  const { input, count, first, last, gaps } = manifest
  return [
    ['format', `${input?.format}, times ${units.map((unit) => UNIT_WORDS[unit]).join(' and ')}`],
    ['stamp', STAMP_WORDS[input?.stamp ?? 'close']],
    ['source', sourceText(manifest)],
    ['closes', `${count}, from ${first} to ${last}`],
    ['gaps', gapsText(gaps)],
  ] satisfies Fact[]
}

function gapsText(gaps: VintageManifest['gaps']): string {
  if (gaps.length === 0) return 'none'
  const missing = gaps.reduce((sum, gap) => sum + gap.hours, 0)
  return `${gaps.length}, ${missing} hours in all, listed in manifest.json`
}

function factsOfReleases(manifest: TruthManifest, firstRow: string) {
  const { first_as_of: first, last_as_of: last } = manifest
  return [
    ['source', sourceText(manifest)],
    ['series', grouped(manifest.series)],
    ['first row', firstRow],
    ['releases', `${grouped(manifest.rows)}${first === null ? '' : `, from ${first} to ${last}`}`],
    ['complete to', manifest.complete_to ?? 'unknown'],
  ] satisfies Fact[]
}
