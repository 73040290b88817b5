import type { TimestampFault } from '../instant.js'
import { row } from './row.js'

const TIMESTAMP_FAULTS: Readonly<Record<TimestampFault, string>> = {
  syntax: 'is not an RFC 3339 timestamp',
  'offset-missing': 'has no offset from UTC',
  'space-for-plus': 'has a space instead of +',
  calendar: 'is a date or time that does not exist',
  'leap-second': 'is a leap second',
  precision: 'has more than six fractional digits',
  range: 'is out of range',
}

/** A row of the history, named by its key. */
type OfRow = {
  readonly row: string
}

/** One column of a row, with what stands in it. */
type InColumn = OfRow & {
  readonly column: string
  readonly found: string
}

const OF_ROW: OfRow = { row: '2026-01-02T03:00:00+00:00, seer, 24 h' }
const cell = (column: string, found: string): InColumn => ({ ...OF_ROW, column, found })

/** The rules of a sound forecast that the columns of a history can break, and what comes of it. */
const RULES = {
  'target-mismatch': 'In a pairing this attempt is ineligible.',
  'price-not-positive': 'In a pairing this attempt counts as failed.',
  'price-implausible': 'score refuses a candidate with many such rows.',
  'change-mismatch': 'Correct the program that wrote it. Scores do not use this column.',
  'interval-disordered': 'In a pairing the interval of this attempt counts as failed.',
  'interval-partly-null': 'Record all three quantiles or none.',
} as const

export type HistoryRule = keyof typeof RULES

export const isHistoryRule = (code: string): code is HistoryRule => Object.hasOwn(RULES, code)

/** What is wrong in the rows of a history. */
export const historyRows = {
  'history-timestamp': row<InColumn & { readonly fault: TimestampFault }>(
    'error',
    { ...cell('target_at', '"2026-01-03 03:00"'), fault: 'syntax' },
    (args) => `${args.row}: ${args.column} is ${args.found}, which ${TIMESTAMP_FAULTS[args.fault]}`,
    'The time of this row is unknown. Correct the program that wrote it.',
  ),
  'history-timestamp-form': row<InColumn & { readonly expected: string }>(
    'error',
    { ...cell('target_at', '"2026-01-03T03:00:00Z"'), expected: '2026-01-03T03:00:00+00:00' },
    (args) =>
      `${args.row}: ${args.column} is ${args.found}, which is not the stored form ${args.expected}`,
    'Programs that compare timestamps as text will fail. Export the history and import it into a new file.',
  ),
  'history-number': row<InColumn>(
    'error',
    cell('predicted_price_usd', 'Infinity'),
    (args) =>
      `${args.row}: ${args.column} is ${args.found}, not a finite number within ±9007199254740991`,
    'This row cannot be shown: JSON cannot hold this number exactly.',
  ),
  'history-not-text': row<InColumn>(
    'error',
    cell('model_name', '"\\ud800"'),
    (args) => `${args.row}: ${args.column} is ${args.found}, not a text of Unicode characters`,
    'This row cannot be shown: JSON has neither lone surrogates nor noncharacters (RFC 7493).',
  ),
  'history-horizon': row<InColumn>(
    'error',
    cell('horizon_hours', '0'),
    (args) => `${args.row}: horizon_hours is ${args.found}, not a positive whole number`,
    'This row cannot be shown, and is not scored.',
  ),
  'history-rule': row<
    OfRow & { readonly column: string; readonly rule: HistoryRule; readonly fault: string }
  >(
    'error',
    { ...OF_ROW, column: 'target_at', rule: 'target-mismatch', fault: 'must be 24 hours later' },
    (args) => `${args.row}: ${args.column}: ${args.fault}`,
    ({ rule }) => RULES[rule],
  ),
  'history-agreement': row<InColumn>(
    'error',
    cell('model_agreement', '1.2'),
    (args) => `${args.row}: model_agreement is ${args.found}, outside 0 to 1`,
    'This row cannot be shown.',
  ),
  'history-pair': row<InColumn>(
    'error',
    { row: 'origin 2026-01-02T03:00:00+00:00', column: 'pair', found: '"ETH/USD"' },
    (args) => `${args.row}: pair is ${args.found}, not "BTC/USD"`,
    'Forecasts of this origin cannot be shown.',
  ),
  'history-orphan': row<InColumn>(
    'error',
    cell('origin_at', '"2026-01-02T03:00:00+00:00"'),
    (args) => `${args.row}: forecast_origins has no row for this origin`,
    'Without its source price this row can be neither shown nor scored.',
  ),
  'history-own-orphan': row<OfRow & { readonly table: string }>(
    'warning',
    { ...OF_ROW, table: 'foreproof_provenance' },
    (args) => `${args.row}: a row in ${args.table} belongs to no forecast and no attempt`,
    'It is ignored. The row that it belonged to was deleted.',
  ),
  'history-key-twice': row<OfRow & { readonly count: number }>(
    'error',
    { ...OF_ROW, count: 2 },
    (args) => `${args.row}: ${args.count} rows have this key`,
    'A forecast has one row. It is unknown which of these counts.',
  ),
  'history-attempt-and-forecast': row<OfRow & { readonly status: string }>(
    'warning',
    { ...OF_ROW, status: 'failed' },
    (args) =>
      `${args.row}: the attempt is recorded as ${args.status}, but there is also a forecast`,
    'In a pairing the recorded attempt counts.',
  ),
  'history-attempt': row<InColumn>(
    'error',
    cell('status', '"lost"'),
    (args) => `${args.row}: ${args.column} of the attempt is ${args.found}`,
    'The status is failed or abstained, and the reason is not empty. Texts hold no lone surrogates and no noncharacters.',
  ),
  'history-manifest': row<OfRow>(
    'warning',
    { row: '2026-01-02T03:00:00+00:00' },
    (args) => `origin ${args.row}: experiment_manifest_json is not a JSON object (RFC 7493)`,
    'Its forecasts are shown without a manifest. In a manifest no name is repeated, integers are within ±9007199254740991, and texts hold only characters.',
  ),
  'history-resource': row<OfRow & { readonly column: string; readonly fault: string }>(
    'error',
    { ...OF_ROW, column: 'resource_json', fault: 'differs from its own row' },
    (args) => `${args.row}: ${args.column} ${args.fault}`,
    'This row cannot be shown. Import it again into a new file.',
  ),
  'history-integrity': row(
    'error',
    { detail: 'row 12 missing from index forecast_order' },
    ({ detail }) => `SQLite: ${detail}`,
    'Restore the file from a copy, or save what can be read with: sqlite3 FILE .recover',
  ),
  'history-index-missing': row(
    'note',
    { rows: 40, bytes: 60_000, sql: 'CREATE INDEX IF NOT EXISTS ...' },
    ({ rows }) =>
      `the index for the reading order is missing: each page sorts up to ${rows} rows of an origin`,
    ({ bytes, sql }) => `The index takes about ${bytes} bytes. To create it: ${sql}`,
  ),
}
