import { type Finding, finding } from '../contract/findings/finding.js'
import type { Protocol, Registration } from '../contract/types.js'
import { withoutLevels } from './levels.js'
import { numbersIn, type TextNumber } from './text-numbers.js'
import { type TextRule, textRules } from './text-rules.js'

/**
 * Numbers in the texts of a protocol that the scorer does not use there. Texts are free and are not
 * executed, so a number that differs from the one in use would freeze a promise that nobody keeps.
 *
 * @param registration under the protocol, where there is one: it has the limits. Without it the
 * usual limits are compared.
 */
export function lintTexts(protocol: Protocol, registration?: Registration): Finding[] {
  return textRules(protocol, registration).flatMap((rule) => {
    const { pointer, uses } = rule
    const told = new Set<string>()
    for (const number of numbersIn(comparable(rule, registration))) {
      if (!used(number, rule)) told.add(number.text)
    }
    const values = Object.entries(uses).map(([name, own]) => `${name} ${own.join(', ')}`)
    return [...told].map((found) => finding('text-number-differs', { found, values }, { pointer }))
  })
}

const COUNTED = /\b\d[\d,.]{0,12}\s+(?:\w{1,20}\s+)?(?:tests|comparisons|models|candidates)\b/gi

/** The text without what other rules compare, or nothing can be compared with. */
function comparable({ pointer, text }: TextRule, registration?: Registration): string {
  const rest = withoutLevels(pointer, text)
  // How many tests there are is known only when they are registered.
  if (registration !== undefined) return rest
  return rest.replace(COUNTED, ' ')
}

/** Said once wherever a protocol is linted or frozen. */
export const TEXTS_ARE_NOT_EXECUTED =
  'The texts of a protocol are not executed: what the scorer computes stands in registration.json, under "scorer".'

/** Writing a formula takes these everywhere. */
const PLAIN = [0, 1]

function used({ readings, percent }: TextNumber, { uses, also = [] }: TextRule): boolean {
  const known = [...Object.values(uses).flat(), ...also, ...PLAIN]
  const is = (value: number) =>
    known.some((one) => Math.abs(one - value) <= 1e-9 * Math.max(one, value))
  return readings.some((values) => values.every((value) => is(percent ? value / 100 : value)))
}
