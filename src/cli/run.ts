import { existsSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import {
  EXIT,
  type ExitCode,
  ForeproofError,
  fileError,
  isRefusal,
  type Refusal,
} from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import { VERSION } from '../contract/generated/version.js'
import { nearest } from '../contract/nearest.js'
import { printable, printableLines } from '../contract/printable.js'
import { hideSecrets, mayHoldSecret } from '../contract/secrets.js'
import { OUTPUT_FORMATS, type OutputFormat, printReport, refusalFindings } from '../output/print.js'
import {
  COMPLETION_REQUEST,
  type CommandEntry,
  type Context,
  findCommand,
  type Terminal,
} from './command.js'
import { usage } from './options.js'
import { isClosedOutput, watchOutput, wholeOutput } from './output.js'
import { parseLine, readValues } from './parse.js'
import { printAnswer, twoColumns } from './wording.js'

/** Runs one command line and returns its exit code. The only catch of the program is here. */
export async function runCommand(
  argv: readonly string[],
  commands: readonly CommandEntry[],
  terminal: Terminal,
): Promise<ExitCode> {
  const getOutputFailure = watchOutput(terminal.stdout)
  const hide = hiding(argv, terminal.env)
  // If standard error cannot be written, there is nowhere to report it.
  terminal.stderr.on('error', () => undefined)
  let code: ExitCode
  let reported: unknown
  try {
    code = await dispatch(argv, commands, terminal)
  } catch (error) {
    reported = error
    code = printError(terminal, error, hide)
  }
  const failure = await getOutputFailure()
  if (failure === undefined || reported !== undefined || isClosedOutput(failure)) return code
  return printError(terminal, failure, hide)
}

/** Prints the error and what to do. A reader of standard output that stops early, such as `head`, is not an error. */
function printError(
  { stderr, env }: Pick<Terminal, 'stderr' | 'env'>,
  error: unknown,
  hide: Hide,
): ExitCode {
  if (isClosedOutput(error)) return EXIT.holds
  const fault = systemError(error) ?? error
  if (fault instanceof ForeproofError && fault.code !== 'bug')
    return printKnownError(stderr, fault, hide)
  stderr.write(`foreproof: internal error: ${printable(hide(errorText(error)))}\n`)
  stderr.write('  This is a fault of foreproof, not of your input: please report it.\n')
  if (env.FOREPROOF_DEBUG && error instanceof Error) {
    stderr.write(`${printableLines(hide(error.stack ?? ''))}\n`)
  }
  return EXIT.unable
}

function printKnownError(
  stderr: NodeJS.WritableStream,
  error: ForeproofError,
  hide: Hide,
): ExitCode {
  stderr.write(`foreproof: ${printable(hide(located(error)))}\n`)
  if (error.help !== undefined) stderr.write(`  ${printable(hide(error.help))}\n`)
  return error.exitCode
}

/** Removes secrets of the arguments and variables from a message. */
type Hide = (message: string) => string

const OWN_VARIABLES = /^(?:BTC_|FOREPROOF_|AWS_)/

/** Computed only when there is a message: most runs have none. */
const hiding =
  (argv: readonly string[], env: NodeJS.ProcessEnv): Hide =>
  (message) =>
    hideSecrets(message, suspects(argv, env))

/** Values that may be secrets given by mistake, such as an address instead of a path; an existing file is not one. */
function suspects(argv: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const words = argv.flatMap((word) => [word, word.replace(/^[^=]*=/, ''), word.replace(/^-+/, '')])
  const values = Object.entries(env).flatMap(([name, value = '']) =>
    OWN_VARIABLES.test(name) ? [value] : [],
  )
  return (
    [...words, ...values]
      .flatMap((each) => [each, ...each.split(',')])
      // yargs removes quotes. Messages also contain normalised paths, which are shorter.
      .flatMap((each) => [each, each.replace(/^(["'])(.*)\1$/s, '$2'), normalize(each)])
      .flatMap((each) => [each, dirname(each), dirname(dirname(each))])
      .filter((each) => mayHoldSecret(each) && !existsSync(each))
  )
}

/** An error as a finding, for machines. */
function refusedFindings(error: Refusal, hide: Hide): Finding[] {
  const { code, message, file, help, pointer, position, findings } = error
  const shown = { file: file && hide(file), help: help && hide(help), findings }
  const at = { ...(pointer !== undefined && { pointer }), ...(position && { position }) }
  return refusalFindings(new ForeproofError(code, hide(message), { ...shown, ...at }) as Refusal)
}

/** A system error (a full disk, no permission) is never reported as a fault of foreproof. */
function systemError(error: unknown): ForeproofError | undefined {
  if (!(error instanceof Error)) return undefined
  const { syscall, path } = error as NodeJS.ErrnoException
  if (syscall === undefined) return undefined
  return fileError(error, path ?? syscall)
}

/** `file:line:column: message`, without parts that are unknown or already in the message. */
function located(error: ForeproofError): string {
  if (error.file === undefined || error.message.startsWith(error.file)) return error.message
  const { position } = error
  const suffix = position ? `:${position.line}:${position.column}` : ''
  return `${error.file}${suffix}: ${error.message}`
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Runs the command line of this process and sets its exit code. Until there is an answer, the code is that of a failed
 * run, so that an accidental exit never looks like an answer.
 */
export async function runProcess(commands: readonly CommandEntry[]): Promise<void> {
  process.exitCode = EXIT.unable
  const { stdin, stderr, env } = process
  const terminal = { stdin, stdout: wholeOutput(process.stdout), stderr, env }
  const hide = hiding(process.argv.slice(2), env)
  const unanswered = () => printError(terminal, new Error('the run ended before its answer'), hide)
  process.once('beforeExit', unanswered)
  process.on('uncaughtException', (error) => process.exit(printError(terminal, error, hide)))
  const code = await runCommand(process.argv.slice(2), commands, terminal)
  process.removeListener('beforeExit', unanswered)
  process.exitCode = code
}

/** Finds the command, loads only its code, and runs it. */
async function dispatch(
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
  const given = await parseLine(entry, command, rest, terminal)
  if (given === undefined) return EXIT.holds
  const format = OUTPUT_FORMATS.find((each) => each === given.format) ?? 'text'
  const context = createContext(entry, { ...given, format }, commands, terminal)
  try {
    return await command.run(readValues(command, given, terminal), context)
  } catch (error) {
    // A negative answer is an answer. A machine that asked for a format gets it in that format, unless the command
    // writes its own lines to standard output.
    if (!isRefusal(error) || format === 'text' || given.out === '-') throw error
    const hide = hiding(argv, terminal.env)
    return await context.report({ findings: refusedFindings(error, hide) })
  }
}

function createContext(
  { name }: CommandEntry,
  { color, format }: { readonly color?: boolean; readonly format: OutputFormat },
  commands: readonly CommandEntry[],
  terminal: Terminal,
): Context {
  const output = {
    ...terminal,
    name,
    colour: color ?? colourByEnvironment(terminal),
    version: VERSION,
    now: terminal.now ?? (() => Math.round((performance.timeOrigin + performance.now()) * 1000)),
  }
  return {
    ...output,
    report: (report) => printReport(output, format, report),
    answer: (figures, text) => printAnswer(terminal, format === 'json', figures, text),
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
    throw usage(
      second === undefined
        ? `${first}: the second word of the command is missing`
        : `${first}: there is no command ${second}`,
      suggestion(second, names, `${first} `) ?? `One of: ${names.join(', ')}.`,
    )
  }
  const names = [...new Set(commands.map((entry) => entry.name.split(' ')[0] ?? ''))]
  throw usage(
    `there is no command ${first}`,
    suggestion(first, names, '') ?? 'See: foreproof --help',
  )
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
    'Exit codes: 0 the check passed, 1 it failed, 2 wrong usage or missing file, 3 could not run in full.',
    '',
  ].join('\n')
}
