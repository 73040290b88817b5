import { LIMITS, MEDIA_TYPE } from '../limits.js'
import { bundle } from '../schemas/bundle.js'
import { SCHEMA_FILES, type SchemaFileName } from '../schemas/files.js'
import type { JsonSchema } from '../schemas/schema.js'

/** Part of an OpenAPI document: plain JSON. */
export type Json = { readonly [key: string]: unknown }

export const reference = (kind: string, name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
})

export const bodyOf = (mediaType: string, name: string): Json => ({
  [mediaType]: { schema: reference('schemas', name) },
})

/** The schemas of these names and all that they refer to, with references as OpenAPI writes them. */
export function componentSchemas(names: readonly SchemaFileName[]): Json {
  const ids = names.map((name) => SCHEMA_FILES[name].$id)
  return bundle(ids, '#/components/schemas/')
}

const header = (description: string, schema: JsonSchema): Json => ({ description, schema })

/** Response headers of the dynamic service by the name of their component. */
export const HEADERS: Json = {
  CacheControl: header('Always no-store.', { type: 'string' }),
  RetryAfter: header('Seconds until the next request is allowed.', { type: 'integer', minimum: 1 }),
  RateLimit: header('What is left of the window: draft-ietf-httpapi-ratelimit-headers.', {
    type: 'string',
  }),
  RateLimitPolicy: header('Requests per window: draft-ietf-httpapi-ratelimit-headers.', {
    type: 'string',
  }),
  WwwAuthenticate: header('The scheme to authenticate with: Bearer.', { type: 'string' }),
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
    'invalid_request: the bearer key is missing, unknown or expired.',
    named({ ...ALWAYS, 'WWW-Authenticate': 'WwwAuthenticate' }),
  ),
  ForecastNotFound: failure('forecast_not_found: the history is empty.', COUNTED),
  NotAcceptable: failure(
    'not_acceptable: Accept does not allow the media type of version 1.',
    named(ALWAYS),
  ),
  RateLimited: failure(
    `rate_limited: more requests than the window allows (${LIMITS.rateLimit} in ${LIMITS.rateWindowSeconds} s ` +
      'unless configured otherwise); or, without the RateLimit headers, too many without an accepted key from one address.',
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
