import yargs, { type Argv } from 'yargs'
import { ForeproofError } from '../contract/error.js'
import { nearest } from '../contract/nearest.js'
import { COLOR, type Command, type Terminal } from './command.js'

const WIDTH_LIMIT = 100

// yargs turns a positional `-`, standard input, into an empty text, so it travels under another name.
const STDIN = '-'
const STDIN_MARK = '\0stdin'

type Parsed = Readonly<Record<string, unknown>>

/** What yargs knows of a line; its types leave these methods out. */
interface Parser {
  readonly parsed: Argv['parsed']
  getOptions(): {
    readonly array: readonly string[]
    readonly boolean: readonly string[]
    readonly key: Readonly<Record<string, unknown>>
    readonly choices: Readonly<Record<string, readonly unknown[]>>
  }
  getDemandedOptions(): Readonly<Record<string, unknown>>
}

/**
 * Parses the arguments of one command. Help prints itself and gives undefined.
 * @throws {ForeproofError} `usage` for a mistake.
 */
export async function parse(
  name: string,
  // biome-ignore lint/suspicious/noExplicitAny: each command has arguments of its own
  command: Command<any>,
  args: readonly string[],
  terminal: Terminal,
): Promise<Parsed | undefined> {
  const positionals = positionalsOf(command.positionals)
  const line = { name, usage: command.positionals, positionals }
  let lists: readonly string[] = []
  const parser = yargs()
    .scriptName(`foreproof ${name}`)
    .locale('en')
    .updateStrings({ 'Not enough arguments following: %s': '--%s needs a value' })
    .help('help')
    .alias('help', 'h')
    .version(false)
    .wrap(Math.min(terminal.stdout.columns ?? WIDTH_LIMIT, WIDTH_LIMIT))
    .exitProcess(false)
    .parserConfiguration({ 'duplicate-arguments-array': true, 'boolean-negation': true })
    .fail((message, error) => {
      if (error instanceof ForeproofError) throw error
      throw refusal(message ?? error.message, parser as unknown as Parser, line)
    })
    .command(`$0 ${command.positionals}`.trim(), command.describe, (y) => {
      const built = command.options(y as Argv)
      const { array } = (built as unknown as Parser).getOptions()
      lists = [...array, ...positionals.map((each) => each.name)]
      return built.requiresArg(takingOne(built as unknown as Parser, lists))
    })
    .option('color', COLOR)
    .strict()
    .example(command.examples.map(([example, does]) => [example, does] as [string, string]))
  let printed = ''
  const marked = args.map((arg) => (arg === STDIN ? STDIN_MARK : arg))
  const parsed = await parser.parseAsync(marked, {}, (error, _argv, output) => {
    if (error) throw error
    printed = output
  })
  if (printed !== '') {
    terminal.stdout.write(`${printed}\n`)
    return undefined
  }
  refuseRepeated(parsed, lists, name)
  refuseEmpty(parsed, line)
  return unmarked(parsed)
}

interface Positional {
  readonly name: string
  readonly isRequired: boolean
}

/** The positionals of `<a> [b]` or `<list..>`. */
function positionalsOf(usage: string): Positional[] {
  const words = [...usage.matchAll(/([<[])([\w-]+)/g)]
  return words.map(([, bracket, name = '']) => ({ name, isRequired: bracket === '<' }))
}

/** The command that a line is of. */
interface Line {
  /** As typed: `history import`. */
  readonly name: string
  /** Its positionals as yargs writes them. */
  readonly usage: string
  readonly positionals: readonly Positional[]
}

/** Options that take one value: without it they would reach the command as an empty text. */
function takingOne(parser: Parser, lists: readonly string[]): string[] {
  const { key, boolean } = parser.getOptions()
  return Object.keys(key).filter((name) => !lists.includes(name) && !boolean.includes(name))
}

function unmarked(parsed: Parsed): Parsed {
  const plain = (value: unknown): unknown => (value === STDIN_MARK ? STDIN : value)
  const entries = Object.entries(parsed).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map(plain) : plain(value),
  ])
  return Object.fromEntries(entries)
}

/** What is wrong with a line that yargs refuses, in words of our own: yargs counts where a name is asked for. */
function refusal(message: string, parser: Parser, line: Line): ForeproofError {
  const { argv, error, aliases } = parser.parsed as Exclude<Argv['parsed'], false>
  const given: Parsed = argv
  const { key, choices } = parser.getOptions()
  const options = Object.keys(key).filter((each) => !isPositional(each, line))
  const isKnown = (each: string) =>
    ['_', '$0', '--'].includes(each) ||
    [each, ...(aliases[each] ?? [])].some((name) => Object.hasOwn(key, name))
  // An option that nobody knows swallows the word after it: that word is not what is missing.
  const unknown = Object.keys(given).find((each) => !isKnown(each))
  if (unknown !== undefined) {
    const close = nearest(unknown, options)
    return usage(`there is no option ${dashed(unknown)}`, line, close && dashed(close))
  }
  const required = line.positionals.filter(({ isRequired }) => isRequired)
  if (required.some((each) => given[each.name] === undefined)) {
    const missing = required[argv._.length]?.name.toUpperCase()
    return new ForeproofError('usage', `${missing} is missing`, {
      help: `Usage: foreproof ${line.name} ${line.usage}. See: foreproof ${line.name} --help`,
    })
  }
  // An option without its value, which only yargs has seen.
  if (error) return usage(message, line)
  const absent = Object.keys(parser.getDemandedOptions()).filter(
    (each) => given[each] === undefined,
  )
  if (absent.length > 0) {
    const verb = absent.length === 1 ? 'is' : 'are'
    return usage(`${absent.map(dashed).join(', ')} ${verb} missing`, line)
  }
  const beyond = argv._.map(String)
  if (beyond.length > 0) {
    const [only] = beyond
    const several = `too many arguments: ${beyond.join(', ')}`
    return usage(beyond.length > 1 ? several : `"${only}" is one argument too many`, line)
  }
  for (const [name, allowed] of Object.entries(choices)) {
    const wrong = [given[name]].flat().find((each) => each !== undefined && !allowed.includes(each))
    if (wrong === undefined) continue
    const says = `${named(name, line)}: "${wrong}" is not one of ${allowed.join(', ')}`
    return usage(says, line, nearest(String(wrong), allowed.map(String)))
  }
  return usage(message, line)
}

/** An option that takes one value and was given two would reach the command as a list. */
function refuseRepeated(parsed: Parsed, lists: readonly string[], name: string): void {
  const repeated = Object.entries(parsed).find(
    ([key, value]) => Array.isArray(value) && !lists.includes(key) && key !== '_',
  )?.[0]
  if (repeated === undefined) return
  throw new ForeproofError('usage', `--${repeated} was given more than once`, {
    help: `See: foreproof ${name} --help`,
  })
}

/** An empty text names nothing: most often a variable of a script that is not set. */
function refuseEmpty(parsed: Parsed, line: Line): void {
  const empty = Object.entries(parsed).find(([, value]) => [value].flat().includes(''))?.[0]
  if (empty === undefined) return
  throw new ForeproofError('usage', `${named(empty, line)} is empty`, {
    help: `Give it a value, or leave it out. See: foreproof ${line.name} --help`,
  })
}

function usage(says: string, { name }: Line, meant?: string): ForeproofError {
  const help = meant === undefined ? `See: foreproof ${name} --help` : `Did you mean ${meant}?`
  return new ForeproofError('usage', says, { help })
}

function isPositional(name: string, { positionals }: Line): boolean {
  return positionals.some((each) => each.name === name)
}

/** An option or positional as a person calls it. */
function named(name: string, line: Line): string {
  return isPositional(name, line) ? name.toUpperCase() : dashed(name)
}

const dashed = (name: string): string => `--${name}`
