import type { Finding } from './finding.js'
import type { MessageTable } from './messages.js'

type Args = Finding['args']

const where = (args: Args) => `line ${args.line}, column ${args.column}`

/** Faults of a text: its bytes, its JSON, and what RFC 7493 forbids beyond that. */
export const documentMessages: MessageTable = {
  'document-empty': ({ characters }) => ({
    text: Number(characters) > 0 ? 'the file holds nothing but white space' : 'the file is empty',
    help: 'A JSON document is expected.',
  }),
  'document-too-large': (args) => ({
    text: `larger than ${args.limit} bytes, the most that documents may have`,
    help: 'Check that this is the right file.',
  }),
  'document-binary': () => ({
    text: 'this is a binary file, not JSON text',
    help: 'Check that this is the right file.',
  }),
  'encoding-utf16': (args) => ({
    text: `the text is UTF-16${args.order}; JSON is exchanged in UTF-8`,
    help: 'Save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8 FILE',
  }),
  'encoding-bom': () => ({
    text: 'the text begins with a byte order mark',
    help: 'Save it as UTF-8 without BOM.',
  }),
  'encoding-invalid': (args) => ({
    text: `byte ${args.found} at offset ${args.byte} is not valid UTF-8`,
    help: 'Save it as UTF-8.',
  }),
  'json-syntax': (args) => ({
    text: `expected ${args.expected}, found ${args.found}`,
    ...(args.found === "'''" ? { help: 'JSON text stands in double quotes.' } : {}),
  }),
  'json-truncated': (args) => ({
    text: `the text ends too early: the ${args.what} begun at ${where(args)} is not complete`,
    help: 'Was the file cut off while it was copied or written?',
  }),
  'json-trailing-text': (args) => ({
    text: `text after the end of the document: ${args.found}`,
    help: 'One file holds one JSON value.',
  }),
  'json-trailing-comma': () => ({ text: 'a comma with nothing after it', help: 'Delete it.' }),
  'json-comment': () => ({ text: 'JSON has no comments', help: 'Delete it.' }),
  'json-literal': (args) => ({
    text: `${args.found} is no JSON value`,
    help: /^(nan|infinity|inf)$/i.test(String(args.found))
      ? 'JSON numbers are finite; leave the value out or use null where it is allowed.'
      : 'The words of JSON are true, false and null; text stands in double quotes.',
  }),
  'json-number-form': (args) => ({
    text: `${args.found} is no JSON number`,
    help: 'Digits without leading zeros or plus sign, as in 0.5, -12 or 1e-6.',
  }),
  'json-integer-range': (args) => ({
    text: `the integer ${args.found} is outside ±9007199254740991 and would lose digits`,
    help: 'Write such an identifier as a text.',
  }),
  'json-number-range': (args) => ({
    text: `the number ${args.found} becomes ${args.becomes} in double precision`,
    help: 'Use a number that a double can hold.',
  }),
  'json-control-character': (args) => ({
    text: `the control character ${args.character} stands unescaped in a string`,
    help: 'Write \\n, \\t or \\u00XX; a line break in a string often means a missing quote.',
  }),
  'json-escape': (args) => ({
    text: `${args.found} is no escape sequence of JSON`,
    help: 'A backslash itself is written \\\\.',
  }),
  'json-lone-surrogate': (args) => ({
    text: `${args.character} is one half of a surrogate pair without the other`,
    help: 'Write the whole character.',
  }),
  'json-noncharacter': (args) => ({
    text: `${args.character} is a code point that never stands for a character`,
    help: 'Remove it; RFC 7493 does not allow it in JSON that is to be exchanged.',
  }),
  'json-duplicate-name': (args) => ({
    text: `the member "${args.name}" was given before, at ${where(args)}`,
    help: 'Keep one of the two.',
  }),
  'json-depth': (args) => ({
    text: `nesting goes beyond ${args.limit} levels`,
    help: 'Check that this is the right file.',
  }),
  'json-more': (args) => ({
    text: `reading stopped after ${args.count} faults; there may be more`,
    help: 'Mend these first.',
  }),
}
