import { MEDIA_TYPE } from '../../contract/limits.js'

/** The weight of RFC 9110: at most three decimals. Java's own client leaves the zero before them out. */
const WEIGHT = /^q=(0?\.\d{1,3}|0\.?|1(?:\.0{0,3})?)$/i
/** Our media type has no parameters, but it is UTF-8: who asks for that asks for nothing else. */
const UTF_8 = /^charset=(?:utf-8|"utf-8")$/i

const [TYPE] = MEDIA_TYPE.split('/')
/** How narrowly a range names our media type; the narrowest one decides. */
const SPECIFICITY: ReadonlyMap<string, number> = new Map([
  ['*/*', 1],
  [`${TYPE}/*`, 2],
  [MEDIA_TYPE, 3],
])

/**
 * Whether an Accept header (RFC 9110, section 12.5.1) allows the v1 media type. No header, or one
 * without an element, allows everything. An element that is not well-formed allows nothing. Takes time in
 * proportion to the header's length, for anybody can send one.
 */
export function acceptsMediaType(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === MEDIA_TYPE) return true
  if (/^[\s,]*$/.test(accept)) return true
  let narrowest = 0
  let weight = 0
  for (const element of splitOutsideQuotes(accept, ',')) {
    const range = rangeOf(element)
    if (range === undefined || range.specificity < narrowest) continue
    // The same range twice: the larger weight, as a client that lists both would take either.
    weight = range.specificity === narrowest ? Math.max(weight, range.weight) : range.weight
    narrowest = range.specificity
  }
  return weight > 0
}

/** Undefined for a range that does not match our media type, or is none. */
function rangeOf(element: string): { specificity: number; weight: number } | undefined {
  const [type = '', ...parameters] = splitOutsideQuotes(element, ';')
  const specificity = SPECIFICITY.get(type.trim().toLowerCase())
  if (specificity === undefined) return undefined
  let weight = 1
  for (const parameter of parameters) {
    const text = parameter.trim()
    if (text === '') continue
    if (UTF_8.test(text)) continue
    // A range that asks for any other parameter does not match.
    const given = WEIGHT.exec(text)?.[1]
    if (given === undefined) return undefined
    weight = Number(given)
  }
  return { specificity, weight }
}

/** Splits at a separator that is not part of a quoted string. */
export function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let quoted = false
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') quoted = !quoted
    else if (character === '\\' && quoted) at++
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}
