import { bodyOf, type Json } from './parts.js'

/** Where the static files lie under the address of their site. */
export const STATIC_ROOT = '/service/api/v1'

const FILE_TYPE = 'application/json'

interface File {
  readonly id: string
  readonly summary: string
  readonly description: string
}

function file({ id, ...words }: File, body: string, parameters?: readonly Json[]): Json {
  return {
    get: {
      operationId: id,
      ...words,
      tags: ['static'],
      security: [],
      ...(parameters && { parameters }),
      responses: {
        200: { description: words.summary, content: bodyOf(FILE_TYPE, body) },
        404: { description: 'No such file; the body is the site’s own.' },
      },
    },
  }
}

interface PageNumbers {
  readonly page: string
  readonly number: string
}

const OF_PLACES: PageNumbers = {
  page: 'numbers count from the oldest page, so that a page keeps its number.',
  number: 'Four digits or more; page 0001 holds the oldest forecasts.',
}
const OF_BUILDS: PageNumbers = {
  page: 'numbers are of this page and of the build that wrote it, and never used again.',
  number: 'Four digits or more; only next_url tells which pages there are.',
}

/**
 * The files of the static site: no key, no query, unchanged until the next build.
 * @param linked whether the build is in the number of a page, beside its place.
 */
export function staticPaths(linked: boolean): Json {
  const numbers = linked ? OF_BUILDS : OF_PLACES
  return {
    [`${STATIC_ROOT}/forecasts/latest.json`]: file(
      {
        id: 'readLatestFile',
        summary: 'The newest forecast, or null while there is none',
        description:
          'The first forecast of forecasts.json, by itself. Freshness is that of the moment snapshot_at.',
      },
      'StaticLatestBody',
    ),
    [`${STATIC_ROOT}/forecasts.json`]: file(
      {
        id: 'readFirstPage',
        summary: 'The newest forecasts, newest origin first, then by horizon and model',
        description:
          'Follow next_url, which may be relative to the address of its page, until it is null: then every forecast has been read.',
      },
      'StaticPageBody',
    ),
    [`${STATIC_ROOT}/forecasts/page-{number}.json`]: file(
      {
        id: 'readPage',
        summary: 'A continuation page',
        description: `Reached by the next_url of the page before; ${numbers.page}`,
      },
      'StaticPageBody',
      [
        {
          name: 'number',
          in: 'path',
          required: true,
          description: numbers.number,
          schema: { type: 'string', pattern: '^[0-9]{4,}$' },
        },
      ],
    ),
  }
}
