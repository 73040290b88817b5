import { LARGEST_VALUE_TEXT } from '../limits.js'
import { error, note, row, warning } from './row.js'

const TIMES = 'Times are Unix times, or UTC such as 2024-01-01 00:00:00 or 2024-01-01T00:00:00Z.'
const SPREADSHEET = 'Import the file as it was downloaded; do not save it in a spreadsheet.'
const PRICES = 'A close is a decimal number greater than zero. Leave out bars without a close.'

const AT = '2024-01-01T01:00:00Z'

/** Faults of an exchange's export, and what to do about them. */
export const outcomesRows = {
  'outcome-json': error(
    'the JSON is not complete: {says}',
    { says: 'the array is not closed' },
    'The file may be cut off. Save the whole response of the API.',
  ),
  'outcome-format': error(
    {
      'no-rows': ['the file holds no bars', 'Check that the download was complete.'],
      delimiter: [
        'the columns are not separated by commas: {found}',
        'Save the file with commas between its columns.',
      ],
      headless: [
        'the file has two columns and no header: {found}',
        'Begin the file with the line close_at,close_usd, and write times such as 2024-01-01T01:00:00Z.',
      ],
      unknown: [
        'the format is unknown; the file begins with {found}',
        'Known formats: closes, kraken, coinbase, bitstamp, binance, cryptodatadownload, ccxt; docs/reference/outcomes-formats.md shows each. Of anything else write two columns: close_at, when each hour ends (2024-01-01T01:00:00Z), and close_usd. Outcomes of any series need --protocol.',
      ],
    },
    { fault: 'unknown', found: '"day;price"' },
  ),
  'outcome-columns': error(
    'the line has {found column|columns}, but {expected} are expected',
    { expected: 7, found: 5 },
    'The line may be cut off, or files of two formats were joined.',
  ),
  'outcome-time': error(
    {
      unreadable: ['the time {found} is neither a Unix time nor a date with a time of day'],
      'offset-missing': [
        'the time {found} has no offset from UTC',
        'Write times with it: 2024-01-01T00:00:00Z, or 2024-01-01T01:00:00+01:00.',
      ],
      calendar: ['the time {found} is not a time that the calendar has'],
      'leap-second': ['the time {found} is a leap second, which no bar begins or ends with'],
      precision: ['the time {found} is finer than a microsecond'],
      rounded: ['the time {found} was rounded by a spreadsheet, and its hour is lost', SPREADSHEET],
      rewritten: [
        'the time {found} was rewritten by a spreadsheet: which number is the month and which the day is unknown',
        SPREADSHEET,
      ],
      'before-bitcoin': ['the time {found} lies before the first block of Bitcoin, on 2009-01-03'],
      'off-hour': [
        'the bar at {at} is not on the hour',
        'Export hourly bars whose hours are those of UTC.',
      ],
      date: [
        'the date {found} is not the time beside it ({at})',
        'One of the two is wrong; download the file again.',
      ],
      'bar-end': [
        'the bar that opens at {at} ends at {found}, not one hour later',
        'Export hourly bars (interval 1h).',
      ],
      'not-closed': [
        'the bar closes at {at}, which is in the future: it is {found}',
        'Remove bars that are not complete. If the times are those of closes, add --stamp close.',
      ],
    },
    { fault: 'offset-missing', found: '"2024-01-01T01:00:00"', at: '' },
    TIMES,
  ),
  'outcome-price': error(
    {
      empty: ['the close is missing: its cell is empty'],
      'not-a-number': ['the close {found} is not a decimal number'],
      grouped: ['the close {found} has separators between its digits'],
      'not-finite': ['the close {found} is not finite'],
      'too-large': [`the close {found} lies beyond ${LARGEST_VALUE_TEXT}`],
      zero: ['the close {found} is zero'],
      negative: ['the close {found} is negative'],
    },
    { fault: 'grouped', found: '"42,000.00"' },
    PRICES,
  ),
  'outcome-symbol': error(
    {
      cell: [
        'the symbol {found} is not BTC/USD',
        'Import closes of BTC/USD. A stablecoin is not the dollar.',
      ],
      file: [
        'the name of the file says {found}, not BTC/USD',
        'If the file holds BTC/USD, give it a name that says so, or none of a pair.',
      ],
    },
    { fault: 'cell', found: '"BTCUSDT"' },
  ),
  'outcome-unsorted': error(
    {
      'oldest-first': [
        'the bar that closes at {at} is out of order',
        'Sort the lines by time, oldest first.',
      ],
      'newest-first': [
        'the bar that closes at {at} is out of order',
        'This file begins with its newest bar: each line must be older than the one before.',
      ],
    },
    { fault: 'oldest-first', at: AT },
  ),
  'outcome-cut': row('error', 'warning')(
    {
      certain: ['the last line is incomplete: the file was cut off', 'Download or copy it again.'],
      maybe: [
        'the last line does not end with a line break',
        'The file may be cut off: compare its last bar with the source.',
      ],
    },
    { fault: 'certain' },
  ),
  'outcome-date-rewritten': note(
    'the dates of {count row|rows} were rewritten by a spreadsheet (here {found}); the Unix time beside each decides',
    { count: 8760, found: '"4/10/2023 0:00"' },
    'Each date agrees with its Unix time, with either month or day first. Nothing has to be done.',
  ),
  'outcome-interval': error(
    'the bars are {hours} hours or more apart',
    { hours: 24 },
    'Export hourly bars.',
  ),
  'outcome-duplicate': warning(
    '{count row repeats|rows repeat} a bar with the same close; the first is here',
    { count: 3 },
  ),
  'outcome-conflict': error(
    'the bar that closes at {at} has {second} here and {first} in line {firstLine}',
    { at: AT, first: 42_000, firstLine: 2, second: 42_001 },
    'Find out which one is right, and remove the other.',
  ),
}
