import { EXIT, type ExitCode, ForeproofError } from '../contract/error.js'
import { printable, printableLines } from '../contract/printable.js'
import type { CommandEntry, Terminal } from './command.js'
import { dispatch } from './dispatch.js'

/** Runs one command line and returns its exit code. The one catch of the program is here. */
export async function runCommand(
  argv: readonly string[],
  commands: readonly CommandEntry[],
  terminal: Terminal,
): Promise<ExitCode> {
  endQuietlyWhenNobodyReads(terminal.stdout)
  endQuietlyWhenNobodyReads(terminal.stderr)
  try {
    return await dispatch(argv, commands, terminal)
  } catch (error) {
    if (error instanceof ForeproofError && error.code !== 'bug') {
      terminal.stderr.write(`foreproof: ${printable(located(error))}\n`)
      if (error.help !== undefined) terminal.stderr.write(`  ${printable(error.help)}\n`)
      return error.exitCode
    }
    terminal.stderr.write(`foreproof: internal error: ${printable(sayOf(error))}\n`)
    terminal.stderr.write('  This is a fault of foreproof, not of your input: please report it.\n')
    if (terminal.env.FOREPROOF_DEBUG && error instanceof Error) {
      terminal.stderr.write(`${printableLines(error.stack ?? '')}\n`)
    }
    return EXIT.unable
  }
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

/** `foreproof … | head` closes our output early: that is no fault of anybody. */
function endQuietlyWhenNobodyReads(stream: NodeJS.WritableStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
}
