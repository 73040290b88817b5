import type { IncomingHttpHeaders } from 'node:http'
import { MEDIA_TYPE } from '../../../src/contract/limits.js'
import {
  aliased,
  always,
  errors,
  fail,
  failing,
  forEach,
  HEALTH,
  HISTORY,
  instead,
  isApi,
  LATEST,
  type Mutant,
  mutantsOf,
  path,
  plain,
  status,
  text,
  when,
} from './mutant.js'
import type { Change, Exchange, Reply } from './proxy.js'
import { KEY } from './world.js'

const message = (said: string) =>
  text('"message":"', `"message":${JSON.stringify(said).slice(0, -1)} `)
const method = (name: string, change: Parameters<typeof when>[1]): Change =>
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
/** Refuses some requests with a reason of its own. */
const refuses = (
  wanted: (exchange: Exchange) => boolean,
  code: number,
  name = 'invalid_request',
): Change => when(wanted, failing(code, name))
/** Refuses a type that is taken. */
const refusesType = (holds: (accept: string | undefined) => boolean, wanted = ''): Change =>
  refuses(
    ({ headers, reply, url }) =>
      holds(headers.accept) && reply.status === 200 && url.pathname.startsWith(wanted),
    406,
    'not_acceptable',
  )
const keyless = ({ authorization }: IncomingHttpHeaders) => !authorization
const keyed = ({ authorization }: IncomingHttpHeaders) => !!authorization
const BASIC = `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`

const WAYS = ['//v1/forecasts', '/V1/forecasts', '/v1//forecasts', '/v1/Forecasts']

/** What no message may show. */
const UNSAFE = [
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
]

/** Methods, paths, keys, media types and the order in which they are looked at. */
export const DOOR_MUTANTS: readonly Mutant[] = mutantsOf<Change>({
  'method-refused': {
    '405 for a method': when(({ method }) => method !== 'GET', answers(405)),
    'POST accepted': method('POST', (_, exchange) => instead(exchange, HISTORY)),
    'OPTIONS answered for browsers': method('OPTIONS', answers(204)),
    'HEAD accepted': method('HEAD', ok),
    'HEAD 405': method('HEAD', answers(405)),
    ...forEach(['PUT', 'PATCH', 'DELETE', 'OPTIONS'], '%s accepted', (name) => method(name, ok)),
    ...forEach([LATEST, HISTORY, HEALTH], 'HEAD accepted on %s', (route) =>
      when(({ method, url }) => method === 'HEAD' && url.pathname === route, ok),
    ),
  },
  'path-refused': {
    '404 for a path': path('/v1/forecast', failing(404, 'forecast_not_found')),
    'a plain 404 at /': path('/', plain(404, 'Not Found', 'text/plain')),
    'a page at /': path('/', plain(200, '<html></html>')),
    'a plain 404 at other versions': path('/v2/forecasts', plain(404, 'Not Found')),
    'a slash at the end accepted': aliased(`${HISTORY}/`, HISTORY),
    'an index at /v1': path('/v1', ok),
    'paths below health accepted': aliased(`${HEALTH}/x`, HEALTH),
    ...forEach(WAYS, '%s accepted', (way) => aliased(way, HISTORY)),
    'a redirection for a slash': path(`${LATEST}/`, (reply) =>
      Object.assign(reply, { status: 308, headers: { location: LATEST } }),
    ),
  },
  'key-missing': {
    'no key needed': opens(keyless),
    '403 without a key': refusedKey(keyless, answers(403)),
    '404 without a key': status(401, failing(404, 'forecast_not_found')),
    '401 unauthorized': status(401, failing(401, 'unauthorized')),
    ...forEach([LATEST, HISTORY, HEALTH], '%s needs no key', (route) =>
      when(({ reply, url }) => reply.status === 401 && url.pathname === route, opened),
    ),
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
    'health takes any type': status(
      406,
      (reply, exchange) => exchange.url.pathname === HEALTH && taken(reply, exchange),
    ),
    ...forEach([MEDIA_TYPE, '*/*', `${MEDIA_TYPE};q=0, */*`], 'a weight of 0 ignored: %s', (type) =>
      status(
        406,
        (reply, exchange) =>
          exchange.headers.accept?.replace(/;q=0$/, '') === type && taken(reply, exchange),
      ),
    ),
  },
  'accept-allowed': {
    '*/* refused': refusesType((accept) => accept === '*/*'),
    'the media type refused': refusesType((accept) => accept === MEDIA_TYPE),
    'a list of types refused': refusesType((accept) => !!accept?.startsWith('text/html,')),
    'a missing Accept refused': refusesType((accept) => accept === undefined, HISTORY),
  },
  'check-order': {
    'the key before the method': refuses(
      ({ headers, method }) => keyless(headers) && method === 'POST',
      401,
    ),
    'the key before the media type': refuses(
      ({ headers, reply }) => keyless(headers) && reply.status === 406,
      401,
    ),
    'the query before the key': refuses(
      ({ headers, url }) => keyless(headers) && url.search === '?limit=0',
      400,
    ),
    'the path before the key': refuses(
      ({ headers, url }) => keyless(headers) && url.pathname === '/v1/nothing',
      400,
    ),
    'the path before the media type': refuses(
      ({ reply, url }) => reply.status === 406 && url.pathname === '/v1/nothing',
      400,
    ),
  },
  'error-safe': {
    'the key in a header': always((reply) => (reply.headers['x-key'] = KEY)),
    'a wrong key in a message': when(
      ({ headers, reply }) => reply.status === 401 && !!headers.authorization,
      (reply, { headers }) => message(String(headers.authorization?.split(' ')[1]))(reply),
    ),
    ...forEach(UNSAFE, '%s in a message', (said) => errors(message(said))),
  },
  'rate-limited': {
    'no Retry-After': once(LATEST, limited('')),
    ...forEach(
      ['0', '-1', '1.5', 'soon', 'Wed, 21 Oct 2026 07:28:00 GMT'],
      'Retry-After %s',
      (seconds) => once(LATEST, limited(seconds)),
    ),
    '429 of another code': once(LATEST, limited('1', 'invalid_request')),
    'Retry-After too short': once(`${HEALTH}/x`, limited('1'), 4),
  },
})

function limited(seconds: string, name = 'rate_limited') {
  return (reply: Reply): void => {
    fail(reply, 429, name)
    if (seconds !== '') reply.headers['retry-after'] = seconds
  }
}

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
