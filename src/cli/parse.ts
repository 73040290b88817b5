import { existsSync } from 'node:fs'
import yargs, { type Argv, type PositionalOptions } from 'yargs'
import { ForeproofError } from '../contract/error.js'
import { shellWord } from '../contract/findings/row.js'
import { nearest } from '../contract/nearest.js'
import { withoutSecrets } from '../contract/secrets.js'
import { displayPath } from '../files/display-path.js'
import { COLOR, type Command, type CommandEntry, type Specs, type Terminal } from './command.js'
import { usage } from './options.js'

const WIDTH_LIMIT = 100

// yargs reads a lone `-` (standard input) as an empty text, and drops the words after `--`. With this prefix, which no
// argument can contain, it treats both as plain words.
const MARK = '\0'
const STDIN = '-'

type Parsed = Readonly<Record<string, unknown>>

type Declared = Omit<Command<Specs>, 'run'>

/**
 * Parses the arguments of one command. For help, prints it and returns undefined.
 * @throws {ForeproofError} `usage` for a mistake.
 */
export async function parseLine(
  { name, describe }: Pick<CommandEntry, 'name' | 'describe'>,
  command: Declared,
  args: readonly string[],
  terminal: Terminal,
): Promise<Parsed | undefined> {
  const line = { ...command, name, names: positionalNames(command), args }
  assertReadAsMeant(line)
  const parser = yargs()
    .scriptName(`foreproof ${name}`)
    .locale('en')
    .updateStrings({
      'Not enough arguments following: %s': '--%s needs a value',
      'Arguments %s and %s are mutually exclusive': '--%s cannot be used with --%s',
    })
    .help('help')
    .alias('help', 'h')
    .version(false)
    .wrap(Math.min(terminal.stdout.columns ?? WIDTH_LIMIT, WIDTH_LIMIT))
    .exitProcess(false)
    .parserConfiguration({ 'duplicate-arguments-array': true, 'boolean-negation': true })
    .fail((message, error) => {
      if (error instanceof ForeproofError) throw error
      throw refusal(message ?? error.message, parser, line)
    })
    .command(`$0 ${command.positionals ?? ''}`.trim(), describe, (built) => declare(built, command))
    .option('color', COLOR)
    .strict()
    .example(Object.entries(command.examples))
  let printed = ''
  const parsed = await parser.parseAsync(markedWords(args), {}, (error, _argv, output) => {
    if (error) throw error
    printed = output
  })
  if (printed !== '') {
    terminal.stdout.write(`${printed}\n`)
    return undefined
  }
  const values = unmarked(parsed)
  assertUsable(values, line)
  return values
}

/** A command line and its command. */
interface Line extends Declared {
  /** As typed: `history import`. */
  readonly name: string
  /** The names of its positionals. */
  readonly names: readonly string[]
  readonly args: readonly string[]
}

/** The names of a command's positionals. */
const positionalNames = ({ positionals = '' }: Pick<Declared, 'positionals'>): readonly string[] =>
  positionals.match(/[\w-]+/g) ?? []

/** Declares the arguments of a command to yargs. */
export function declare(yargs: Argv, command: Pick<Declared, 'positionals' | 'options'>): void {
  const names = positionalNames(command)
  for (const [name, { read: _, ...spec }] of Object.entries(command.options)) {
    // Without this, an option with a missing value would reach the command as an empty text.
    const requiresArg = !spec.array && spec.type !== 'boolean'
    if (names.includes(name)) yargs.positional(name, spec as PositionalOptions)
    else yargs.option(name, { ...spec, requiresArg })
  }
}

/** Converts the given values for `run`. @throws {ForeproofError} `usage` for an invalid value. */
export function readValues({ options }: Declared, given: Parsed, terminal: Terminal): Parsed {
  const read = Object.entries(options).map(([name, spec]) => {
    const value = given[name]
    return [name, spec.read === undefined ? value : spec.read(value as never, name, terminal)]
  })
  return { ...given, ...Object.fromEntries(read) }
}

/** The words for yargs: operands after `--` that look like options are marked, and `--` itself is removed. */
function markedWords(args: readonly string[]): string[] {
  const words = wordsBefore(args).map((arg) => (arg === STDIN ? `${MARK}${arg}` : arg))
  const operands = args.slice(words.length + 1)
  return [...words, ...operands.map((arg) => (arg.startsWith('-') ? `${MARK}${arg}` : arg))]
}

/** The words before `--`; only these can be options. */
function wordsBefore(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  return end < 0 ? args : args.slice(0, end)
}

const isMarked = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(MARK)

const plainWord = (value: unknown): unknown => (isMarked(value) ? value.slice(MARK.length) : value)

function unmarked(parsed: Parsed): Parsed {
  const entries = Object.entries(parsed).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map(plainWord) : plainWord(value),
  ])
  return Object.fromEntries(entries)
}

/** Describes why yargs rejects a line, in our own words: yargs gives a count where a user needs a name. */
function refusal(message: string, { parsed }: Argv, line: Line): ForeproofError {
  const { argv, error, aliases } = parsed as Exclude<Argv['parsed'], false>
  const given: Parsed = argv
  const specs: Specs = { ...line.options, color: COLOR, help: {} }
  // Not a plain property access, because an option may be called `constructor`.
  const others = new Map(Object.entries(aliases))
  const isKnown = (each: string) =>
    ['_', '$0', '--'].includes(each) ||
    [each, ...(others.get(each) ?? [])].some((name) => Object.hasOwn(specs, name))
  // An unknown option takes the word after it, so that word is not missing.
  const unknown = Object.keys(given).find((each) => !isKnown(each))
  if (unknown !== undefined) {
    const options = Object.keys(specs).filter((each) => !line.names.includes(each))
    const close = nearest(unknown, options)
    const typed = [`no-${unknown}`, unknown].map(dashed).find((each) => line.args.includes(each))
    const message = `there is no option ${withoutSecrets(typed ?? dashed(unknown))}`
    return lineFault(message, line, close && dashed(close))
  }
  const demanded = Object.keys(specs).filter((each) => specs[each]?.demandOption)
  const absent = demanded.filter((each) => given[each] === undefined)
  const required = line.names.filter((each) => demanded.includes(each))
  const missing = (positional = '') =>
    usage(
      `${positional.toUpperCase()} is missing`,
      `Usage: foreproof ${line.name} ${line.positionals}. See: foreproof ${line.name} --help`,
    )
  if (required.some((each) => absent.includes(each))) return missing(required[argv._.length])
  if (argv._.length > 0 && line.args.includes('--')) return tooMany(argv._, line)
  // An option without its value, which only yargs has detected.
  if (error) return lineFault(message, line)
  if (absent.length > 0) {
    const verb = absent.length === 1 ? 'is' : 'are'
    return lineFault(`${absent.map(dashed).join(', ')} ${verb} missing`, line)
  }
  if (argv._.length > 0) return tooMany(argv._, line)
  for (const [name, { choices: allowed = [] }] of Object.entries(specs)) {
    if (allowed.length === 0) continue
    const values = [given[name] ?? []].flat().map((each) => String(plainWord(each)))
    const wrong = values.find((each) => !allowed.includes(each))
    if (wrong === undefined) continue
    const message = `${named(name, line)}: "${withoutSecrets(wrong)}" is not one of ${allowed.join(', ')}`
    return lineFault(message, line, nearest(wrong, allowed.map(String)))
  }
  // A positional that is given as an option is missing as a positional.
  const asOption = line.args.map((arg) => arg.split('=')[0])
  const apart = required.find((each) => asOption.includes(dashed(each)))
  return apart === undefined ? lineFault(message, line) : missing(apart)
}

/** Reports words that a command does not accept. */
function tooMany(words: readonly unknown[], line: Line): ForeproofError {
  const beyond = words.map((each) => displayPath(String(plainWord(each))))
  const [only] = beyond
  const message =
    beyond.length > 1
      ? `too many arguments: ${beyond.join(', ')}`
      : `"${only}" is one argument too many`
  if (!line.args.includes('--')) return lineFault(message, line)
  // Package runners pass on a `--` that was meant for themselves.
  return usage(message, 'Words after -- are never options: leave out the --.')
}

/** Rejects what yargs accepts: an empty text, and several values for a single one. */
function assertUsable(parsed: Parsed, line: Line): void {
  for (const [name, value] of Object.entries(parsed)) {
    const isList = name === '_' || line.names.includes(name) || line.options[name]?.array
    if (Array.isArray(value) && !isList) {
      throw lineFault(`${named(name, line)} was given more than once`, line)
    }
    if ([value].flat().some(isNoArgument)) {
      throw usage(
        `${named(name, line)} holds a password or a key`,
        'Name the file that holds it, or set a variable.',
      )
    }
    // Usually an unset variable of a script.
    if (![value].flat().includes('')) continue
    throw usage(
      `${named(name, line)} is empty`,
      `Give it a value, or leave it out. See: foreproof ${line.name} --help`,
    )
  }
}

/** A PEM key, or connection parameters, instead of a path or name. */
const isNoArgument = (value: unknown): boolean =>
  typeof value === 'string' &&
  (/-----BEGIN/.test(value) || (/password *=/i.test(value) && !/^[a-z]+:\/\//i.test(value)))

/**
 * Rejects words that yargs would misread: `-1h`, a value, as a request for help; and `no-` before any option as a value
 * whose meaning depends on the type, although only flags can be off.
 */
function assertReadAsMeant(line: Line): void {
  const words = wordsBefore(line.args)
  assertOneValueEach(words, line)
  for (const arg of words) {
    if (/^-[^-]+h|^-h./.test(arg)) {
      throw usage(
        `there is no option ${withoutSecrets(arg)}`,
        'A value that begins with - is given as --name=VALUE.',
      )
    }
    // yargs accepts `--no-keyEnv` as `--no-key-env`.
    const typed = arg.match(/^--no-([\w-]+)/)?.[1] ?? ''
    const name = typed.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const spec = Object.hasOwn(line.options, name) ? line.options[name] : undefined
    if (spec !== undefined && spec.type !== 'boolean') {
      throw lineFault(`there is no option ${dashed(`no-${typed}`)}`, line)
    }
  }
}

/** `--columns a=b c=d`: an option takes one value, so the next word would be read as a file. */
function assertOneValueEach(words: readonly string[], { options }: Line): void {
  for (const [at, word] of words.entries()) {
    const [, name = '', tail] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? []
    const spec = Object.hasOwn(options, name) ? options[name] : undefined
    if (spec?.array !== true || spec.nargs !== 1) continue
    const [value = '', next = ''] = tail === undefined ? words.slice(at + 1) : [tail, words[at + 1]]
    if (!value.includes('=') || !/^[^-/][^/=]*=/.test(next) || existsSync(next)) continue
    throw usage(
      `--${name} takes one value, ${value}, and ${next} is behind it`,
      `Give the option again: --${name} ${shellWord(value)} --${name} ${shellWord(next)}`,
    )
  }
}

/** A mistake, and where to find help. @param meant - what was probably meant. */
function lineFault(message: string, { name }: Line, meant?: string): ForeproofError {
  const help = meant === undefined ? `See: foreproof ${name} --help` : `Did you mean ${meant}?`
  return usage(message, help)
}

/** The name of an option or positional as users write it. */
function named(name: string, line: Line): string {
  return line.names.includes(name) ? name.toUpperCase() : dashed(name)
}

const dashed = (name: string): string => `--${name}`
