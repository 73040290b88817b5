import {
  type Any,
  edited,
  failing,
  freshness,
  HISTORY,
  health,
  history,
  instead,
  LATEST,
  latest,
  type Mutant,
  mutantsOf,
  path,
  rows,
  success,
  when,
} from './mutant.js'
import type { Change } from './proxy.js'

const hour = 3_600_000
const timeNow = () => new Date(performance.timeOrigin + performance.now()).toISOString()

/** Another forecast of the history in place of the latest. */
const latestFrom = (chosen: (rows: Any[]) => Any): Change =>
  success(LATEST, async (reply, exchange) => {
    const { data } = JSON.parse(String((await exchange.ask(`${HISTORY}?limit=100`)).body))
    edited(reply, (body) => {
      body.data = chosen(data)
      body.freshness = body.data.freshness
    })
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
    'age since the target': rows((row) => (row.freshness.age_seconds += row.horizon_hours * 3600)),
  },
  'freshness-observed': {
    'observed now': freshness((it) => {
      it.observed_at = timeNow()
      it.age_seconds = 0
    }),
    'observed when it was generated': rows(
      (row) => (row.freshness.observed_at = row.run.generated_at),
    ),
  },
  'page-freshness': {
    'page freshness of the oldest item': history(
      (it) => (it.freshness = it.data.at(-1)?.freshness ?? it.freshness),
    ),
    'page freshness of its own first item': history(
      (it) => (it.freshness = it.data[0]?.freshness ?? it.freshness),
    ),
    'page freshness of now': history((it) => {
      it.freshness.observed_at = timeNow()
      it.freshness.age_seconds = 0
    }),
    'latest of another observation': latest((it) => {
      const at = Date.parse(it.freshness.observed_at) - hour
      it.freshness.observed_at = new Date(at).toISOString()
      it.freshness.age_seconds += 3600
    }),
  },
  'freshness-classes': {
    'all items stale on fresh data': rows((row) => (row.freshness.status = 'stale')),
    'every other stale item fresh': rows((row) => {
      if (row.horizon_hours === 2) row.freshness.status = 'fresh'
    }),
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
    'an old latest': latestFrom((rows) => rows[40]),
    '404 for the latest': success(LATEST, failing(404, 'forecast_not_found')),
  },
  'same-resource': {
    'a latest of another run': latest((it) => (it.data.run.id = 'x')),
    'a latest of another price': latest((it) => (it.data.estimate.price_usd += 0.5)),
    'a latest of other evidence': latest(
      (it) => (it.data.confidence.evidence.model_agreement = 0.1),
    ),
    'prices that change with the page': history((it, { url }) => {
      if (url.searchParams.get('limit') !== '100')
        for (const row of it.data) row.interval.level = 0.9
    }),
  },
  'latest-parameters': {
    'latest takes parameters': when(
      ({ url, reply }) => url.pathname === LATEST && url.search !== '' && reply.status === 400,
      (_, exchange) => instead(exchange, LATEST),
    ),
  },
  envelope: {
    '503 for the history': success(HISTORY, failing(503, 'history_unavailable')),
  },
})
