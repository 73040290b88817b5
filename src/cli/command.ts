import type { InferredOptionTypes, Options } from 'yargs'
import type { ExitCode } from '../contract/error.js'
import type { Instant } from '../contract/instant.js'
import type { FindingsReport } from '../output/print.js'

/** The streams and the environment a run may touch; tests hand in their own. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: NodeJS.ProcessEnv
  /** The time of day, where it is not that of this machine. */
  readonly now?: () => Instant
}

/** What a command gets besides its arguments. Results go to stdout, everything else to stderr. */
export interface Context extends Terminal {
  /** The command as typed, for messages: `history import`. */
  readonly name: string
  /** Colour on standard output: the terminal, NO_COLOR, FORCE_COLOR and --color decide. */
  readonly colour: boolean
  /** The version of foreproof. */
  readonly version: string
  /** The time of day; the only clock commands use. */
  readonly now: () => Instant
  /** Prints findings in the format that `--format` asks for. @returns the exit code that follows from them. */
  readonly report: (report: FindingsReport) => Promise<ExitCode>
  /** Prints an answer that is no list of findings: its figures as JSON where `--format` asks for it, else the text. */
  readonly answer: (figures: object, text: string) => ExitCode
  /** Runs another command line on the same terminal, or on one that differs in what is given. */
  readonly dispatch: (argv: readonly string[], on?: Partial<Terminal>) => Promise<ExitCode>
}

/** What an option or a positional may be. */
export interface Spec extends Options {
  /** Makes what `run` gets of the value that was given, which may be undefined. @throws {ForeproofError} `usage`. */
  readonly read?: (given: never, name: string, terminal: Terminal) => unknown
}

/** What a command may be given, by name: options, and the positionals among them. */
export type Specs = Readonly<Record<string, Spec>>

/** What `run` gets of them. */
export type ArgumentsOf<S extends Specs> = {
  [Name in keyof S]: S[Name] extends { readonly read: (...given: never) => infer Value }
    ? Value
    : InferredOptionTypes<S>[Name]
}

/** One command of the command line: it gathers, calls the library, prints, and returns its exit code. */
export interface Command<S extends Specs> {
  /** Positionals as yargs writes them: `<files..>`, `[url]`. */
  readonly positionals?: string
  /** Command lines with what they do; at least one. */
  readonly examples: Readonly<Record<string, string>>
  readonly options: S
  readonly run: (args: ArgumentsOf<S>, context: Context) => Promise<ExitCode> | ExitCode
}

/** Types a command: what its options declare is what its `run` gets. */
export function command<S extends Specs>(declared: Command<S>): Command<S> {
  return declared
}

/** One line of the table of commands. */
export interface CommandEntry {
  /** Under which heading `--help` lists it. */
  readonly group: string
  /** As typed: `validate`, `history import`. */
  readonly name: string
  readonly describe: string
  // biome-ignore lint/suspicious/noExplicitAny: each command has arguments of its own
  readonly load: () => Promise<{ readonly default: Command<any> }>
}

/** The command that a line begins with: by its first two words, or by the first alone. */
export function findCommand(
  words: readonly string[],
  entries: readonly CommandEntry[],
): CommandEntry | undefined {
  const two = entries.find(({ name }) => name === words.slice(0, 2).join(' '))
  return two ?? entries.find(({ name }) => name === words[0])
}

/** What a completion script asks this program, before the words of the command line. */
export const COMPLETION_REQUEST = '--get-yargs-completions'

/** The option that every command has. */
export const COLOR = {
  type: 'boolean',
  describe: 'Colour the output (by default when it goes to a terminal)',
} as const
