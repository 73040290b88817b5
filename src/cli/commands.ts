import type { Command } from './command.js'

/**
 * Every command, with what `--help` needs to list it. The code of a command is loaded only when it
 * runs, for start-up time is a promise of this tool.
 */
export interface CommandEntry {
  /** As typed: `validate`, `history import`. */
  readonly name: string
  readonly describe: string
  // biome-ignore lint/suspicious/noExplicitAny: each command has arguments of its own
  readonly load: () => Promise<{ readonly default: Command<any> }>
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'outcomes import',
    describe: 'Turn an exchange export of hourly bars into a vintage of closes',
    load: () => import('./commands/outcomes-import.js'),
  },
  {
    name: 'schema',
    describe: 'Print a schema of the contract, or its OpenAPI document',
    load: () => import('./commands/schema.js'),
  },
]
