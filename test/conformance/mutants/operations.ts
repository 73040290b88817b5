import { fail, HEALTH, health, instead, type Mutant, path, success, when } from './mutant.js'
import type { Change, Reply } from './proxy.js'

const metrics = (change: (text: string) => string): Change =>
  path('/metrics', (reply) => (reply.body = change(String(reply.body))))
const without = (name: string) =>
  metrics((text) => text.replaceAll(new RegExp(`^(# \\w+ )?${name}.*\n`, 'gm'), ''))
const frozen = (name: string) =>
  metrics((text) => text.replace(new RegExp(`^(${name}[^ ]*) .*$`, 'gm'), '$1 3'))
const plain = (status: number, body: string) => (reply: Reply) =>
  Object.assign(reply, { status, body })
const stale = (it: { data: { freshness: { status: string } } }) => {
  it.data.freshness.status = 'stale'
}

/** Health, probes and metrics. */
export const OPERATION_MUTANTS: readonly Mutant[] = [
  ['an unknown health', 'health-body', health((it) => (it.data.status = 'fine'))],
  ['health in capitals', 'health-body', health((it) => (it.data.status = 'HEALTHY'))],
  ...['checked_at', 'status', 'stages'].map(
    (name): Mutant => [
      `health without ${name}`,
      'health-body',
      health((it) => delete it.data[name]),
    ],
  ),
  ['health without freshness', 'health-body', health((it) => delete it.data.freshness)],
  ['health without data', 'health-body', health((it) => delete it.data)],
  [
    'a naive checked_at',
    'health-body',
    health((it) => (it.data.checked_at = it.data.checked_at.slice(0, 19))),
  ],
  [
    'a checked_at to come',
    'health-body',
    health((it) => (it.data.checked_at = '2099-01-01T00:00:00Z')),
  ],
  [
    'a checked_at of an hour ago',
    'health-body',
    health((it) => {
      it.data.checked_at = new Date(Date.parse(it.data.checked_at) - 3_600_000).toISOString()
    }),
  ],
  [
    'stages as a list',
    'health-body',
    health((it) => (it.data.stages = Object.values(it.data.stages))),
  ],
  ['a stage without health', 'health-body', health((it) => delete it.data.stages.history.health)],
  [
    'a stage without circuit_state',
    'health-body',
    health((it) => delete it.data.stages.history.circuit_state),
  ],
  ['a stage as text', 'health-body', health((it) => (it.data.stages.history = 'healthy'))],
  [
    'a stage of unknown health',
    'health-body',
    health((it) => (it.data.stages.history.health = 'up')),
  ],
  ['healthy with stale freshness', 'health-status', health(stale)],
  [
    'healthy with unknown freshness',
    'health-status',
    health((it) => (it.data.freshness.status = 'unknown')),
  ],
  [
    'healthy with a degraded stage',
    'health-status',
    health((it) => (it.data.stages.history.health = 'degraded')),
  ],
  [
    'healthy with an unavailable stage',
    'health-status',
    health((it) => (it.data.stages.history.health = 'unavailable')),
  ],
  [
    'health of another observation',
    'health-freshness',
    health((it) => {
      it.data.freshness.observed_at = it.data.checked_at
      it.data.freshness.age_seconds = 0
    }),
  ],
  [
    'health of age 9 days',
    'freshness-age',
    health((it) => (it.data.freshness.age_seconds = 777_600)),
  ],
  [
    'health of age in milliseconds',
    'freshness-age',
    health((it) => (it.data.freshness.age_seconds *= 1000)),
  ],
  [
    'health takes parameters',
    'health-parameters',
    when(
      ({ url, reply }) => url.pathname === HEALTH && url.search !== '' && reply.status === 400,
      (_, exchange) => instead(exchange, HEALTH),
    ),
  ],
  ['health 404', 'health-body', success(HEALTH, (reply) => fail(reply, 404, 'forecast_not_found'))],
  ['health 500', 'health-body', success(HEALTH, (reply) => fail(reply, 500, 'internal_error'))],
  [
    'health 503 when degraded',
    'health-status',
    (exchange) => {
      if (exchange.url.pathname === '/readyz') plain(503, 'not ready\n')(exchange.reply)
      const isHealth = exchange.url.pathname === HEALTH && exchange.reply.status === 200
      if (isHealth) fail(exchange.reply, 503, 'history_unavailable')
    },
  ],
  ['health as text', 'health-body', success(HEALTH, (reply) => (reply.body = 'healthy'))],
  ['/livez in capitals', 'livez', path('/livez', plain(200, 'OK\n'))],
  ['/livez without a line feed', 'livez', path('/livez', plain(200, 'ok'))],
  [
    '/livez as JSON',
    'livez',
    path('/livez', (reply) =>
      Object.assign(reply, {
        body: '{"status":"ok"}',
        headers: { 'content-type': 'application/json' },
      }),
    ),
  ],
  [
    '/livez of another type',
    'livez',
    path('/livez', (reply) => (reply.headers['content-type'] = 'text/html')),
  ],
  [
    '/livez without charset',
    'livez',
    path('/livez', (reply) => (reply.headers['content-type'] = 'text/plain')),
  ],
  ['/livez 204', 'livez', path('/livez', plain(204, ''))],
  ['/livez 503', 'livez', path('/livez', plain(503, 'ok\n'))],
  ['/livez absent', 'livez', path('/livez', (reply) => fail(reply, 400, 'invalid_request'))],
  ...['/livez', '/readyz', '/metrics'].map(
    (probe): Mutant => [
      `${probe} asks for a key`,
      'probes-open',
      path(
        probe,
        (reply, { headers }) => !headers.authorization && fail(reply, 401, 'invalid_request'),
      ),
    ],
  ),
  ['/readyz without a line feed', 'readyz', path('/readyz', (reply) => (reply.body = 'ready'))],
  ['/readyz with other words', 'readyz', path('/readyz', (reply) => (reply.body = 'ok\n'))],
  [
    '/readyz of another type',
    'readyz',
    path('/readyz', (reply) => (reply.headers['content-type'] = 'application/json')),
  ],
  ['/readyz as JSON', 'readyz', path('/readyz', (reply) => (reply.body = '{"ready":true}'))],
  ['/readyz not ready when healthy', 'readyz', path('/readyz', plain(503, 'not ready\n'))],
  ['/readyz not ready with 200', 'readyz', path('/readyz', plain(200, 'not ready\n'))],
  ['/readyz 500', 'readyz', path('/readyz', plain(500, 'not ready\n'))],
  [
    '/readyz 503 in the envelope',
    'readyz',
    path('/readyz', (reply) => fail(reply, 503, 'history_unavailable')),
  ],
  [
    'ready when degraded',
    'readyz',
    health((it) => {
      it.data.status = 'degraded'
      it.data.stages.history.health = 'degraded'
    }),
  ],
  ['ready when unavailable', 'readyz', health((it) => (it.data.status = 'unavailable'))],
  ['/metrics absent', 'metrics', path('/metrics', (reply) => fail(reply, 400, 'invalid_request'))],
  [
    '/metrics as JSON',
    'metrics',
    path('/metrics', (reply) => (reply.headers['content-type'] = 'application/json')),
  ],
  [
    '/metrics of another version',
    'metrics',
    path(
      '/metrics',
      (reply) =>
        (reply.headers['content-type'] =
          'application/openmetrics-text; version=1.0.0; charset=utf-8'),
    ),
  ],
  ['no request totals', 'metrics', without('forecast_api_requests_total')],
  ['no response totals', 'metrics', without('forecast_api_responses_total')],
  [
    'response totals without status',
    'metrics',
    metrics((text) => text.replaceAll(/responses_total\{[^}]*\}/g, 'responses_total')),
  ],
  ['no read failures', 'metrics', without('forecast_api_\\w*failures_total')],
  [
    'no failures of reads, though others',
    'metrics',
    without('forecast_api_history_read_failures_total'),
  ],
  ...['requests_total', 'responses_total', 'history_read_failures_total'].map(
    (name): Mutant => [
      `${name} below 0`,
      'metrics',
      metrics((text) =>
        text
          .replace(`${name} counter`, `${name} gauge`)
          .replace(new RegExp(`^(forecast_api_${name}[^ ]*) .*$`, 'm'), '$1 -5'),
      ),
    ],
  ),
  [
    'a p95 below 0',
    'metrics',
    metrics((text) => text.replace(/^(.*quantile="0.95".*) .*$/m, '$1 -0.1')),
  ],
  [
    'no totals of one status',
    'metrics-count',
    without('forecast_api_responses_total\\{status="400"\\}'),
  ],
  ['no latency', 'metrics', without('forecast_api_request_latency_seconds')],
  ['no p95', 'metrics', metrics((text) => text.replaceAll('quantile="0.95"', 'quantile="0.5"'))],
  [
    'a figure without a value',
    'metrics-format',
    metrics((text) => text.replace(/^(forecast_api_requests_total) .*$/m, '$1')),
  ],
  [
    'a figure that is no number',
    'metrics-format',
    metrics((text) => text.replace(/^(forecast_api_requests_total) .*$/m, '$1 many')),
  ],
  [
    'a label without quotes',
    'metrics-format',
    metrics((text) => text.replace(/status="(\d+)"/, 'status=$1')),
  ],
  [
    'a brace that stays open',
    'metrics-format',
    metrics((text) => text.replace('status="200"}', 'status="200"')),
  ],
  ['a name that is none', 'metrics-format', metrics((text) => `${text}my-own.figure 1\n`)],
  [
    'a TYPE that is none',
    'metrics-format',
    metrics((text) => text.replace('requests_total counter', 'requests_total number')),
  ],
  [
    'a TYPE twice',
    'metrics-format',
    metrics((text) => `${text}# TYPE forecast_api_requests_total counter\n`),
  ],
  ['a figure twice', 'metrics-format', metrics((text) => `${text}forecast_api_requests_total 1\n`)],
  ['metrics without a line feed', 'metrics-format', metrics((text) => text.trimEnd())],
  [
    'a counter below 0',
    'metrics-format',
    metrics((text) => text.replace(/^(forecast_api_requests_total) .*$/m, '$1 -1')),
  ],
  ['a page of words', ['metrics-format', 'metrics'], metrics(() => 'all is well\n')],
  ['metrics as a web page', ['metrics-format', 'metrics'], metrics(() => '<html></html>\n')],
  ['requests that are not counted', 'metrics-count', frozen('forecast_api_requests_total')],
  ['responses that are not counted', 'metrics-count', frozen('forecast_api_responses_total')],
  [
    'one status that is not counted',
    'metrics-count',
    frozen('forecast_api_responses_total\\{status="400"\\}'),
  ],
  [
    'metrics of one moment',
    'metrics-count',
    (exchange) => {
      if (exchange.url.pathname !== '/metrics') return
      exchange.state.page ??= exchange.reply.body
      exchange.reply.body = exchange.state.page as string
    },
  ],
]
