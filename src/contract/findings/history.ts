import type { MessageTable } from './messages.js'

const list = (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value))

const FAULT_WORDS: Readonly<Record<string, string>> = {
  syntax: 'it is no RFC 3339 timestamp',
  'offset-missing': 'it has no offset from UTC',
  'space-for-plus': 'a space stands where + should',
  calendar: 'there is no such date or time',
  'leap-second': 'a leap second has no instant of its own',
  precision: 'it has more than six fractional digits',
  range: 'it is out of range',
}

/** What an import rejects or leaves alone, and what is wrong in the rows of a history. */
export const historyMessages: MessageTable = {
  'import-unknown-value': (args) => ({
    text:
      args.found === 'object'
        ? `no forecast, attempt or API body: an object with ${list(args.members) || 'no members'}`
        : `no forecast, attempt or API body, but ${args.found === 'array' ? 'an array' : args.found}`,
    help: 'A forecast has forecast_id, an attempt has model_name, status and reason, a body has api_version.',
  }),
  'import-error-body': (args) => ({
    text: `this is an error answer of the API (${args.code}), not a page`,
    help: 'Fetch the page again.',
  }),
  'import-attempt-member': (args) => ({
    text: `attempts are kept without ${list(args.members)}`,
    help: 'What should be kept belongs into the reason.',
  }),
  'import-conflict': (args) => {
    const differs = Array.isArray(args.differs) ? args.differs.filter((at) => at !== '') : []
    return {
      text:
        args.other === 'attempt' && differs.length === 0
          ? `${args.row}: an attempt that gave no forecast is recorded for this key`
          : args.other === 'forecast' && differs.length === 0
            ? `${args.row}: the history holds a forecast of this key`
            : `${args.row}: the history holds another row of this key (differs in ${list(differs)})`,
      help: 'The first write of a key wins: the row in the history stays as it is.',
    }
  },
  'import-constraint': (args) => ({
    text: `${args.row}: the database refuses this row: ${args.detail}`,
    help: "The producer's tables are stricter than the format: import into a new file.",
  }),
  'history-timestamp': (args) => ({
    text: `${args.row}: ${args.column} is ${args.found}: ${FAULT_WORDS[String(args.fault)]}`,
    help: 'No reader can place this row in time; its producer has to be mended.',
  }),
  'history-timestamp-form': (args) => ({
    text: `${args.row}: ${args.column} is ${args.found}, which is not the stored form ${args.expected}`,
    help: 'Readers that compare text go wrong. Export the history and import it into a new file.',
  }),
  'history-number': (args) => ({
    text: `${args.row}: ${args.column} is ${args.found}, not a finite number within ±9007199254740991`,
    help: 'This row cannot be shown: JSON has no such number, or its readers round it.',
  }),
  'history-not-text': (args) => ({
    text: `${args.row}: ${args.column} is ${args.found}, not a text of Unicode characters`,
    help: 'This row cannot be shown: JSON has neither lone surrogates nor noncharacters (RFC 7493).',
  }),
  'history-horizon': (args) => ({
    text: `${args.row}: horizon_hours is ${args.found}, not a positive whole number`,
    help: 'This row cannot be shown, and is not scored.',
  }),
  'history-price': (args) => ({
    text: `${args.row}: ${args.column} is ${args.found}, which is no price`,
    help: 'In a pairing this attempt counts as failed.',
  }),
  'history-target-mismatch': (args) => ({
    text: `${args.row}: target_at is ${args.found}; origin and horizon give ${args.expected}`,
    help: 'In a pairing this attempt is ineligible.',
  }),
  'history-quantiles-partial': (args) => ({
    text: `${args.row}: ${args.column} not given, though other quantiles are`,
    help: 'Either all three quantiles are recorded or none.',
  }),
  'history-quantiles-disordered': (args) => ({
    text: `${args.row}: the quantiles ${args.column} cross: ${args.found}`,
    help: 'In a pairing the interval of this attempt counts as failed.',
  }),
  'history-agreement': (args) => ({
    text: `${args.row}: model_agreement is ${args.found}, outside 0 to 1`,
    help: 'This row cannot be shown.',
  }),
  'history-pair': (args) => ({
    text: `${args.row}: pair is ${args.found}, not "BTC/USD"`,
    help: 'Forecasts of this origin cannot be shown.',
  }),
  'history-orphan': (args) => ({
    text: `${args.row}: there is no row in forecast_origins for this origin`,
    help: 'Without its source price this row can be neither shown nor scored.',
  }),
  'history-own-orphan': (args) => ({
    text: `${args.row}: a row in ${args.table} belongs to no forecast and no attempt`,
    help: 'It is ignored; somebody deleted what it belonged to.',
  }),
  'history-key-twice': (args) => ({
    text: `${args.row}: ${args.count} rows have this key`,
    help: 'One forecast has one row; which one counts cannot be told.',
  }),
  'history-attempt-and-forecast': (args) => ({
    text: `${args.row}: recorded as ${args.status}, and there is a forecast as well`,
    help: 'In a pairing the recorded attempt counts.',
  }),
  'history-attempt': (args) => ({
    text: `${args.row}: ${args.column} of the attempt is ${args.found}`,
    help: 'An attempt is failed or abstained, and gives a reason; its texts have no lone surrogates and no noncharacters.',
  }),
  'history-manifest': (args) => ({
    text: `origin ${args.row}: experiment_manifest_json is no JSON object by RFC 7493`,
    help: 'Its forecasts are shown without a manifest. Names are given once, integers lie within ±9007199254740991, texts hold characters only.',
  }),
  'history-resource': (args) => ({
    text: `${args.row}: the resource kept whole ${args.fault}`,
    help: 'This row cannot be shown. Import it again into a new file.',
  }),
  'history-integrity': (args) => ({
    text: `SQLite: ${args.detail}`,
    help: 'Restore the file from a copy, or save what can be read with: sqlite3 FILE .recover',
  }),
  'history-index-missing': (args) => ({
    text: `no index in reading order: a page sorts each origin's rows (up to ${args.rows}) as it is read`,
    help: `It would cost about ${args.bytes} bytes. ${args.sql}`,
  }),
  'history-more': (args) => ({
    text: `${args.count} more findings are not shown`,
    help: 'Mend these first, or raise --max-findings.',
  }),
}
