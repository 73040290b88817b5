import { ForeproofError } from '../contract/error.js'
import { pointerOf, type Step } from './pointer.js'

/** Levels of nesting that documents may have. */
export const MAX_DEPTH = 64

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SPECIAL = /["\\\u0000-\u001F\uD800-\uDFFF]/
const LONE_SURROGATE = /\p{Surrogate}/u

export interface CanonicalOptions {
  /**
   * True when no text in the value has a character that needs escaping. A document says so of
   * itself; then no text is looked through again.
   */
  readonly plain?: boolean
}

/**
 * The RFC 8785 (JCS) form of a JSON value: members ordered by UTF-16 code units, numbers as
 * ECMAScript writes them, no white space. Hash its UTF-8.
 * @throws {ForeproofError} `invalid-input` for what JSON cannot say: a number that is not finite, a
 * lone surrogate, undefined, a function, a bigint, or nesting beyond 64 levels (so also a cycle).
 */
export function canonicalize(value: unknown, options: CanonicalOptions = {}): string {
  const parts: string[] = []
  if (write(value, parts, options.plain ? undefined : quote, 0)) return parts.join('')
  throw unwritable(value)
}

type Quote = (text: string) => string | undefined

/** Appends the parts of a value; false when something in it cannot be written. */
function write(value: unknown, parts: string[], quoted: Quote | undefined, depth: number): boolean {
  if (typeof value === 'string') {
    if (quoted === undefined) return parts.push('"', value, '"') > 0
    const text = quoted(value)
    return text !== undefined && parts.push(text) > 0
  }
  if (typeof value === 'number') return Number.isFinite(value) && parts.push(String(value)) > 0
  if (typeof value === 'boolean' || value === null) return parts.push(String(value)) > 0
  if (typeof value !== 'object' || depth >= MAX_DEPTH) return false
  return Array.isArray(value)
    ? writeArray(value, parts, quoted, depth)
    : writeObject(value as Record<string, unknown>, parts, quoted, depth)
}

function writeArray(
  values: readonly unknown[],
  parts: string[],
  quoted: Quote | undefined,
  depth: number,
): boolean {
  parts.push('[')
  for (let index = 0; index < values.length; index++) {
    if (index > 0) parts.push(',')
    if (!write(values[index], parts, quoted, depth + 1)) return false
  }
  parts.push(']')
  return true
}

function writeObject(
  members: Record<string, unknown>,
  parts: string[],
  quoted: Quote | undefined,
  depth: number,
): boolean {
  let before = '{'
  // Array.prototype.sort without a comparator orders by UTF-16 code units, as RFC 8785 asks.
  for (const name of Object.keys(members).sort()) {
    if (quoted === undefined) parts.push(before, '"', name, '":')
    else {
      const text = quoted(name)
      if (text === undefined) return false
      parts.push(before, text, ':')
    }
    if (!write(members[name], parts, quoted, depth + 1)) return false
    before = ','
  }
  parts.push(before === '{' ? '{}' : '}')
  return true
}

/** Most texts stand for themselves; finding that out costs less than JSON.stringify. */
function quote(text: string): string | undefined {
  if (!SPECIAL.test(text)) return `"${text}"`
  return LONE_SURROGATE.test(text) ? undefined : JSON.stringify(text)
}

/** Looks again, with the path, for what could not be written. */
function unwritable(value: unknown): ForeproofError {
  const path: Step[] = []
  const what = fault(value, path) ?? 'a value'
  const pointer = pointerOf(path)
  return new ForeproofError('invalid-input', `${what} at ${pointer || '/'} has no canonical form`, {
    pointer,
    help: 'Only JSON values can be canonicalized.',
  })
}

function fault(value: unknown, path: Step[]): string | undefined {
  if (typeof value === 'string') return LONE_SURROGATE.test(value) ? 'a lone surrogate' : undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `the number ${value}`
  if (typeof value === 'boolean' || value === null) return undefined
  if (typeof value !== 'object') return `a value of type ${typeof value}`
  if (path.length >= MAX_DEPTH) return `nesting beyond ${MAX_DEPTH} levels`
  const isArray = Array.isArray(value)
  const members = isArray ? [...value].entries() : Object.entries(value)
  for (const [step, member] of members) {
    path.push(step)
    const found = (isArray ? undefined : fault(step, path)) ?? fault(member, path)
    if (found !== undefined) return found
    path.pop()
  }
  return undefined
}
