import type { InferredOptionTypes, Options } from 'yargs'
import type { ExitCode } from '../contract/error.js'
import type { Instant } from '../contract/instant.js'
import type { FindingsReport } from '../output/print.js'

/** The streams and the environment of a run; tests pass their own. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: NodeJS.ProcessEnv
  /** A clock for tests; default the clock of this machine. */
  readonly now?: () => Instant
}

/** What a command gets besides its arguments. Results go to stdout, everything else to stderr. */
export interface Context extends Terminal {
  /** The command as typed, for messages: `history import`. */
  readonly name: string
  /** Whether standard output gets colour: depends on the terminal, NO_COLOR, FORCE_COLOR and --color. */
  readonly colour: boolean
  /** The version of foreproof. */
  readonly version: string
  /** The time of day; the only clock commands use. */
  readonly now: () => Instant
  /** Prints findings in the format of `--format`. @returns the exit code for them. */
  readonly report: (report: FindingsReport) => Promise<ExitCode>
  /** Prints an answer that is not a list of findings: its figures as JSON if `--format` asks for it, else the text. */
  readonly answer: (figures: object, text: string) => ExitCode
  /** Runs another command line on the same terminal, or with some of its members replaced. */
  readonly dispatch: (argv: readonly string[], on?: Partial<Terminal>) => Promise<ExitCode>
}

/** The declaration of an option or a positional. */
export interface Spec extends Options {
  /** Converts the given value, which may be undefined, for `run`. @throws {ForeproofError} `usage`. */
  readonly read?: (given: never, name: string, terminal: Terminal) => unknown
}

/** The options and positionals of a command, by name. */
export type Specs = Readonly<Record<string, Spec>>

/** The converted arguments that `run` gets. */
export type ArgumentsOf<S extends Specs> = {
  [Name in keyof S]: S[Name] extends { readonly read: (...given: never) => infer Value }
    ? Value
    : InferredOptionTypes<S>[Name]
}

/** A command: it gathers input, calls the library, prints, and returns its exit code. */
export interface Command<S extends Specs> {
  /** Positionals in the syntax of yargs: `<files..>`, `[url]`. */
  readonly positionals?: string
  /** Command lines and what they do; at least one. */
  readonly examples: Readonly<Record<string, string>>
  readonly options: S
  readonly run: (args: ArgumentsOf<S>, context: Context) => Promise<ExitCode> | ExitCode
}

/** Gives a command its types: the declared options determine the arguments of `run`. */
export function command<S extends Specs>(declared: Command<S>): Command<S> {
  return declared
}

/** An entry in the table of commands. */
export interface CommandEntry {
  /** The heading in `--help`. */
  readonly group: string
  /** As typed: `validate`, `history import`. */
  readonly name: string
  readonly describe: string
  // biome-ignore lint/suspicious/noExplicitAny: each command has arguments of its own
  readonly load: () => Promise<{ readonly default: Command<any> }>
}

/** The command at the start of a line: its first two words, or the first. */
export function findCommand(
  words: readonly string[],
  entries: readonly CommandEntry[],
): CommandEntry | undefined {
  const two = entries.find(({ name }) => name === words.slice(0, 2).join(' '))
  return two ?? entries.find(({ name }) => name === words[0])
}

/** What a completion script passes before the words of the command line. */
export const COMPLETION_REQUEST = '--get-yargs-completions'

/** The option that every command has. */
export const COLOR = {
  type: 'boolean',
  describe: 'Colour the output (by default when it goes to a terminal)',
} as const
