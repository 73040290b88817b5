import { MAX_DEPTH } from './canonical.js'
import { type ParsedText, parse } from './parser.js'
import { FORBIDDEN_CHARACTER } from './strings.js'

/** An escape that may stand for a surrogate or a noncharacter. */
const DOUBTFUL_ESCAPE = /\\u(?:[dD][89a-fA-F]|[fF][dDfF])/
/** A number that may be so small that JSON.parse makes zero of it. */
const MAY_VANISH = /[eE]-0*[1-9]\d\d|0{200}/
const QUOTE = 0x22

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
  if (FORBIDDEN_CHARACTER.test(text) || DOUBTFUL_ESCAPE.test(text)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const census: Census = { members: 0, depth: 0, hasZero: false, isExact: true }
  count(value, 0, levels, census)
  if (!census.isExact || (census.hasZero && MAY_VANISH.test(text))) return undefined
  // JSON.parse keeps the last of two members with one name: then the text has more names.
  return census.members === countNames(text)
    ? { value, faults: [], exactDepth: census.depth }
    : undefined
}

/** What is in a value, at all depths. */
interface Census {
  members: number
  depth: number
  hasZero: boolean
  /** False where a number or the depth is beyond what documents may have. */
  isExact: boolean
}

function count(value: unknown, depth: number, levels: number, census: Census): void {
  if (typeof value === 'number') {
    if (value === 0) census.hasZero = true
    else if (!isExact(value)) census.isExact = false
  } else if (typeof value === 'object' && value !== null) {
    const below = depth + 1
    if (below > census.depth) census.depth = below
    if (below > levels) census.isExact = false
    else if (Array.isArray(value)) for (const item of value) count(item, below, levels, census)
    else {
      const members = value as Record<string, unknown>
      for (const name in members) {
        census.members++
        count(members[name], below, levels, census)
      }
    }
  }
}

function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
}

/** Colons after a quote: those of all members and, where a string holds `\":`, some more. */
function countNames(text: string): number {
  let names = 0
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1
    while (isSpace(text.charCodeAt(before))) before--
    if (text.charCodeAt(before) === QUOTE) names++
  }
  return names
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
