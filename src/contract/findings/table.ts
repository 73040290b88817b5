import { error, joined, quoted } from './row.js'

const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`

/** Bytes that are no text in UTF-8: what they are, and what to do. */
const ENCODING_WORDS = {
  zip: ['this is a zip archive', 'Unpack it and import the file inside.'],
  gzip: ['this is compressed with gzip', 'Unpack it first: gunzip FILE'],
  'utf-16': [
    'the text is UTF-16',
    'Save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8 FILE > NEW',
  ],
  binary: ['this is a binary file, not text', 'Check that this is the right file.'],
  'not-utf-8': [
    'the text is not valid UTF-8',
    'Check that this is the right file, and that it is not damaged.',
  ],
} as const

const PARQUET = {
  damaged: ({ says }: { says: string }) => `the Parquet file is damaged or cut off: ${says}`,
  stream: () => 'Parquet cannot be read from a stream: its directory stands at its end',
  encrypted: () => 'the Parquet file is encrypted',
  long: ({ says }: { says: string }) =>
    `a text in the column ${quoted(says)} has over 65,536 bytes`,
  memory: () => 'a row group of the Parquet file needs more memory than is given to it',
  time: () => 'a row group of the Parquet file takes longer to unpack than is given to it',
} as const

/** What is wrong with a file as a table, whatever its columns mean. */
export const tableRows = {
  'table-encoding': error<{ fault: keyof typeof ENCODING_WORDS }>(
    ({ fault }) => ENCODING_WORDS[fault][0],
    { fault: 'utf-16' },
    ({ fault }) =>
      fault === 'zip'
        ? 'Unpack it. A workbook of a spreadsheet is a zip archive too: save it as CSV (UTF-8).'
        : ENCODING_WORDS[fault][1],
  ),
  'table-empty': error(
    'the file is empty: not even the names of its columns are there',
    'Check that the program that wrote it came to its end.',
  ),
  'table-csv': error(
    'this is not CSV: {says}',
    { says: 'the text ends within a cell whose quote is not closed' },
    'Correct the quotes: a cell with a comma, a quote or a line break stands in quotes, and a quote in it twice.',
  ),
  'table-delimiter': error(
    'the columns are separated by {found}, not by commas: "{header}"',
    { found: 'semicolons', header: 'origin_at;model' },
    'Give --sep ";" (or tab, or "|") to history import, and --decimal , where numbers have decimal commas. Elsewhere write it with commas and points.',
  ),
  'table-header': error<{ name: string; first: number; second: number }>(
    ({ name, first, second }) =>
      name === ''
        ? `column ${second} has no name`
        : `columns ${first} and ${second} have the same name, ${quoted(name)}`,
    { name: 'model', first: 2, second: 5 },
    'Every column needs a name of its own in the first line.',
  ),
  'table-cells': error<{ found: number; expected: number }>(
    ({ found, expected }) =>
      `the row has ${count(found, 'cell')}, and the header ${count(expected, 'column')}`,
    { found: 4, expected: 7 },
    'Every row needs all columns, with empty cells where there is nothing. Was the file cut off, or are these two files in one?',
  ),
  'table-members': error<{ members: readonly string[]; rows: number }>(
    ({ members, rows }) =>
      `the object has ${joined(members.map(quoted), 'and')}, which none of the first ${rows} has`,
    { members: ['q10_usd'], rows: 1024 },
    'Write all members in the first rows, with null where there is nothing.',
  ),
  'table-value': error<{ found: string; member: string | null }>(
    ({ found, member }) =>
      member === null
        ? `a row of a table is an object, and this is ${found}`
        : `a cell is a text, a number, true, false or null, and ${quoted(member)} is ${found}`,
    { found: 'an array', member: 'price_usd' },
    'Write one flat object for each row.',
  ),
  'table-column': error(
    'the column "{column}" is {type}, which is no cell of a table',
    { column: 'features', type: 'a list' },
    'Leave it out, or write it as text or numbers.',
  ),
  'table-finer': error(
    'the column "{column}" has a time finer than a microsecond: {found} nanoseconds',
    { column: 'generated_at', found: '1769860800000000001' },
    'Round it: .dt.floor("us") in pandas.',
  ),
  'table-parquet': error<{ fault: keyof typeof PARQUET; says: string }>(
    (args) => PARQUET[args.fault](args),
    { fault: 'damaged', says: 'the file does not end with PAR1' },
    ({ fault }) =>
      fault === 'stream'
        ? 'Save it, and name the file.'
        : fault === 'long'
          ? 'Leave the column out.'
          : fault === 'memory' || fault === 'time'
            ? 'Write it in row groups of at most 100,000 rows.'
            : fault === 'encrypted'
              ? 'Write it without encryption.'
              : 'Write or copy it again.',
  ),
}
