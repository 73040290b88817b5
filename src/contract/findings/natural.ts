import { TIMESTAMP_FAULTS } from '../instant.js'
import { writtenPairs } from '../name-pairs.js'
import {
  BEYOND_DOUBLES,
  error,
  joined,
  listNames,
  NOT_FOR,
  note,
  quoted,
  row,
  shellWord,
  warning,
} from './row.js'

/** What a cell with a time or a number contains, and why it cannot be parsed. */
const CELLS = {
  ...TIMESTAMP_FAULTS,
  syntax: 'is not a date with a time of day',
  comma: 'has a comma where a decimal point is expected',
  thousands: 'has separators between thousands',
  'not-a-number': 'is not a number',
  infinite: 'is not finite',
  rounded: 'has more digits than a double keeps: it would be rounded',
  'not-whole': 'is not a positive whole number of hours',
  'too-long': 'is more than a century',
  status: 'is neither failed nor abstained',
  'status-price': 'is there beside a price_usd',
  'status-value': 'is there beside a forecast',
  'line-break': 'has a line break',
  digits: 'is a number, and not one of seconds to nanoseconds since 1970',
  'not-a-period': 'is not the label of a period',
  'not-steps': 'is not a whole number of steps',
  'other-target': 'is not the period that the horizon leads to',
  level: 'is no level: a decimal between 0 and 1',
  'level-digits': 'has more than six decimals, and is no level of the protocol',
  'level-twice': 'is there twice in one forecast',
  'hourly-level': 'is none of 0.1, 0.5 and 0.9',
  median: 'is not the quantile of level 0.5, which is the median too',
} as const

const TIME = 'Write times such as 2026-01-31T12:00:00Z or 2026-01-31 12:00:00+00:00.'
const DIGITS =
  'A number since 1970, in UTC, has 9 or 10 digits (seconds), 12 or 13 (milliseconds), 15 or 16 (microseconds), 18 or 19 (nanoseconds). Or write 2026-01-31T12:00:00Z.'
const ONE_OF_TWO =
  'Either there is a forecast, and the status is empty, or there is none, and its cells are.'
const STEPS =
  'A horizon counts periods of the list: 1 is the one after the origin, so a day ahead in a list of hours is 24. Or name the column with the periods that forecasts are of: --columns horizon=,target=NAME'
const HOURS =
  'Write whole hours, such as 24; or name the column with the times of targets, target_at.'

/** The levels that `10`, `97.5` and `10%` probably mean. */
function percentHelp(found: string): string | undefined {
  const [, percent = ''] = /^(\d\d?(?:\.\d+)?) ?%?$/.exec(found) ?? []
  const level = Number((Number(percent) / 100).toPrecision(12))
  if (!(level >= 0.01)) return undefined
  return `If levels are in percent, divide them by 100: ${found} is ${level}.`
}

const CELL_HELP: Partial<Readonly<Record<keyof typeof CELLS, string>>> = {
  'offset-missing': 'If the times are UTC, add --utc.',
  comma: 'If all numbers have a decimal comma: --decimal ,. No separators between thousands.',
  thousands:
    'Write numbers without separators between thousands. Only if commas are decimal commas, so that 1,234 is 1.234: --decimal ,.',
  infinite:
    'A forecast that is not a number is a failure: leave the cell empty and say status and reason.',
  rounded: BEYOND_DOUBLES,
  status: 'A forecast has an empty status; say what happened in reason.',
  'status-price': ONE_OF_TWO,
  'status-value': ONE_OF_TWO,
  'not-steps': STEPS,
  'not-a-period': 'The list of periods is beside the protocol.',
  digits: DIGITS,
  level: 'Such as 0.1, or q0.1 as the name of a column.',
  'hourly-level': 'An hourly forecast has these three. Leave the rows of other levels out.',
  'level-digits':
    'A level within 0.000001 of one of the protocol is read as that one. Write other levels with at most six decimals.',
  median: 'The point of a forecast is its median: leave one of the two out.',
  'line-break':
    'A quote that was not closed, or a cell with two lines, does that. A name is in one line.',
}

const leavingOut = (columns: readonly string[]) =>
  `--columns ${shellWord(writtenPairs(columns.map((name) => [name, ''])))}`

const levelsHelp = (args: {
  readonly answer: string
  readonly none: string
  readonly same: readonly string[]
}) => {
  const { answer, none, same } = args
  const isTwice = same.some((column) => column !== '')
  const so = isTwice ? 'If so, and the first of each level counts' : 'If so'
  const ofSame = isTwice
    ? ' For another one put its name there. Of several models write a row for each, with the column model.'
    : ''
  return `${so}: --columns ${answer}.${ofSame} If one is no quantile, leave it out: --columns ${none}`
}

/** Faults of a table of forecasts. */
export const naturalTableRows = {
  'natural-columns': error<{
    missing: readonly string[]
    found: readonly string[]
    /** For `--columns`, as far as the names tell. */
    guess: string | null
    /** A column with a mean, if the median is missing. */
    mean: string | null
  }>(
    ({ missing, found }) =>
      `${missing.length === 1 ? 'there is no column' : 'there are no columns'} ${joined(missing.map(quoted), 'and')}; the file has ${listNames(found)}`,
    { missing: ['price_usd'], found: ['yhat', 'origin_at'], guess: 'price_usd=yhat', mean: null },
    ({ missing, found, guess, mean }) => {
      if (missing.includes('origin_at') && found.includes('series')) {
        return 'Are these forecasts of any series? Then name their protocol: --protocol FILE.'
      }
      if (
        found.includes('output_type_id') &&
        missing.includes('model') &&
        !guess?.includes('model=')
      ) {
        return 'The files of a hub are named for their models: name its folder, with --from hubverse, or add a column model.'
      }
      const isMean =
        mean === null
          ? ''
          : ` A forecast is a median and quantiles: ${quoted(mean)} is no median (${NOT_FOR}).`
      if (guess !== null) return `Did you mean --columns ${shellWord(guess)}?${isMean}`
      return `Say which column is which: --columns ${missing.map((name) => `${name}=…`).join(',')}.${isMean}`
    },
  ),
  'natural-mapped': error<{ column: string; mapped: string; nearest: string | null }>(
    ({ column, mapped }) =>
      `--columns ${column}=${mapped}: the file has no column ${quoted(mapped || column)}`,
    { column: 'price_usd', mapped: 'yhatt', nearest: 'yhat' },
    ({ nearest }) => (nearest === null ? undefined : `Did you mean ${quoted(nearest)}?`),
  ),
  'natural-layout': error(
    {
      wide: [
        ({ columns }) =>
          `there are no columns model and price_usd, but ${listNames(columns)}: is each of them a model?`,
        'If so, add --melt. If one of them is the forecast, say so: --columns price_usd=yhat,model=name',
      ],
      long: [
        'with --melt every further column is a model, but the rows name their models: "{columns}"',
        'Leave --melt out.',
      ],
      shared: [
        'with --melt every further column is a model, but this is of one model: "{columns}"',
        'Write a row for each model, with the column model.',
      ],
      bounds: [
        ({ columns }) =>
          `with --melt every further column is a model, and ${listNames(columns)} ${columns.length === 1 ? 'looks like a quantile' : 'look like quantiles'}`,
        ({ columns }) =>
          `Leave them out: ${leavingOut(columns)}. Or write a row for each model, with the column model: there quantiles are read.`,
      ],
      samples: [
        ({ columns }) =>
          `${listNames(columns)} ${columns.length === 1 ? 'looks' : 'look'} like samples, or members of an ensemble: a forecast is a median and quantiles`,
        ({ columns }) =>
          `Make quantiles of them first (${NOT_FOR}). If it is something else, leave it out: ${leavingOut(columns)}`,
      ],
      probabilities: [
        ({ columns }) =>
          `${listNames(columns)} ${columns.length === 1 ? 'looks' : 'look'} like probabilities: a forecast is a median and quantiles, not the probability of an event`,
        ({ columns }) =>
          `Probabilities cannot be scored (${NOT_FOR}). If it is something else, leave it out: ${leavingOut(columns)}`,
      ],
      none: [
        'there is no column that could be a model',
        'Such a file has origin_at, horizon_hours and one column for each model.',
      ],
      quantiles: [
        'the column "{columns}" says that each quantile has a row of its own; here a forecast is one row',
        ({ columns: [name = ''] }) =>
          `If so: --columns ${shellWord(writtenPairs([['level', name]]))}, where price_usd is the value of the row. If not: ${leavingOut([name])}`,
      ],
      level: [
        'the column level says that each quantile has a row of its own, and there is "{columns}", too',
        'Leave one of the two out: --columns level=, if it is no level.',
      ],
    },
    { fault: 'wide', columns: ['arima', 'lstm'] },
  ),
  'natural-no-rows': warning(
    'the table has columns, and no row',
    'Check that the program that wrote it came to its end.',
  ),
  'never-judged': warning(
    {
      horizon: ['its horizon is not 2, 4, 8 or 16 hours: {row}'],
      'off-the-hour': ['its origin is not on the hour: {row}'],
      'before-bitcoin': ['its origin lies before there was a market: {row}'],
      series: ['the protocol has no such series: {row}'],
      origin: ['its period is no origin in the list: {row}'],
      step: ['the protocol does not ask for this horizon of its origin: {row}'],
      target: ['its target is not in the list of periods: {row}'],
    },
    { fault: 'series', row: '06, 2025-11-22, seer, step 1' },
    'Such a forecast is kept and shown, but no evaluation judges it. Are the columns and their units the right ones?',
  ),
  'forecast-unscorable': row('error', 'warning')(
    {
      levels: [
        '{count forecast lacks|forecasts lack} a level of the protocol; the first is {row}, without {what}',
      ],
      cross: [
        '{count forecast has|forecasts have} quantiles that cross; the first is {row}: {what} is {found}, below {limit}',
      ],
      minimum: [
        '{count forecast has|forecasts have} a value below the minimum {limit} of the protocol; the first is {row}: {what} is {found}',
      ],
      transform: [
        '{count forecast has|forecasts have} a value without the transform of the primary score, {limit}; the first is {row}: {what} is {found}',
      ],
      integer: [
        '{count forecast has|forecasts have} a value that is not whole, and the protocol asks for whole numbers; the first is {row}: {what} is {found}',
      ],
    },
    {
      fault: 'minimum',
      count: 3,
      row: 'US, 2025-W46, seer, step 1',
      what: 'the quantile 0.1',
      found: '-0.236',
      limit: '0',
    },
    'Such a forecast can only fail, and the first write of a key wins: correct it before it is due. With --as-is it is imported as it is, and counts as failed.',
  ),
  'natural-near': row('error', 'note')<{ column: string; nearest: string }>(
    'the column "{column}" would not be imported; is it {nearest}?',
    { column: 'q10', nearest: 'q10_usd' },
    ({ column, nearest }) =>
      `If it is: --columns ${shellWord(writtenPairs([[nearest, column]]))}. If it is not: --columns ${nearest}=`,
  ),
  'natural-levels': error(
    {
      ask: [
        ({ columns, are, same }) => {
          const asks = columns.map((_, at) => {
            const as = same[at] === '' ? '' : `, as ${quoted(same[at] ?? '')} is`
            return are[at] === '' ? 'of which level is it?' : `is it ${are[at]}${as}?`
          })
          const [column = '', ...others] = columns
          if (others.length === 0) {
            return `the column ${quoted(column)} would not be imported; ${asks[0]}`
          }
          const each = columns.map((name, at) => {
            return `${quoted(name)} (${are[at] === '' ? 'of which level?' : asks[at]})`
          })
          return `columns that look like quantiles would not be imported: ${each.join(', ')}`
        },
        levelsHelp,
      ],
      exceeded: [
        'values fall from "{above}" to "{below}": is {below} what is exceeded in {percent} %?',
        levelsHelp,
      ],
    },
    {
      fault: 'ask',
      columns: ['0.1', 'lower'],
      /** The most likely meaning of each; '' if the name does not tell. */
      are: ['q0.1', ''],
      /** For each, the other column with the same meaning, if there is one. */
      same: ['', ''],
      /** For `--columns`. */
      answer: 'q0.1=0.1,q…=lower',
      /** For `--columns`: marks those with an unclear level as not being quantiles, or else the first of them. */
      none: 'lower=',
      /** Decreasing percentiles: the one with the largest values, the one with the smallest, and its number. */
      above: 'P10',
      below: 'P90',
      percent: '90',
    },
  ),
  'natural-levels-near': note(
    '{count level|levels} within 0.000001 of a level of the protocol: read as that level, the first {found} as {level}',
    { count: 9, found: '0.30000000000000004', level: '0.3' },
    'Sums such as 0.1 + 0.2, and numbers of 32 bits, have such levels. Nothing is to be done.',
  ),
  'natural-ignored': note<{ columns: readonly string[] }>(
    ({ columns }) =>
      `${columns.length === 1 ? 'a column is' : `${columns.length} columns are`} not imported: ${listNames(columns)}`,
    { columns: ['features', 'y_true'] },
    'A history has no place for them.',
  ),
  'natural-cell': error<{ fault: keyof typeof CELLS; column: string; found: string }>(
    ({ column, found, fault }) => `${column} ${quoted(found)} ${CELLS[fault]}`,
    { fault: 'comma', column: 'price_usd', found: '50000,25' },
    ({ fault, column, found }) => {
      if (fault in TIMESTAMP_FAULTS && /^\d{9,20}$/.test(found)) return DIGITS
      if (fault === 'not-a-number' && column === 'horizon') return STEPS
      if (fault === 'not-a-number' && column === 'horizon_hours') return HOURS
      if (fault === 'level') return percentHelp(found) ?? CELL_HELP.level
      return CELL_HELP[fault] ?? (fault in TIMESTAMP_FAULTS ? TIME : undefined)
    },
  ),
  'natural-missing': error(
    {
      price_usd: [
        'the row has no price_usd, and no status that says why',
        'Leave such rows out, or say status (failed or abstained) and reason: a recorded failure is not a missing forecast.',
      ],
      source_price_usd: [
        'nothing says the price at the origin',
        'Add a column source_price_usd, or name the closes: --outcomes VINTAGE.',
      ],
      value: [
        'the row has neither value nor the quantile of level 0.5, and no status that says why',
        'Leave such rows out, or say status (failed or abstained) and reason: a recorded failure is not a missing forecast.',
      ],
      level: [
        'the row has a level and no value',
        'Leave out all rows of a forecast that was not made: a forecast has every level of the protocol.',
      ],
      series: ['the row has no series'],
      origin: ['the row has no origin'],
      horizon: ['the row has neither horizon nor target'],
      origin_at: ['the row has no origin_at'],
      horizon_hours: ['the row has no horizon_hours'],
      model: ['the row has no model'],
    },
    { fault: 'price_usd' },
    'Every row needs one.',
  ),
  'natural-no-close': error(
    'the vintage {vintage} has no close at the origin {origin}',
    { origin: '2026-01-31T12:00:00Z', vintage: 'kraken-2026-01' },
    'Import outcomes that cover every origin, or add a column source_price_usd.',
  ),
  'natural-unkept': warning<{ columns: readonly string[]; of: 'forecast' | 'attempt' }>(
    ({ columns, of }) =>
      `${of === 'forecast' ? 'a forecast' : 'a recorded attempt'} has no ${joined(columns, 'and')}: not imported`,
    { columns: ['run_id'], of: 'attempt' },
    ({ of }) => (of === 'attempt' ? 'To keep something, write it into the reason.' : undefined),
  ),
  'natural-duplicate': error<{ row: string; differs: readonly string[]; other: string }>(
    ({ row, differs, other }) => {
      const members = differs.filter((pointer) => pointer !== '')
      const how = members.length > 0 ? ` (${members.join(', ')})` : ''
      return `${row}: ${other} has this key and other values${how}`
    },
    {
      row: '2026-01-02T03:00:00+00:00, seer, 24 h',
      differs: ['/estimate/price_usd'],
      other: 'line 2',
    },
    'A key has one forecast. Which of the rows was the forecast that was made?',
  ),
}

const ROW = '2026-01-02T03:00:00+00:00, seer, 24 h'

/** What an import rejects or skips. */
export const importRows = {
  'import-unknown-value': error(
    {
      value: [
        'this is not a forecast, an attempt or an API body, but {found}',
        'A forecast has forecast_id, an attempt has model_name, status and reason, a body has api_version; a row of a table has origin_at, or --columns says where that is.',
      ],
      'error-body': [
        'this is an error response of the API ({found}), not a page',
        'Fetch the page again.',
      ],
    },
    { fault: 'value', found: 'an object with time, price' },
  ),
  'row-refused': error(
    {
      import: [
        '{row}: the database refuses this row: {detail}',
        "The producer's tables are stricter than the format, or PostgreSQL cannot hold it: import into a new file.",
      ],
      copy: [
        '{row}: it cannot be copied as it is: {detail}',
        'Nothing was written. Export the history, mend what is reported, and import that into a new one.',
      ],
    },
    { fault: 'import', row: ROW, detail: 'CHECK constraint failed: horizon_hours IN (24, 48)' },
  ),
  'import-attempt-member': warning<{ members: readonly string[] }>(
    ({ members }) => `these members of an attempt are not stored: ${members.join(', ')}`,
    { members: ['retries'] },
    'To keep something, write it into the reason.',
  ),
  'import-conflict': error<{
    row: string
    /** Pointers to the differences; `''` is the whole row. */
    differs: readonly string[]
    /** What the history has under the same key. */
    other: 'forecast' | 'attempt'
  }>(
    (args) => {
      const differs = args.differs.filter((pointer) => pointer !== '')
      if (differs.length > 0) {
        return `${args.row}: the history has a different row with this key (${differs.join(', ')})`
      }
      return args.other === 'attempt'
        ? `${args.row}: the history has a recorded attempt without a forecast for this key`
        : `${args.row}: the history already has a forecast with this key`
    },
    { row: ROW, differs: ['/estimate/price_usd'], other: 'forecast' },
    'The first write of a key wins: the row in the history is kept.',
  ),
}
