import type { Argv } from 'yargs'
import { ForeproofError } from '../../contract/error.js'
import { variableOrFile } from '../../files/variable.js'
import { FORMATS, type Format } from '../../output/print.js'
import type { Terminal } from '../command.js'

/** Adds `--format`, the same for every checking command. */
export function withFormat<A>(yargs: Argv<A>): Argv<A & { format: Format }> {
  return yargs.option('format', {
    choices: FORMATS,
    default: 'text' as Format,
    describe: 'text for a person; the others for a machine',
  })
}

/** Adds `--format` to a command whose answer is no list of findings. */
export function withTextOrJson<A>(
  yargs: Argv<A>,
  describe = 'text for a person, json for a machine',
): Argv<A & { format: 'text' | 'json' }> {
  const choices = ['text', 'json'] as const
  return yargs.option('format', { choices, default: 'text' as 'text' | 'json', describe })
}

/** Adds the documents to look at. */
export function withFiles<A>(yargs: Argv<A>): Argv<A & { files: string[] }> {
  return yargs.positional('files', {
    type: 'string',
    array: true,
    demandOption: true,
    describe: 'Files, folders, patterns, or - for standard input',
  })
}

const HISTORY = 'BTC_FORECAST_HISTORY_DB'
const DEFAULT_HISTORY = '.state/forecast_history.sqlite'

/** Adds `--history`, the same wherever a history is read or written. */
export function withHistory<A>(yargs: Argv<A>): Argv<A & { history: string | undefined }> {
  return yargs.option('history', {
    type: 'string',
    describe: `Forecast history: a SQLite file or postgres://… (${HISTORY}, else ${DEFAULT_HISTORY})`,
  })
}

/** The history a command works on: the option, the variable, or where producers keep it. */
export function historyPath(given: string | undefined, env: Terminal['env']): string {
  return given ?? variableOrFile(env, HISTORY) ?? DEFAULT_HISTORY
}

/** Adds `--log` where forecasts may be held against one of several logs. */
export function withLog<A>(yargs: Argv<A>): Argv<A & { log: string | undefined }> {
  return yargs.option('log', {
    type: 'string',
    describe: 'Log that commits to the forecasts: the registered one, or the only one',
  })
}

/** Adds `--max-findings` where there may be one finding a row. */
export function withMaxFindings<A>(yargs: Argv<A>): Argv<A & { 'max-findings': number }> {
  return yargs.option('max-findings', {
    type: 'number',
    default: 10_000,
    describe: 'Keep at most so many findings; count the others',
  })
}

/**
 * The value of an option that counts something.
 * @throws {ForeproofError} `usage` for anything but a positive whole number.
 */
export function positive(option: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new ForeproofError('usage', `${option}: the value must be a positive whole number`)
}

/**
 * The value of an option that is a digest, as it is printed: 64 hexadecimal digits.
 * @throws {ForeproofError} `usage` for anything else.
 */
export function digestOption(option: string, value: string | undefined): string | undefined {
  if (value === undefined || /^[0-9a-f]{64}$/.test(value)) return value
  throw new ForeproofError('usage', `--${option} ${value}: not a SHA-256 digest`, {
    help: 'Give its 64 hexadecimal digits in lower case.',
  })
}
