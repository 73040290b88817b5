/** The cells of one bar, or of the header, and the line they end on (from 1). */
export interface OutcomeRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** Thrown when the text breaks the rules of CSV or JSON; nothing after it can be trusted. */
export class SyntaxFault extends Error {
  constructor(
    readonly kind: 'csv' | 'json',
    readonly line: number,
    says: string,
  ) {
    super(says)
  }
}
