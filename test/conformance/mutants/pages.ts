import { gzipSync } from 'node:zlib'
import {
  type Any,
  as,
  asking,
  edited,
  failing,
  firstOf,
  forEach,
  HISTORY,
  has,
  history,
  ignoring,
  instead,
  isPage,
  type Mutant,
  mutantsOf,
  refused,
  when,
  without,
} from './mutant.js'
import type { Change, Exchange } from './proxy.js'

const cursorOf = (exchange: Exchange) => exchange.url.searchParams.get('cursor')
/** A page that was asked for with this limit, or without one. */
const isOfLimit = (limit: string | null) => (exchange: Exchange) =>
  isPage(exchange) && exchange.url.searchParams.get('limit') === limit
const isBadCursor = (exchange: Exchange) => refused(exchange) && has(exchange, 'cursor')

/** Serves a cursor with other filters as though they were those it was given with. */
const unbound = (...names: string[]): Change =>
  when(
    (exchange) => refused(exchange) && (cursorOf(exchange)?.length ?? 0) > 20,
    // Some set of the filters is the one that the cursor was given with: whichever opens it.
    (_, exchange) => without(exchange, names),
  )

const drop = (at: (count: number) => number, only: (exchange: Exchange) => boolean = () => true) =>
  history((it, exchange) => {
    if (it.data.length > 2 && only(exchange)) it.data.splice(at(it.data.length), 1)
  })

const swap = (list: Any[], a: number, b: number) => {
  if (list.length > Math.max(a, b)) [list[a], list[b]] = [list[b], list[a]]
}
/** Sorted by another order of the three members of a key. */
const byOrigin = (a: Any, b: Any) => b.origin_at.localeCompare(a.origin_at)
const byHorizon = (a: Any, b: Any) => a.horizon_hours - b.horizon_hours
const byModel = (a: Any, b: Any) => a.model.name.localeCompare(b.model.name)
const sorted = (...orders: ((a: Any, b: Any) => number)[]) =>
  history((it) => it.data.sort((a: Any, b: Any) => orders.reduce((n, by) => n || by(a, b), 0)))
const nulled = (only: (exchange: Exchange) => boolean) =>
  history((it, exchange) => {
    if (only(exchange)) it.pagination.next_cursor = null
  })

/** Compresses what a condition on Accept-Encoding holds for, after a change of its text. */
const zipped = (wanted: RegExp, change: (text: string) => string = (text) => text): Change =>
  when(
    (exchange) =>
      isPage(exchange) && wanted.test(String(exchange.headers['accept-encoding'] ?? '')),
    (reply) => {
      reply.body = gzipSync(change(String(reply.body)))
      reply.headers['content-encoding'] = 'gzip'
    },
  )

const FILTERS = ['origin_from', 'origin_to', 'horizon_hours', 'model', 'run_id']

/** Pages, cursors and limits of the history. */
export const PAGE_MUTANTS: readonly Mutant[] = mutantsOf<Change>({
  'content-encoding': {
    'compressed for whom takes no coding': zipped(/^identity$/),
    'compressed with other sources': zipped(/^gzip$/, (text) =>
      text.replaceAll('"source":{"name":"', '"source":{"name":"X'),
    ),
    'compressed and cut short': when(
      (exchange) => isPage(exchange) && exchange.headers['accept-encoding'] === 'gzip',
      (reply) => {
        reply.body = gzipSync(reply.body).subarray(0, 100)
        reply.headers['content-encoding'] = 'gzip'
      },
    ),
  },
  'cursor-walk': {
    'the first row after each cursor dropped': drop(
      () => 0,
      (exchange) => has(exchange, 'cursor'),
    ),
    'the first row of each page dropped': drop(() => 0),
    'the last row of each page dropped': drop((count) => count - 1),
    'a middle row of each page dropped': drop((count) => count >> 1),
    'a row of pages of 100 dropped': drop(
      (count) => count - 1,
      ({ url }) => url.searchParams.get('limit') === '100',
    ),
    'a row of default pages dropped': drop(
      (count) => count >> 1,
      (exchange) => !has(exchange, 'limit'),
    ),
    'next_cursor always null': nulled(() => true),
    'the walk ends after two pages': nulled((exchange) => has(exchange, 'cursor')),
    'the walk of 100 ends after two pages': nulled(
      (exchange) => has(exchange, 'cursor') && exchange.url.searchParams.get('limit') === '100',
    ),
    'the walk ends after three pages': history((it, { state, url }) => {
      const count = url.searchParams.has('cursor') ? Number(state.count ?? 1) + 1 : 1
      state.count = count
      if (count >= 3) it.pagination.next_cursor = null
    }),
    'a last cursor': history((it) => (it.pagination.next_cursor ??= 'more')),
    'a cursor that comes back to the start': (exchange) => {
      if (!isPage(exchange)) return
      if (!has(exchange, 'cursor')) exchange.state.first = exchange.reply.body
      else exchange.reply.body = (exchange.state.first ?? exchange.reply.body) as string
    },
    'an empty next_cursor': history((it) => (it.pagination.next_cursor ??= '')),
    'valid cursors refused': when(
      (exchange) => isPage(exchange) && has(exchange, 'cursor'),
      failing(400, 'invalid_request'),
    ),
  },
  'filter-model': {
    'a row dropped with filters': drop(
      (count) => count >> 1,
      (exchange) => has(exchange, 'model'),
    ),
  },
  'filter-horizon': {
    'a row dropped with a horizon': drop(
      (count) => count - 1,
      (exchange) => has(exchange, 'horizon_hours'),
    ),
  },
  'filter-run': {
    'a row dropped with a run': drop(
      () => 1,
      (exchange) => has(exchange, 'run_id'),
    ),
  },
  'cursor-end': {
    'a last cursor to an empty page': (exchange) => {
      if (exchange.url.pathname !== HISTORY) return
      if (cursorOf(exchange) === 'end') {
        exchange.url.searchParams.delete('cursor')
        const limit = Number(exchange.url.searchParams.get('limit') ?? 50)
        const { freshness } = exchange.state.last as Any
        const pagination = { limit, next_cursor: null }
        const body = { api_version: 'v1', data: [], pagination, freshness }
        Object.assign(exchange.reply, { status: 200, body: JSON.stringify(body) })
      } else if (isPage(exchange)) {
        edited(exchange.reply, (body) => {
          exchange.state.last = body
          if (body.data.length > 0) body.pagination.next_cursor ??= 'end'
        })
      }
    },
    'a cursor while the page is just full': history((it) => {
      if (it.data.length === it.pagination.limit) it.pagination.next_cursor ??= 'xyz'
    }),
    'empty pages that go on': history((it, { url }) => {
      if (!url.searchParams.has('cursor')) return
      it.data = []
      it.pagination.next_cursor = url.searchParams.get('cursor')
    }),
  },
  'cursor-walk each-once': {
    'a cursor that stays': history((it, { url }) => {
      const cursor = url.searchParams.get('cursor')
      if (cursor !== null) it.pagination.next_cursor = cursor
    }),
  },
  'each-once': {
    'rows doubled in a page': history(
      (it) => it.data.splice(3, 1, it.data[2] ?? it.data[0]) && it.data.length < 4 && it.data.pop(),
    ),
    'a row doubled across pages': history((it, { state, url }) => {
      if (url.searchParams.has('cursor') && state.last && it.data.length > 3)
        it.data[0] = state.last
      else state.last = it.data.at(-1)
    }),
  },
  'page-order': {
    ascending: history((it) => it.data.reverse()),
    'by model before horizon': sorted(byOrigin, byModel, byHorizon),
    'horizons descending': sorted(byOrigin, (a, b) => byHorizon(b, a)),
    'models descending': sorted(byOrigin, byHorizon, (a, b) => byModel(b, a)),
    'two rows exchanged': history((it) => swap(it.data, 4, 5)),
  },
  'limit-default': {
    'a page of 20 by default': when(isOfLimit(null), (_, exchange) => ofSize(exchange, 20)),
    'a page of 100 by default': when(isOfLimit(null), (_, exchange) => ofSize(exchange, 100)),
  },
  'limit-bounds': {
    'another limit given': history((it) => (it.pagination.limit = 100)),
    'limit 1000 clamped though 101 is refused': as('limit', '1000', '100'),
    'limit 100 refused': when(isOfLimit('100'), failing(400, 'invalid_request')),
    'limit 1 refused': when(isOfLimit('1'), failing(400, 'invalid_request')),
    ...forEach(['0', '101', '1000', '-1', '1.5', '05', 'ten', ''], 'limit "%s" accepted', (limit) =>
      as(
        'limit',
        (value, { headers }) => value === limit && headers.authorization !== undefined,
        '100',
      ),
    ),
  },
  'limit-kept': {
    'a page longer than asked': when(isOfLimit('1'), async (_, exchange) => {
      await ofSize(exchange, 2)
      edited(exchange.reply, (it) => (it.pagination.limit = 1))
    }),
  },
  'unknown-parameter': {
    'unknown parameters accepted': ignoring('colour', 'Limit', 'offset'),
    'names in any case accepted': ignoring('Limit'),
    'offset accepted': ignoring('offset'),
    'unknown parameters beside a limit accepted': when(
      (exchange) => refused(exchange) && has(exchange, 'limit') && has(exchange, 'colour'),
      (_, exchange) => instead(exchange, `${HISTORY}?limit=5`),
    ),
  },
  'cursor-invalid': {
    'made-up cursors accepted': ignoring('cursor'),
    'an empty cursor accepted': as('cursor', ''),
    'a cursor with padding accepted': as('cursor', /=$/, (value) => value.slice(0, -1)),
    'a cursor with more accepted': as('cursor', /!$/, (value) => value.slice(0, -1)),
    '500 for a cursor that is none': when(isBadCursor, failing(500, 'internal_error')),
    '404 for a cursor that is none': when(isBadCursor, failing(404, 'forecast_not_found')),
  },
  'cursor-filters': {
    'a cursor bound to nothing': unbound(...FILTERS),
    ...forEach(FILTERS, 'a cursor not bound to %s', (name) => unbound(name)),
  },
  'repeated-parameter': forEach(['limit', 'cursor', ...FILTERS], 'a repeated %s accepted', firstOf),
})

const ofSize = (exchange: Exchange, limit: number) =>
  asking(exchange, (query) => query.set('limit', String(limit)))
