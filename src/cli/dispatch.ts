import { EXIT, type ExitCode, ForeproofError, isRefusal } from '../contract/error.js'
import { VERSION } from '../contract/generated/version.js'
import { nearest } from '../contract/nearest.js'
import { FORMATS, type Format, printRefusal } from '../output/print.js'
import {
  COMPLETION_REQUEST,
  type CommandEntry,
  type Context,
  findCommand,
  type Terminal,
} from './command.js'
import { parseLine } from './parse.js'
import { twoColumns } from './wording.js'

/** Finds the command, loads it alone, and runs it. */
export async function dispatch(
  argv: readonly string[],
  commands: readonly CommandEntry[],
  terminal: Terminal,
): Promise<ExitCode> {
  if (argv[0] === COMPLETION_REQUEST) {
    const { printCompletions } = await import('./commands/completion.js')
    await printCompletions(argv.slice(1), commands)
    return EXIT.holds
  }
  const entry = findCommand(argv, commands)
  if (entry === undefined) return withoutCommand(argv, commands, terminal)
  const rest = argv.slice(entry.name.split(' ').length)
  const command = (await entry.load()).default
  const args = await parseLine(entry, command, rest, terminal)
  if (args === undefined) return EXIT.holds
  const context = contextOf(entry, args, commands, terminal)
  try {
    return await command.run(args, context)
  } catch (error) {
    // An answer of no is an answer: a machine that asked for a format gets it in that format.
    if (!isRefusal(error)) throw error
    const format = formatAsked(args)
    if (format === undefined) throw error
    return await printRefusal(context, format, error)
  }
}

/** The format of findings that a machine asked for, unless lines of the command own standard output. */
function formatAsked(args: { format?: unknown; out?: unknown }): Format | undefined {
  if (args.format === 'text' || args.out === '-') return undefined
  return FORMATS.find((format) => format === args.format)
}

function contextOf(
  entry: CommandEntry,
  args: { color?: boolean },
  commands: readonly CommandEntry[],
  terminal: Terminal,
): Context {
  return {
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    stderr: terminal.stderr,
    env: terminal.env,
    name: entry.name,
    colour: args.color ?? colourByEnvironment(terminal),
    version: VERSION,
    now: terminal.now ?? (() => Math.round((performance.timeOrigin + performance.now()) * 1000)),
    dispatch: (argv, on) => dispatch(argv, commands, { ...terminal, ...on }),
  }
}

function colourByEnvironment(terminal: Terminal): boolean {
  if (terminal.env.NO_COLOR) return false
  if (terminal.env.FORCE_COLOR) return terminal.env.FORCE_COLOR !== '0'
  return terminal.stdout.isTTY === true && terminal.env.TERM !== 'dumb'
}

async function withoutCommand(
  argv: readonly string[],
  commands: readonly CommandEntry[],
  terminal: Terminal,
): Promise<ExitCode> {
  const first = argv[0]
  if (first === '--version' || first === '-v') {
    terminal.stdout.write(`${VERSION}\n`)
    if (argv[1] === '--verbose') {
      const { releaseDigests } = await import('./page-file.js')
      terminal.stdout.write(`${twoColumns(releaseDigests())}\n`)
    }
    return EXIT.holds
  }
  const group = commands.filter((entry) => entry.name.startsWith(`${first} `))
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    const asked = first !== undefined
    ;(asked ? terminal.stdout : terminal.stderr).write(overview(commands))
    return asked ? EXIT.holds : EXIT.usage
  }
  if (group.length > 0) {
    const second = argv[1]
    if (second === '--help' || second === '-h') {
      terminal.stdout.write(overview(group))
      return EXIT.holds
    }
    const names = group.map((entry) => entry.name.slice(first.length + 1))
    throw new ForeproofError(
      'usage',
      second === undefined
        ? `${first}: the second word of the command is missing`
        : `${first}: there is no command ${second}`,
      { help: suggestion(second, names, `${first} `) ?? `One of: ${names.join(', ')}.` },
    )
  }
  const names = [...new Set(commands.map((entry) => entry.name.split(' ')[0] ?? ''))]
  throw new ForeproofError('usage', `there is no command ${first}`, {
    help: suggestion(first, names, '') ?? 'See: foreproof --help',
  })
}

function suggestion(given: string | undefined, names: readonly string[], prefix: string) {
  const close = given === undefined ? undefined : nearest(given, names)
  return close === undefined ? undefined : `Did you mean: foreproof ${prefix}${close}`
}

function overview(entries: readonly CommandEntry[]): string {
  const width = Math.max(...entries.map(({ name }) => name.length)) + 2
  const groups = [...new Set(entries.map(({ group }) => group))].flatMap((each) => {
    const members = entries.filter(({ group }) => group === each)
    const lines = members.map(({ name, describe }) => [`  ${name}`, describe] as const)
    return [`${each}:`, twoColumns(lines, width), '']
  })
  return [
    'foreproof: prove that a forecast was judged by rules fixed before the outcome was known',
    '',
    'Usage: foreproof COMMAND [options]',
    '',
    ...groups,
    'For more, with examples: foreproof COMMAND --help',
    'Exit codes: 0 the check passed, 1 it failed, 2 wrong usage or missing file, 3 could not run.',
    '',
  ].join('\n')
}
