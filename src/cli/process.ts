import { EXIT } from '../contract/error.js'
import type { CommandEntry } from './command.js'
import { wholeOutput } from './output.js'
import { runCommand, sayError } from './run.js'

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
