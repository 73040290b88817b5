import { bodyOf, type Json } from './parts.js'

/** Where the static files lie under the address of their site. */
export const STATIC_ROOT = '/service/api/v1'

const FILE_TYPE = 'application/json'

function file(
  operationId: string,
  summary: string,
  body: string,
  parameters?: readonly Json[],
): Json {
  return {
    get: {
      operationId,
      summary,
      tags: ['static'],
      security: [],
      ...(parameters && { parameters }),
      responses: {
        200: { description: summary, content: bodyOf(FILE_TYPE, body) },
        404: { description: 'No such file; the body is the site’s own.' },
      },
    },
  }
}

/** The files of the static site: no key, no query, unchanged until the next build. */
export const STATIC_PATHS: Json = {
  [`${STATIC_ROOT}/forecasts/latest.json`]: file(
    'readLatestFile',
    'The newest forecast, or null while there is none',
    'StaticLatestBody',
  ),
  [`${STATIC_ROOT}/forecasts.json`]: file(
    'readFirstPage',
    'The newest forecasts; follow next_url for the others',
    'StaticPageBody',
  ),
  [`${STATIC_ROOT}/forecasts/page-{number}.json`]: file(
    'readPage',
    'A continuation page, as next_url names it',
    'StaticPageBody',
    [
      {
        name: 'number',
        in: 'path',
        required: true,
        description: 'Four digits or more; page 0001 holds the oldest forecasts.',
        schema: { type: 'string', pattern: '^[0-9]{4,}$' },
      },
    ],
  ),
}
