import { error, note, warning } from './row.js'

const shown = (text: string) => (text === '' ? 'an empty cell' : `"${text}"`)

/** The time of the bar tells two faults of one kind apart, wherever the lines move. */
type OfBar = {
  readonly row?: string
}

const TIME = {
  unreadable: 'is neither a Unix time nor a date with a time of day',
  'offset-missing': 'has no offset from UTC (write Z for UTC)',
  calendar: 'is not a time that the calendar has',
  'leap-second': 'is a leap second, which no bar begins or ends with',
  precision: 'is finer than a microsecond',
  rounded: 'was rounded by a spreadsheet, and its hour is lost',
  rewritten:
    'was rewritten by a spreadsheet: which number is the month and which the day is unknown',
  'before-bitcoin': 'lies before the first block of Bitcoin, on 2009-01-03',
} as const

const PRICE = {
  empty: 'is missing: its cell is empty',
  'not-a-number': 'is not a decimal number',
  grouped: 'has separators between its digits',
  'not-finite': 'is not finite',
  zero: 'is zero',
  negative: 'is negative',
} as const

type Format = {
  readonly fault:
    | 'no-rows'
    | 'delimiter'
    | 'headless'
    | 'hub-days'
    | 'ambiguous'
    | 'not-as-asked'
    | 'unknown'
  /** How the file begins. */
  readonly found: string
  /** Formats that begin like this. */
  readonly candidates: readonly string[]
  /** The format that was asked for. */
  readonly asked: string | null
}

const FORMAT: Readonly<Record<Format['fault'], readonly [(args: Format) => string, string]>> = {
  'no-rows': [() => 'the file holds no bars', 'Check that the download was complete.'],
  delimiter: [
    ({ found }) => `the columns are not separated by commas: ${shown(found)}`,
    'Save the file with commas between its columns.',
  ],
  headless: [
    ({ found }) => `the file has two columns and no header: ${shown(found)}`,
    'Begin the file with the line close_at,close_usd, and write times such as 2024-01-01T01:00:00Z.',
  ],
  'hub-days': [
    ({ found }) =>
      `the target data of a hub need one column of times with hours, and these have none or several: ${shown(found)}`,
    'Not supported yet. Of a hub, closes of one market are read, one an hour: observation, beside one column of times such as 2024-01-01T01:00:00Z.',
  ],
  ambiguous: [
    ({ found, candidates }) =>
      `the columns can be read as ${candidates.join(' or ')}: ${shown(found)}`,
    'Choose one with --input-format.',
  ],
  'not-as-asked': [
    ({ found, candidates, asked }) =>
      `this is not the format ${asked}${candidates.length > 0 ? ` but ${candidates.join(' or ')}` : ''}: ${shown(found)}`,
    'Without --input-format, foreproof recognises the format.',
  ],
  unknown: [
    ({ found }) => `the format is unknown; the file begins with ${shown(found)}`,
    'Known formats: closes, kraken, coinbase, bitstamp, binance, cryptodatadownload, ccxt, hubverse; choose one with --input-format. docs/outcomes-formats.md shows each.',
  ],
}

const AT = '2024-01-01T01:00:00Z'

/** What is wrong with an exchange's export, and what to do about it. */
export const outcomesRows = {
  'outcome-json': error(
    'the JSON is not complete: {says}',
    { says: 'the array is not closed' },
    'The file may be cut off. Save the whole response of the API.',
  ),
  'outcome-format': error<Format>(
    (args) => FORMAT[args.fault][0](args),
    { fault: 'unknown', found: 'day;price', candidates: [], asked: null },
    ({ fault }) => FORMAT[fault][1],
  ),
  'outcome-columns': error<OfBar & { readonly expected: number; readonly found: number }>(
    ({ expected, found }) =>
      `the line has ${found} ${found === 1 ? 'column' : 'columns'}, but ${expected} are expected`,
    { expected: 7, found: 5 },
    'The line may be cut off, or files of two formats were joined.',
  ),
  'outcome-time': error<OfBar & { readonly found: string; readonly fault: keyof typeof TIME }>(
    ({ found, fault }) => `the time ${shown(found)} ${TIME[fault]}`,
    { found: '2024-01-01T01:00:00', fault: 'offset-missing' },
    ({ fault }) =>
      fault === 'rounded' || fault === 'rewritten'
        ? 'Import the file as it was downloaded; do not save it in a spreadsheet.'
        : 'Times are Unix times, or UTC such as 2024-01-01 00:00:00 or 2024-01-01T00:00:00Z.',
  ),
  'outcome-off-hour': error<OfBar & { readonly found: string; readonly at: string }>(
    'the bar at {at} is not on the hour',
    { found: '1704070860', at: '2024-01-01T01:01:00Z' },
    'Export hourly bars whose hours are those of UTC.',
  ),
  'outcome-date': error<OfBar & { readonly found: string; readonly at: string }>(
    ({ found, at }) => `the date ${shown(found)} is not the time beside it (${at})`,
    { found: '2024-01-02 01:00:00', at: AT },
    'One of the two is wrong; download the file again.',
  ),
  'outcome-date-rewritten': note(
    ({ count, found }) =>
      `the dates of ${count} ${count === 1 ? 'row' : 'rows'} were rewritten by a spreadsheet (here ${shown(found)}); the Unix time beside each decides`,
    { count: 8760, found: '4/10/2023 0:00' },
    'Each date agrees with its Unix time, with either month or day first. Nothing has to be done.',
  ),
  'outcome-bar-end': error<OfBar & { readonly found: string; readonly at: string }>(
    ({ found, at }) => `the bar that opens at ${at} ends at ${shown(found)}, not one hour later`,
    { found: '1704074340000', at: AT },
    'Export hourly bars (interval 1h).',
  ),
  'outcome-interval': error<OfBar & { readonly hours: number }>(
    'the bars are {hours} hours or more apart',
    { hours: 24 },
    'Export hourly bars.',
  ),
  'outcome-not-closed': error<OfBar & { readonly at: string; readonly now: string }>(
    'the bar closes at {at}, which is in the future: it is {now}',
    { at: '2024-01-01T02:00:00Z', now: '2024-01-01T01:30:00Z' },
    'Remove bars that are not complete. If the times are those of closes, add --stamp close.',
  ),
  'outcome-price': error<OfBar & { readonly found: string; readonly fault: keyof typeof PRICE }>(
    ({ found, fault }) => `the close ${fault === 'empty' ? '' : `${shown(found)} `}${PRICE[fault]}`,
    { found: '42,000.00', fault: 'grouped' },
    'A close is a decimal number greater than zero. Leave out bars without a close.',
  ),
  'outcome-symbol': error<OfBar & { readonly found: string }>(
    ({ found }) => `the symbol ${shown(found)} is not BTC/USD`,
    { found: 'BTCUSDT' },
    'Import closes of BTC/USD. A stablecoin is not the dollar.',
  ),
  'outcome-series': error<
    OfBar & {
      readonly name: string
      readonly here: string
      readonly before: string
      readonly firstLine: number
    }
  >(
    ({ name, here, before, firstLine }) =>
      `the column ${name} has ${shown(here)} here and ${shown(before)} in line ${firstLine}: these are several series`,
    { name: 'location', here: 'ETH', before: 'BTC', firstLine: 2 },
    'Not supported yet: a vintage is the closes of one market. Leave the rows of the others out.',
  ),
  'outcome-pair': error(
    'the name of the file says {found}, not BTC/USD',
    { found: 'ETHUSD' },
    'If the file holds BTC/USD, add --pair BTC/USD.',
  ),
  'outcome-duplicate': warning(
    ({ count }) =>
      `${count} ${count === 1 ? 'row repeats' : 'rows repeat'} a bar with the same close; the first is here`,
    { count: 3 },
  ),
  'outcome-conflict': error<
    OfBar & {
      readonly at: string
      readonly first: number
      readonly firstLine: number
      readonly second: number
    }
  >(
    'the bar that closes at {at} has {second} here and {first} in line {firstLine}',
    { at: AT, first: 42_000, firstLine: 2, second: 42_001 },
    'Find out which one is right, and remove the other.',
  ),
  'outcome-unsorted': error<OfBar & { readonly at: string; readonly newestFirst: boolean }>(
    'the bar that closes at {at} is out of order',
    { at: AT, newestFirst: false },
    ({ newestFirst }) =>
      newestFirst
        ? 'This file begins with its newest bar: each line must be older than the one before.'
        : 'Sort the lines by time, oldest first.',
  ),
  'outcome-cut': error(
    'the last line is incomplete: the file was cut off',
    'Download or copy it again.',
  ),
  'outcome-no-line-break': warning(
    'the last line does not end with a line break',
    'The file may be cut off: compare its last bar with the source.',
  ),
}
