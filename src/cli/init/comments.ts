import { SCHEMAS } from '../../contract/schemas/index.js'
import type { JsonSchema } from '../../contract/schemas/schema.js'

/** The members of a protocol that are a choice: neither constants nor texts that explain a rule. */
const CHOICES = [
  'protocol_version',
  'purpose',
  'estimands/comparisons/required',
  'estimands/comparisons/simple_baseline_pool',
  'sampling/strata',
  'sampling/minimum_effective_sample/paired_origins_per_horizon',
  'sampling/minimum_effective_sample/effective_independent_blocks_per_comparison',
  'design/practical_effect_floor',
  'uncertainty/block_length_origins',
  'uncertainty/replicates',
  'uncertainty/multiplicity/alpha',
  'uncertainty/seed',
]

/** What the schema says of each choice in a protocol, for JSON has no comments. */
export function protocolComments(): string {
  return commentTable(CHOICES.map((path) => [path, memberAt(path)?.description]))
}

/** What the schema says of each choice in a plan. */
export function planComments(): string {
  const members = Object.entries(SCHEMAS.plan.properties ?? {})
  const choices = members.filter(([, member]) => !Object.hasOwn(member, 'const'))
  return commentTable(choices.map(([name, { description }]) => [name, description]))
}

function memberAt(path: string): JsonSchema | undefined {
  const names = path.split('/')
  return names.reduce<JsonSchema | undefined>(
    (schema, name) => schema?.properties?.[name],
    SCHEMAS.protocol,
  )
}

/** A table of Markdown. */
export function commentTable(
  rows: readonly (readonly [name: string, text: string | undefined])[],
  head = ['member', 'what it says'],
): string {
  const lines = rows.map(([name, text = '']) => `| \`${name}\` | ${text} |`)
  return [`| ${head.join(' | ')} |`, '| --- | --- |', ...lines].join('\n')
}
