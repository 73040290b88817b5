import { EXIT, type ExitCode, ForeproofError, fileError } from '../contract/error.js'
import { printable, printableLines } from '../contract/printable.js'
import type { CommandEntry, Terminal } from './command.js'
import { dispatch } from './dispatch.js'
import { isClosedOutput, watchOutput, wholeOutput } from './output.js'

/** Runs one command line and returns its exit code. The one catch of the program is here. */
export async function runCommand(
  argv: readonly string[],
  commands: readonly CommandEntry[],
  terminal: Terminal,
): Promise<ExitCode> {
  const failureOf = watchOutput(terminal.stdout)
  // There is no other place to say that standard error cannot be written.
  terminal.stderr.on('error', () => undefined)
  let code: ExitCode
  let said: unknown
  try {
    code = await dispatch(argv, commands, terminal)
  } catch (error) {
    said = error
    code = sayError(terminal, error)
  }
  const failure = await failureOf()
  if (failure === undefined || said !== undefined || isClosedOutput(failure)) return code
  return sayError(terminal, failure)
}

/**
 * Says what went wrong, and what to do. A reader of standard output that has seen enough, such as `head`, is
 * nothing wrong: what it asked for was given.
 */
function sayError({ stderr, env }: Pick<Terminal, 'stderr' | 'env'>, error: unknown): ExitCode {
  if (isClosedOutput(error)) return EXIT.holds
  const known = systemError(error) ?? error
  if (known instanceof ForeproofError && known.code !== 'bug') return sayKnown(stderr, known)
  stderr.write(`foreproof: internal error: ${printable(sayOf(error))}\n`)
  stderr.write('  This is a fault of foreproof, not of your input: please report it.\n')
  if (env.FOREPROOF_DEBUG && error instanceof Error) {
    stderr.write(`${printableLines(error.stack ?? '')}\n`)
  }
  return EXIT.unable
}

function sayKnown(stderr: NodeJS.WritableStream, error: ForeproofError): ExitCode {
  stderr.write(`foreproof: ${printable(located(error))}\n`)
  if (error.help !== undefined) stderr.write(`  ${printable(error.help)}\n`)
  return error.exitCode
}

/** What the system says (a full disk, no permission) is never a fault of foreproof. */
function systemError(error: unknown): ForeproofError | undefined {
  if (!(error instanceof Error)) return undefined
  const { syscall, path } = error as NodeJS.ErrnoException
  if (syscall === undefined) return undefined
  return fileError(error, path ?? syscall)
}

/** `file:line:column: message`, leaving out what is unknown or already part of the message. */
function located(error: ForeproofError): string {
  if (error.file === undefined || error.message.startsWith(error.file)) return error.message
  const { position } = error
  const place = position ? `:${position.line}:${position.column}` : ''
  return `${error.file}${place}: ${error.message}`
}

function sayOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Runs the command line of this process and sets its exit code. Until there is an answer the code is
 * that of a run that could not be done: an end by accident never looks like an answer.
 */
export async function runProcess(commands: readonly CommandEntry[]): Promise<void> {
  process.exitCode = EXIT.unable
  const { stdin, stderr, env } = process
  const terminal = { stdin, stdout: wholeOutput(process.stdout), stderr, env }
  const unanswered = () => sayError(terminal, new Error('the run ended before its answer'))
  process.once('beforeExit', unanswered)
  process.on('uncaughtException', (error) => process.exit(sayError(terminal, error)))
  const code = await runCommand(process.argv.slice(2), commands, terminal)
  process.removeListener('beforeExit', unanswered)
  process.exitCode = code
}
