import {
  type Any,
  edited,
  fail,
  failing,
  forEach,
  freshness,
  HEALTH,
  HISTORY,
  health,
  history,
  instead,
  LATEST,
  latest,
  type Mutant,
  mutantsOf,
  ofType,
  path,
  plain,
  rows,
  success,
  when,
} from './mutant.js'
import type { Change } from './proxy.js'

const metrics = (change: (text: string) => string): Change =>
  path('/metrics', (reply) => (reply.body = change(String(reply.body))))
const without = (name: string) =>
  metrics((text) => text.replaceAll(new RegExp(`^(# \\w+ )?${name}.*\n`, 'gm'), ''))
const frozen = (name: string) =>
  metrics((text) => text.replace(new RegExp(`^(${name}[^ ]*) .*$`, 'gm'), '$1 3'))
const inMetrics = (from: string | RegExp, to: string) => metrics((text) => text.replace(from, to))
const REQUESTS = /^(forecast_api_requests_total) .*$/m
/** Takes parameters where they are refused. */
const takesParameters = (route: string) =>
  when(
    ({ url, reply }) => url.pathname === route && url.search !== '' && reply.status === 400,
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
  'health-parameters': { 'health takes parameters': takesParameters(HEALTH) },
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
  'latest-parameters': { 'latest takes parameters': takesParameters(LATEST) },
  envelope: { '503 for the history': success(HISTORY, failing(503, 'history_unavailable')) },
})
