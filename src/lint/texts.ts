import { type Finding, finding } from '../contract/findings/finding.js'
import { pointerTo } from '../contract/pointer.js'
import type { Protocol, Registration } from '../contract/types.js'
import { withoutLevels } from './levels.js'
import { lintedMethod } from './method.js'
import { type NamedNumber, namedNumbers } from './named-numbers.js'
import { isAmong, numbersIn } from './text-numbers.js'
import { textRules } from './text-rules.js'
import type { TextRule } from './types.js'

/**
 * Numbers in the texts of a protocol that the scorer does not use there. Texts are free and are not
 * executed, so a number that differs from the one in use would freeze a promise that nobody keeps.
 * Two rules: a number with a name (`500 pairs`) is compared in every text; any other, in the texts
 * that are about one thing, with the numbers of that thing.
 *
 * @param registration under the protocol, where there is one: it has the limits and the method.
 * Without it the usual limits are compared, and the method that the protocol names.
 */
export function lintTexts(protocol: Protocol, registration?: Registration): Finding[] {
  const cosine = lintedMethod(protocol, registration) === 'ewc-t'
  const named = namedNumbers(protocol, registration, cosine)
  const rules = new Map(
    textRules(protocol, registration, cosine).map((rule) => [rule.pointer, rule] as const),
  )
  return textsOf(protocol, '').flatMap(([pointer, text]) => {
    const own = named.filter(({ within }) => within === undefined || within.test(pointer))
    const rule = rules.get(pointer)
    return [
      ...own.flatMap((one) => namedFindings(one, pointer, text)),
      ...(rule === undefined ? [] : ruleFindings(rule, own, text, registration)),
    ]
  })
}

/** Every text of a document with its place. */
function textsOf(value: unknown, pointer: string): [pointer: string, text: string][] {
  if (typeof value === 'string') return [[pointer, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => textsOf(child, pointerTo(pointer, key)))
}

function namedFindings({ name, phrase, values }: NamedNumber, pointer: string, text: string) {
  const found = [...text.matchAll(phrase)].flatMap(([words]) => numbersIn(words))
  return differing(found, values, pointer, [`${name} ${values.join(', ')}`])
}

function ruleFindings(
  { pointer, uses, also = [], usual = [] }: TextRule,
  named: readonly NamedNumber[],
  text: string,
  registration?: Registration,
) {
  const unnamed = named.reduce((rest, { phrase }) => rest.replace(phrase, ' '), text)
  const found = numbersIn(comparable(pointer, unnamed, registration))
  const unless = SAYS_UNLESS.test(text) ? usual : []
  const known = [...Object.values(uses).flat(), ...also, ...unless, ...PLAIN]
  const values = Object.entries(uses).map(([name, own]) => `${name} ${own.join(', ')}`)
  return differing(found, known, pointer, values)
}

function differing(
  found: ReturnType<typeof numbersIn>,
  known: readonly number[],
  pointer: string,
  values: readonly string[],
): Finding[] {
  const told = new Set(found.filter((one) => !isAmong(one, known)).map(({ text }) => text))
  return [...told].map((one) => finding('text-number-differs', { found: one, values }, { pointer }))
}

/** As our own protocol says it: such a text holds whatever the plan names. */
const SAYS_UNLESS = /\b(?:where|unless) (?:a|the) plan\b/i

const COUNTED = /\b\d[\d,.]{0,12}\s+(?:\w{1,20}\s+)?(?:tests|comparisons|models|candidates)\b/gi

/** The text without what other rules compare, or nothing can be compared with. */
function comparable(pointer: string, text: string, registration?: Registration): string {
  const rest = withoutLevels(pointer, text)
  // How many tests there are is known only when they are registered.
  if (registration !== undefined) return rest
  return rest.replace(COUNTED, ' ')
}

/** Writing a formula takes these everywhere. */
const PLAIN = [0, 1]

/** Said once wherever a protocol is linted or frozen. */
export const TEXTS_ARE_NOT_EXECUTED =
  'The texts of a protocol are not executed: what the scorer computes stands in registration.json, under "scorer".'
