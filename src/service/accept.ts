import { MEDIA_TYPE } from '../contract/limits.js'

// RFC 9110: token, quoted-string, and the weight with at most three decimals.
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"'
const ELEMENT = new RegExp(`(?:[^",]|${QUOTED})+`, 'g')
const RANGE = new RegExp(
  `^\\s*(${TOKEN}/${TOKEN})((?:\\s*;\\s*(?:${TOKEN}=(?:${TOKEN}|${QUOTED}))?)*)\\s*$`,
)
const PARAMETER = new RegExp(`(${TOKEN})=(${TOKEN}|${QUOTED})`, 'g')
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

const [TYPE] = MEDIA_TYPE.split('/')
/** How narrowly a range names our media type; the narrowest one decides. */
const SPECIFICITY: ReadonlyMap<string, number> = new Map([
  ['*/*', 1],
  [`${TYPE}/*`, 2],
  [MEDIA_TYPE, 3],
])

/**
 * Whether an Accept header (RFC 9110, section 12.5.1) allows the v1 media type. No header, or an
 * empty one, allows everything. An element that is not well-formed allows nothing.
 */
export function acceptsMediaType(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === MEDIA_TYPE) return true
  if (accept.trim() === '') return true
  let narrowest = 0
  let weight = 0
  for (const element of accept.match(ELEMENT) ?? []) {
    const range = rangeOf(element)
    if (range === undefined || range.specificity < narrowest) continue
    // The same range twice: the larger weight, as a client that lists both would take either.
    weight = range.specificity === narrowest ? Math.max(weight, range.weight) : range.weight
    narrowest = range.specificity
  }
  return weight > 0
}

function rangeOf(element: string): { specificity: number; weight: number } | undefined {
  const match = RANGE.exec(element)
  const specificity = SPECIFICITY.get(match?.[1]?.toLowerCase() ?? '')
  if (match === null || specificity === undefined) return undefined
  let weight = 1
  for (const [, name, value] of (match[2] ?? '').matchAll(PARAMETER)) {
    // Our media type has no parameters, so a range that asks for one does not match it.
    if (name?.toLowerCase() !== 'q') return undefined
    if (value === undefined || !WEIGHT.test(value)) return undefined
    weight = Number(value)
  }
  return { specificity, weight }
}
