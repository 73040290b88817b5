import { fixed, row } from './row.js'

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
  'document-binary': fixed('error', 'this is a binary file, not JSON text', RIGHT_FILE),
  'encoding-utf16': row<{ order: 'LE' | 'BE' }>(
    'error',
    { order: 'LE' },
    ({ order }) => `the text is UTF-16${order}; JSON is exchanged in UTF-8`,
    'Save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8 FILE',
  ),
  'encoding-bom': fixed(
    'error',
    'the text begins with a byte order mark',
    'Save it as UTF-8 without BOM.',
  ),
  'encoding-invalid': row(
    'error',
    { byte: 117, found: '0xE9' },
    ({ byte, found }) => `byte ${found} at offset ${byte} is not valid UTF-8`,
    'Save it as UTF-8.',
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
  'json-trailing-text': row(
    'error',
    { found: "'{'" },
    ({ found }) => `there is text after the end of the document: ${found}`,
    'One file holds one JSON value.',
  ),
  'json-trailing-comma': fixed('error', 'nothing follows this comma', 'Delete it.'),
  'json-comment': fixed('error', 'JSON has no comments', 'Delete it.'),
  'json-literal': row(
    'error',
    { found: 'NaN' },
    ({ found }) => `${found} is not a JSON value`,
    ({ found }) =>
      /^(nan|infinity|inf)$/i.test(found)
        ? 'JSON numbers are finite; leave the value out or use null where it is allowed.'
        : 'The words of JSON are true, false and null; text stands in double quotes.',
  ),
  'json-number-form': row(
    'error',
    { found: '+1' },
    ({ found }) => `${found} is not a JSON number`,
    'Write digits without leading zeros or a plus sign, as in 0.5, -12 or 1e-6.',
  ),
  'json-integer-range': row(
    'error',
    { found: '9007199254740993' },
    ({ found }) => `the integer ${found} is outside ±9007199254740991 and would lose digits`,
    'Write such an identifier as a text.',
  ),
  'json-number-range': row(
    'error',
    { found: '1e400', becomes: 'no finite number' },
    ({ found, becomes }) => `the number ${found} becomes ${becomes} in double precision`,
    'Use a number that a double can hold.',
  ),
  'json-control-character': row(
    'error',
    { character: 'U+000A' },
    ({ character }) => `the control character ${character} is not escaped in a string`,
    'Write \\n, \\t or \\u00XX; a line break in a string often means a missing quote.',
  ),
  'json-escape': row(
    'error',
    { found: '\\x' },
    ({ found }) => `${found} is not an escape sequence of JSON`,
    'A backslash itself is written \\\\.',
  ),
  'json-lone-surrogate': row(
    'error',
    { character: 'U+D800' },
    ({ character }) => `${character} is one half of a surrogate pair without the other`,
    'Write the whole character.',
  ),
  'json-noncharacter': row(
    'error',
    { character: 'U+FFFF' },
    ({ character }) => `${character} is a noncharacter: it never stands for a character`,
    'Remove it; RFC 7493 does not allow it in JSON that is to be exchanged.',
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
