import { TIMESTAMP_FAULTS } from '../instant.js'
import { error, NOT_FOR, note, row } from './row.js'

/** What a sentence about the name of a period may need: labels of periods, and as which end a time was read. */
interface PeriodNameArgs {
  readonly column: string
  readonly found: string
  /** The period that starts then. */
  readonly start?: string | null
  /** The period that ends then. */
  readonly end?: string | null
  readonly label?: 'start' | 'end'
  readonly period?: string
}

const NAMED: PeriodNameArgs = {
  column: 'origin',
  found: '2026-11-01T00:00:00Z',
  start: '2026-11-01',
  end: '2026-10-31',
  label: 'end',
  period: '2026-11-01',
}
const A_NAME =
  'Write a label of the list, a date, or a time such as 2026-01-31T12:00:00Z with --label start or --label end.'
/** Tables of hubs use the word target for what is forecast. */
const A_TARGET =
  'If it is the name of what is forecast: --columns target= leaves the column out, and target=NAME says which column has the period.'
const LONGER = 'If the table is longer than the list, leave such rows out: --outside leave-out.'
const OFFSETS = 'Write times with their offset from UTC, such as 2026-10-25T02:00:00+01:00.'
const OWN_ENDS =
  'Here the end of a period is its start and its length later: hours that are numbered by their ends. Of a table whose ends are what the clock shows, write the starts (--label start), or offsets from UTC.'

/** Maximum number of times to list. */
const TIMES = 8
const times = (all: readonly string[]) => `${all.length === 1 ? '1 time' : `${all.length} times`}`
const listed = (all: readonly string[]) =>
  [...all.slice(0, TIMES), ...(all.length > TIMES ? ['…'] : [])].join(', ')

/** Faults of a time that can be parsed, but does not name an instant. */
const timeFault = (fault: keyof typeof TIMESTAMP_FAULTS, help?: string) =>
  [`the {column} "{found}" ${TIMESTAMP_FAULTS[fault]}`, help ?? A_NAME] as const

/** Faults of a list of periods, and what to do about them. */
export const periodsRows = {
  'period-column': error(
    {
      missing: ['the column {column} is missing'],
      unknown: ['there is no column "{column}" in a list of periods'],
      zones: [
        'the column {column} gives periods a time zone each: a protocol has one',
        `Leave it out: starts and ends are instants, and the zone is that of the protocol. Series of other zones need a protocol of their own (${NOT_FOR}).`,
      ],
      'due-steps': [
        'the column {column} gives steps a due time each: all steps of an origin are due at once',
        `Write the time of each origin into the column due. Of steps that are due apart make a protocol each (${NOT_FOR}).`,
      ],
      'no-rows': [
        'the list has no period',
        'Check that the program that wrote it came to its end.',
      ],
      'no-origins': [
        'no period is an origin: the column {column} is empty throughout',
        'Write yes into it for each period of which forecasts are made, or leave the column out: then all are.',
      ],
      holidays: [
        'the column {column} is missing in this list of holidays',
        'Write date into the first line, and one date such as 2026-12-25 into each line below.',
      ],
    },
    { fault: 'missing', column: 'end' },
    'A list has the columns period, start and end, or of sessions session, open and close, and may have origin, steps, due and known.',
  ),
  'period-cell': error(
    {
      label: [
        'the label "{found}" is not 1 to 64 printable ASCII characters without commas and quotes',
        'Give each period a short name of its own, such as 2026-W01.',
      ],
      instant: [
        'the {column} "{found}" {says}',
        'Write an instant in UTC, such as 2026-01-02T03:00:00Z.',
      ],
      origin: ['the {column} is "{found}", not yes or empty'],
      steps: [
        'the steps "{found}" are not ascending whole numbers and ranges',
        'Write them like 13-35 or 1,2,5; a cell with a comma is in quotes.',
      ],
      'steps-alone': [
        'the steps "{found}" belong to a period that is no origin',
        'Write yes into its column origin, or leave its steps out.',
      ],
      holiday: ['the holiday "{found}" is not a date', 'Write it like 2026-12-25.'],
    },
    { fault: 'steps', column: 'steps', found: '5,1', says: '' },
  ),
  'period-order': error(
    {
      empty: ['the period "{period}" ends when it starts, or earlier'],
      overlap: [
        'the period "{period}" starts before "{other}" has ended',
        `Periods ascend and do not overlap: values of overlapping periods, such as sums of the last seven days, cannot be judged here (${NOT_FOR}). Gaps are allowed.`,
      ],
      twice: ['the label "{period}" is that of line {other} already'],
    },
    { fault: 'overlap', period: '2026-W02', other: '2026-W01' },
    'Periods ascend and do not overlap, and each has a label of its own. Gaps are allowed.',
  ),
  'period-name': error(
    {
      asked: [
        ({ column, found, start, end }: PeriodNameArgs) => {
          const read = [
            ...(start ? [`the start of ${start}`] : []),
            ...(end ? [`the end of ${end}`] : []),
          ]
          const readings = read.length > 0 ? `: ${read.join(' or ')}` : ''
          return `the ${column} "${found}" may be the start or the end of its period${readings}`
        },
        'Say which: --label start or --label end. Forecasts may differ: --label origin=end,target=start.',
      ],
      unknown: [
        'the {column} "{found}" is neither the label of a period nor a time',
        ({ column }) => `${column === 'target' ? `${A_TARGET} ` : ''}${A_NAME} ${LONGER}`,
      ],
      digits: [
        'the {column} "{found}" is a number, and not one of seconds, milliseconds, microseconds or nanoseconds since 1970',
        `These have 9 or 10, 12 or 13, 15 or 16, 18 or 19 digits. ${A_NAME}`,
      ],
      date: [
        'the {column} "{found}" is a date, and the periods of the list do not all begin and end at midnight',
        'Write the time of day. (pandas writes dates where all times of a column are midnight.)',
      ],
      'no-day': ['the list has no period "{found}"', LONGER],
      'other-end': [
        ({ column, found, label, period }) =>
          `the ${column} "${found}" is not the ${label} of a period, but the ${label === 'start' ? 'end' : 'start'} of ${period}`,
        ({ label }) =>
          `If the table has the ${label === 'start' ? 'ends' : 'starts'} of periods: --label ${label === 'start' ? 'end' : 'start'}.`,
      ],
      inside: [
        'the {column} "{found}" lies within the period {period}, and is not its {label}',
        'A row is of one period of the list: write its start or its end. The list is beside the protocol.',
      ],
      utc: [
        'the {column} "{found}" is a label of the list, and in UTC, as --utc says, a time at which that period neither begins nor ends',
        'Where it is the label, leave --utc out. Where it is a time: --label start or --label end.',
      ],
      repeated: [
        'the clock shows the {column} "{found}" twice',
        'Say which of two rows is the earlier: --repeated earlier-first or --repeated later-first.',
      ],
      more: [
        'the clock shows the {column} "{found}" twice, and the table has more than two rows of it',
        `Remove the rows that are there too often. ${OFFSETS}`,
      ],
      lone: [
        'the clock shows the {column} "{found}" twice, and the table has one row of it',
        `Add the other row. ${OFFSETS} ${OWN_ENDS}`,
      ],
      both: [
        'the clock shows the {column} "{found}" twice, and the origin of the row, too: nothing says which is which',
        OFFSETS,
      ],
      skipped: ['the clock never shows the {column} "{found}": it is put forward over it', OFFSETS],
      'own-ends': [
        'the {column} "{found}" is what the clock shows at the end of {period}, where it is put forward',
        OWN_ENDS,
      ],
      calendar: timeFault('calendar'),
      'leap-second': timeFault('leap-second'),
      precision: timeFault('precision', 'Round it to microseconds.'),
      range: timeFault('range'),
      'space-for-plus': timeFault('space-for-plus', OFFSETS),
    },
    { fault: 'asked', ...NAMED },
  ),
  'period-outside': row('warning', 'error')(
    {
      time: [
        '{count row is|rows are} left out: the {column} lies outside the list, first "{found}"',
      ],
      text: [
        '{count row is|rows are} left out: the {column} is neither a label of the list nor a time, first "{found}"',
      ],
    },
    { fault: 'time', count: 24, column: 'period', found: '2019-01-01T00:00:00Z' },
    'Is the list the right one? If the table is longer, nothing is to be done.',
  ),
  'period-clock': note(
    ({
      twice,
      never,
      order,
    }: {
      twice: readonly string[]
      never: readonly string[]
      order: string
    }) =>
      [
        ...(twice.length > 0
          ? [
              `the clock shows ${times(twice)} twice (${listed(twice)}): of each, the ${order} row is taken as the earlier`,
            ]
          : []),
        ...(never.length > 0
          ? [
              `${twice.length > 0 ? 'it' : 'the clock'} never shows ${times(never)} (${listed(never)})`,
            ]
          : []),
      ].join('; '),
    {
      twice: ['2026-11-01T02:00:00'],
      never: ['2026-03-08T03:00:00'],
      order: 'first' as string,
    },
    ({ twice }) =>
      twice.length > 0
        ? 'If the rows of a time that comes twice are in the other order, say so with --repeated.'
        : 'Nothing is to be done.',
  ),
}
