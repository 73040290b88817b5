import type { ExitCode } from '../contract/error.js'
import type { Terminal } from './command.js'
import { COMMANDS } from './commands.js'
import { runCommand } from './run.js'

/** Runs one command line of foreproof and returns its exit code. */
export function run(argv: readonly string[], terminal: Terminal = process): Promise<ExitCode> {
  return runCommand(argv, COMMANDS, terminal)
}
