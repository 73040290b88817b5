import { API_VERSION } from '../limits.js'
import { DYNAMIC_PATHS, PROBE_PATHS } from './dynamic.js'
import { componentSchemas, FAILURES, HEADERS, type Json } from './parts.js'
import { staticPaths } from './static.js'

const LICENCE = { name: 'MIT', identifier: 'MIT' }

const TAGS = {
  dynamic: 'Routes of the authenticated service.',
  probes: 'Routes for probes and scrapers.',
  static: 'Files of the public site.',
}

export interface OpenApiOptions {
  /** Which variant the document describes; both if absent. */
  readonly variant?: 'dynamic' | 'static'
  /** Address of the service or site, without a final slash, or relative to the document; `/` if absent. */
  readonly baseUrl?: string
  /** Whether only `next_url` tells what a page of the static site is called, as in a store of objects. */
  readonly linkedPages?: boolean
}

/**
 * The OpenAPI 3.1 document of the forecast API, made from the contract's own schemas: of the dynamic
 * service, of the static site, or of both.
 */
export function openApiDocument(options: OpenApiOptions = {}): Json {
  const { variant, baseUrl, linkedPages = false } = options
  const dynamic = variant !== 'static'
  const isStatic = variant !== 'dynamic'
  const tags = [...(dynamic ? ['dynamic', 'probes'] : []), ...(isStatic ? ['static'] : [])]
  return {
    openapi: '3.1.0',
    info: {
      title: 'BTC/USD forecasts',
      version: API_VERSION,
      summary: 'Read-only snapshots of a durable forecast history.',
      description:
        'A successful answer says that the data was read, not that it is fresh: look at freshness.status. Version 1 only grows, so ignore members you do not know.',
      license: LICENCE,
    },
    servers: [{ url: baseUrl ?? '/' }],
    tags: tags.map((name) => ({ name, description: TAGS[name as keyof typeof TAGS] })),
    paths: {
      ...(dynamic && { ...DYNAMIC_PATHS, ...PROBE_PATHS }),
      ...(isStatic && staticPaths(linkedPages)),
    },
    components: {
      ...(dynamic && {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the operator.' },
        },
        headers: HEADERS,
        responses: FAILURES,
      }),
      schemas: componentSchemas([
        ...(dynamic ? (['latest', 'history', 'health', 'error'] as const) : []),
        ...(isStatic ? (['static-latest', 'static-page'] as const) : []),
      ]),
    },
  }
}
