import { writtenName } from '../name-pairs.js'
import { nearest } from '../nearest.js'
import { didYouMean, error, listNames, note, quoted, row, shellWord } from './row.js'

/** The content of a cell, for a sentence. */
const cellText = (text: string) => (text === '' ? 'nothing' : quoted(text))

/** Maximum number of columns to show in options that ignore them. */
const IGNORED = 8

const ignoring = (columns: readonly string[]): string => {
  const shown = columns.slice(0, IGNORED).map((name) => `--ignore ${shellWord(name)}`)
  return [...shown, ...(columns.length > IGNORED ? ['and so on'] : [])].join(' ')
}

const SMALLER = 'Write it in row groups of at most 100,000 rows.'

/** Faults of a file as a table, whatever its columns mean. */
export const tableRows = {
  'table-encoding': error(
    {
      zip: [
        'this is a zip archive',
        'Unpack it. A workbook of a spreadsheet is a zip archive too: save it as CSV (UTF-8).',
      ],
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
    },
    { fault: 'utf-16' },
  ),
  'table-empty': error(
    'the file is empty: it has no column names',
    'Check that the program that wrote it came to its end.',
  ),
  'table-csv': error(
    'this is not CSV: {says}',
    { says: 'the text ends within a cell whose quote is not closed' },
    'Correct the quotes: a cell with a comma, a quote or a line break needs quotes around it, and each quote in it is doubled.',
  ),
  'table-delimiter': error(
    'the columns are separated by {found}, not by commas: "{header}"',
    { found: 'semicolons', header: 'origin_at;model' },
    'Give --sep ";" (or tab, or "|") to history import or outcomes import --protocol, and --decimal , where numbers have decimal commas. Elsewhere write it with commas and points.',
  ),
  'table-header': error(
    ({ name, first, second }) =>
      name === ''
        ? `column ${second} has no name`
        : `columns ${first} and ${second} have the same name, ${quoted(name)}`,
    { name: 'model', first: 2, second: 5 },
    'Every column needs a name of its own in the first line.',
  ),
  'table-row': error(
    {
      cells: [
        'the row has {found}, and the header {expected}',
        'Every row needs all columns, with empty cells where there is nothing. Was the file cut off, or are these two files in one?',
      ],
      members: [
        'the object has {found}, which none of the first {expected} has',
        'Write all members in the first rows, with null where there is nothing.',
      ],
      object: [
        'a row of a table is an object, and this is {found}',
        'Write one flat object for each row.',
      ],
      cell: [
        'a cell is a text, a number, true, false or null, and "{expected}" is {found}',
        'Write one flat object for each row.',
      ],
    },
    { fault: 'cells', found: '4 cells', expected: '7 columns' },
  ),
  'table-repeated': note(
    'the row says the same as {other}: equal rows count once',
    { other: 'line 2' },
    'Nothing is lost. If the rows are of two periods, give these different names.',
  ),
  'table-folder': row('error', 'note')(
    {
      empty: [
        'the folder has no table: no file that is called .csv, .parquet or .ndjson',
        'Name the folder with the files, or with folders such as as_of=2026-01-14; in a hub it is target-data/time-series.',
      ],
      'left-out': [
        ({ names }) =>
          `${names.length} ${names.length === 1 ? 'file or folder is' : 'files or folders are'} left out: ${listNames(names)}`,
        'Table files end in .csv, .parquet or .ndjson; folders are named like as_of=2026-01-14.',
      ],
    },
    { fault: 'left-out', names: ['README.md'] },
  ),
  'table-choice': row('error', 'note')(
    {
      values: [
        ({ column, columns, count, key, where, found: [first = '', second = ''] }) =>
          [
            `the column ${quoted(column)} is not read, and ${count === 1 ? 'a row differs' : `${count} rows differ`} in it from another one of the same key: ${key}, with ${cellText(second)} here and ${cellText(first)} in ${where}`,
            ...(columns.length === 0 ? [] : [`so it is with ${listNames(columns)}`]),
          ].join('; '),
        ({ column, columns, found: [first = ''] }) =>
          `Say which rows are meant: --only ${shellWord(`${writtenName(column)}=${first}`)}. Where it does not matter: ${ignoring([column, ...columns])}`,
      ],
      none: [
        ({ column, found: [wanted = '', ...texts] }) =>
          `no row has ${cellText(wanted)} in the column ${quoted(column)}: ${texts.length === 0 ? 'there is none' : `there is ${listNames(texts)}`}`,
        'Correct --only.',
      ],
      column: [
        'the table has no column "{column}"',
        ({ column, found }) =>
          didYouMean(nearest(column, found) ?? null, `Its columns are ${listNames(found)}.`) ?? '',
      ],
      others: [
        ({ column, count, found }) =>
          `${count} ${count === 1 ? 'row' : 'rows'} ${column === 'target' ? 'of other targets' : `with other texts in ${quoted(column)}`} left out: ${listNames(found)}`,
      ],
    },
    {
      fault: 'values',
      column: 'age_group',
      /** Other columns in which the rows differ. */
      columns: ['deaths'],
      count: 2,
      key: 'US, 2026-W01, as of 2026-01-14',
      where: 'line 2',
      found: ['0-64', '65+'],
    },
  ),
  'table-column': error(
    {
      type: [
        'the column "{column}" is {found}, which is no cell of a table',
        'Leave it out, or write it as text or numbers.',
      ],
      finer: [
        'the column "{column}" has a time finer than a microsecond: {found} nanoseconds',
        'Round it: .dt.floor("us") in pandas.',
      ],
    },
    { fault: 'type', column: 'features', found: 'a list' },
  ),
  'table-parquet': error(
    {
      damaged: ['the Parquet file is damaged or cut off: {says}'],
      stream: [
        'Parquet cannot be read from a stream: its directory is at its end',
        'Save it, and name the file.',
      ],
      encrypted: ['the Parquet file is encrypted', 'Write it without encryption.'],
      long: ['a text in the column "{says}" has over 65,536 bytes', 'Leave the column out.'],
      memory: ['a row group of the Parquet file needs more memory than is given to it', SMALLER],
      time: ['a row group of the Parquet file takes longer to unpack than is given to it', SMALLER],
    },
    { fault: 'damaged', says: 'the file does not end with PAR1' },
    'Write or copy it again.',
  ),
}
