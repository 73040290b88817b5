import { ForeproofError } from '../contract/error.js'
import { pointerOf, type Step } from './pointer.js'

/** Levels of nesting that documents may have. */
export const MAX_DEPTH = 64

const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * The RFC 8785 (JCS) form of a JSON value: members ordered by UTF-16 code units, numbers as
 * ECMAScript writes them, no white space. Hash its UTF-8.
 * @throws {ForeproofError} `invalid-input` for what JSON cannot say: a number that is not finite, a
 * lone surrogate, undefined, a function, a bigint, or nesting beyond 64 levels (so also a cycle).
 */
export function canonicalize(value: unknown): string {
  return write(value, [])
}

function write(value: unknown, path: Step[]): string {
  if (typeof value === 'string') {
    if (LONE_SURROGATE.test(value)) throw unwritable('a lone surrogate', path)
    return JSON.stringify(value)
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw unwritable(`the number ${value}`, path)
    return String(value)
  }
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value !== 'object') throw unwritable(`a value of type ${typeof value}`, path)
  if (path.length >= MAX_DEPTH) throw unwritable(`nesting beyond ${MAX_DEPTH} levels`, path)
  const writeAt = (step: Step, member: unknown): string => {
    path.push(step)
    const name = typeof step === 'string' ? `${write(step, path)}:` : ''
    const text = name + write(member, path)
    path.pop()
    return text
  }
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item, index) => writeAt(index, item)).join()}]`
  }
  const members = value as Record<string, unknown>
  // Array.prototype.sort without a comparator orders by UTF-16 code units, as RFC 8785 asks.
  const names = Object.keys(members).sort()
  return `{${names.map((name) => writeAt(name, members[name])).join()}}`
}

function unwritable(what: string, path: readonly Step[]): ForeproofError {
  const pointer = pointerOf(path)
  return new ForeproofError('invalid-input', `${what} at ${pointer || '/'} has no canonical form`, {
    pointer,
    help: 'Only JSON values can be canonicalized.',
  })
}
