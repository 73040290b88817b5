import { CONFORMANCE_RULES, type RuleName } from '../conformance-rules.js'
import { type FindingRow, row } from './row.js'

type Seen = {
  /** What was seen instead of what the rule says. */
  readonly detail: string
}

type ConformanceRows = { readonly [Name in RuleName as `conformance-${Name}`]: FindingRow<Seen> }

/** One row per rule: what must hold, with its section, and what was seen instead. */
export const conformanceRows = Object.fromEntries(
  Object.entries(CONFORMANCE_RULES).map(([name, { section, title, seen }]) => [
    `conformance-${name}`,
    row<Seen>('error', { detail: seen }, ({ detail }) => `§${section}: ${title}; here: ${detail}`),
  ]),
  // `fromEntries` forgets the names of the rules.
) as ConformanceRows
