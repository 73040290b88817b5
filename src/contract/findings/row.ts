/** `error` makes a check fail; a warning or a note does not. */
export type Severity = 'error' | 'warning' | 'note'

/**
 * One row of the catalogue: all there is to say of one code. `A` are the arguments of its sentence.
 */
export interface FindingRow<A> {
  /** The usual severity first, then others that some commands give it. */
  readonly severities: readonly [Severity, ...Severity[]]
  /** Arguments of a real case, for the documentation. */
  readonly example: A
  readonly says: (args: A) => string
  /** What to do next, where there is something to do. */
  readonly help: (args: A) => string | undefined
}

/** The arguments of a sentence that needs none. */
type NoArgs = Readonly<Record<string, never>>

type Severities = Severity | readonly [Severity, ...Severity[]]

/** A row whose sentence is made from arguments. */
export function row<A>(
  severity: Severities,
  example: A,
  says: (args: A) => string,
  help?: string | ((args: A) => string | undefined),
): FindingRow<A> {
  return {
    severities: typeof severity === 'string' ? [severity] : severity,
    example,
    says,
    help: typeof help === 'function' ? help : () => help,
  }
}

/** A row whose sentence is always the same. */
export function fixed(severity: Severities, says: string, help?: string): FindingRow<NoArgs> {
  return row<NoArgs>(severity, {}, () => says, help)
}

/** What a fault says of what was found, and what to do about it. */
type Fault = readonly [says: (found: string) => string, help?: string]

/** A row for faults of one kind, each with words of its own. */
export function faultRow<F extends string>(
  severity: Severities,
  example: { readonly fault: NoInfer<F>; readonly found: string },
  faults: Readonly<Record<F, Fault>>,
): FindingRow<{ readonly fault: F; readonly found: string }> {
  return row<{ readonly fault: F; readonly found: string }>(
    severity,
    example,
    ({ fault, found }) => faults[fault][0](found),
    ({ fault }) => faults[fault][1],
  )
}

/** `"x"`, as JSON writes it. */
export const quoted = (text: string): string => JSON.stringify(text)

/** `a`, `a or b`, `a, b or c`. */
export function joined(items: readonly string[], word: 'and' | 'or'): string {
  return items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`
}

/** `Did you mean "x"?`, or another help where nothing is near. */
export const didYouMean = (nearest: string | null, otherwise?: string): string | undefined =>
  nearest === null ? otherwise : `Did you mean ${quoted(nearest)}?`

/** Digests as examples show them. */
export const A_DIGEST = '6c1f2a9f…'
export const OTHER_DIGEST = '0d5e7b34…'

/** Entries of a log, counted. */
export const entries = (count: number) => `${count} ${count === 1 ? 'entry' : 'entries'}`
