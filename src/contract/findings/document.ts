import { LARGEST_VALUE_TEXT } from '../limits.js'
import { error, note } from './row.js'

type LineAndColumn = {
  readonly line: number
  readonly column: number
}

const at = ({ line, column }: LineAndColumn) => `line ${line}, column ${column}`

const RIGHT_FILE = 'Check that this is the right file.'

/** Faults of a text: its bytes, its JSON, and what RFC 7493 forbids beyond that. */
export const documentRows = {
  'document-empty': error(
    ({ characters }) =>
      characters > 0 ? 'the file holds nothing but white space' : 'the file is empty',
    { characters: 0 },
    'A JSON document is expected.',
  ),
  'document-too-large': error(
    'the document is larger than {limit} bytes, which is the limit',
    { limit: 1_048_576 },
    RIGHT_FILE,
  ),
  'document-encoding': error(
    {
      binary: ['this is a binary file, not JSON text', RIGHT_FILE],
      'utf-16': [
        'the text is UTF-16{found}; JSON is exchanged in UTF-8',
        'Save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8 FILE',
      ],
      pem: ['this is a key or certificate in PEM; nothing of it is shown', RIGHT_FILE],
      bom: ['the text begins with a byte order mark', 'Save it as UTF-8 without BOM.'],
      invalid: ['byte {found} is not valid UTF-8', 'Save it as UTF-8.'],
    },
    { fault: 'invalid', found: '0xE9 at offset 117' },
  ),
  'json-syntax': error(
    'expected {expected}, found {found}',
    { expected: "',' or '}'", found: "'\"'" },
    ({ found }) => (found === "'''" ? 'Text in JSON needs double quotes.' : undefined),
  ),
  'json-truncated': error<LineAndColumn & { readonly what: string }>(
    (args) => `the text ends before the ${args.what} that begins at ${at(args)} is complete`,
    { what: 'object', line: 1, column: 1 },
    'Was the file cut off while it was copied or written?',
  ),
  'json-form': error(
    {
      'trailing-text': [
        'there is text after the end of the document: {found}',
        'One file holds one JSON value.',
      ],
      'trailing-comma': ['nothing follows this comma', 'Delete it.'],
      comment: ['JSON has no comments', 'Delete it.'],
      literal: [
        '{found} is not a JSON value',
        'JSON has true, false and null, and finite numbers; text needs double quotes.',
      ],
      number: [
        '{found} is not a JSON number',
        'Write digits without leading zeros or a plus sign, as in 0.5, -12 or 1e-6.',
      ],
      'control-character': [
        'the control character {found} is not escaped in a string',
        'Write \\n, \\t or \\u00XX; a line break in a string often means a missing quote.',
      ],
      escape: ['{found} is not an escape sequence of JSON', 'A backslash itself is written \\\\.'],
    },
    { fault: 'literal', found: 'NaN' },
  ),
  'json-number-range': error(
    {
      integer: [
        'the integer {found} may lose digits: RFC 8785 writes the nearest double in another way',
        'Write an identifier as a text, and a measured value with an exponent, as in 1.5e17.',
      ],
      double: [
        'the number {found} becomes infinite or zero in double precision',
        'Use a number that a double can hold.',
      ],
      value: [
        `the value {found} lies beyond ±${LARGEST_VALUE_TEXT}`,
        'Give forecasts and outcomes in another unit.',
      ],
    },
    { fault: 'integer', found: '9007199254740993' },
  ),
  'json-character': error(
    {
      'lone-surrogate': [
        '{found} is one half of a surrogate pair without the other',
        'Write the whole character.',
      ],
      noncharacter: [
        '{found} is a noncharacter: it never means a character',
        'Remove it; RFC 7493 does not allow it in JSON that is to be exchanged.',
      ],
    },
    { fault: 'lone-surrogate', found: 'U+D800' },
  ),
  'json-duplicate-name': error<LineAndColumn & { readonly name: string }>(
    (args) => `the member "${args.name}" was given before, at ${at(args)}`,
    { name: 'purpose', line: 2, column: 3 },
    'Keep one of the two.',
  ),
  'json-depth': error('nesting goes beyond {limit} levels', { limit: 64 }, RIGHT_FILE),
  'json-more': note(
    'reading stopped after {count} faults; there may be more',
    { count: 100 },
    'Correct these first.',
  ),
}
