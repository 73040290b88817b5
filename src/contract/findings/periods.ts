import { error } from './row.js'

/** What is wrong with a list of periods, and what to do about it. */
export const periodsRows = {
  'period-column': error(
    {
      missing: ['the column {column} is missing'],
      unknown: ['there is no column "{column}" in a list of periods'],
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
    'A list has the columns period, start and end, and may have origin, steps, due and known.',
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
      overlap: ['the period "{period}" starts before "{other}" has ended'],
      twice: ['the label "{period}" is that of line {other} already'],
    },
    { fault: 'overlap', period: '2026-W02', other: '2026-W01' },
    'Periods ascend and do not overlap, and each has a label of its own. Gaps are allowed.',
  ),
}
