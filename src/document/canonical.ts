import { ForeproofError } from '../contract/error.js'
import { formatPointer, type Step } from '../contract/pointer.js'

/** Maximum levels of nesting in documents. */
export const MAX_DEPTH = 64

const LONE_SURROGATE = /\p{Surrogate}/u
/** Characters that JSON writes without an escape. */
const PLAIN = /^[ !#-[\]-~]*$/

/**
 * The RFC 8785 (JCS) form of a JSON value: members ordered by UTF-16 code units, numbers as ECMAScript writes them, no
 * white space. Hash its UTF-8.
 * @throws {ForeproofError} `invalid-input` for what JSON cannot represent: a number that is not finite, a lone
 * surrogate, undefined, a function, a bigint, or nesting beyond 64 levels (so also a cycle).
 */
export function canonicalize(value: unknown): string {
  return write(value, [], 0)
}

/** @param path - of the value, in its first `depth` steps. All calls share one array, which halves the time. */
function write(value: unknown, path: Step[], depth: number): string {
  if (typeof value === 'string') return writeText(value, path, depth)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw unwritable(`the number ${value}`, path, depth)
    return String(value)
  }
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value !== 'object') throw unwritable(`a value of type ${typeof value}`, path, depth)
  if (depth >= MAX_DEPTH) throw unwritable(`nesting beyond ${MAX_DEPTH} levels`, path, depth)
  let inner = ''
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path[depth] = index
      inner += (index === 0 ? '' : ',') + write(value[index], path, depth + 1)
    }
    return `[${inner}]`
  }
  const members = value as Record<string, unknown>
  // Array.prototype.sort without a comparator orders by UTF-16 code units, as RFC 8785 requires.
  for (const name of Object.keys(members).sort()) {
    path[depth] = name
    const written = writeText(name, path, depth + 1)
    inner += `${inner === '' ? '' : ','}${written}:${write(members[name], path, depth + 1)}`
  }
  return `{${inner}}`
}

function writeText(text: string, path: readonly Step[], depth: number): string {
  if (PLAIN.test(text)) return `"${text}"`
  if (LONE_SURROGATE.test(text)) throw unwritable('a lone surrogate', path, depth)
  return JSON.stringify(text)
}

function unwritable(what: string, path: readonly Step[], depth: number): ForeproofError {
  const pointer = formatPointer(path.slice(0, depth))
  return new ForeproofError('invalid-input', `${what} at ${pointer || '/'} has no canonical form`, {
    pointer,
    help: 'Only JSON values can be canonicalized.',
  })
}
