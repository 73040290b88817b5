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
  switch (typeof value) {
    case 'string':
      return quote(value, path)
    case 'number':
      if (!Number.isFinite(value)) throw unwritable(`the number ${value}`, path)
      return String(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      break
    default:
      throw unwritable(`a value of type ${typeof value}`, path)
  }
  if (value === null) return 'null'
  if (path.length >= MAX_DEPTH) throw unwritable(`nesting beyond ${MAX_DEPTH} levels`, path)
  return Array.isArray(value) ? writeArray(value, path) : writeObject(value, path)
}

function writeArray(values: readonly unknown[], path: Step[]): string {
  let text = '['
  for (let index = 0; index < values.length; index++) {
    path.push(index)
    text += (index === 0 ? '' : ',') + write(values[index], path)
    path.pop()
  }
  return `${text}]`
}

function writeObject(value: object, path: Step[]): string {
  const members = value as Record<string, unknown>
  let text = '{'
  // Array.prototype.sort without a comparator orders by UTF-16 code units, as RFC 8785 asks.
  for (const name of Object.keys(members).sort()) {
    path.push(name)
    text += `${text.length === 1 ? '' : ','}${quote(name, path)}:${write(members[name], path)}`
    path.pop()
  }
  return `${text}}`
}

function quote(text: string, path: readonly Step[]): string {
  const quoted = JSON.stringify(text)
  // JSON.stringify escapes lone surrogates; only then is the exact, slower test worth its time.
  if (quoted.includes('\\ud') && LONE_SURROGATE.test(text))
    throw unwritable('a lone surrogate', path)
  return quoted
}

function unwritable(what: string, path: readonly Step[]): ForeproofError {
  // A cycle has no end: the first steps name the place well enough.
  const pointer = pointerOf(path.slice(0, MAX_DEPTH))
  return new ForeproofError('invalid-input', `${what} at ${pointer || '/'} has no canonical form`, {
    pointer,
    help: 'Only JSON values can be canonicalized.',
  })
}
