import { CONFORMANCE_RULES, type RuleName } from '../conformance-rules.js'
import { type FindingRow, row } from './row.js'

type Seen = {
  /** What was seen instead of what the rule says. */
  readonly detail: string
}

type Judged = { readonly judged: number; readonly rules: number }

type ConformanceRows = {
  readonly [Name in RuleName as `conformance-${Name}`]: FindingRow<Seen>
} & { readonly 'conformance-without-key': FindingRow<Judged> }

/** One row per rule: what must hold, with its section, and what was seen instead. */
export const conformanceRows = {
  ...Object.fromEntries(
    Object.entries(CONFORMANCE_RULES).map(([name, { section, title, seen }]) => [
      `conformance-${name}`,
      row<Seen>(
        'error',
        { detail: seen },
        ({ detail }) => `§${section}: ${title}; here: ${detail}`,
      ),
    ]),
  ),
  'conformance-without-key': row<Judged>(
    'error',
    { judged: 16, rules: 62 },
    ({ judged, rules }) => `without a key, only ${judged} of ${rules} rules could be judged`,
    'Name the variable that holds a key with --key-env, or say with --without-key that no more is to be judged.',
  ),
  // `fromEntries` forgets the names of the rules.
} as ConformanceRows
