import {
  always,
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
  mutantsOf,
  ofType,
  path,
  status,
  success,
  text,
} from './mutant.js'
import type { Change, Reply } from './proxy.js'

const cache = (value: string) => (reply: Reply) => (reply.headers['cache-control'] = value)
const body = (said: string) => (reply: Reply) => (reply.body = said)
const coded = (name: string) => errors(text('invalid_request', name))
const PRICE = /"price_usd":[\d.]+/
const VERSION = '"api_version":"v1",'

/** Headers, envelopes and the shapes of errors. */
export const ENVELOPE_MUTANTS: readonly Mutant[] = mutantsOf<Change>({
  'media-type': {
    'plain JSON type': always(ofType('application/json')),
    'plain JSON type on errors': errors(ofType('application/json')),
    'plain JSON type on success': success(HISTORY, ofType('application/json')),
    'plain JSON type on 401': status(401, ofType('application/json')),
    'type with a charset': always(
      ofType('application/vnd.service.forecast.v1+json; charset=utf-8'),
    ),
    'no type': always((reply) => delete reply.headers['content-type']),
  },
  'no-store': {
    cacheable: always(cache('max-age=60')),
    'cacheable errors': errors(cache('max-age=60')),
    'no Cache-Control': always((reply) => delete reply.headers['cache-control']),
    'no Cache-Control on 401': status(401, (reply) => delete reply.headers['cache-control']),
  },
  'api-version': {
    'history without api_version': history((it) => delete it.api_version),
    'latest without api_version': latest((it) => delete it.api_version),
    'health without api_version': health((it) => delete it.api_version),
    'errors without api_version': errors(text(VERSION, '')),
    '401 without api_version': status(401, text(VERSION, '')),
    'api_version v2': inBody([HISTORY, LATEST, HEALTH], (it) => (it.api_version = 'v2')),
  },
  envelope: {
    'history without data': history((it) => delete it.data),
    'history without pagination': history((it) => delete it.pagination),
    'history without next_cursor': history((it) => delete it.pagination.next_cursor),
    'history without limit': history((it) => delete it.pagination.limit),
    'history without freshness': history((it) => delete it.freshness),
    'a list for the envelope': path(HISTORY, (reply) => {
      if (reply.status === 200) reply.body = JSON.stringify([JSON.parse(String(reply.body))])
    }),
    'data null': history((it) => (it.data = null)),
    'latest without data': latest((it) => delete it.data),
    'latest without freshness': latest((it) => delete it.freshness),
  },
  'resource-fields': {
    'latest data null': latest((it) => (it.data = null)),
    'latest data a list': latest((it) => (it.data = [it.data])),
  },
  'error-envelope': {
    'errors without code': errors(body('{"api_version":"v1","error":{"message":"no"}}')),
    'errors without message': errors(text(/,"message":"[^"]*"/, '')),
    'errors as detail': errors(body('{"api_version":"v1","detail":"bad"}')),
    'errors as HTML': errors(body('<html><body>Bad Request</body></html>')),
    'errors without body': errors(body('')),
    'a code of its own': coded('bad_request'),
    'the code of another status': coded('internal_error'),
    'a message that is no text': errors(
      body('{"api_version":"v1","error":{"code":"invalid_request","message":7}}'),
    ),
  },
  'body-json': {
    'half a body': success(HISTORY, (reply) => (reply.body = String(reply.body).slice(0, -20))),
    'a name twice': success(HISTORY, text('{', '{"api_version":"v1",')),
    NaN: path(HISTORY, text(PRICE, '"price_usd":NaN')),
    '1e999': path(HISTORY, text(PRICE, '"price_usd":1e999')),
    'HTML with 200': success(HISTORY, body('<html></html>')),
  },
  'limit-bounds': {
    '500 for everything invalid': status(
      400,
      (reply, { method }) => method === 'GET' && fail(reply, 500, 'internal_error'),
    ),
  },
  'limit-bounds error-envelope': {
    '422 for everything invalid': status(400, (reply) => (reply.status = 422)),
  },
})
