import { LARGEST_VALUE_TEXT } from '../limits.js'
import { BEYOND_DOUBLES, error, listNames, row, warning } from './row.js'

const AS_OF = 'Write when this value became public: a date, or a time with its offset from UTC.'

const AS_OF_UTC = `${AS_OF} If times without one are UTC: --utc.`

const domainHelp = ({ taken }: { readonly taken: string }) => {
  if (taken === 'not imported') {
    return 'Correct them. Where such a number stands for a missing value: --out-of-domain absent'
  }
  return taken === 'cannot be scored'
    ? 'A vintage is what foreproof outcomes import writes under this protocol: import its table again.'
    : 'Such a row says that there is no value: by it the key has no outcome.'
}

/** Faults of a table of outcomes of any series, and what to do about them. */
export const truthRows = {
  'truth-column': error(
    {
      missing: [
        'the column {column} is missing; the table has {found}',
        'Name it: --columns {column}=NAME. A table is series, period, value and, where values are revised, as_of.',
      ],
      long: [
        'with --melt each series is a column, but the rows name their series: there is a column {column}',
        'Leave --melt out.',
      ],
      'no-series': [
        'with --melt each series is a column, and none is called as a series of the protocol: {found}',
        'Give the columns the names that the series have in the protocol.',
      ],
      wide: [
        'the column {column} is missing, and columns are called as series of the protocol: {found}',
        'If each series has a column, add --melt. If not, say which column has the values: --columns value=NAME',
      ],
      'no-rows': [
        'no row has a value of a series and a period of the protocol',
        'Check that this is the right file, and the right protocol.',
      ],
      many: [
        'the table has more than {found} rows of the protocol',
        'Leave out rows that repeat the value before, and periods that are not needed.',
      ],
    },
    { fault: 'missing', column: 'value', found: ['series', 'period', 'yhat'] },
  ),
  'truth-cell': error(
    {
      value: [
        `the {column} "{found}" is no decimal number, or lies beyond ±${LARGEST_VALUE_TEXT}`,
        'Leave it empty, or write NA, where there is no value.',
      ],
      comma: [
        'the {column} "{found}" has a comma where a decimal point is expected',
        'If all numbers have a decimal comma: --decimal ,. No separators between thousands.',
      ],
      thousands: [
        'the {column} "{found}" has separators between thousands',
        'Write numbers without them. Only if commas are decimal commas, so that 1,234 is 1.234: --decimal ,.',
      ],
      rounded: [
        'the {column} "{found}" has more digits than a double keeps: it would be rounded',
        BEYOND_DOUBLES,
      ],
      'as-of': ['the {column} "{found}" is neither a date nor a time with an offset', AS_OF_UTC],
      'no-as-of': ['the {column} is empty, and the protocol asks when values became public', AS_OF],
      future: ['the {column} "{found}" lies in the future', 'Correct it, or import it later.'],
    },
    { fault: 'value', column: 'value', found: '12 (p)' },
  ),
  'truth-unknown': warning(
    'the protocol has no series "{found}"',
    { found: 'PR' },
    'Such rows are left out.',
  ),
  'truth-twice': error(
    {
      same: ['{series}, {period} has {second} here and {first} in {where}, as of the same instant'],
      unrevised: [
        '{series}, {period} has {second} here and {first} in {where}, and by the protocol values are not revised',
      ],
    },
    { fault: 'same', series: 'US', period: '2026-W01', first: '12', second: '13', where: 'line 2' },
    'Find out which one is right, and remove the other.',
  ),
  'truth-rule': row('error', 'warning')(
    {
      early: [
        '{count row is|rows are} dated before the value could be known by the protocol: first {series}, {period}, as of {at}, known {known}',
        'Such a table does not say when values became public, or the protocol is wrong: by this rule nothing can be decided.',
      ],
      'too-early': [
        '{count row is|rows are} dated before the period ended and before its value could be known: first {series}, {period}, as of {at}, known {known}',
        'Such a row is no value: it is left out, no baseline sees it, and it never counts. Where values are public before their periods end, known in the protocol says so.',
      ],
      revised: [
        '{count value was|values were} revised, and by the protocol they are not: first {series}, {period}',
        'Import the values that are meant, or evaluate by a protocol that says which release counts.',
      ],
      undated: [
        '{count value has|values have} no date of publication, and the protocol asks for it: first {series}, {period}',
        'Import a table with the column as_of.',
      ],
    },
    {
      fault: 'early',
      count: 264,
      series: 'US',
      period: '2026-W01',
      at: '2026-01-11T05:00:00Z',
      known: '2026-01-16T05:00:00Z',
    },
  ),
  'truth-domain': row('error', 'warning')(
    {
      minimum: [
        '{count value is|values are} below the minimum {minimum} of the protocol, and {taken}: first {found}, of {series}, {period}',
        domainHelp,
      ],
      integer: [
        '{count value is|values are} not whole, as the protocol asks, and {taken}: first {found}, of {series}, {period}',
        domainHelp,
      ],
    },
    {
      fault: 'minimum',
      count: 3,
      found: -999,
      minimum: '0',
      taken: 'not imported',
      series: 'US',
      period: '2026-W01',
    },
  ),
  'truth-gaps': warning(
    {
      series: [
        ({ count, of, names }) =>
          `${count} of ${of} series ${count === 1 ? 'has' : 'have'} no row: ${listNames(names)}`,
        'Does the table call them otherwise? A series without outcomes is in no test.',
      ],
      periods: [
        ({ count, of, names, until }) =>
          `${count} of ${of} values that could be known by ${until} are missing: ${listNames(names)}`,
        'Such keys have no outcome, for any model. Is the table complete?',
      ],
    },
    {
      fault: 'periods',
      count: 14,
      of: 1248,
      names: ['06: 12, from 2026-W03', 'US: 2, from 2026-W20'],
      until: '2026-07-01T04:00:00Z',
    },
  ),
  'truth-far': warning<{ count: number; names: readonly string[] }>(
    ({ count, names }) =>
      `${count} ${count === 1 ? 'value lies' : 'values lie'} beyond 20 interquartile ranges of the series: ${listNames(names)}`,
    { count: 1, names: ['US: 1, 99999 in 2026-W03 (half lie from 120 to 480)'] },
    'Another unit, or a number that stands for a missing value? Such values count as they are.',
  ),
  'truth-complete': error(
    {
      needed: [
        'the table does not say up to when it is complete',
        'Say it: --complete-to 2026-07-01. Targets that are settled later are not scored.',
      ],
      future: ['--complete-to {found} lies in the future'],
      form: ['--complete-to {found} is neither a date nor an instant'],
    },
    { fault: 'needed', found: '' },
    'Write a date, whose end by the clock of the zone is meant, or an instant such as 2026-07-01T00:00:00Z.',
  ),
}
