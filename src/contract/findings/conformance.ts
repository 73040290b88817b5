import { CONFORMANCE_RULES, type RuleName } from '../conformance-rules.js'
import { error, type FindingRow } from './row.js'

type Seen = {
  /** What was observed instead of what the rule requires. */
  readonly detail: string
}

type Judged = { readonly judged: number; readonly rules: number }

type ConformanceRows = {
  readonly [Name in RuleName as `conformance-${Name}`]: FindingRow<Seen>
} & { readonly 'conformance-without-key': FindingRow<Judged> }

/** One row per rule: what it requires, with its section, and what was observed instead. */
export const conformanceRows = {
  ...Object.fromEntries(
    Object.entries(CONFORMANCE_RULES).map(([name, { section, title }]) => [
      `conformance-${name}`,
      error(`§${section}: ${title}; here: {detail}`, { detail: 'what was seen instead' }),
    ]),
  ),
  'conformance-without-key': error<Judged>(
    'without a key, only {judged} of {rules} rules could be judged',
    { judged: 16, rules: 62 },
    'Name the variable that holds a key with --key-env, or say with --without-key that no more is to be judged.',
  ),
  // `fromEntries` loses the names of the rules.
} as ConformanceRows
