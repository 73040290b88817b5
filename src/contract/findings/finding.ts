import { showsSecret, withoutSecrets } from '../secrets.js'
import { CATALOGUE, SECTIONS, type Section } from './catalogue.js'
import type { FindingRow, Severity } from './row.js'

export type { Severity } from './row.js'

/** A position in a text; lines and columns count from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number
  readonly column: number
  readonly endLine?: number
  readonly endColumn?: number
}

type Catalogue = typeof CATALOGUE

/** A code of the catalogue: stable, kebab-case, listed in docs/reference/findings.md. */
export type Code = keyof Catalogue

export const isCode = (text: string): text is Code => Object.hasOwn(CATALOGUE, text)

type ArgsByCode = { readonly [C in Code]: Catalogue[C] extends FindingRow<infer A> ? A : never }

/**
 * A finding is data and not words: what was found, where, and the arguments of its sentence. This union has one member
 * per code, so that a wrong code or a wrong argument does not compile.
 */
export type Finding<C extends Code = Code> = {
  [K in C]: {
    readonly code: K
    readonly severity: Severity
    /** The file as the user named it; absent if the finding is not about a file. */
    readonly file?: string
    /** RFC 6901 JSON Pointer into the document; `''` is the whole document. */
    readonly pointer?: string
    readonly position?: Position
    readonly args: ArgsByCode[K]
  }
}[C]

/** The arguments of a code; for several codes, arguments that suit each of them. */
export type ArgsOf<C extends Code> = (
  C extends Code
    ? (args: ArgsByCode[C]) => void
    : never
) extends (args: infer A) => void
  ? A
  : never

/** The location of a finding, and its severity if that is not the usual one of the catalogue. */
export interface FindingOptions {
  readonly file?: string | undefined
  readonly pointer?: string | undefined
  readonly position?: Position | undefined
  readonly severity?: Severity | undefined
}

/**
 * Makes a finding; its severity is the first of the catalogue unless another is given. The type is complicated because
 * it names one member of the union if the code is known, and is still a `Finding` if only its kind is. An intersection
 * with the whole union would make the compiler five times slower.
 */
export function finding<C extends Code>(
  code: C,
  args: ArgsOf<C>,
  { file, pointer, position, severity }: FindingOptions = {},
): C extends Code ? Finding<C> : never {
  const made = {
    code,
    severity: severity ?? CATALOGUE[code].severities[0],
    ...(file !== undefined && { file }),
    ...(pointer !== undefined && { pointer }),
    ...(position !== undefined && { position }),
    args,
  }
  // Code and arguments were checked above, but the compiler cannot see that they match one member of the union.
  return made as unknown as C extends Code ? Finding<C> : never
}

/** A sentence for a finding and, if there is one, the help: what to do next. */
export interface Message {
  readonly text: string
  readonly help: string | undefined
}

const ROWS: { readonly [C in Code]: FindingRow<ArgsByCode[C]> } = CATALOGUE

/** `: ` and what the first error says, for a message of one line; empty without findings. */
export function firstReason(findings: readonly Finding[]): string {
  const first = findings.find(({ severity }) => severity === 'error') ?? findings[0]
  return first === undefined ? '' : `: ${formatMessage(first).text}`
}

/** Formats a finding as one sentence, with help. This is the only place that does. */
export function formatMessage<C extends Code>({ code, args }: Finding<C>): Message {
  const { message, help } = ROWS[code]
  const shown = shownArg(args)
  return { text: message(shown), help: help(shown) }
}

/**
 * An argument for display. Secrets are hidden, because a file given by mistake may have a secret as the name of a
 * column.
 */
function shownArg<T>(arg: T): T {
  if (typeof arg === 'string') return (showsSecret(arg) ? withoutSecrets(arg) : arg) as T
  if (Array.isArray(arg)) return arg.map(shownArg) as T
  if (typeof arg !== 'object' || arg === null) return arg
  return Object.fromEntries(Object.entries(arg).map(([key, value]) => [key, shownArg(value)])) as T
}

/** Whether no finding is an error; warnings and notes do not fail a check. */
export function hasNoErrors(findings: readonly Finding[]): boolean {
  return findings.every((finding) => finding.severity !== 'error')
}

/** What can be explained about a code without an actual finding. */
export interface Explanation {
  readonly code: Code
  /** The section of the catalogue. */
  readonly subject: string
  /** The usual severity first, then those that some commands use instead. */
  readonly severities: readonly Severity[]
  /** Its sentence, made from the example in the catalogue. */
  readonly example: string
  /** What to do next: the help of its row, or else the advice of its section. */
  readonly help: string
}

/** Every code, by subject, in the order of the documentation. */
export const CODES: readonly Code[] = SECTIONS.flatMap(({ rows }) =>
  Object.keys(rows).filter(isCode),
)

export function explainCode<C extends Code>(code: C): Explanation {
  const { severities, example, message, help } = ROWS[code]
  const section: Section | undefined = SECTIONS.find(({ rows }) => Object.hasOwn(rows, code))
  return {
    code,
    subject: section?.title ?? '',
    severities,
    example: message(example),
    help: help(example) ?? section?.advice ?? '',
  }
}
