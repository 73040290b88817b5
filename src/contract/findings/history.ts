import type { TimestampFault } from '../instant.js'
import { error, note, warning } from './row.js'

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
  'history-timestamp': error<InColumn & { readonly fault: TimestampFault }>(
    (args) => `${args.row}: ${args.column} is ${args.found}, which ${TIMESTAMP_FAULTS[args.fault]}`,
    { ...cell('target_at', '"2026-01-03 03:00"'), fault: 'syntax' },
    'The time of this row is unknown. Correct the program that wrote it.',
  ),
  'history-timestamp-form': error<InColumn & { readonly expected: string }>(
    '{row}: {column} is {found}, which is not the stored form {expected}',
    { ...cell('target_at', '"2026-01-03T03:00:00Z"'), expected: '2026-01-03T03:00:00+00:00' },
    'Programs that compare timestamps as text will fail. Export the history and import it into a new file.',
  ),
  'history-number': error<InColumn>(
    '{row}: {column} is {found}, not a finite number within ±9007199254740991',
    cell('predicted_price_usd', 'Infinity'),
    'This row cannot be shown: JSON cannot hold this number exactly.',
  ),
  'history-not-text': error<InColumn>(
    '{row}: {column} is {found}, not a text of Unicode characters',
    cell('model_name', '"\\ud800"'),
    'This row cannot be shown: JSON has neither lone surrogates nor noncharacters (RFC 7493).',
  ),
  'history-horizon': error<InColumn>(
    '{row}: horizon_hours is {found}, not a positive whole number',
    cell('horizon_hours', '0'),
    'This row cannot be shown, and is not scored.',
  ),
  'history-rule': error<
    OfRow & { readonly column: string; readonly rule: HistoryRule; readonly fault: string }
  >(
    '{row}: {column}: {fault}',
    { ...OF_ROW, column: 'target_at', rule: 'target-mismatch', fault: 'must be 24 hours later' },
    ({ rule }) => RULES[rule],
  ),
  'history-agreement': error<InColumn>(
    '{row}: model_agreement is {found}, outside 0 to 1',
    cell('model_agreement', '1.2'),
    'This row cannot be shown.',
  ),
  'history-pair': error<InColumn>(
    '{row}: pair is {found}, not "BTC/USD"',
    { row: 'origin 2026-01-02T03:00:00+00:00', column: 'pair', found: '"ETH/USD"' },
    'Forecasts of this origin cannot be shown.',
  ),
  'history-orphan': error<InColumn>(
    '{row}: forecast_origins has no row for this origin',
    cell('origin_at', '"2026-01-02T03:00:00+00:00"'),
    'Without its source price this row can be neither shown nor scored.',
  ),
  'history-own-orphan': warning<OfRow & { readonly table: string }>(
    '{row}: a row in {table} belongs to no forecast and no attempt',
    { ...OF_ROW, table: 'foreproof_provenance' },
    'It is ignored. The row that it belonged to was deleted.',
  ),
  'history-key-twice': error<OfRow & { readonly count: number }>(
    '{row}: {count} rows have this key',
    { ...OF_ROW, count: 2 },
    'A forecast has one row. It is unknown which of these counts.',
  ),
  'history-attempt-and-forecast': warning<OfRow & { readonly status: string }>(
    '{row}: the attempt is recorded as {status}, but there is also a forecast',
    { ...OF_ROW, status: 'failed' },
    'In a pairing the recorded attempt counts.',
  ),
  'history-attempt': error<InColumn>(
    '{row}: {column} of the attempt is {found}',
    cell('status', '"lost"'),
    'The status is failed or abstained, and the reason is not empty. Texts hold no lone surrogates and no noncharacters.',
  ),
  'history-manifest': warning<OfRow>(
    'origin {row}: experiment_manifest_json is not a JSON object (RFC 7493)',
    { row: '2026-01-02T03:00:00+00:00' },
    'Its forecasts are shown without a manifest. In a manifest no name is repeated, integers are within ±9007199254740991, and texts hold only characters.',
  ),
  'history-resource': error<OfRow & { readonly column: string; readonly fault: string }>(
    '{row}: {column} {fault}',
    { ...OF_ROW, column: 'resource_json', fault: 'differs from its own row' },
    'This row cannot be shown. Import it again into a new file.',
  ),
  'history-integrity': error(
    'SQLite: {detail}',
    { detail: 'row 12 missing from index forecast_order' },
    'Restore the file from a copy, or save what can be read with: sqlite3 FILE .recover',
  ),
  'history-index-missing': note(
    'the index for the reading order is missing: each page sorts up to {rows} rows of an origin',
    { rows: 40, bytes: 60_000, sql: 'CREATE INDEX IF NOT EXISTS ...' },
    'The index takes about {bytes} bytes. To create it: {sql}',
  ),
}
