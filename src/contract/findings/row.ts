/** The page about what foreproof cannot forecast or judge. */
export const NOT_FOR = 'docs/not-for.md'

/** What to do about digits that a double cannot keep. */
export const BEYOND_DOUBLES =
  'Beyond 2^53 digits are read where none is lost. Write a measured value with an exponent, as in 1.5e17, or in a larger unit.'

/** `error` makes a check fail; a warning or a note does not. */
export type Severity = 'error' | 'warning' | 'note'

/** One row of the catalogue, about one code. `A` are the arguments of its sentence. */
export interface FindingRow<A> {
  /** The usual severity first, then those that some commands use instead. */
  readonly severities: readonly [Severity, ...Severity[]]
  /** Arguments of a real case, used in the documentation. */
  readonly example: A
  readonly message: (args: A) => string
  /** What to do next, if anything. */
  readonly help: (args: A) => string | undefined
  /** If it has words for several faults: all values of its argument `fault`. */
  readonly faults: readonly string[]
}

/** The arguments of a sentence without arguments. */
type NoArgs = Readonly<Record<string, never>>

/** A sentence: a text with placeholders for `filled`, or a function if that is not enough. */
type Words<A, T = string> = string | ((args: A) => T)

/**
 * Fills the arguments into a text: `{name}` is the argument of that name, items of a list as `a, b and c`; `"{name}"`
 * is the same in JSON; `{count row|rows}` a number with its noun, `{count:is|are}` the word alone; `{count,}` a number
 * in groups of three digits.
 */
function filled(text: string, args: object): string {
  const given = new Map<string, unknown>(Object.entries(args))
  return text.replaceAll(PLACE, (place, quote, name, grouped, mark, one, many) => {
    const value = given.get(name)
    if (value === undefined) return place
    const word = Number(value) === 1 ? one : many
    if (mark === ':') return word
    const show = quote === '' ? String : quoted
    if (Array.isArray(value)) return joined(value.map(show), 'and')
    const shown = grouped ? Number(value).toLocaleString('en-US') : show(String(value))
    return mark === undefined ? shown : `${shown} ${word}`
  })
}

const PLACE = /("?)\{(\w+)(,?)(?:([ :])([^|{}]+)\|([^|{}]+))?\}\1/g

function spoken<T>(words: Words<object, T> | undefined, args: object): string | T | undefined {
  return typeof words === 'function' ? words(args) : words && filled(words, args)
}

/** The sentence of a fault, and what to do about it. */
type Fault<A> = readonly [says: Words<A>, help?: Words<A>]

/** Arguments as in an example; lists are read-only. */
type Given<A> = {
  readonly [K in keyof A]: A[K] extends readonly (infer Item)[] ? readonly Item[] : A[K]
}

/** Arguments including the one that names the fault. */
type Faulty<F, A> = Given<Omit<A, 'fault'>> & { readonly fault: F }

/** Makes a row from a sentence, an example of its arguments if it has any, and what to do next. */
interface MakeRow {
  (message: string, help?: string): FindingRow<NoArgs>
  <A extends object>(
    message: Words<Given<A>>,
    example: A,
    help?: Words<Given<A>, string | undefined>,
  ): FindingRow<Given<A>>
  /** The same for several faults, each with its own words; `help` is for faults without help of their own. */
  <F extends string, A extends object>(
    message: Readonly<Record<F, Fault<Faulty<F, A>>>>,
    example: A & { readonly fault: NoInfer<F> },
    help?: string,
  ): FindingRow<Faulty<F, A>>
}

type Sayings = Words<object> | Readonly<Record<string, Fault<object>>>

/** Makes rows with one severity or several, the usual one first. `MakeRow` defines which parameters belong together. */
export const row = (...severities: readonly [Severity, ...Severity[]]) =>
  ((message: Sayings, given?: object | string, fallback?: Words<object, string | undefined>) => {
    const [example, help] = typeof given === 'object' ? [given, fallback] : [{}, given]
    const getFault = (args: object) =>
      typeof message === 'object' ? message[(args as { fault: string }).fault] : undefined
    return {
      severities,
      example,
      faults: typeof message === 'object' ? Object.keys(message) : [],
      message: (args: object) =>
        spoken(typeof message === 'object' ? getFault(args)?.[0] : message, args),
      help: (args: object) => spoken(getFault(args)?.[1] ?? help, args),
    }
  }) as unknown as MakeRow

export const error = row('error')
export const warning = row('warning')
export const note = row('note')

/** `"x"`, in the spelling of JSON. */
export const quoted = (text: string): string => JSON.stringify(text)

/** A word of a command line, quoted if the shell requires it. */
export const shellWord = (text: string): string =>
  /^[\w.,=%+:@/…-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** `a`, `a or b`, `a, b or c`. */
export function joined(items: readonly string[], word: 'and' | 'or'): string {
  return items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`
}

/** Maximum number of names to list. */
const LISTED = 8

/** `"a", "b" and "c"`; if there are too many, the first names and the number of the rest. */
export const listNames = (names: readonly string[]): string =>
  names.length <= LISTED
    ? joined(names.map(quoted), 'and')
    : `${names.slice(0, LISTED).map(quoted).join(', ')} and ${names.length - LISTED} more`

/** `Did you mean "x"?`, or another help if no name is near. */
export const didYouMean = (nearest: string | null, fallback?: string): string | undefined =>
  nearest === null ? fallback : `Did you mean ${quoted(nearest)}?`

/** Digests for examples. */
export const A_DIGEST = '6c1f2a9f…'
export const OTHER_DIGEST = '0d5e7b34…'

/** A number of log entries. */
export const entries = (count: number) => `${count} ${count === 1 ? 'entry' : 'entries'}`
