import type { TimestampFault } from '../instant.js'
import { fixed, joined, quoted, row } from './row.js'

const named = (columns: readonly string[]) => joined(columns.map(quoted), 'and')

/** At most so many names are said. */
const NAMES = 8
const some = (columns: readonly string[]) =>
  columns.length <= NAMES
    ? named(columns)
    : `${columns.slice(0, NAMES).map(quoted).join(', ')} and ${columns.length - NAMES} more`

const TIMES: Readonly<Record<TimestampFault, string>> = {
  syntax: 'is not a date with a time of day',
  'offset-missing': 'does not say its offset from UTC',
  'space-for-plus': 'has a space instead of a plus sign',
  calendar: 'is a date or time that the calendar does not have',
  'leap-second': 'is a leap second',
  precision: 'is finer than a microsecond',
  range: 'is out of range',
}

const NUMBERS = {
  comma: 'has a comma where a decimal point is expected',
  'not-a-number': 'is not a number',
  infinite: 'is not finite',
  'not-whole': 'is not a positive whole number of hours',
  'too-long': 'is more than a century',
} as const

const NEVER_JUDGED = {
  horizon: 'its horizon is not 2, 4, 8 or 16 hours',
  'off-the-hour': 'its origin is not on the hour',
  'before-bitcoin': 'its origin lies before there was a market',
} as const

const MISSING = {
  price_usd: [
    'the row has no price_usd, and no status that says why',
    'Leave such rows out, or say status (failed or abstained) and reason: a recorded failure counts otherwise than a missing forecast.',
  ],
  source_price_usd: [
    'nothing says the price at the origin',
    'Add a column source_price_usd, or name the closes: --outcomes VINTAGE.',
  ],
  origin_at: ['the row has no origin_at', 'Every row needs one.'],
  horizon_hours: ['the row has no horizon_hours', 'Every row needs one.'],
  model: ['the row has no model', 'Every row needs one.'],
} as const

/** What is wrong in a table of forecasts. */
export const naturalTableRows = {
  'natural-columns': row<{
    missing: readonly string[]
    found: readonly string[]
    /** For `--columns`, as far as the names tell. */
    guess: string | null
  }>(
    'error',
    { missing: ['price_usd'], found: ['yhat', 'origin_at'], guess: 'price_usd=yhat' },
    ({ missing, found }) =>
      `there is no column ${joined(missing.map(quoted), 'and')}; the file has ${some(found)}`,
    ({ guess }) =>
      guess === null
        ? 'Say which column is which: --columns price_usd=yhat,model=name'
        : `Did you mean --columns ${guess}?`,
  ),
  'natural-mapped': row<{ column: string; mapped: string; nearest: string | null }>(
    'error',
    { column: 'price_usd', mapped: 'yhatt', nearest: 'yhat' },
    ({ column, mapped }) =>
      `--columns ${column}=${mapped}: the file has no column ${quoted(mapped)}`,
    ({ nearest }) => (nearest === null ? undefined : `Did you mean ${quoted(nearest)}?`),
  ),
  'natural-wide': row<{ columns: readonly string[] }>(
    'error',
    { columns: ['arima', 'lstm'] },
    ({ columns }) =>
      `there are no columns model and price_usd, but ${some(columns)}: is each of them a model?`,
    'If so, add --melt. If one of them is the forecast, say so: --columns price_usd=yhat,model=name',
  ),
  'natural-melt': row<{ columns: readonly string[]; fault: 'long' | 'shared' | 'none' }>(
    'error',
    { columns: ['model', 'price_usd'], fault: 'long' },
    ({ columns, fault }) => {
      if (fault === 'none') return 'there is no column that could be a model'
      const of = fault === 'long' ? 'the rows name their models' : 'this is of one model'
      return `with --melt every further column is a model, but ${of}: ${named(columns)}`
    },
    ({ fault }) =>
      fault === 'long'
        ? 'Leave --melt out.'
        : fault === 'none'
          ? 'Such a file has origin_at, horizon_hours and one column for each model.'
          : 'Write a row for each model, with the column model.',
  ),
  'natural-quantiles': row<{ column: string }>(
    'error',
    { column: 'quantile_level' },
    ({ column }) =>
      `the column ${quoted(column)} says that each quantile has a row of its own; here a forecast is one row`,
    'If so: --from scoringutils. If not, leave the column out.',
  ),
  'natural-no-rows': fixed(
    'warning',
    'the table has columns, and no row',
    'Check that the program that wrote it came to its end.',
  ),
  'natural-never-judged': row<{ fault: keyof typeof NEVER_JUDGED; found: string }>(
    'warning',
    { fault: 'horizon', found: '24 h' },
    ({ fault, found }) => `no protocol ever judges this forecast: ${NEVER_JUDGED[fault]}; ${found}`,
    'It is kept and shown all the same. Are the columns and their units the right ones?',
  ),
  'natural-near': row<{ column: string; nearest: string }>(
    ['error', 'note'],
    { column: 'q10', nearest: 'q10_usd' },
    ({ column, nearest }) =>
      `the column ${quoted(column)} would not be imported; is it ${nearest}?`,
    ({ column, nearest }) =>
      `If it is: --columns ${nearest}=${column}. If it is not: --columns ${nearest}=`,
  ),
  'natural-ignored': row<{ columns: readonly string[] }>(
    'note',
    { columns: ['features', 'y_true'] },
    ({ columns }) =>
      `${columns.length === 1 ? 'a column is' : `${columns.length} columns are`} not imported: ${some(columns)}`,
    'A history has no place for them.',
  ),
  'natural-index': row<{ column: string }>(
    'note',
    { column: '' },
    ({ column }) =>
      `${column === '' ? 'the first column, which has no name,' : `the column ${quoted(column)}`} is taken for the index of a pandas frame, and not imported`,
    'to_csv(index=False) leaves it out.',
  ),
  'natural-time': row<{ column: string; found: string; fault: TimestampFault }>(
    'error',
    { column: 'origin_at', found: '2026-01-31 12:00:00', fault: 'offset-missing' },
    ({ column, found, fault }) => `${column} ${quoted(found)} ${TIMES[fault]}`,
    ({ fault, found }) => {
      if (fault === 'offset-missing') return 'If the times are UTC, add --utc.'
      return /^\d{9,20}$/.test(found)
        ? 'A number is taken for whole seconds (10 digits) or milliseconds (13) since 1970, in UTC. Or write 2026-01-31T12:00:00Z.'
        : 'Write times such as 2026-01-31T12:00:00Z or 2026-01-31 12:00:00+00:00.'
    },
  ),
  'natural-number': row<{ column: string; found: string; fault: keyof typeof NUMBERS }>(
    'error',
    { column: 'price_usd', found: '50000,25', fault: 'comma' },
    ({ column, found, fault }) => `${column} ${quoted(found)} ${NUMBERS[fault]}`,
    ({ fault }) =>
      fault === 'comma'
        ? 'If all numbers have a decimal comma: --decimal ,. No separators between thousands.'
        : fault === 'infinite'
          ? 'A forecast that is not a number is a failure: leave price_usd empty and say status and reason.'
          : undefined,
  ),
  'natural-missing': row<{ column: keyof typeof MISSING }>(
    'error',
    { column: 'price_usd' },
    ({ column }) => MISSING[column][0],
    ({ column }) => MISSING[column][1],
  ),
  'natural-no-close': row(
    'error',
    { origin: '2026-01-31T12:00:00Z', vintage: 'kraken-2026-01' },
    ({ origin, vintage }) => `the vintage ${vintage} has no close at the origin ${origin}`,
    'Import outcomes that cover every origin, or add a column source_price_usd.',
  ),
  'natural-line-break': row<{ column: string; found: string }>(
    'error',
    { column: 'model', found: 'ridge\nlags' },
    ({ column, found }) => `the name in ${column} has a line break: ${quoted(found)}`,
    'A quote that was not closed, or a cell with two lines, does that. A name stands in one line.',
  ),
  'natural-status': row<{ found: string }>(
    'error',
    { found: 'timeout' },
    ({ found }) => `the status ${quoted(found)} is neither failed nor abstained`,
    'A forecast has an empty status; say what happened in reason.',
  ),
  'natural-status-price': row<{ status: string }>(
    'error',
    { status: 'failed' },
    ({ status }) => `the row has a price_usd, and the status ${status}`,
    'Either there is a forecast, and the status is empty, or there is none, and price_usd is.',
  ),
  'natural-unkept': row<{ columns: readonly string[]; of: 'forecast' | 'attempt' }>(
    'warning',
    { columns: ['run_id'], of: 'attempt' },
    ({ columns, of }) =>
      `${of === 'forecast' ? 'a forecast' : 'a recorded attempt'} has no ${joined(columns, 'and')}: not imported`,
    ({ of }) => (of === 'attempt' ? 'To keep something, write it into the reason.' : undefined),
  ),
  'natural-duplicate': row<{ row: string; differs: readonly string[] }>(
    'error',
    { row: '2026-01-02T03:00:00+00:00, seer, 24 h', differs: ['/estimate/price_usd'] },
    ({ row, differs }) => {
      const members = differs.filter((pointer) => pointer !== '')
      const how = members.length > 0 ? ` (${members.join(', ')})` : ''
      return `${row}: the file has another row with this key and other values${how}`
    },
    'A key has one forecast. Which of the rows was the forecast that was made?',
  ),
  'natural-skipped': row<{ cells: number }>(
    'note',
    { cells: 12 },
    ({ cells }) =>
      `${cells} empty ${cells === 1 ? 'cell is' : 'cells are'} no forecast; such a key counts as missing`,
    'To record a failure or an abstention, write a row for each model, with status and reason.',
  ),
}
