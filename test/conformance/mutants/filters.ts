import {
  type Any,
  as,
  edited,
  failing,
  forEach,
  HISTORY,
  has,
  history,
  instead,
  isPage,
  type Mutant,
  mutantsOf,
  plain,
  refused,
  when,
} from './mutant.js'
import type { Change, Exchange } from './proxy.js'

/** Changes pages whose query is this one. */
const asked = (query: RegExp, change: Parameters<typeof when>[1]): Change =>
  when((exchange) => isPage(exchange) && query.test(exchange.url.search), change)
const malformed = failing(400, 'invalid_request')

/** Passes a request on without a filter. */
const widened = (name: string) =>
  as(name, (_given, exchange) => exchange.reply.status === 200 && !has(exchange, 'cursor'))

/** Leaves out rows of one origin. */
const exclusive = (name: string) =>
  history((it, { url }) => {
    const bound = url.searchParams.get(name)
    if (bound === null) return
    it.data = it.data.filter((row: Any) => Date.parse(row.origin_at) !== Date.parse(bound))
  })

const keep = (name: string, keeps: (row: Any, value: string) => boolean): Change =>
  when(
    (exchange) => isPage(exchange) && has(exchange, name) && !has(exchange, 'cursor'),
    async (reply, exchange) => {
      const value = exchange.url.searchParams.get(name) ?? ''
      const all = JSON.parse(String((await exchange.ask(`${HISTORY}?limit=100`)).body))
      edited(reply, (it) => {
        it.data = all.data.filter((row: Any) => keeps(row, value)).slice(0, it.pagination.limit)
        it.pagination.next_cursor = null
      })
    },
  )

const isReversed = (exchange: Exchange) => {
  const [from, to] = ['origin_from', 'origin_to'].map((name) =>
    Date.parse(exchange.url.searchParams.get(name) ?? ''),
  )
  return isPage(exchange) && Number(from) > Number(to)
}

/** Serves what is refused for a bound as though it had not been sent. */
const ignoringValue = (wanted: RegExp): Change =>
  when(
    (exchange) =>
      refused(exchange) &&
      ['origin_from', 'origin_to'].some((name) =>
        wanted.test(exchange.url.searchParams.get(name) ?? ''),
      ),
    (_, exchange) => instead(exchange, HISTORY),
  )

/** Filters, and what they refuse. */
export const FILTER_MUTANTS: readonly Mutant[] = mutantsOf<Change>({
  'filter-horizon': {
    'horizon ignored': widened('horizon_hours'),
    'horizons up to the one asked for': keep(
      'horizon_hours',
      (row, value) => row.horizon_hours <= Number(value),
    ),
  },
  'filter-model': {
    'model ignored': widened('model'),
    'model by its beginning': keep('model', (row, value) => row.model.name.startsWith(value)),
    'model by a part of it': keep('model', (row, value) => row.model.name.includes(value)),
    'model in any case': keep(
      'model',
      (row, value) => row.model.name.toLowerCase() === value.toLowerCase(),
    ),
    'the model as a pattern, _': as('model', /_$/, (value) =>
      value === 'alph_' ? 'alpha' : 'alphabet',
    ),
    'the model as a pattern, %': as('model', '%'),
  },
  'filter-run': {
    'run ignored': widened('run_id'),
    'run by its beginning': keep('run_id', (row, value) => row.run.id.startsWith(value)),
    'run in any case': keep(
      'run_id',
      (row, value) => row.run.id.toLowerCase() === value.toLowerCase(),
    ),
    'the run as a pattern, _': as('run_id', /_$/, (value) => `${value.slice(0, -1)}0`),
    'the run as a pattern, %': as('run_id', '%'),
  },
  'filter-origin': {
    'origin_from ignored': widened('origin_from'),
    'origin_to ignored': widened('origin_to'),
    'origin_from exclusive': exclusive('origin_from'),
    'origin_to exclusive': exclusive('origin_to'),
    'offsets ignored': asked(/[+-]0[1-9]%3A00/i, async (_, exchange) => {
      const search = exchange.url.search.replaceAll(/(?:%2B|-)0[1-9]%3A00/gi, '%2B00%3A00')
      await instead(exchange, HISTORY + search)
    }),
    'offsets refused': asked(/(?:%2B|-)0[1-9]%3A00/i, malformed),
    'fractions cut off': as('origin_from', /\.\d/, (value) => value.replace(/\.\d+/, '')),
    'fractions refused': asked(/\d\.\d/, malformed),
    ...forEach(['origin_from', 'origin_to'], 'fractions of %s rounded', (name) =>
      as(name, /\.\d/, (value) =>
        new Date(Math.round(Date.parse(value) / 1000) * 1000).toISOString(),
      ),
    ),
    'a reversed range exchanged': when(isReversed, async (_, exchange) => {
      const given = exchange.url.searchParams
      const [from = '', to = ''] = ['origin_to', 'origin_from'].map((name) => given.get(name) ?? '')
      const query = new URLSearchParams({ origin_from: from, origin_to: to, limit: '100' })
      await instead(exchange, `${HISTORY}?${query}`)
    }),
    'a reversed range refused': when(isReversed, malformed),
    'no 29 February': asked(/2024-02-29/, malformed),
  },
  'filter-nothing': {
    '404 where nothing matches': asked(/no-such-name/, failing(404, 'forecast_not_found')),
    '204 where nothing matches': asked(/no-such-name/, plain(204, '')),
    'everything where nothing matches': as('model', /^conformance/),
  },
  envelope: {
    'null where nothing matches': history((it) => {
      if (it.data.length === 0) it.data = null
    }),
  },
  'filter-malformed': {
    'naive bounds accepted': as('origin_from', /T[\d:]+$/, (value) => `${value}Z`),
    'dates accepted': as('origin_from', /^\d{4}-\d\d-\d\d$/, (value) => `${value}T00:00:00Z`),
    'seconds accepted': as('origin_from', /^\d+$/, '2026-01-01T00:00:00Z'),
    'words accepted': as('origin_from', 'yesterday'),
    'empty bounds accepted': as('origin_to', ''),
    'days that do not exist accepted': as('origin_to', /^2026-02-30/),
    'a space for a + accepted': as('origin_from', / \d\d:\d\d$/, (value) =>
      value.replace(' ', '+'),
    ),
    'horizon 0 accepted': as('horizon_hours', '0'),
    'horizon -1 accepted': as('horizon_hours', '-1'),
    'horizon 2.0 accepted': as('horizon_hours', '2.0', '2'),
    'horizon in words accepted': as('horizon_hours', 'two', '2'),
    'an empty horizon accepted': as('horizon_hours', ''),
    ...forEach(['02', '+2'], 'horizon %s accepted', (given) => as('horizon_hours', given, '2')),
    ...forEach(['2026', '2100'], 'a 29 February of %s', (year) =>
      ignoringValue(new RegExp(`^${year}-02-29`)),
    ),
    '500 for a malformed bound': when(
      (exchange) => refused(exchange) && has(exchange, 'origin_from'),
      failing(500, 'internal_error'),
    ),
  },
})
