import { MAX_DEPTH } from './canonical.js'
import { type ParsedText, parse } from './parser.js'
import { FORBIDDEN_CHARACTER } from './strings.js'

/** An escape that may stand for a surrogate or a noncharacter. */
const DOUBTFUL_ESCAPE = /\\u(?:[dD][89a-fA-F]|[fF][dDfF])/
/** A number that may be so small that nothing is left of it. */
const MAY_VANISH = /[eE]-0*[1-9]\d\d|0{200}/
const DOUBTS = [FORBIDDEN_CHARACTER, DOUBTFUL_ESCAPE, MAY_VANISH]
/** The end of a member name; inside a string its quote would be escaped, yet be counted too. */
const NAME_END = /"[ \t\r\n]*:/g

/**
 * Reads a JSON text as strictly as every document is read (RFC 7493). Where `JSON.parse` can be shown to
 * have read what the careful parser would, its value is taken. A text with a fault, and the few that only
 * look doubtful, go to the careful parser, which tells them apart and says where the fault is.
 * @param levels - levels of nesting that the text may have.
 */
export function parseJson(text: string, levels: number = MAX_DEPTH): ParsedText {
  return parseQuickly(text, levels) ?? parse(text, { levels })
}

function parseQuickly(text: string, levels: number): ParsedText | undefined {
  if (DOUBTS.some((doubt) => doubt.test(text))) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  // JSON.parse keeps the last of two members with one name: then the text has more names.
  const names = text.match(NAME_END)?.length ?? 0
  return countMembers(value, levels) === names ? { value, faults: [] } : undefined
}

/** Members at all depths; NaN where a number or the depth is beyond what documents may have. */
function countMembers(value: unknown, levels: number): number {
  if (typeof value === 'number') return isExact(value) ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) return Number.NaN
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item, levels - 1)
    return count
  }
  const members = value as Record<string, unknown>
  for (const name in members) count += 1 + countMembers(members[name], levels - 1)
  return count
}

function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
}
