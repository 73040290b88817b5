import yargs, { type Argv } from 'yargs'
import { ForeproofError } from '../contract/error.js'
import { COLOR, type Command, type Terminal } from './command.js'
import { type Refused, usageError } from './usage.js'

const WIDTH_LIMIT = 100

// yargs turns a positional `-`, standard input, into an empty text, so it travels under another name.
const STDIN = '-'
const STDIN_MARK = '\0stdin'

function unmarked<A extends object>(parsed: A): A {
  const plain = (value: unknown): unknown => (value === STDIN_MARK ? STDIN : value)
  const entries = Object.entries(parsed).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map(plain) : plain(value),
  ])
  return Object.fromEntries(entries) as A
}

/**
 * Parses the arguments of one command with yargs. Help prints itself and gives undefined.
 * @throws {ForeproofError} `usage` for a mistake.
 */
export async function parseFully(
  name: string,
  // biome-ignore lint/suspicious/noExplicitAny: each command has arguments of its own
  command: Command<any>,
  args: readonly string[],
  terminal: Terminal,
) {
  const variadic = [...command.positionals.matchAll(/([\w-]+)\.\./g)].map(([, word]) => word ?? '')
  let lists: readonly string[] = []
  let known: ReadonlySet<string> = new Set()
  const refused = (message: string): Refused => ({
    commandName: `foreproof ${name}`,
    positionals: command.positionals,
    options: [...known, ...GENERAL],
    given: Number(/got (\d+)/.exec(message)?.[1] ?? 0),
    stray: strayOption(args, known),
  })
  const parser = base(terminal, `foreproof ${name}`, refused)
    .command(`$0 ${command.positionals}`.trim(), command.describe, (y) => {
      const built = command.options(y as Argv)
      lists = [...optionsOf(built).array, ...variadic]
      known = new Set(Object.keys(optionsOf(built).key))
      return built.requiresArg(takingOne(built, command.positionals))
    })
    .option('color', COLOR)
    .strict()
    .example(command.examples.map(([line, does]) => [line, does] as [string, string]))
  let printed = ''
  const marked = args.map((arg) => (arg === STDIN ? STDIN_MARK : arg))
  const parsed = await parser.parseAsync(marked, {}, (error, _argv, output) => {
    if (error) throw error
    printed = output
  })
  if (printed === '') return refuseRepeated(unmarked(parsed), lists, name)
  terminal.stdout.write(`${printed}\n`)
  return undefined
}

function base(
  terminal: Terminal,
  commandName: string,
  refused: (message: string) => Refused,
): Argv {
  return yargs()
    .scriptName(commandName)
    .locale('en')
    .help('help')
    .alias('help', 'h')
    .version(false)
    .wrap(Math.min(terminal.stdout.columns ?? WIDTH_LIMIT, WIDTH_LIMIT))
    .exitProcess(false)
    .parserConfiguration({ 'duplicate-arguments-array': true, 'boolean-negation': true })
    .fail((message, error) => {
      if (error instanceof ForeproofError) throw error
      const says = message ?? error.message
      throw usageError(says, refused(says))
    })
}

/** What yargs has been told so far; its types leave this method out. */
function optionsOf(parser: unknown): Options {
  return (parser as { getOptions(): Options }).getOptions()
}

/** Options that take one value: without it they would reach the command as an empty text. */
function takingOne(parser: unknown, positionals: string): string[] {
  const { key, array, boolean } = optionsOf(parser)
  return Object.keys(key).filter(
    (name) =>
      ![...array, ...boolean].includes(name) && !positionals.split(/[^\w-]+/).includes(name),
  )
}

interface Options {
  readonly array: readonly string[]
  readonly boolean: readonly string[]
  readonly key: Readonly<Record<string, unknown>>
}

const GENERAL = ['color', 'help']

/** The first option among the arguments that the command does not have. */
function strayOption(args: readonly string[], known: ReadonlySet<string>): string | undefined {
  const end = args.indexOf('--')
  const names = (end === -1 ? args : args.slice(0, end))
    .map((arg) => /^--(?:no-)?([^=]+)/.exec(arg)?.[1])
    .filter((name) => name !== undefined)
  return names.find((name) => !known.has(name) && !GENERAL.includes(name))
}

/** An option that takes one value and was given two would reach the command as a list. */
function refuseRepeated<A extends object>(parsed: A, lists: readonly string[], name: string): A {
  for (const [key, value] of Object.entries(parsed)) {
    if (!Array.isArray(value) || lists.includes(key) || key === '_') continue
    throw new ForeproofError('usage', `--${key} was given more than once`, {
      help: `See: foreproof ${name} --help`,
    })
  }
  return parsed
}
