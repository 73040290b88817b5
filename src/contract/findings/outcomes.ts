import type { Finding } from './finding.js'
import type { Message, MessageTable } from './messages.js'

type Args = Finding['args']

const quoted = (text: unknown) => (text === '' ? 'an empty cell' : `"${String(text)}"`)

const ENCODING: Record<string, Message> = {
  zip: { text: 'this is a zip archive', help: 'Unpack it and import the file inside.' },
  gzip: { text: 'this is compressed with gzip', help: 'Unpack it first: gunzip FILE' },
  bom: {
    text: 'the text begins with a byte order mark',
    help: 'Save it as UTF-8 without BOM, for example: tail -c +4 FILE > NEW',
  },
  'utf-16': {
    text: 'the text is UTF-16',
    help: 'Save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8 FILE > NEW',
  },
  binary: { text: 'this is a binary file, not text', help: 'Check that this is the right file.' },
  'not-utf-8': {
    text: 'the text is not valid UTF-8',
    help: 'Check that this is the right file, and that it is not damaged.',
  },
}

const TIME: Record<string, string> = {
  unreadable: 'is neither a Unix time nor a date with a time of day',
  'offset-missing': 'has no offset from UTC (write Z for UTC)',
  calendar: 'is not a time that the calendar has',
  'leap-second': 'is a leap second, which no bar begins or ends with',
  precision: 'is finer than a microsecond',
  'before-bitcoin': 'lies before the first block of Bitcoin, on 2009-01-03',
}

const PRICE: Record<string, string> = {
  'not-a-number': 'is not a decimal number',
  grouped: 'has separators between its digits',
  'not-finite': 'is not finite',
  zero: 'is zero',
  negative: 'is negative',
}

const FORMATS_HELP =
  'Formats: closes, kraken, coinbase, bitstamp, binance, cryptodatadownload, ccxt; name one with ' +
  '--input-format. docs/outcomes-formats.md shows each.'

/** What is wrong with an exchange's export, and what to do about it. */
export const outcomesMessages: MessageTable = {
  'outcome-encoding': (args) => ENCODING[String(args.fault)] ?? { text: String(args.fault) },
  'outcome-csv': (args) => ({
    text: `the line breaks the rules of CSV (${args.says})`,
    help: 'Mend the quotes in this line, or export the file again.',
  }),
  'outcome-json': (args) => ({
    text: `not complete JSON: ${args.says}`,
    help: 'Was the file cut off? Save the whole answer of the API.',
  }),
  'outcome-format': formatMessage,
  'outcome-columns': (args) => ({
    text: `${args.found} ${args.found === 1 ? 'column' : 'columns'} where ${args.expected} are expected`,
    help: 'Was the line cut off, or do two files of different formats follow each other?',
  }),
  'outcome-time': (args) => ({
    text: `the time ${quoted(args.found)} ${TIME[String(args.fault)] ?? 'cannot be read'}`,
    help: 'Times are Unix times, or UTC such as 2024-01-01 00:00:00 or 2024-01-01T00:00:00Z.',
  }),
  'outcome-off-hour': (args) => ({
    text: `the bar at ${args.at} is not on the hour`,
    help: 'Export hourly bars whose hours are those of UTC.',
  }),
  'outcome-date': (args) => ({
    text: `the date ${quoted(args.found)} is not the Unix time beside it (${args.at})`,
    help: 'One of the two is wrong; export the file again.',
  }),
  'outcome-bar-end': (args) => ({
    text: `the bar that opens at ${args.at} does not end an hour later but at ${quoted(args.found)}`,
    help: 'Export hourly bars (interval 1h).',
  }),
  'outcome-interval': (args) => ({
    text: `the bars are ${args.hours} hours or more apart`,
    help: 'Export hourly bars: outcomes are hourly closes.',
  }),
  'outcome-not-closed': (args) => ({
    text: `the bar closes at ${args.at}, and now it is ${args.now}`,
    help: 'Remove bars that are not complete; if times are those of closes, add --stamp close.',
  }),
  'outcome-price': (args) => ({
    text:
      args.fault === 'empty'
        ? 'the close is missing: its cell is empty'
        : `the close ${quoted(args.found)} ${PRICE[String(args.fault)] ?? 'cannot be read'}`,
    help: 'A close is a decimal number greater than zero; leave out bars that have none.',
  }),
  'outcome-symbol': (args) => ({
    text: `the symbol ${quoted(args.found)} is not BTC/USD`,
    help: 'Only closes of BTC/USD are outcomes; a stablecoin is not the dollar.',
  }),
  'outcome-pair': (args) => ({
    text: `the name of the file says ${args.found}, not BTC/USD`,
    help: 'If it does hold BTC/USD, say so with --pair BTC/USD.',
  }),
  'outcome-duplicate': (args) => ({
    text: `${args.count} ${args.count === 1 ? 'row repeats' : 'rows repeat'} a bar with the same close; the first is here`,
  }),
  'outcome-conflict': (args) => ({
    text: `the bar that closes at ${args.at} has ${args.second} here and ${args.first} in line ${args.firstLine}`,
    help: 'Find out which is right and remove the other; neither is preferred.',
  }),
  'outcome-unsorted': (args) => ({
    text: `the bar that closes at ${args.at} is out of order`,
    help: args.newestFirst
      ? 'This file begins with its newest bar: each line must be older than the one before.'
      : 'Sort the lines by time, oldest first.',
  }),
  'outcome-cut': () => ({
    text: 'the last line is not ended: the file is cut off',
    help: 'Download or copy it again.',
  }),
  'outcome-no-line-break': () => ({
    text: 'the last line is not ended by a line break',
    help: 'If the file was cut off, bars are missing at its end: compare the last bar with the source.',
  }),
  'outcome-more': (args) => ({ text: `${args.count} more errors like these are not listed` }),
}

function formatMessage(args: Args): Message {
  const found = quoted(args.found)
  const candidates = Array.isArray(args.candidates) ? args.candidates.join(' or ') : ''
  switch (args.fault) {
    case 'no-rows':
      return { text: 'the file holds no bars', help: 'Was the download complete?' }
    case 'delimiter':
      return {
        text: `the columns are not separated by commas: ${found}`,
        help: 'Save the file with commas between its columns.',
      }
    case 'headless':
      return {
        text: `two columns without a header: ${found}`,
        help: 'Begin the file with the line close_at,close_usd, and write times such as 2024-01-01T01:00:00Z.',
      }
    case 'ambiguous':
      return {
        text: `the columns can be read as ${candidates}: ${found}`,
        help: 'Say which it is with --input-format.',
      }
    case 'not-as-asked':
      return {
        text: `this is not the format ${args.asked}${candidates ? ` but ${candidates}` : ''}: ${found}`,
        help: 'Leave --input-format out to have the format recognised.',
      }
    default:
      return { text: `no known format begins like this: ${found}`, help: FORMATS_HELP }
  }
}
