/** The required form of a text, in words, with an example. */
interface TextForm {
  readonly words: string
  readonly example: string
}

const form = (words: string, example: string): TextForm => ({ words, example })

const DURATION = 'a duration of ISO 8601 in days, hours, minutes and seconds'
const NAME =
  '1 to 64 letters, digits, dots, dashes and underscores, of which the first is a letter or digit'

/** The patterns of the schemas in words, so that readers of a message need not read the pattern. */
export const TEXT_FORMS: Readonly<Record<string, TextForm>> = {
  '^[0-9a-f]{64}$': form('64 lowercase hexadecimal digits', '0'.repeat(63) + 'f'),
  '^[!#-+\\--~](?:[ !#-+\\--~]{0,62}[!#-+\\--~])?$': form(
    '1 to 64 printable ASCII characters, without commas and double quotes, and without a space at either end',
    '2026-W05',
  ),
  '^[^\\u0000-\\u001f\\u007f]*$': form('one line of text, without control characters', 'seer v2'),
  '^[^\\s+]+$': form('a name without spaces and plus signs', 'example.org/log'),
  '^[!-~]{1,32}$': form('up to 32 visible characters of ASCII', '2026a'),
  '^[A-Za-z0-9_-]{22,86}$': form(
    '22 to 86 letters, digits, dashes and underscores (base64url without padding)',
    'c2FsdCBvZiAxNiBieXRlcw',
  ),
  '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$': form(NAME, 'notebook-1'),
  '^P(?=\\d|T\\d)(?:\\d{1,4}D)?(?:T(?=\\d)(?:\\d{1,5}H)?(?:\\d{1,6}M)?(?:\\d{1,7}S)?)?$': form(
    DURATION,
    'P28D',
  ),
  '^-?P(?=\\d|T\\d)(?:\\d{1,4}D)?(?:T(?=\\d)(?:\\d{1,5}H)?(?:\\d{1,6}M)?(?:\\d{1,7}S)?)?$': form(
    `${DURATION}, with a minus sign in front where it goes back`,
    '-PT73H',
  ),
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$':
    form('a timestamp of RFC 3339 with an offset', '2026-01-31T12:00:00Z'),
  '^0\\.\\d*[1-9]$': form('a decimal above 0 and below 1, without zeros at its end', '0.05'),
  '^(?:0|0\\.\\d*[1-9])$': form('0, or a decimal below 1 without zeros at its end', '0.05'),
  '^(?:0|0\\.\\d*[1-9]|[1-9]\\d*(?:\\.\\d*[1-9])?)$': form(
    'a decimal of at least 0, without a sign, an exponent and zeros that say nothing',
    '2.5',
  ),
  '^(?:0|-?(?:0\\.\\d*[1-9]|[1-9]\\d*(?:\\.\\d*[1-9])?))$': form(
    'a decimal without a plus sign, an exponent and zeros that say nothing',
    '-2.5',
  ),
}
