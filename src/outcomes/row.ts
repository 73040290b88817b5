/** The cells of one bar, or of the header, and the line they begin on (from 1). */
export interface OutcomeRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** Thrown when the text breaks the rules of JSON; nothing after it can be trusted. */
export class SyntaxFault extends Error {
  constructor(
    readonly line: number,
    says: string,
  ) {
    super(says)
  }
}
