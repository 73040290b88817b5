import { CATALOGUE, SECTIONS } from './catalogue.js'
import { type Code, exampleOf, isCode } from './finding.js'
import type { Severity } from './row.js'

/** All there is to say of a code apart from a case of it. */
export interface Explanation {
  readonly code: Code
  /** The section of the catalogue. */
  readonly subject: string
  /** The usual severity first, then others that some commands give it. */
  readonly severities: readonly Severity[]
  /** Its sentence, made of the example in the catalogue. */
  readonly example: string
  /** What to do next: the help of its row, otherwise the advice of its section. */
  readonly help: string
}

/** Every code, by subject, in the order of the documentation. */
export const CODES: readonly Code[] = SECTIONS.flatMap(({ rows }) =>
  Object.keys(rows).filter(isCode),
)

export function explanationOf(code: Code): Explanation {
  const { text, help } = exampleOf(code)
  const section = SECTIONS.find(({ rows }) => Object.hasOwn(rows, code))
  return {
    code,
    subject: section?.title ?? '',
    severities: CATALOGUE[code].severities,
    example: text,
    help: help ?? section?.advice ?? '',
  }
}
