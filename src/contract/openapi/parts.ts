import { LIMITS, MEDIA_TYPE } from '../limits.js'
import { DEFINITIONS } from '../schemas/index.js'
import type { JsonSchema } from '../schemas/schema.js'

/** Part of an OpenAPI document: plain JSON. */
export type Json = { readonly [key: string]: unknown }

export const reference = (kind: string, name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
})

export const bodyOf = (mediaType: string, name: string): Json => ({
  [mediaType]: { schema: reference('schemas', name) },
})

/** The named schemas and all that they refer to, with references as OpenAPI writes them. */
export function componentSchemas(names: readonly (keyof typeof DEFINITIONS)[]): Json {
  const found = new Map<string, unknown>()
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node).map(([key, value]) => {
      if (key !== '$ref') return [key, visit(value)]
      const name = String(value).replace('#/$defs/', '')
      take(name)
      return [key, `#/components/schemas/${name}`]
    })
    return Object.fromEntries(entries)
  }
  const take = (name: string): void => {
    if (found.has(name)) return
    found.set(name, undefined)
    found.set(name, visit(DEFINITIONS[name as keyof typeof DEFINITIONS] satisfies JsonSchema))
  }
  for (const name of names) take(name)
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const header = (description: string, schema: JsonSchema): Json => ({ description, schema })

/** Response headers of the dynamic service by the name of their component. */
export const HEADERS: Json = {
  CacheControl: header('Always no-store.', { const: 'no-store' }),
  RetryAfter: header('Seconds until the next request is allowed.', { type: 'integer', minimum: 1 }),
  RateLimit: header('What is left of the window: draft-ietf-httpapi-ratelimit-headers.', {
    type: 'string',
  }),
  RateLimitPolicy: header('Requests per window: draft-ietf-httpapi-ratelimit-headers.', {
    type: 'string',
  }),
  WwwAuthenticate: header('The scheme to authenticate with.', { const: 'Bearer' }),
}

const named = (names: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(names).map(([name, part]) => [name, reference('headers', part)]),
  )

const ALWAYS = { 'Cache-Control': 'CacheControl' }
export const COUNTED = named({
  ...ALWAYS,
  RateLimit: 'RateLimit',
  'RateLimit-Policy': 'RateLimitPolicy',
})

const failure = (description: string, headers: Json): Json => ({
  description,
  headers,
  content: bodyOf(MEDIA_TYPE, 'ErrorBody'),
})

/** Error answers of the dynamic service by the name of their component. */
export const FAILURES: Json = {
  InvalidRequest: failure(
    'invalid_request: method, path, query, timestamp or cursor is invalid.',
    COUNTED,
  ),
  Unauthorized: failure(
    'invalid_request: the bearer key is missing or unknown.',
    named({ ...ALWAYS, 'WWW-Authenticate': 'WwwAuthenticate' }),
  ),
  ForecastNotFound: failure('forecast_not_found: the history is empty.', COUNTED),
  NotAcceptable: failure(
    'not_acceptable: Accept does not allow the media type of version 1.',
    named(ALWAYS),
  ),
  RateLimited: failure(
    `rate_limited: more requests than the window allows (${LIMITS.rateLimit} in ${LIMITS.rateWindowSeconds} s unless configured otherwise).`,
    named({
      ...ALWAYS,
      'Retry-After': 'RetryAfter',
      RateLimit: 'RateLimit',
      'RateLimit-Policy': 'RateLimitPolicy',
    }),
  ),
  InternalError: failure('internal_error: an unexpected failure.', COUNTED),
  HistoryUnavailable: failure(
    'history_unavailable: history or health state cannot be read.',
    COUNTED,
  ),
}
