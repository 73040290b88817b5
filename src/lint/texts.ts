import { type Finding, finding } from '../contract/findings/finding.js'
import { pointerTo } from '../contract/pointer.js'
import type { Protocol, Registration } from '../contract/types.js'
import { lintedMethod } from './method.js'
import { type NamedNumber, namedNumbers } from './named-numbers.js'
import { isAmong, numbersIn } from './text-numbers.js'

/**
 * Numbers in the texts of a protocol that the scorer does not use. Texts are free and are not executed, so a
 * number that differs from the one in use would freeze a promise that is not kept. Only a number with a
 * name, such as `500 pairs`, is compared: a rule cannot know what any other is about.
 *
 * @param registration under the protocol, where there is one: it has the method and the window.
 */
export function lintTexts(protocol: Protocol, registration?: Registration): Finding[] {
  const cosine = lintedMethod(protocol, registration) === 'ewc-t'
  const named = namedNumbers(protocol, registration, cosine)
  return textsOf(protocol, '').flatMap(([pointer, text]) =>
    named
      .filter(({ within }) => within === undefined || within.test(pointer))
      .flatMap((one) => namedFindings(one, pointer, text)),
  )
}

/** Every text of a document with its place. */
function textsOf(value: unknown, pointer: string): [pointer: string, text: string][] {
  if (typeof value === 'string') return [[pointer, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => textsOf(child, pointerTo(pointer, key)))
}

function namedFindings({ name, phrase, values }: NamedNumber, pointer: string, text: string) {
  const found = [...text.matchAll(phrase)].flatMap(([words]) => numbersIn(words))
  const told = new Set(found.filter((one) => !isAmong(one, values)).map((one) => one.text))
  const args = { values: [`${name} ${values.join(', ')}`] }
  return [...told].map((one) =>
    finding('text-number-differs', { found: one, ...args }, { pointer }),
  )
}

/** Said once wherever a protocol is linted or frozen. */
export const TEXTS_ARE_NOT_EXECUTED =
  'The texts of a protocol are not executed: what the scorer computes stands in registration.json, under "scorer".'
