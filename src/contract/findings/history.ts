import { LARGEST_VALUE_TEXT } from '../limits.js'
import { error, note, warning } from './row.js'

/** A row of the history, named by its key. */
const OF_ROW = { row: '2026-01-02T03:00:00+00:00, seer, 24 h' }

const CELL = '{row}: {column} is {found}'
const HIDDEN = 'This row cannot be shown'

/** The rules of a valid forecast that the columns of a history can break, and the consequence. */
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

/** Faults in the rows of a history. */
export const historyRows = {
  'history-value': error(
    {
      timestamp: [CELL, 'The time of this row is unknown. Correct the program that wrote it.'],
      'timestamp-form': [
        CELL,
        'Programs that compare timestamps as text will fail. Correct the program that wrote it, and the rows.',
      ],
      number: [`${CELL}, not a number within ±${LARGEST_VALUE_TEXT}`, `${HIDDEN}.`],
      text: [
        `${CELL}, not a text of Unicode characters`,
        `${HIDDEN}: JSON has neither lone surrogates nor noncharacters (RFC 7493).`,
      ],
      horizon: [`${CELL}, not a positive whole number`, `${HIDDEN}, and is not scored.`],
      agreement: [`${CELL}, outside 0 to 1`, `${HIDDEN}.`],
      pair: [`${CELL}, not "BTC/USD"`, 'Forecasts of this origin cannot be shown.'],
      attempt: [
        '{row}: {column} of the attempt is {found}',
        'The status is failed or abstained, and the reason is not empty. Texts hold no lone surrogates and no noncharacters.',
      ],
      orphan: [
        '{row}: forecast_origins has no row for this origin',
        'Without its source price this row can be neither shown nor scored.',
      ],
    },
    { fault: 'number', ...OF_ROW, column: 'predicted_price_usd', found: 'Infinity' },
  ),
  'history-rule': error(
    '{row}: {column}: {fault}',
    {
      ...OF_ROW,
      column: 'target_at',
      rule: 'target-mismatch' as HistoryRule,
      fault: 'must be 24 hours later',
    },
    ({ rule }) => RULES[rule],
  ),
  'history-own-orphan': warning(
    '{row}: a row in {table} belongs to no forecast and no attempt',
    { ...OF_ROW, table: 'foreproof_provenance' },
    'It is ignored. The row that it belonged to was deleted.',
  ),
  'history-attempt-and-forecast': warning(
    '{row}: the attempt is recorded as {status}, but there is also a forecast',
    { ...OF_ROW, status: 'failed' },
    'In a pairing the recorded attempt counts.',
  ),
  'history-manifest': warning(
    'origin {row}: experiment_manifest_json is not a JSON object (RFC 7493)',
    { row: '2026-01-02T03:00:00+00:00' },
    'Its forecasts are shown without a manifest. In a manifest no name is repeated, no integer loses digits, and texts hold only characters.',
  ),
  'history-resource': error(
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
