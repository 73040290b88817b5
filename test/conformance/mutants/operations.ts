import {
  fail,
  failing,
  forEach,
  HEALTH,
  health,
  instead,
  type Mutant,
  mutantsOf,
  ofType,
  path,
  plain,
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
/** Gives the figure of all requests another value. */
const requests = (value: string) =>
  metrics((it) => it.replace(/^(forecast_api_requests_total) .*$/m, `$1${value}`))

/** Health, probes and metrics. */
export const OPERATION_MUTANTS: readonly Mutant[] = mutantsOf<Change>({
  'health-body': {
    'an unknown health': health((it) => (it.data.status = 'fine')),
    'health without freshness': health((it) => delete it.data.freshness),
    'health without data': health((it) => delete it.data),
    ...forEach(['checked_at', 'status', 'stages'], 'health without %s', (name) =>
      health((it) => delete it.data[name]),
    ),
    'a naive checked_at': health((it) => (it.data.checked_at = it.data.checked_at.slice(0, 19))),
    'a checked_at to come': health((it) => (it.data.checked_at = '2099-01-01T00:00:00Z')),
    'a checked_at of an hour ago': health((it) => {
      it.data.checked_at = new Date(Date.parse(it.data.checked_at) - 3_600_000).toISOString()
    }),
    'stages as a list': health((it) => (it.data.stages = Object.values(it.data.stages))),
    'a stage without health': health((it) => delete it.data.stages.history.health),
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
      it.data.freshness.observed_at = it.data.checked_at
      it.data.freshness.age_seconds = 0
    }),
  },
  'freshness-age': {
    'health of age 9 days': health((it) => (it.data.freshness.age_seconds = 777_600)),
  },
  'health-parameters': {
    'health takes parameters': when(
      ({ url, reply }) => url.pathname === HEALTH && url.search !== '' && reply.status === 400,
      (_, exchange) => instead(exchange, HEALTH),
    ),
  },
  'probes-open': forEach(['/livez', '/readyz', '/metrics'], '%s asks for a key', (probe) =>
    path(
      probe,
      (reply, { headers }) => !headers.authorization && fail(reply, 401, 'invalid_request'),
    ),
  ),
  livez: {
    '/livez in capitals': path('/livez', plain(200, 'OK\n')),
    '/livez without a line feed': path('/livez', plain(200, 'ok')),
    '/livez as JSON': path('/livez', plain(200, '{"status":"ok"}', 'application/json')),
    '/livez of another type': path('/livez', ofType('text/html')),
    '/livez without charset': path('/livez', ofType('text/plain')),
    '/livez 503': path('/livez', plain(503, 'ok\n')),
    '/livez absent': path('/livez', failing(400, 'invalid_request')),
  },
  readyz: {
    '/readyz without a line feed': path('/readyz', (reply) => (reply.body = 'ready')),
    '/readyz with other words': path('/readyz', (reply) => (reply.body = 'ok\n')),
    '/readyz as JSON': path('/readyz', (reply) => (reply.body = '{"ready":true}')),
    '/readyz of another type': path('/readyz', ofType('application/json')),
    '/readyz not ready when healthy': path('/readyz', plain(503, 'not ready\n')),
    '/readyz not ready with 200': path('/readyz', plain(200, 'not ready\n')),
    '/readyz 500': path('/readyz', plain(500, 'not ready\n')),
    '/readyz 503 in the envelope': path('/readyz', failing(503, 'history_unavailable')),
    'ready when degraded': health((it) => {
      it.data.status = 'degraded'
      it.data.stages.history.health = 'degraded'
    }),
    'ready when unavailable': health((it) => (it.data.status = 'unavailable')),
  },
  metrics: {
    '/metrics absent': path('/metrics', failing(400, 'invalid_request')),
    '/metrics as JSON': path('/metrics', ofType('application/json')),
    '/metrics of another version': path('/metrics', ofType('text/plain; version=1.0.0')),
    'no request totals': without('forecast_api_requests_total'),
    'no response totals': without('forecast_api_responses_total'),
    'response totals without status': metrics((text) =>
      text.replaceAll(/responses_total\{[^}]*\}/g, 'responses_total'),
    ),
    'no read failures': without('forecast_api_\\w*failures_total'),
    'no failures of reads, though others': without('forecast_api_history_read_failures_total'),
    ...forEach(
      ['requests_total', 'responses_total', 'history_read_failures_total'],
      '%s below 0',
      (name) =>
        metrics((text) =>
          text
            .replace(`${name} counter`, `${name} gauge`)
            .replace(new RegExp(`^(forecast_api_${name}[^ ]*) .*$`, 'm'), '$1 -5'),
        ),
    ),
    'a p95 below 0': metrics((text) => text.replace(/^(.*quantile="0.95".*) .*$/m, '$1 -0.1')),
    'no latency': without('forecast_api_request_latency_seconds'),
    'no p95': metrics((text) => text.replaceAll('quantile="0.95"', 'quantile="0.5"')),
  },
  'metrics-count': {
    'no totals of one status': without('forecast_api_responses_total\\{status="400"\\}'),
    'requests that are not counted': frozen('forecast_api_requests_total'),
    'responses that are not counted': frozen('forecast_api_responses_total'),
    'one status that is not counted': frozen('forecast_api_responses_total\\{status="400"\\}'),
    'metrics of one moment': (exchange) => {
      if (exchange.url.pathname !== '/metrics') return
      exchange.state.page ??= exchange.reply.body
      exchange.reply.body = exchange.state.page as string
    },
  },
  'metrics-format': {
    'a figure without a value': requests(''),
    'a figure that is no number': requests(' many'),
    'a label without quotes': metrics((text) => text.replace(/status="(\d+)"/, 'status=$1')),
    'a brace that stays open': metrics((text) => text.replace('status="200"}', 'status="200"')),
    'a name that is none': metrics((text) => `${text}my-own.figure 1\n`),
    'a TYPE that is none': metrics((text) =>
      text.replace('requests_total counter', 'requests_total number'),
    ),
    'a TYPE twice': metrics((text) => `${text}# TYPE forecast_api_requests_total counter\n`),
    'a figure twice': metrics((text) => `${text}forecast_api_requests_total 1\n`),
    'metrics without a line feed': metrics((text) => text.trimEnd()),
    'a counter below 0': requests(' -1'),
  },
  'metrics-format metrics': {
    'a page of words': metrics(() => 'all is well\n'),
  },
})
