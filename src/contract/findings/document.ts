import { faultRow, row } from './row.js'

type LineAndColumn = {
  readonly line: number
  readonly column: number
}

const at = ({ line, column }: LineAndColumn) => `line ${line}, column ${column}`

const RIGHT_FILE = 'Check that this is the right file.'

/** Faults of a text: its bytes, its JSON, and what RFC 7493 forbids beyond that. */
export const documentRows = {
  'document-empty': row(
    'error',
    { characters: 0 },
    ({ characters }) =>
      characters > 0 ? 'the file holds nothing but white space' : 'the file is empty',
    'A JSON document is expected.',
  ),
  'document-too-large': row(
    'error',
    { limit: 1_048_576 },
    ({ limit }) => `the document is larger than ${limit} bytes, which is the limit`,
    RIGHT_FILE,
  ),
  'document-encoding': faultRow(
    'error',
    { fault: 'invalid', found: '0xE9 at offset 117' },
    {
      binary: [() => 'this is a binary file, not JSON text', RIGHT_FILE],
      'utf-16': [
        (order) => `the text is UTF-16${order}; JSON is exchanged in UTF-8`,
        'Save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8 FILE',
      ],
      bom: [() => 'the text begins with a byte order mark', 'Save it as UTF-8 without BOM.'],
      invalid: [(byte) => `byte ${byte} is not valid UTF-8`, 'Save it as UTF-8.'],
    },
  ),
  'json-syntax': row(
    'error',
    { expected: "',' or '}'", found: "'\"'" },
    ({ expected, found }) => `expected ${expected}, found ${found}`,
    ({ found }) => (found === "'''" ? 'JSON text stands in double quotes.' : undefined),
  ),
  'json-truncated': row<LineAndColumn & { readonly what: string }>(
    'error',
    { what: 'object', line: 1, column: 1 },
    (args) => `the text ends before the ${args.what} that begins at ${at(args)} is complete`,
    'Was the file cut off while it was copied or written?',
  ),
  'json-form': faultRow(
    'error',
    { fault: 'literal', found: 'NaN' },
    {
      'trailing-text': [
        (found) => `there is text after the end of the document: ${found}`,
        'One file holds one JSON value.',
      ],
      'trailing-comma': [() => 'nothing follows this comma', 'Delete it.'],
      comment: [() => 'JSON has no comments', 'Delete it.'],
      literal: [
        (found) => `${found} is not a JSON value`,
        'JSON has true, false and null, and finite numbers; text stands in double quotes.',
      ],
      number: [
        (found) => `${found} is not a JSON number`,
        'Write digits without leading zeros or a plus sign, as in 0.5, -12 or 1e-6.',
      ],
      'control-character': [
        (found) => `the control character ${found} is not escaped in a string`,
        'Write \\n, \\t or \\u00XX; a line break in a string often means a missing quote.',
      ],
      escape: [
        (found) => `${found} is not an escape sequence of JSON`,
        'A backslash itself is written \\\\.',
      ],
    },
  ),
  'json-number-range': faultRow(
    'error',
    { fault: 'integer', found: '9007199254740993' },
    {
      integer: [
        (found) => `the integer ${found} is outside ±9007199254740991 and would lose digits`,
        'Write such an identifier as a text.',
      ],
      infinite: [
        (found) => `the number ${found} becomes no finite number in double precision`,
        'Use a number that a double can hold.',
      ],
      zero: [
        (found) => `the number ${found} becomes zero in double precision`,
        'Use a number that a double can hold.',
      ],
    },
  ),
  'json-character': faultRow(
    'error',
    { fault: 'lone-surrogate', found: 'U+D800' },
    {
      'lone-surrogate': [
        (found) => `${found} is one half of a surrogate pair without the other`,
        'Write the whole character.',
      ],
      noncharacter: [
        (found) => `${found} is a noncharacter: it never stands for a character`,
        'Remove it; RFC 7493 does not allow it in JSON that is to be exchanged.',
      ],
    },
  ),
  'json-duplicate-name': row<LineAndColumn & { readonly name: string }>(
    'error',
    { name: 'purpose', line: 2, column: 3 },
    (args) => `the member "${args.name}" was given before, at ${at(args)}`,
    'Keep one of the two.',
  ),
  'json-depth': row(
    'error',
    { limit: 64 },
    ({ limit }) => `nesting goes beyond ${limit} levels`,
    RIGHT_FILE,
  ),
  'json-more': row(
    'note',
    { count: 100 },
    ({ count }) => `reading stopped after ${count} faults; there may be more`,
    'Correct these first.',
  ),
}
