import {
  fail,
  freshness,
  HISTORY,
  health,
  history,
  instead,
  LATEST,
  latest,
  type Mutant,
  path,
  rows,
  success,
  when,
} from './mutant.js'

const hour = 3_600_000

/** What can be wrong with a service without forecasts. */
export const EMPTY_SERVICE_MUTANTS: readonly Mutant[] = [
  [
    'an empty history called fresh',
    'page-freshness',
    history((it) => (it.freshness.status = 'fresh')),
  ],
  [
    'health of an empty history called fresh',
    'health-freshness',
    health((it) => (it.data.freshness.status = 'fresh')),
  ],
  [
    'an empty latest',
    'latest-empty',
    path(LATEST, (reply) => {
      if (reply.status === 404) Object.assign(reply, { status: 200, body: '{}' })
    }),
  ],
]

/** Freshness, and what latest is. */
export const FRESHNESS_MUTANTS: readonly Mutant[] = [
  ['age always 0', 'freshness-age', freshness((it) => (it.age_seconds = 0))],
  ['age in milliseconds', 'freshness-age', freshness((it) => (it.age_seconds *= 1000))],
  ['age in minutes', 'freshness-age', freshness((it) => (it.age_seconds /= 60))],
  [
    'age since the target',
    'freshness-age',
    rows((row) => (row.freshness.age_seconds += row.horizon_hours * 3600)),
  ],
  [
    'observed now',
    'freshness-observed',
    freshness((it) => {
      it.observed_at = new Date(performance.timeOrigin + performance.now()).toISOString()
      it.age_seconds = 0
    }),
  ],
  [
    'observed when it was generated',
    'freshness-observed',
    rows((row) => (row.freshness.observed_at = row.run.generated_at)),
  ],
  [
    'page freshness of the oldest item',
    'page-freshness',
    history((it) => (it.freshness = it.data.at(-1)?.freshness ?? it.freshness)),
  ],
  [
    'page freshness of its own first item',
    'page-freshness',
    history((it) => (it.freshness = it.data[0]?.freshness ?? it.freshness)),
  ],
  [
    'page freshness of now',
    'page-freshness',
    history((it) => {
      it.freshness.observed_at = new Date(performance.timeOrigin + performance.now()).toISOString()
      it.freshness.age_seconds = 0
    }),
  ],
  ['page age 0', 'freshness-age', history((it) => (it.freshness.age_seconds = 7_000_000))],
  [
    'all items stale on fresh data',
    'freshness-classes',
    rows((row) => (row.freshness.status = 'stale')),
  ],
  [
    'all pages stale on fresh data',
    'freshness-classes',
    history((it) => (it.freshness.status = 'stale')),
  ],
  [
    'every other stale item fresh',
    'freshness-classes',
    rows((row) => {
      if (row.horizon_hours === 2) row.freshness.status = 'fresh'
    }),
  ],
  ['all items unknown', 'freshness-classes', rows((row) => (row.freshness.status = 'unknown'))],
  [
    'freshness inverted',
    'freshness-classes',
    freshness((it) => (it.status = it.status === 'fresh' ? 'stale' : 'fresh')),
  ],
  [
    'latest stale on fresh data',
    'freshness-classes',
    latest((it) => {
      it.freshness.status = 'stale'
      it.data.freshness.status = 'stale'
    }),
  ],
  [
    'latest of another observation',
    'page-freshness',
    latest((it) => {
      const at = Date.parse(it.freshness.observed_at) - hour
      it.freshness.observed_at = new Date(at).toISOString()
      it.freshness.age_seconds += 3600
    }),
  ],
  [
    'an old latest',
    'latest-newest',
    path(LATEST, async (reply, exchange) => {
      if (reply.status !== 200) return
      const all = JSON.parse(String((await exchange.ask(`${HISTORY}?limit=100`)).body))
      const body = JSON.parse(String(reply.body))
      body.data = all.data[40]
      body.freshness = body.data.freshness
      reply.body = JSON.stringify(body)
    }),
  ],
  [
    'the oldest for the latest',
    'latest-newest',
    path(LATEST, async (reply, exchange) => {
      if (reply.status !== 200) return
      const body = JSON.parse(String(reply.body))
      body.data = JSON.parse(String((await exchange.ask(`${HISTORY}?limit=100`)).body)).data.at(-1)
      body.freshness = body.data.freshness
      reply.body = JSON.stringify(body)
    }),
  ],
  ['a latest of another run', 'same-resource', latest((it) => (it.data.run.id = 'x'))],
  [
    'a latest of another price',
    'same-resource',
    latest((it) => (it.data.estimate.price_usd += 0.5)),
  ],
  [
    'a latest of another source',
    'same-resource',
    latest((it) => (it.data.lineage.source.name = 'x')),
  ],
  [
    'a latest of other evidence',
    'same-resource',
    latest((it) => (it.data.confidence.evidence.model_agreement = 0.1)),
  ],
  [
    'prices that change with the page',
    'same-resource',
    history((it, { url }) => {
      if (url.searchParams.get('limit') !== '100')
        for (const row of it.data) row.interval.level = 0.9
    }),
  ],
  [
    'latest takes parameters',
    'latest-parameters',
    when(
      ({ url, reply }) => url.pathname === LATEST && url.search !== '' && reply.status === 400,
      (_, exchange) => instead(exchange, LATEST),
    ),
  ],
  [
    '404 for the latest',
    'latest-newest',
    success(LATEST, (reply) => fail(reply, 404, 'forecast_not_found')),
  ],
  [
    '500 for the latest',
    'latest-newest',
    success(LATEST, (reply) => fail(reply, 500, 'internal_error')),
  ],
  [
    '503 for the history',
    'envelope',
    success(HISTORY, (reply) => fail(reply, 503, 'history_unavailable')),
  ],
]
