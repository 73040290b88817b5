import { MEDIA_TYPE } from '../../../src/contract/limits.js'
import {
  type Any,
  aliased,
  always,
  edited,
  errors,
  fail,
  failing,
  forEach,
  freshness,
  HEALTH,
  HISTORY,
  health,
  history,
  inBody,
  instead,
  isApi,
  LATEST,
  latest,
  type Mutant,
  mutantsOf,
  ofType,
  path,
  plain,
  rows,
  status,
  success,
  text,
  when,
} from './mutant.js'
import type { Change, Exchange, Reply } from './proxy.js'
import { KEY } from './world.js'

const cached = (value: string) => (reply: Reply) => (reply.headers['cache-control'] = value)
const notCached = (reply: Reply) => delete reply.headers['cache-control']
const body = (said: string) => (reply: Reply) => (reply.body = said)
const PRICE = /"price_usd":[\d.]+/
const VERSION = '"api_version":"v1",'

/** Headers, envelopes and the shapes of errors. */
export const ENVELOPE_MUTANTS: readonly Mutant[] = mutantsOf<Change>({
  'media-type': {
    'plain JSON type on errors': errors(ofType('application/json')),
    'plain JSON type on success': success(HISTORY, ofType('application/json')),
    'plain JSON type on 401': status(401, ofType('application/json')),
    'type with a charset': always(ofType(`${MEDIA_TYPE}; charset=utf-8`)),
    'no type': always((reply) => delete reply.headers['content-type']),
  },
  'no-store': {
    cacheable: always(cached('max-age=60')),
    'cacheable errors': errors(cached('max-age=60')),
    'no Cache-Control on success': success(HISTORY, notCached),
    'no Cache-Control on 401': status(401, notCached),
  },
  'api-version': {
    'history without api_version': history((it) => delete it.api_version),
    'health without api_version': health((it) => delete it.api_version),
    'errors without api_version': errors(text(VERSION, '')),
    '401 without api_version': status(401, text(VERSION, '')),
    'api_version v2': inBody([HISTORY, LATEST, HEALTH], (it) => (it.api_version = 'v2')),
  },
  // That the contract finds every missing member is tried in test/contract/check-payload.test.ts.
  envelope: {
    ...forEach(['data', 'pagination', 'freshness'], 'history without %s', (name) =>
      history((it) => delete it[name]),
    ),
    'a list for the envelope': success(HISTORY, (reply) => (reply.body = `[${reply.body}]`)),
    'data null': history((it) => (it.data = null)),
    'latest without data': latest((it) => delete it.data),
  },
  'resource-fields': {
    'latest data null': latest((it) => (it.data = null)),
    'latest data a list': latest((it) => (it.data = [it.data])),
  },
  'error-envelope': {
    'errors without code': errors(body('{"api_version":"v1","error":{"message":"no"}}')),
    'errors without message': errors(text(/,"message":"[^"]*"/, '')),
    'errors as HTML': errors(body('<html><body>Bad Request</body></html>')),
    'a code of its own': errors(text('invalid_request', 'bad_request')),
    'the code of another status': errors(text('invalid_request', 'internal_error')),
    'a message that is no text': errors(text(/"message":"[^"]*"/, '"message":7')),
  },
  'body-json': {
    'half a body': success(HISTORY, (reply) => (reply.body = String(reply.body).slice(0, -20))),
    'a name twice': success(HISTORY, text('{', '{"api_version":"v1",')),
    NaN: path(HISTORY, text(PRICE, '"price_usd":NaN')),
    '1e999': path(HISTORY, text(PRICE, '"price_usd":1e999')),
    'HTML with 200': success(HISTORY, body('<html></html>')),
  },
  'limit-bounds error-envelope': {
    '422 for everything invalid': status(400, (reply) => (reply.status = 422)),
  },
})

const message = (said: string) =>
  text('"message":"', `"message":${JSON.stringify(said).slice(0, -1)} `)
const ok = (reply: Reply) => (reply.status = 200)
const OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override']
const ROUTES = [LATEST, HISTORY, HEALTH]
type Condition = (exchange: Exchange) => boolean
/** As though the key had been sent, or a type that is taken. */
const opened = (_: Reply, exchange: Exchange) =>
  instead(exchange, exchange.url.pathname + exchange.url.search, { authorization: `Bearer ${KEY}` })
const taken = (_: Reply, exchange: Exchange) =>
  instead(exchange, exchange.url.pathname, { accept: '*/*' })
/** Opens where a key was wanting. */
const opens = (holds: Condition): Change =>
  when((it) => it.reply.status === 401 && holds(it), opened)
const opensFor = (authorization: string) =>
  opens(({ headers }) => headers.authorization === authorization)
/** Refuses some requests with a reason of its own. */
const refuses = (wanted: Condition, code: number, name = 'invalid_request'): Change =>
  when(wanted, failing(code, name))
/** Refuses a type that is taken. */
const refusesType = (holds: (accept: string | undefined) => boolean): Change =>
  refuses(({ headers, reply }) => holds(headers.accept) && reply.status === 200, 406)
/** Takes a type that is refused. */
const takes = (holds: (accept: string) => boolean): Change =>
  when(({ headers, reply }) => reply.status === 406 && holds(headers.accept ?? ''), taken)
const keyless = ({ headers }: Exchange) => !headers.authorization
const isOf = (wanted: string) => (it: Exchange) => it.url.pathname === wanted
const isUnknown = isOf('/v1/nothing')
const BASIC = `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`

const WAYS = ['//v1/forecasts', '/V1/forecasts', '/v1//forecasts', '/v1/Forecasts']
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** What no message may show. */
const UNSAFE = [
  '/srv/app/history',
  '/data/forecasts/live',
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
    '405 for a method': when(({ method }) => method !== 'GET', failing(405, 'invalid_request')),
    ...forEach(METHODS, '%s accepted', (name) => when((it) => it.method === name && isApi(it), ok)),
    ...forEach(ROUTES, 'HEAD accepted on %s', (route) =>
      when((it) => it.method === 'HEAD' && isOf(route)(it), ok),
    ),
    ...forEach(ROUTES, 'POST accepted on %s', (route) =>
      when((it) => it.method === 'POST' && isOf(route)(it), ok),
    ),
    ...forEach(OVERRIDES, 'another method by %s', (name) => when((it) => !!it.headers[name], ok)),
    'another method by a parameter': when(({ url }) => url.searchParams.has('_method'), ok),
  },
  'path-refused': {
    '404 for a path': path('/v1/forecast', failing(404, 'forecast_not_found')),
    'a plain 404 at /': path('/', plain(404, 'Not Found', 'text/plain')),
    'a plain 404 at other versions': path('/v2/forecasts', plain(404, 'Not Found')),
    'a slash at the end accepted': aliased(`${HISTORY}/`, HISTORY),
    'an index at /v1': path('/v1', ok),
    'paths below health accepted': aliased(`${HEALTH}/x`, HEALTH),
    ...forEach(WAYS, '%s accepted', (way) => aliased(way, HISTORY)),
    ...forEach(ROUTES, '%s.json accepted', (route) => aliased(`${route}.json`, route)),
    ...forEach(ROUTES, 'a slash after %s accepted', (route) => aliased(`${route}/`, route)),
    ...forEach(ROUTES, 'parameters of the path %s accepted', (route) =>
      aliased(`${route};v=1`, route),
    ),
    'an encoded slash accepted': aliased('/v1/forecasts%2Flatest', LATEST),
    'a redirection for a slash': path(`${LATEST}/`, (reply) =>
      Object.assign(reply, { status: 308, headers: { location: LATEST } }),
    ),
  },
  'key-missing': {
    '403 without a key': status(401, failing(403, 'invalid_request')),
    '401 unauthorized': status(401, failing(401, 'unauthorized')),
    ...forEach(ROUTES, '%s needs no key', (route) => opens(isOf(route))),
    'a page behind a cursor needs no key': opens(({ url }) => url.searchParams.has('cursor')),
    'a filtered page needs no key': opens(({ url }) => url.searchParams.has('model')),
  },
  'key-wrong': {
    'any key accepted': opens((it) => !keyless(it)),
    ...forEach(ROUTES, 'any key accepted on %s', (route) =>
      opens((it) => !keyless(it) && isOf(route)(it)),
    ),
    'any key accepted with a cursor': opens(
      (it) => !keyless(it) && it.url.searchParams.has('cursor'),
    ),
    'Basic accepted': opens(({ headers }) => !!headers.authorization?.startsWith('Basic')),
    'a key without its scheme accepted': opensFor('conformance-check-no-such-key'),
    'the beginning of a key accepted': opensFor(`Bearer ${KEY.slice(0, -1)}`),
    'more than a key accepted': opensFor(`Bearer ${KEY}x`),
    'the key in X-API-Key accepted': opens(({ headers }) => headers['x-api-key'] === KEY),
    'the key without its scheme accepted': opensFor(KEY),
    'the key behind another scheme accepted': opensFor(`Token ${KEY}`),
    'the key as a user name accepted': opensFor(BASIC),
    'the key in another case accepted': opensFor(`Bearer ${KEY.toUpperCase()}`),
    'keys in the query accepted': opens((it) => keyless(it) && /key|token/.test(it.url.search)),
  },
  'accept-refused': {
    'never 406': status(406, taken),
    '415 for a type': status(406, failing(415, 'not_acceptable')),
    'plain JSON served': takes((accept) => accept === 'application/json'),
    'version 2 served': takes((accept) => /v2/.test(accept)),
    'health takes any type': when((it) => it.reply.status === 406 && isOf(HEALTH)(it), taken),
    ...forEach([MEDIA_TYPE, '*/*', `${MEDIA_TYPE};q=0, */*`], 'a weight of 0 ignored: %s', (type) =>
      takes((accept) => accept.replace(/;q=0$/, '') === type),
    ),
  },
  'accept-allowed': {
    '*/* refused': refusesType((accept) => accept === '*/*'),
    'the media type refused': refusesType((accept) => accept === MEDIA_TYPE),
    'a list of types refused': refusesType((accept) => !!accept?.startsWith('text/html,')),
    'a missing Accept refused': refusesType((accept) => accept === undefined),
    ...forEach(ROUTES, '*/* refused on %s', (route) =>
      refuses(
        (it) => it.headers.accept === '*/*' && it.reply.status === 200 && isOf(route)(it),
        406,
      ),
    ),
  },
  'check-order': {
    'the key before the method': refuses((it) => keyless(it) && it.method === 'POST', 401),
    'the key before the media type': refuses((it) => keyless(it) && it.reply.status === 406, 401),
    ...forEach(ROUTES, 'the key before the media type on %s', (route) =>
      refuses((it) => keyless(it) && it.reply.status === 406 && isOf(route)(it), 401),
    ),
    ...forEach(ROUTES, 'the key before the method on %s', (route) =>
      refuses((it) => keyless(it) && it.method === 'POST' && isOf(route)(it), 401),
    ),
    ...forEach(ROUTES, 'the query before the media type on %s', (route) =>
      refuses((it) => it.reply.status === 406 && isOf(route)(it) && it.url.search !== '', 400),
    ),
    'the query before the key': refuses((it) => keyless(it) && it.url.search === '?limit=0', 400),
    'the path before the key': refuses((it) => keyless(it) && isUnknown(it), 400),
    'the path before the media type': refuses(
      (it) => it.reply.status === 406 && isUnknown(it),
      400,
    ),
  },
  'error-safe': {
    'the key in a header': always((reply) => (reply.headers['x-key'] = KEY)),
    'a wrong key in a message': status(401, (reply, { headers }) =>
      message(String(headers.authorization?.split(' ')[1] ?? ''))(reply),
    ),
    ...forEach(UNSAFE, '%s in a message', (said) => errors(message(said))),
  },
  'rate-limited': {
    'no Retry-After': once(LATEST, limited('')),
    ...forEach(['0', '1.5', 'soon', 'Wed, 21 Oct 2026 07:28:00 GMT'], 'Retry-After %s', (seconds) =>
      once(LATEST, limited(seconds)),
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

const metrics = (change: (text: string) => string): Change =>
  path('/metrics', (reply) => (reply.body = change(String(reply.body))))
const without = (name: string) =>
  metrics((text) => text.replaceAll(new RegExp(`^(# \\w+ )?${name}.*\n`, 'gm'), ''))
const frozen = (name: string) =>
  metrics((text) => text.replace(new RegExp(`^(${name}[^ ]*) .*$`, 'gm'), '$1 3'))
const inMetrics = (from: string | RegExp, to: string) => metrics((text) => text.replace(from, to))
const REQUESTS = /^(forecast_api_requests_total) .*$/m
/** Takes parameters where they are refused; or just one of them. */
const takesParameters = (route: string, name?: string) =>
  when(
    ({ url, reply }) =>
      url.pathname === route &&
      (name === undefined ? url.search !== '' : url.searchParams.has(name)) &&
      reply.status === 400,
    (_, exchange) => instead(exchange, route),
  )

/** Health, probes and metrics. */
export const OPERATION_MUTANTS: readonly Mutant[] = mutantsOf<Change>({
  'health-body': {
    'an unknown health': health((it) => (it.data.status = 'fine')),
    'health without freshness': health((it) => delete it.data.freshness),
    'a naive checked_at': health((it) => (it.data.checked_at = it.data.checked_at.slice(0, 19))),
    'a checked_at to come': health((it) => (it.data.checked_at = '2099-01-01T00:00:00Z')),
    'a checked_at of an hour ago': health((it) => {
      it.data.checked_at = new Date(Date.parse(it.data.checked_at) - 3_600_000).toISOString()
    }),
    'health 404': success(HEALTH, failing(404, 'forecast_not_found')),
  },
  'health-status': {
    'healthy with stale freshness': health((it) => (it.data.freshness.status = 'stale')),
    'healthy with a degraded stage': health((it) => (it.data.stages.history.health = 'degraded')),
    'health 503 when degraded': (exchange) => {
      if (exchange.url.pathname === '/readyz') plain(503, 'not ready\n')(exchange.reply)
      const isHealth = exchange.url.pathname === HEALTH && exchange.reply.status === 200
      if (isHealth) fail(exchange.reply, 503, 'history_unavailable')
    },
  },
  'health-freshness': {
    'health of another observation': health((it) => {
      Object.assign(it.data.freshness, { observed_at: it.data.checked_at, age_seconds: 0 })
    }),
  },
  'freshness-age': {
    'health of age 9 days': health((it) => (it.data.freshness.age_seconds = 777_600)),
  },
  'health-parameters': {
    'health takes parameters': takesParameters(HEALTH),
    'health takes a parameter without a value': takesParameters(HEALTH, 'foo'),
  },
  'probes-open': forEach(['/livez', '/readyz', '/metrics'], '%s asks for a key', (probe) =>
    path(
      probe,
      (reply, { headers }) => !headers.authorization && fail(reply, 401, 'invalid_request'),
    ),
  ),
  livez: {
    '/livez without a line feed': path('/livez', plain(200, 'ok')),
    '/livez as JSON': path('/livez', ofType('application/json')),
    '/livez without charset': path('/livez', ofType('text/plain')),
    '/livez 503': path('/livez', plain(503, 'ok\n')),
  },
  readyz: {
    '/readyz without a line feed': path('/readyz', (reply) => (reply.body = 'ready')),
    '/readyz of another type': path('/readyz', ofType('application/json')),
    '/readyz not ready when healthy': path('/readyz', plain(503, 'not ready\n')),
    '/readyz 500': path('/readyz', plain(500, 'not ready\n')),
    'ready when degraded': health((it) => {
      it.data.status = 'degraded'
      it.data.stages.history.health = 'degraded'
    }),
  },
  metrics: {
    '/metrics absent': path('/metrics', failing(400, 'invalid_request')),
    '/metrics of another version': path('/metrics', ofType('text/plain; version=1.0.0')),
    'no request totals': without('forecast_api_requests_total'),
    'response totals without status': inMetrics(/responses_total\{[^}]*\}/g, 'responses_total'),
    'no failures of reads, though others': without('forecast_api_history_read_failures_total'),
    'a p95 below 0': inMetrics(/^(.*quantile="0.95".*) .*$/m, '$1 -0.1'),
    'no p95': inMetrics(/quantile="0.95"/g, 'quantile="0.5"'),
  },
  'metrics-count': {
    'requests that are not counted': frozen('forecast_api_requests_total'),
    'one status that is not counted': frozen('forecast_api_responses_total\\{status="400"\\}'),
  },
  'metrics-format': {
    'a figure that is no number': inMetrics(REQUESTS, '$1 many'),
    'a label without quotes': inMetrics(/status="(\d+)"/, 'status=$1'),
    'a name that is none': metrics((text) => `${text}my-own.figure 1\n`),
    'a TYPE that is none': inMetrics('requests_total counter', 'requests_total number'),
    'a TYPE twice': metrics((text) => `${text}# TYPE forecast_api_requests_total counter\n`),
    'a figure twice': metrics((text) => `${text}forecast_api_requests_total 1\n`),
    'metrics without a line feed': metrics((text) => text.trimEnd()),
    'a counter below 0': inMetrics(REQUESTS, '$1 -1'),
  },
  'metrics-format metrics': { 'a page of words': metrics(() => 'all is well\n') },
})

const now = (it: Any) =>
  Object.assign(it, {
    observed_at: new Date(performance.timeOrigin + performance.now()).toISOString(),
    age_seconds: 0,
  })

/** What can be wrong with a service without forecasts. */
export const EMPTY_SERVICE_MUTANTS: readonly Mutant[] = mutantsOf<Change>({
  'page-freshness': {
    'an empty history called fresh': history((it) => (it.freshness.status = 'fresh')),
  },
  'health-freshness': {
    'health of an empty history called fresh': health((it) => (it.data.freshness.status = 'fresh')),
  },
  'latest-empty': {
    'an empty latest': path(LATEST, (reply) => {
      if (reply.status === 404) Object.assign(reply, { status: 200, body: '{}' })
    }),
  },
})

/** Freshness, and what latest is. */
export const FRESHNESS_MUTANTS: readonly Mutant[] = mutantsOf<Change>({
  'freshness-age': {
    'age always 0': freshness((it) => (it.age_seconds = 0)),
    'age in milliseconds': freshness((it) => (it.age_seconds *= 1000)),
  },
  'freshness-observed': { 'observed now': freshness(now) },
  'page-freshness': {
    'page freshness of the oldest item': history(
      (it) => (it.freshness = it.data.at(-1)?.freshness ?? it.freshness),
    ),
    'page freshness of its own first item': history(
      (it) => (it.freshness = it.data[0]?.freshness ?? it.freshness),
    ),
    'page freshness of now': history((it) => now(it.freshness)),
    'latest of another observation': latest((it) => {
      const at = Date.parse(it.freshness.observed_at) - 3_600_000
      it.freshness.observed_at = new Date(at).toISOString()
      it.freshness.age_seconds += 3600
    }),
  },
  'freshness-classes': {
    'all items stale on fresh data': rows((row) => (row.freshness.status = 'stale')),
    'all items unknown': rows((row) => (row.freshness.status = 'unknown')),
    'freshness inverted': freshness(
      (it) => (it.status = it.status === 'fresh' ? 'stale' : 'fresh'),
    ),
    'latest stale on fresh data': latest((it) => {
      it.freshness.status = 'stale'
      it.data.freshness.status = 'stale'
    }),
  },
  'latest-newest': {
    'an old latest': success(LATEST, async (reply, exchange) => {
      const { data } = JSON.parse(String((await exchange.ask(`${HISTORY}?limit=100`)).body))
      edited(reply, (it) => Object.assign(it, { data: data[40], freshness: data[40].freshness }))
    }),
    '404 for the latest': success(LATEST, failing(404, 'forecast_not_found')),
  },
  'same-resource': {
    'a latest of another run': latest((it) => (it.data.run.id = 'x')),
    'a latest of another price': latest((it) => (it.data.estimate.price_usd += 0.5)),
    'a latest of other evidence': latest(
      (it) => (it.data.confidence.evidence.model_agreement = 0.1),
    ),
    'prices that change with the page': history((it, { url }) => {
      if (url.searchParams.get('limit') === '100') return
      for (const row of it.data) row.interval.level = 0.9
    }),
  },
  'latest-parameters': {
    'latest takes parameters': takesParameters(LATEST),
    ...forEach(['model', 'cursor', 'foo'], 'latest takes %s', (name) =>
      takesParameters(LATEST, name),
    ),
  },
  envelope: { '503 for the history': success(HISTORY, failing(503, 'history_unavailable')) },
})
