import { invalidRequest } from '../api/fault.js'

export interface RequestTarget {
  /** As sent: percent-encoding is not decoded, because paths match exactly. */
  readonly path: string
  /** The text after the first `?`; empty if there is none. */
  readonly query: string
}

const ABSOLUTE = /^https?:\/\/[^/?#]*/i

/** Splits a request target; a target in absolute form (RFC 9112, 3.2.2) loses its authority. */
export function splitTarget(target: string): RequestTarget {
  const local = target.startsWith('/') ? target : target.replace(ABSOLUTE, '')
  const [path = '', ...query] = local.split('?')
  return { path: path || '/', query: query.join('?') }
}

/**
 * The parameters of a query (`application/x-www-form-urlencoded`: `+` is a space), each at most once.
 * @throws {RequestFault} 400 for a repeated name, broken percent-encoding or bytes that are not UTF-8.
 */
export function parseQuery(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const [before = '', ...value] = pair.split('=')
    const name = decode(before)
    if (parameters.has(name)) throw invalidRequest('A query parameter occurs more than once.')
    parameters.set(name, decode(value.join('=')))
  }
  return parameters
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidRequest('The query is not valid percent-encoded UTF-8.')
  }
}
