import { gzipSync } from 'node:zlib'
import {
  type Any,
  as,
  fail,
  firstOf,
  HISTORY,
  history,
  ignoring,
  instead,
  type Mutant,
  when,
} from './mutant.js'
import type { Change, Exchange } from './proxy.js'

const refused = ({ reply, method, headers }: Exchange) =>
  reply.status === 400 && method === 'GET' && headers.authorization !== undefined
const has = (exchange: Exchange, name: string) => exchange.url.searchParams.has(name)
const cursorOf = (exchange: Exchange) => exchange.url.searchParams.get('cursor')
const isPage = (exchange: Exchange) =>
  exchange.url.pathname === HISTORY && exchange.reply.status === 200 && exchange.method === 'GET'

/** Serves a cursor with other filters as though they were those it was given with. */
const unbound = (...names: string[]): Change =>
  when(
    (exchange) =>
      refused(exchange) &&
      cursorOf(exchange)?.length !== undefined &&
      cursorOf(exchange)!.length > 20,
    async (_reply, exchange) => {
      // Some set of the filters is the one that the cursor was given with: whichever opens it.
      const plain = new URL(exchange.url)
      for (const name of names) plain.searchParams.delete(name)
      await instead(exchange, plain.pathname + plain.search)
    },
  )

const drop = (at: (count: number) => number, only: (exchange: Exchange) => boolean = () => true) =>
  history((it, exchange) => {
    if (it.data.length > 2 && only(exchange)) it.data.splice(at(it.data.length), 1)
  })

const swap = (list: Any[], a: number, b: number) => {
  if (list.length > Math.max(a, b)) [list[a], list[b]] = [list[b], list[a]]
}
const sorted = (order: (a: Any, b: Any) => number) => history((it) => it.data.sort(order))
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

/** Pages, cursors and limits of the history. */
export const PAGE_MUTANTS: readonly Mutant[] = [
  ['compressed for whom takes no coding', 'content-encoding', zipped(/^identity$/)],
  [
    'compressed with other sources',
    'content-encoding',
    zipped(/^gzip$/, (text) => text.replaceAll('"source":{"name":"', '"source":{"name":"X')),
  ],
  [
    'compressed and cut short',
    'content-encoding',
    when(
      (exchange) => isPage(exchange) && exchange.headers['accept-encoding'] === 'gzip',
      (reply) => {
        reply.body = gzipSync(reply.body).subarray(0, 100)
        reply.headers['content-encoding'] = 'gzip'
      },
    ),
  ],
  [
    'the first row after each cursor dropped',
    'cursor-walk',
    drop(
      () => 0,
      (exchange) => has(exchange, 'cursor'),
    ),
  ],
  ['the first row of each page dropped', 'cursor-walk', drop(() => 0)],
  ['the last row of each page dropped', 'cursor-walk', drop((count) => count - 1)],
  ['a middle row of each page dropped', 'cursor-walk', drop((count) => count >> 1)],
  [
    'a row of pages of 100 dropped',
    'cursor-walk',
    drop(
      (count) => count - 1,
      ({ url }) => url.searchParams.get('limit') === '100',
    ),
  ],
  [
    'a row of default pages dropped',
    'cursor-walk',
    drop(
      (count) => count >> 1,
      (exchange) => !has(exchange, 'limit'),
    ),
  ],
  [
    'a row dropped with filters',
    'filter-model',
    drop(
      (count) => count >> 1,
      (exchange) => has(exchange, 'model'),
    ),
  ],
  [
    'a row dropped with a horizon',
    'filter-horizon',
    drop(
      (count) => count - 1,
      (exchange) => has(exchange, 'horizon_hours'),
    ),
  ],
  [
    'a row dropped with a run',
    'filter-run',
    drop(
      () => 1,
      (exchange) => has(exchange, 'run_id'),
    ),
  ],
  ['next_cursor always null', 'cursor-walk', nulled(() => true)],
  ['the walk ends after two pages', 'cursor-walk', nulled((exchange) => has(exchange, 'cursor'))],
  [
    'the walk of 100 ends after two pages',
    'cursor-walk',
    nulled(
      (exchange) => has(exchange, 'cursor') && exchange.url.searchParams.get('limit') === '100',
    ),
  ],
  [
    'the walk ends after three pages',
    'cursor-walk',
    history((it, { state, url }) => {
      const count = url.searchParams.has('cursor') ? Number(state.count ?? 1) + 1 : 1
      state.count = count
      if (count >= 3) it.pagination.next_cursor = null
    }),
  ],
  ['a last cursor', 'cursor-walk', history((it) => (it.pagination.next_cursor ??= 'more'))],
  [
    'a last cursor to an empty page',
    'cursor-end',
    (exchange) => {
      if (exchange.url.pathname !== HISTORY) return
      if (cursorOf(exchange) === 'end') {
        exchange.url.searchParams.delete('cursor')
        const limit = Number(exchange.url.searchParams.get('limit') ?? 50)
        const { freshness } = exchange.state.last as Any
        exchange.reply.status = 200
        exchange.reply.body = JSON.stringify({
          api_version: 'v1',
          data: [],
          pagination: { limit, next_cursor: null },
          freshness,
        })
      } else if (isPage(exchange)) {
        const body = JSON.parse(String(exchange.reply.body))
        exchange.state.last = body
        if (body.data.length > 0) body.pagination.next_cursor ??= 'end'
        exchange.reply.body = JSON.stringify(body)
      }
    },
  ],
  [
    'a cursor while the page is just full',
    'cursor-end',
    history((it) => {
      if (it.data.length === it.pagination.limit) it.pagination.next_cursor ??= 'xyz'
    }),
  ],
  [
    'a cursor that comes back to the start',
    'cursor-walk',
    (exchange) => {
      if (!isPage(exchange)) return
      if (!has(exchange, 'cursor')) exchange.state.first = exchange.reply.body
      else exchange.reply.body = (exchange.state.first ?? exchange.reply.body) as string
    },
  ],
  [
    'a cursor that stays',
    ['cursor-walk', 'each-once'],
    history((it, { url }) => {
      const cursor = url.searchParams.get('cursor')
      if (cursor !== null) it.pagination.next_cursor = cursor
    }),
  ],
  [
    'empty pages that go on',
    'cursor-end',
    history((it, { url }) => {
      if (!url.searchParams.has('cursor')) return
      it.data = []
      it.pagination.next_cursor = url.searchParams.get('cursor')
    }),
  ],
  ['an empty next_cursor', 'cursor-walk', history((it) => (it.pagination.next_cursor ??= ''))],
  [
    'valid cursors refused',
    'cursor-walk',
    when(
      (exchange) => isPage(exchange) && has(exchange, 'cursor'),
      (reply) => fail(reply, 400, 'invalid_request'),
    ),
  ],
  [
    'rows doubled in a page',
    'each-once',
    history(
      (it) => it.data.splice(3, 1, it.data[2] ?? it.data[0]) && it.data.length < 4 && it.data.pop(),
    ),
  ],
  [
    'a row doubled across pages',
    'each-once',
    history((it, { state, url }) => {
      if (url.searchParams.has('cursor') && state.last && it.data.length > 3)
        it.data[0] = state.last
      else state.last = it.data.at(-1)
    }),
  ],
  ['ascending', 'page-order', history((it) => it.data.reverse())],
  [
    'by model before horizon',
    'page-order',
    sorted(
      (a, b) =>
        b.origin_at.localeCompare(a.origin_at) ||
        a.model.name.localeCompare(b.model.name) ||
        a.horizon_hours - b.horizon_hours,
    ),
  ],
  ['by horizon before origin', 'page-order', sorted((a, b) => a.horizon_hours - b.horizon_hours)],
  [
    'horizons descending',
    'page-order',
    sorted((a, b) => b.origin_at.localeCompare(a.origin_at) || b.horizon_hours - a.horizon_hours),
  ],
  [
    'models descending',
    'page-order',
    sorted(
      (a, b) =>
        b.origin_at.localeCompare(a.origin_at) ||
        a.horizon_hours - b.horizon_hours ||
        b.model.name.localeCompare(a.model.name),
    ),
  ],
  ['two rows exchanged', 'page-order', history((it) => swap(it.data, 4, 5))],
  ['first and last exchanged', 'page-order', history((it) => swap(it.data, 0, it.data.length - 1))],
  [
    'a page of 20 by default',
    'limit-default',
    when(
      (exchange) => isPage(exchange) && !has(exchange, 'limit'),
      (_, exchange) => smaller(exchange, 20),
    ),
  ],
  [
    'a page of 100 by default',
    'limit-default',
    when(
      (exchange) => isPage(exchange) && !has(exchange, 'limit'),
      (_, exchange) => smaller(exchange, 100),
    ),
  ],
  ['another limit told', 'limit-bounds', history((it) => (it.pagination.limit = 100))],
  [
    'a page longer than asked',
    'limit-kept',
    when(
      (exchange) => isPage(exchange) && exchange.url.searchParams.get('limit') === '1',
      async (_, exchange) => {
        await smaller(exchange, 2)
        const body = JSON.parse(String(exchange.reply.body))
        body.pagination.limit = 1
        exchange.reply.body = JSON.stringify(body)
      },
    ),
  ],
  ...['0', '101', '1000', '-1', '1.5', '05', 'ten', ''].map(
    (limit): Mutant => [
      `limit ${limit || 'empty'} accepted`,
      'limit-bounds',
      as(
        'limit',
        (value, { headers }) => value === limit && headers.authorization !== undefined,
        () => '100',
      ),
    ],
  ),
  [
    'limit 1000 clamped though 101 is refused',
    'limit-bounds',
    as(
      'limit',
      (value) => value === '1000',
      () => '100',
    ),
  ],
  [
    'limit 100 refused',
    'limit-bounds',
    when(
      (exchange) => isPage(exchange) && exchange.url.searchParams.get('limit') === '100',
      (reply) => fail(reply, 400, 'invalid_request'),
    ),
  ],
  [
    'limit 1 refused',
    'limit-bounds',
    when(
      (exchange) => isPage(exchange) && exchange.url.searchParams.get('limit') === '1',
      (reply) => fail(reply, 400, 'invalid_request'),
    ),
  ],
  ['unknown parameters accepted', 'unknown-parameter', ignoring('colour', 'Limit', 'offset')],
  ['names in any case accepted', 'unknown-parameter', ignoring('Limit')],
  ['offset accepted', 'unknown-parameter', ignoring('offset')],
  [
    'unknown parameters beside a limit accepted',
    'unknown-parameter',
    when(
      (exchange) => refused(exchange) && has(exchange, 'limit') && has(exchange, 'colour'),
      (_, exchange) => instead(exchange, `${HISTORY}?limit=5`),
    ),
  ],
  ...['limit', 'model', 'run_id', 'horizon_hours', 'origin_from', 'origin_to', 'cursor'].map(
    (name): Mutant => [`a repeated ${name} accepted`, 'repeated-parameter', firstOf(name)],
  ),
  ['made-up cursors accepted', 'cursor-invalid', ignoring('cursor')],
  [
    'an empty cursor accepted',
    'cursor-invalid',
    as(
      'cursor',
      (value) => value === '',
      () => undefined,
    ),
  ],
  [
    'a cursor with padding accepted',
    'cursor-invalid',
    as(
      'cursor',
      (value) => value.endsWith('='),
      (value) => value.slice(0, -1),
    ),
  ],
  [
    'a cursor with more accepted',
    'cursor-invalid',
    as(
      'cursor',
      (value) => value.endsWith('!'),
      (value) => value.slice(0, -1),
    ),
  ],
  [
    '500 for a cursor that is none',
    'cursor-invalid',
    when(
      (exchange) => refused(exchange) && has(exchange, 'cursor'),
      (reply) => fail(reply, 500, 'internal_error'),
    ),
  ],
  [
    '404 for a cursor that is none',
    'cursor-invalid',
    when(
      (exchange) => refused(exchange) && has(exchange, 'cursor'),
      (reply) => fail(reply, 404, 'forecast_not_found'),
    ),
  ],
  [
    'a cursor bound to nothing',
    'cursor-filters',
    unbound('origin_from', 'origin_to', 'horizon_hours', 'model', 'run_id'),
  ],
  ...['origin_from', 'origin_to', 'horizon_hours', 'model', 'run_id'].map(
    (name): Mutant => [`a cursor not bound to ${name}`, 'cursor-filters', unbound(name)],
  ),
]

async function smaller(exchange: Exchange, limit: number): Promise<void> {
  const url = new URL(exchange.url)
  url.searchParams.set('limit', String(limit))
  await instead(exchange, url.pathname + url.search)
}
