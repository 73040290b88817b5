import type { IncomingHttpHeaders } from 'node:http'
import { MEDIA_TYPE } from '../../../src/contract/limits.js'
import {
  always,
  errors,
  fail,
  failing,
  HEALTH,
  HISTORY,
  instead,
  isApi,
  LATEST,
  type Mutant,
  mutantsOf,
  path,
  status,
  when,
} from './mutant.js'
import type { Change, Exchange, Reply } from './proxy.js'
import { KEY } from './world.js'

const message = (text: string) => (reply: Reply) => {
  reply.body = String(reply.body).replace(
    /"message":"/,
    `"message":${JSON.stringify(text).slice(0, -1)} `,
  )
}
const method = (name: string, change: (reply: Reply) => unknown): Change =>
  when((exchange) => exchange.method === name && isApi(exchange), change)
const answers = (code: number) => (reply: Reply) => {
  reply.status = code
}
const ok = answers(200)
/** As though the key had been sent, or a type that is taken. */
const opened = (_: Reply, exchange: Exchange) =>
  instead(exchange, exchange.url.pathname, { authorization: `Bearer ${KEY}` })
const taken = (_: Reply, exchange: Exchange) =>
  instead(exchange, exchange.url.pathname, { accept: '*/*' })
/** Changes refusals for want of a key, by what the headers hold. */
const refusedKey = (
  holds: (headers: IncomingHttpHeaders) => boolean,
  change: Parameters<typeof when>[1],
): Change => when(({ headers, reply }) => reply.status === 401 && holds(headers), change)
const opens = (holds: (headers: IncomingHttpHeaders) => boolean) => refusedKey(holds, opened)
const opensFor = (authorization: string) =>
  opens((headers) => headers.authorization === authorization)
const keyless = ({ authorization }: IncomingHttpHeaders) => !authorization
const keyed = ({ authorization }: IncomingHttpHeaders) => !!authorization
const BASIC = `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`

/** Methods, paths, keys, media types and the order in which they are looked at. */
export const DOOR_MUTANTS: readonly Mutant[] = [
  ...mutantsOf<Change>({
    'method-refused': {
      '405 for a method': when(({ method }) => method !== 'GET', answers(405)),
      'POST accepted': when(
        ({ method }) => method === 'POST',
        (_, exchange) => instead(exchange, HISTORY),
      ),
      'OPTIONS answered for browsers': method('OPTIONS', answers(204)),
      'HEAD accepted': method('HEAD', ok),
      'HEAD 405': method('HEAD', answers(405)),
    },
    'path-refused': {
      '404 for a path': path('/v1/forecast', failing(404, 'forecast_not_found')),
      'a plain 404 at /': path('/', (reply) =>
        Object.assign(reply, {
          status: 404,
          body: 'Not Found',
          headers: { 'content-type': 'text/plain' },
        }),
      ),
      'a page at /': path('/', (reply) =>
        Object.assign(reply, { status: 200, body: '<html></html>' }),
      ),
      'a plain 404 at other versions': path('/v2/forecasts', (reply) =>
        Object.assign(reply, { status: 404, body: 'Not Found' }),
      ),
      'a slash at the end accepted': path(`${HISTORY}/`, (_, exchange) =>
        instead(exchange, HISTORY),
      ),
      'an index at /v1': path('/v1', ok),
      'paths below health accepted': path(`${HEALTH}/x`, (_, exchange) =>
        instead(exchange, HEALTH),
      ),
      'a redirection for a slash': path(`${LATEST}/`, (reply) =>
        Object.assign(reply, { status: 308, headers: { location: LATEST } }),
      ),
    },
    'key-missing': {
      'no key needed': opens(keyless),
      '403 without a key': refusedKey(keyless, answers(403)),
      '404 without a key': status(401, failing(404, 'forecast_not_found')),
      '401 unauthorized': status(401, failing(401, 'unauthorized')),
    },
    'key-wrong': {
      '403 for a wrong key': refusedKey(keyed, answers(403)),
      'any key accepted': opens(keyed),
      'Basic accepted': opens(({ authorization }) => !!authorization?.startsWith('Basic')),
      'a key without its scheme accepted': when(
        ({ headers }) => headers.authorization === 'conformance-check-no-such-key',
        ok,
      ),
      'the beginning of a key accepted': opensFor(`Bearer ${KEY.slice(0, -1)}`),
      'more than a key accepted': opensFor(`Bearer ${KEY}x`),
      'the key in X-API-Key accepted': opens((headers) => headers['x-api-key'] === KEY),
      'the key without its scheme accepted': opensFor(KEY),
      'the key behind another scheme accepted': opensFor(`Token ${KEY}`),
      'the key as a user name accepted': opensFor(BASIC),
      'the key in another case accepted': opensFor(`Bearer ${KEY.toUpperCase()}`),
      'keys in the query accepted': when(
        ({ url, headers }) => keyless(headers) && /key|token/.test(url.search),
        opened,
      ),
    },
    'accept-refused': {
      'never 406': status(406, taken),
      '406 as invalid_request': status(406, failing(400, 'invalid_request')),
      '415 for a type': status(406, failing(415, 'not_acceptable')),
      'plain JSON served': when(({ headers }) => headers.accept === 'application/json', taken),
      'version 2 served': when(({ headers }) => /v2/.test(headers.accept ?? ''), taken),
      'health takes any type': when(
        ({ url, reply }) => url.pathname === HEALTH && reply.status === 406,
        taken,
      ),
    },
    'accept-allowed': {
      '*/* refused': when(
        ({ headers, reply }) => headers.accept === '*/*' && reply.status === 200,
        failing(406, 'not_acceptable'),
      ),
      'the media type refused': when(
        ({ headers, reply }) =>
          headers.accept === 'application/vnd.service.forecast.v1+json' && reply.status === 200,
        failing(406, 'not_acceptable'),
      ),
      'a list of types refused': when(
        ({ headers, reply }) => !!headers.accept?.startsWith('text/html,') && reply.status === 200,
        failing(406, 'not_acceptable'),
      ),
      'a missing Accept refused': when(
        ({ headers, reply, url }) =>
          headers.accept === undefined && reply.status === 200 && url.pathname === HISTORY,
        failing(406, 'not_acceptable'),
      ),
    },
    'check-order': {
      'the key before the method': when(
        ({ headers, method }) => !headers.authorization && method === 'POST',
        failing(401, 'invalid_request'),
      ),
      'the key before the media type': when(
        ({ headers, reply }) => !headers.authorization && reply.status === 406,
        failing(401, 'invalid_request'),
      ),
      'the query before the key': when(
        ({ headers, url }) => !headers.authorization && url.search === '?limit=0',
        failing(400, 'invalid_request'),
      ),
      'the path before the key': when(
        ({ headers, url }) => !headers.authorization && url.pathname === '/v1/nothing',
        failing(400, 'invalid_request'),
      ),
      'the path before the media type': when(
        ({ reply, url }) => reply.status === 406 && url.pathname === '/v1/nothing',
        failing(400, 'invalid_request'),
      ),
    },
    'error-safe': {
      'the key in a header': always((reply) => (reply.headers['x-key'] = KEY)),
      'a wrong key in a message': when(
        ({ headers, reply }) => reply.status === 401 && !!headers.authorization,
        (reply, { headers }) => message(String(headers.authorization?.split(' ')[1]))(reply),
      ),
    },
    'rate-limited': {
      '429 of another code': once(LATEST, (reply) => {
        fail(reply, 429, 'invalid_request')
        reply.headers['retry-after'] = '1'
      }),
      'Retry-After too short': once(
        `${HEALTH}/x`,
        (reply) => {
          fail(reply, 429, 'rate_limited')
          reply.headers['retry-after'] = '1'
        },
        4,
      ),
    },
  }),
  ...['PUT', 'PATCH', 'DELETE', 'OPTIONS'].map(
    (name): Mutant => [`${name} accepted`, 'method-refused', method(name, ok)],
  ),
  ...[LATEST, HISTORY, HEALTH].map(
    (route): Mutant => [
      `HEAD accepted on ${route}`,
      'method-refused',
      when(({ method, url }) => method === 'HEAD' && url.pathname === route, ok),
    ],
  ),
  ...['//v1/forecasts', '/V1/forecasts', '/v1//forecasts', '/v1/Forecasts'].map(
    (way): Mutant => [
      `${way} accepted`,
      'path-refused',
      path(way, (_, exchange) => instead(exchange, HISTORY)),
    ],
  ),
  ...[LATEST, HISTORY, HEALTH].map(
    (route): Mutant => [
      `${route} needs no key`,
      'key-missing',
      when(({ reply, url }) => reply.status === 401 && url.pathname === route, opened),
    ],
  ),
  ...[MEDIA_TYPE, '*/*', `${MEDIA_TYPE};q=0, */*`].map(
    (type): Mutant => [
      `a weight of 0 ignored: ${type}`,
      'accept-refused',
      when(
        ({ headers, reply }) =>
          reply.status === 406 && headers.accept?.replace(/;q=0$/, '') === type,
        taken,
      ),
    ],
  ),
  ...[
    '/srv/app/history',
    '/data/forecasts/live',
    '/home/me/history.sqlite: locked',
    './.state/forecast_history',
    'C:\\forecasts\\history',
    '\\\\host\\share',
    'file:///opt/x',
    'Traceback (most recent call last)',
    'at Server.handle (server:3:4)',
    'File x, line 12',
    'sqlite3.OperationalError: no such table',
    'java.lang.NullPointerException: x',
    'history.db is locked',
    'Bearer abcdefghijkl',
  ].map(
    (text): Mutant => [`${JSON.stringify(text)} in a message`, 'error-safe', errors(message(text))],
  ),
  ...(['', '0', '-1', '1.5', 'soon', 'Wed, 21 Oct 2026 07:28:00 GMT'] as const).map(
    (seconds): Mutant => [
      `Retry-After ${seconds || 'missing'}`,
      'rate-limited',
      once(LATEST, (reply) => {
        fail(reply, 429, 'rate_limited')
        if (seconds !== '') reply.headers['retry-after'] = seconds
      }),
    ],
  ),
]

/** Changes the first answers of a path that would be a success or a refusal with the key. */
function once(wanted: string, change: (reply: Reply) => unknown, times = 1): Change {
  return ({ url, headers, state, reply, method }) => {
    const isPlain = method === 'GET' && headers.authorization === `Bearer ${KEY}`
    const count = Number(state.count ?? 0)
    if (url.pathname !== wanted || !isPlain || reply.status === 406 || count >= times) return
    state.count = count + 1
    change(reply)
  }
}
