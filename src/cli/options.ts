import { existsSync, realpathSync, statSync } from 'node:fs'
import type { Options } from 'yargs'
import { ForeproofError } from '../contract/error.js'
import {
  type Instant,
  MICROS_PER_DAY,
  parseTimestamp,
  TIMESTAMP_FAULTS,
} from '../contract/instant.js'
import { namePairs, parseNamePair } from '../contract/name-pairs.js'
import { nearestHelp } from '../contract/nearest.js'
import { withoutSecrets } from '../contract/secrets.js'
import { isDigest } from '../document/digest.js'
import { variableOrFile } from '../files/variable.js'
import { OUTPUT_FORMATS } from '../output/print.js'
import type { PeriodEnd, TableNaming } from '../periods/naming.js'
import { LEDGER_NAME } from '../protocol/ledger-file.js'
import type { RowChoiceOptions } from '../table/choice.js'
import type { Terminal } from './command.js'

// Kinds of arguments, for options and positionals. If one has a `read`, the command gets its result instead of the
// value.

/** A text. */
export const text = (describe: string) => ({ type: 'string', describe }) as const

/** A required text. */
export const needed = (describe: string) =>
  ({ type: 'string', demandOption: true, describe }) as const

/** A text with a default. */
export const textOr = (fallback: string, describe: string) =>
  ({ type: 'string', default: fallback, describe }) as const

/** Several texts, each after the name of its option, so that the next word is not taken for another one. */
export const texts = (describe: string) =>
  ({ type: 'string', array: true, nargs: 1, describe }) as const

/** One or more positionals. */
export const list = (describe: string) =>
  ({ type: 'string', array: true, demandOption: true, describe }) as const

/** A number. */
export const aNumber = (describe: string) => ({ type: 'number', describe }) as const

/** An argument with its own parser; undefined if it is not given. */
export const readAs = <S extends Options, Given, Value>(
  spec: S,
  read: (given: Given, name: string, terminal: Terminal) => Value,
) => ({
  ...spec,
  read: (given: Given | undefined, name: string, terminal: Terminal) =>
    given === undefined ? undefined : read(given, name, terminal),
})

/** A positive whole number. */
export const count = (describe: string) => readAs(aNumber(describe), positive)

/** True if it is given. */
export const flag = (describe: string) => ({ type: 'boolean', default: false, describe }) as const

/** True unless it is given with `no-`. */
export const unlessNo = (describe: string) =>
  ({ type: 'boolean', default: true, describe }) as const

/** One of several words. */
export const choice = <const C extends readonly string[]>(choices: C, describe: string) => ({
  choices,
  describe,
})

/** One of several words, with a default. */
export const oneOfOr = <const C extends readonly string[]>(
  fallback: C[number],
  choices: C,
  describe: string,
) => ({ choices, default: fallback, describe })

/** An instant, such as `--from`. */
export const anInstant = (describe: string) =>
  readAs(text(`${describe}; a date alone is midnight UTC`), instantIn)

/**
 * The last instant of a span, `--to`.
 * @param step - the distance of the counted instants, in microseconds: the last one of a day is this long before
 * midnight.
 */
export const anEnd = (describe: string, step = 1) =>
  readAs(
    text(`${describe}; a date alone is that whole day, UTC`),
    (given: string, name, terminal) => endIn(given, name, terminal, step),
  )

/** A SHA-256 in printed form: 64 hexadecimal digits. */
export const aDigest = (describe: string) => readAs(text(describe), digestIn)

// Options that several commands share.

/** For every checking command. */
export const FORMAT = oneOfOr('text', OUTPUT_FORMATS, 'text for people; the others for programs')

/** For a command whose answer is not a list of findings. */
export const textOrJson = (describe: string) => oneOfOr('text', ['text', 'json'], describe)
export const TEXT_OR_JSON = textOrJson('text for people, json for programs')

/** The documents to check. */
export const CHECKED_FILES = list('Files, folders, or - for standard input')

const HISTORY_VARIABLE = 'BTC_FORECAST_HISTORY_DB'
const DEFAULT_HISTORY = '.state/forecast_history.sqlite'

/** The history of a command: from the option, the variable, or the default file of producers. */
export const HISTORY_OPTION = {
  ...text(
    `Forecast history: a SQLite file or postgres://… (${HISTORY_VARIABLE}, else ${DEFAULT_HISTORY})`,
  ),
  read: (given: string | undefined, _name: string, { env }: Terminal) =>
    given ?? variableOrFile(env, HISTORY_VARIABLE) ?? DEFAULT_HISTORY,
}

/** Compares forecasts with the log of a history. */
export const LOG_OPTION = text(
  'Log to compare forecasts with (default: the registered or only one)',
)

/** What `--anchors` names, in the help of each command that has it. */
export const ANCHORS_FOLDER = 'Folder with the certificates of the authorities you trust'

/** Whom a reader trusts. By default, those whom the writer of the evidence chose. */
export const TRUST_OPTIONS = {
  anchors: text(`${ANCHORS_FOLDER}: a stamp must have been issued under one of them`),
  witnesses: text(
    'Policy file of your own witnesses: their quorum must have cosigned too; the check fails without a log',
  ),
}

/** The protocol folder. It need not be named in the folder itself, for example in a submodule. */
export const PROTOCOL_FOLDER = {
  ...text('The protocol folder (default: protocols, or . if only the working folder has a ledger)'),
  read: (given: string | undefined) =>
    given ?? (existsSync(LEDGER_NAME) && !existsSync('protocols') ? '.' : 'protocols'),
}

/** How times name periods of a protocol of version 2. */
export const PERIOD_NAMING = {
  label: readAs(
    text(
      'With --protocol: times are the start or the end of their period; forecasts may have origin=end,target=start',
    ),
    labelIn,
  ),
  repeated: choice(
    ['earlier-first', 'later-first'],
    'With --label: whether the earlier or the later of two equal local times comes first in the file',
  ),
  outside: choice(['leave-out'], 'With --protocol: leave out rows whose period is not in the list'),
  utc: flag('Times in the table without an offset are UTC'),
}

/** For CSV that differs from RFC 4180 with decimal points. */
export const CSV_FORM = {
  sep: readAs(text('Separator of the cells of CSV: ; | or tab (default: a comma)'), separatorIn),
  decimal: choice(
    ['.', ','],
    'Decimal mark of numbers in CSV; thousands separators are not accepted',
  ),
}

/** Chooses rows of a table of any series by columns that are not read. */
export const ROW_CHOICE = {
  target: text('With --protocol: use only rows of this target'),
  only: texts('With --protocol: import only rows with this text in a column: age_group=65+'),
  ignore: texts(
    'With --protocol: ignore this column, although rows with the same key differ in it',
  ),
}

/** The API key of another deployment, which is never an argument itself. */
export const KEY_ENV = readAs(text('Variable that holds the API key'), keyIn)

// Parsers for the values of options.

/** A mistake on the command line, and how to fix it. */
export const usage = (message: string, help?: string) =>
  new ForeproofError('usage', message, { help })

/**
 * Rejects options that have no effect here.
 * @param why - the end of the message: `needs --protocol`, `is for hourly forecasts only`.
 * @throws {ForeproofError} `usage` if one of them is given.
 */
export function assertWithout(
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
  why: string,
  help: string,
): void {
  const name = names.find((each) => given[each] !== undefined && given[each] !== false)
  if (name !== undefined) throw usage(`--${name} ${why}`, help)
}

/** @throws {ForeproofError} `usage` unless it is a positive whole number. */
export function positive(value: number, name: string): number {
  if (Number.isSafeInteger(value) && value > 0) return value
  throw usage(`--${name}: the value must be a positive whole number`)
}

/** @throws {ForeproofError} `usage` unless it is a digest. */
export function digestIn(value: string, name: string): string {
  if (isDigest(value)) return value
  throw usage(
    `--${name} ${value}: not a SHA-256 digest`,
    'Give its 64 hexadecimal digits in lower case.',
  )
}

/**
 * Parses an option such as `--columns value=load_mw,period=hour`: our column and its name in the file; `value=` says
 * that the file has no such column.
 * @param isColumn - accepts columns that cannot all be listed; also gets the name in the file.
 * @throws {ForeproofError} `usage` for another form, an unknown column, and one that is given twice.
 */
export function columnNames(
  given: readonly string[] | undefined,
  columns: readonly string[],
  isColumn: (name: string, inFile: string) => boolean = (name) => columns.includes(name),
): Record<string, string> | undefined {
  if (given === undefined) return undefined
  const names = new Map<string, string>()
  for (const { name: column, text: inFile } of given.flatMap(namePairs)) {
    if (inFile === undefined) {
      throw usage(
        `--columns: ${withoutSecrets(column)} is not COLUMN=NAME`,
        `Such as --columns ${columns[0]}=NAME, with the name that the file has.`,
      )
    }
    if (!isColumn(column, inFile)) {
      throw usage(
        `--columns: no column is called ${withoutSecrets(column)}`,
        column.includes('…')
          ? 'Write the level in the place of …, such as q0.1.'
          : nearestHelp(column, columns, `There are ${columns.join(', ')}.`),
      )
    }
    if (names.has(column)) throw usage(`--columns: ${withoutSecrets(column)} is given twice`)
    names.set(column, inFile)
  }
  return Object.fromEntries(names)
}

/**
 * Parses the options of `ROW_CHOICE`.
 * @throws {ForeproofError} `usage` unless it is COLUMN=TEXT, and for two texts of one column.
 */
export function parseRowChoice(given: {
  readonly target: string | undefined
  readonly only: readonly string[] | undefined
  readonly ignore: readonly string[] | undefined
}): RowChoiceOptions {
  const { target: asked, ignore } = given
  const texts = new Map<string, string>()
  const ofTarget = asked === undefined ? [] : [{ name: 'target', text: asked }]
  for (const { name, text } of [...(given.only ?? []).map(parseNamePair), ...ofTarget]) {
    if (name === '' || text === undefined) {
      throw usage(`--only ${name} is not COLUMN=TEXT`, 'Such as --only age_group=65+')
    }
    if (texts.has(name)) throw usage(`--only: two texts of the column ${name}`, 'Give one.')
    texts.set(name, text)
  }
  if (ignore?.includes('target')) {
    throw usage('--ignore target: two targets are never one series', 'Choose one: --target NAME')
  }
  const { target, ...only } = Object.fromEntries(texts)
  return { target, ignore, ...(Object.keys(only).length > 0 && { only }) }
}

/** One character, or `tab`. @throws {ForeproofError} `usage` for anything else. */
function separatorIn(given: string): string {
  if (/^[;,|\t]$/.test(given)) return given
  if (given === 'tab') return '\t'
  throw usage(
    `--sep ${given}: not a separator`,
    'Give ; or | (in quotes), a comma, or the word tab.',
  )
}

const DATE = /^\d{4}-\d{2}-\d{2}$/

/**
 * An RFC 3339 timestamp, or a date, which means its first moment in UTC.
 * @throws {ForeproofError} `usage` for any other text.
 */
export function instantIn(text: string, name: string): Instant {
  const parsed = parseTimestamp(DATE.test(text) ? `${text}T00:00:00Z` : text)
  if (parsed.ok) return parsed.instant
  const message =
    parsed.fault === 'syntax'
      ? 'is neither a date nor an RFC 3339 timestamp'
      : TIMESTAMP_FAULTS[parsed.fault]
  throw usage(
    `--${name} ${text} ${message}`,
    'Write it like 2024-01-01T00:00:00Z, or as a date, 2024-01-01, in UTC.',
  )
}

/** The same, but a date includes its whole day; a note on `stderr` says so. @param step as of `anEnd`. */
export function endIn(
  text: string,
  name: string,
  { stderr }: Pick<Terminal, 'stderr'>,
  step: number,
): Instant {
  const instant = instantIn(text, name)
  if (!DATE.test(text)) return instant
  stderr.write(`--${name} ${text}: the whole day, UTC\n`)
  return instant + MICROS_PER_DAY - step
}

/** @throws {ForeproofError} `usage` unless it names an end of a period. */
function labelIn(given: string, name: string): NonNullable<TableNaming['label']> {
  const parts = given.split(',').map((part) => part.split('='))
  const isEnd = (word: string | undefined) => word === 'start' || word === 'end'
  if (parts.length === 1 && isEnd(given)) {
    const end = given as PeriodEnd
    return { origin: end, target: end }
  }
  const isNamed = ([column, end, ...more]: readonly string[]) =>
    (column === 'origin' || column === 'target') && isEnd(end) && more.length === 0
  if (parts.every(isNamed)) return Object.fromEntries(parts)
  throw usage(
    `--${name} ${given}: not an end of a period`,
    'Give start or end, or one for each column: origin=end,target=start.',
  )
}

function keyIn(variable: string, name: string, { env }: Terminal): string {
  const key = env[variable]?.trim()
  if (key === undefined || key === '') {
    throw usage(
      `--${name} ${variable}: the variable is not set`,
      `Put the API key into ${variable}; keys are never given on the command line.`,
    )
  }
  // A header cannot carry other characters unchanged.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw usage(
      `--${name} ${variable}: the value cannot be an API key`,
      'A key is one word of visible ASCII characters.',
    )
  }
  return key
}

/**
 * Checks the output path before any work.
 * @throws {ForeproofError} `usage` if it would replace an input; `not-found` if it is a folder.
 */
export function checkOutput(out: string | undefined, inputs: readonly string[]): void {
  if (out === undefined || out === '-' || !existsSync(out)) return
  if (statSync(out).isDirectory()) {
    throw new ForeproofError('not-found', `--out ${out}: is a folder`, {
      help: 'Name a file inside it.',
    })
  }
  const target = realpathSync(out)
  const input = inputs.find((path) => existsSync(path) && realpathSync(path) === target)
  if (input === undefined) return
  throw usage(`--out ${out} would replace an input`, 'Choose another file.')
}
