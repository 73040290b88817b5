import {
  errors,
  fail,
  HEALTH,
  HISTORY,
  health,
  history,
  inBody,
  LATEST,
  latest,
  type Mutant,
  path,
  status,
  success,
  when,
} from './mutant.js'
import type { Change, Reply } from './proxy.js'

const type = (value: string) => (reply: Reply) => (reply.headers['content-type'] = value)
const cache = (value: string) => (reply: Reply) => (reply.headers['cache-control'] = value)
const isApi = ({ url }: { url: URL }) => !/^\/(?:livez|readyz|metrics)$/.test(url.pathname)
const body = (text: string) => (reply: Reply) => (reply.body = text)
const always = (change: (reply: Reply) => unknown): Change => when(isApi, change)

/** Headers, envelopes and the shapes of errors. */
export const ENVELOPE_MUTANTS: readonly Mutant[] = [
  ['plain JSON type', 'media-type', always(type('application/json'))],
  ['plain JSON type on errors', 'media-type', errors(type('application/json'))],
  [
    'plain JSON type on success',
    'media-type',
    status(200, (reply, exchange) => isApi(exchange) && type('application/json')(reply)),
  ],
  ['plain JSON type on 401', 'media-type', status(401, type('application/json'))],
  ['type of version 2', 'media-type', always(type('application/vnd.service.forecast.v2+json'))],
  [
    'type with a charset',
    'media-type',
    always(type('application/vnd.service.forecast.v1+json; charset=utf-8')),
  ],
  ['no type', 'media-type', always((reply) => delete reply.headers['content-type'])],
  ['cacheable', 'no-store', always(cache('max-age=60'))],
  ['no-cache', 'no-store', always(cache('no-cache'))],
  ['cacheable errors', 'no-store', errors(cache('max-age=60'))],
  ['no Cache-Control', 'no-store', always((reply) => delete reply.headers['cache-control'])],
  [
    'no Cache-Control on 401',
    'no-store',
    status(401, (reply) => delete reply.headers['cache-control']),
  ],
  ['history without api_version', 'api-version', history((it) => delete it.api_version)],
  ['latest without api_version', 'api-version', latest((it) => delete it.api_version)],
  ['health without api_version', 'api-version', health((it) => delete it.api_version)],
  [
    'errors without api_version',
    'api-version',
    errors((reply) => (reply.body = String(reply.body).replace('"api_version":"v1",', ''))),
  ],
  [
    '401 without api_version',
    'api-version',
    status(401, (reply) => (reply.body = String(reply.body).replace('"api_version":"v1",', ''))),
  ],
  [
    'api_version v2',
    'api-version',
    inBody([HISTORY, LATEST, HEALTH], (it) => (it.api_version = 'v2')),
  ],
  ['api_version 1', 'api-version', inBody([HISTORY], (it) => (it.api_version = 1))],
  ['history without data', 'envelope', history((it) => delete it.data)],
  ['history without pagination', 'envelope', history((it) => delete it.pagination)],
  ['history without next_cursor', 'envelope', history((it) => delete it.pagination.next_cursor)],
  ['history without limit', 'envelope', history((it) => delete it.pagination.limit)],
  ['history without freshness', 'envelope', history((it) => delete it.freshness)],
  [
    'a list for the envelope',
    'envelope',
    path(HISTORY, (reply) => {
      if (reply.status === 200) reply.body = JSON.stringify([JSON.parse(String(reply.body))])
    }),
  ],
  ['data null', 'envelope', history((it) => (it.data = null))],
  ['data an object', 'envelope', history((it) => (it.data = { items: it.data }))],
  [
    'limit as text',
    'envelope',
    history((it) => (it.pagination.limit = String(it.pagination.limit))),
  ],
  ['next_cursor a number', 'envelope', history((it) => (it.pagination.next_cursor = 5))],
  ['latest without data', 'envelope', latest((it) => delete it.data)],
  ['latest data null', 'resource-fields', latest((it) => (it.data = null))],
  ['latest data empty', 'resource-fields', latest((it) => (it.data = {}))],
  ['latest data a list', 'resource-fields', latest((it) => (it.data = [it.data]))],
  ['latest without freshness', 'envelope', latest((it) => delete it.freshness)],
  [
    'errors without code',
    'error-envelope',
    errors((reply) => (reply.body = '{"api_version":"v1","error":{"message":"no"}}')),
  ],
  [
    'errors without message',
    'error-envelope',
    errors((reply) => (reply.body = String(reply.body).replace(/,"message":"[^"]*"/, ''))),
  ],
  ['errors of another shape', 'error-envelope', errors(body('{"error":"bad"}'))],
  ['errors as detail', 'error-envelope', errors(body('{"api_version":"v1","detail":"bad"}'))],
  [
    'errors as a list',
    'error-envelope',
    errors(body('{"api_version":"v1","errors":[{"code":"invalid_request"}]}')),
  ],
  ['errors as HTML', 'error-envelope', errors(body('<html><body>Bad Request</body></html>'))],
  ['errors without body', 'error-envelope', errors(body(''))],
  [
    'a code of its own',
    'error-envelope',
    errors((reply) => (reply.body = String(reply.body).replace('invalid_request', 'bad_request'))),
  ],
  [
    'codes in capitals',
    'error-envelope',
    errors(
      (reply) => (reply.body = String(reply.body).replace('invalid_request', 'INVALID_REQUEST')),
    ),
  ],
  [
    'the code of another status',
    'error-envelope',
    errors(
      (reply) => (reply.body = String(reply.body).replace('invalid_request', 'internal_error')),
    ),
  ],
  [
    'a message that is no text',
    'error-envelope',
    errors(
      (reply) =>
        (reply.body = '{"api_version":"v1","error":{"code":"invalid_request","message":7}}'),
    ),
  ],
  [
    'half a body',
    'body-json',
    success(HISTORY, (reply) => (reply.body = String(reply.body).slice(0, -20))),
  ],
  [
    'a name twice',
    'body-json',
    success(
      HISTORY,
      (reply) => (reply.body = String(reply.body).replace('{', '{"api_version":"v1",')),
    ),
  ],
  [
    'NaN',
    'body-json',
    path(
      HISTORY,
      (reply) => (reply.body = String(reply.body).replace(/"price_usd":[\d.]+/, '"price_usd":NaN')),
    ),
  ],
  [
    '1e999',
    ['body-json'],
    path(
      HISTORY,
      (reply) =>
        (reply.body = String(reply.body).replace(/"price_usd":[\d.]+/, '"price_usd":1e999')),
    ),
  ],
  [
    'a byte order mark',
    'body-json',
    success(HISTORY, (reply) => (reply.body = `\u{feff}${reply.body}`)),
  ],
  [
    'single quotes',
    'body-json',
    success(LATEST, (reply) => (reply.body = String(reply.body).replaceAll('"', "'"))),
  ],
  ['HTML with 200', 'body-json', success(HISTORY, (reply) => (reply.body = '<html></html>'))],
  [
    '500 for everything invalid',
    'limit-bounds',
    status(400, (reply, { method }) => method === 'GET' && fail(reply, 500, 'internal_error')),
  ],
  [
    '422 for everything invalid',
    ['limit-bounds', 'error-envelope'],
    status(400, (reply) => (reply.status = 422)),
  ],
]
