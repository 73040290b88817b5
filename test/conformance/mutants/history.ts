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

const FILTERS = ['origin_from', 'origin_to', 'horizon_hours', 'model', 'run_id']
const BOUNDS = ['origin_from', 'origin_to']

const cursorOf = ({ url }: Exchange) => url.searchParams.get('cursor')
const asks = (name: string) => (exchange: Exchange) => has(exchange, name)
/** A page that was asked for with this limit, or without one. */
const isOfLimit = (limit: string | null) => (exchange: Exchange) =>
  isPage(exchange) && exchange.url.searchParams.get('limit') === limit
const ofSize = (exchange: Exchange, limit: number) =>
  asking(exchange, (query) => query.set('limit', String(limit)))
const malformed = failing(400, 'invalid_request')

/** Serves a cursor with another filter as though it were the one that it was given with. */
const unbound = (...names: string[]): Change =>
  when(
    (exchange) => refused(exchange) && (cursorOf(exchange)?.length ?? 0) > 20,
    (_, exchange) => without(exchange, names),
  )

const first = () => 0
const last = (count: number) => count - 1
const middle = (count: number) => count >> 1
/** Drops a row of some pages. */
const drop = (at: (count: number) => number, only: (exchange: Exchange) => boolean = isPage) =>
  history((it, exchange) => {
    if (it.data.length > 2 && only(exchange)) it.data.splice(at(it.data.length), 1)
  })
const nulled = (only: (exchange: Exchange) => boolean) =>
  history((it, exchange) => {
    if (only(exchange)) it.pagination.next_cursor = null
  })

/** Compresses what a condition on Accept-Encoding holds for. */
const zipped = (wanted: string, change = (text: string) => text, end?: number): Change =>
  when(
    (exchange) => isPage(exchange) && exchange.headers['accept-encoding'] === wanted,
    (reply) => {
      reply.body = gzipSync(change(String(reply.body))).subarray(0, end)
      reply.headers['content-encoding'] = 'gzip'
    },
  )

/** Pages, cursors and limits of the history. */
export const PAGE_MUTANTS: readonly Mutant[] = mutantsOf<Change>({
  'content-encoding': {
    'compressed for whom takes no coding': zipped('identity'),
    'compressed with other sources': zipped('gzip', (text) =>
      text.replaceAll('"source":{"name":"', '"source":{"name":"X'),
    ),
    'compressed and cut short': zipped('gzip', undefined, 100),
  },
  'cursor-walk': {
    'the first row after each cursor dropped': drop(first, asks('cursor')),
    'the last row of each page dropped': drop(last),
    'a middle row of each page dropped': drop(middle),
    'a row of pages of 100 dropped': drop(last, isOfLimit('100')),
    'a row of default pages dropped': drop(middle, isOfLimit(null)),
    'next_cursor always null': nulled(isPage),
    'the walk ends after two pages': nulled(asks('cursor')),
    'the walk of 100 ends after two pages': nulled(
      (it) => has(it, 'cursor') && isOfLimit('100')(it),
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
    'valid cursors refused': when((it) => isPage(it) && has(it, 'cursor'), malformed),
  },
  'filter-model': { 'a row dropped with filters': drop(middle, asks('model')) },
  'filter-horizon': { 'a row dropped with a horizon': drop(last, asks('horizon_hours')) },
  'filter-run': { 'a row dropped with a run': drop(first, asks('run_id')) },
  'cursor-end': {
    'a cursor while the page is just full': history((it) => {
      if (it.data.length === it.pagination.limit) it.pagination.next_cursor ??= 'xyz'
    }),
    'empty pages that go on': history((it, exchange) => {
      if (!has(exchange, 'cursor')) return
      it.data = []
      it.pagination.next_cursor = cursorOf(exchange)
    }),
  },
  'cursor-walk each-once': {
    'a cursor that stays': history((it, exchange) => {
      it.pagination.next_cursor = cursorOf(exchange) ?? it.pagination.next_cursor
    }),
  },
  'each-once': {
    'rows doubled in a page': history((it) => {
      if (it.data.length > 3) it.data[3] = it.data[2]
    }),
    'a row doubled across pages': history((it, exchange) => {
      const { state } = exchange
      if (has(exchange, 'cursor') && state.last && it.data.length > 3) it.data[0] = state.last
      else state.last = it.data.at(-1)
    }),
  },
  'page-order': {
    ascending: history((it) => it.data.reverse()),
    'by model before horizon': history((it) =>
      it.data.sort(
        (a: Any, b: Any) =>
          b.origin_at.localeCompare(a.origin_at) || a.model.name.localeCompare(b.model.name),
      ),
    ),
    'two rows exchanged': history((it) => it.data.splice(4, 2, ...it.data.slice(4, 6).reverse())),
  },
  'limit-default': {
    'a page of 100 by default': when(isOfLimit(null), (_, exchange) => ofSize(exchange, 100)),
  },
  'limit-bounds': {
    'another limit given': history((it) => (it.pagination.limit = 100)),
    'limit 100 refused': when(isOfLimit('100'), malformed),
    'limit 1 refused': when(isOfLimit('1'), malformed),
    ...forEach(['0', '101', '1000', '-1', '1.5', '05', 'ten', ''], 'limit "%s" accepted', (limit) =>
      as('limit', limit, '100'),
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
    'an unknown parameter without a value accepted': ignoring('foo'),
    'an unknown list accepted': ignoring('model[]'),
    'a parameter without a name accepted': ignoring(''),
    'names of parameters trimmed': ignoring(' limit'),
    'unknown parameters behind a cursor accepted': when(
      (exchange) => refused(exchange) && has(exchange, 'cursor') && has(exchange, 'colour'),
      (_, exchange) => without(exchange, ['colour']),
    ),
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
  },
  'cursor-filters': {
    'a cursor bound to nothing': unbound(...FILTERS),
    ...forEach(FILTERS, 'a cursor not bound to %s', (name) => unbound(name)),
  },
  'repeated-parameter': forEach(['limit', 'cursor', ...FILTERS], 'a repeated %s accepted', firstOf),
})

/** Changes pages whose query is this one. */
const asked = (query: RegExp, change: Parameters<typeof when>[1]): Change =>
  when((exchange) => isPage(exchange) && query.test(exchange.url.search), change)

/** Passes a request on without a filter, where others are given too. */
const widened = (name: string, others: readonly string[] = []) =>
  as(
    name,
    (_given, exchange) =>
      exchange.reply.status === 200 &&
      !has(exchange, 'cursor') &&
      others.every((other) => has(exchange, other)),
  )

/** Each filter is ignored beside each other one, and beside all others. */
const widenedBeside = (name: string): Readonly<Record<string, Change>> => ({
  ...forEach(
    FILTERS.filter((other) => other !== name),
    `${name} ignored beside %s`,
    (other) => widened(name, [other]),
  ),
  [`${name} ignored beside all others`]: widened(name, FILTERS),
})

/** Behind a cursor, the last row is one of the whole history that may follow there. */
const foreign = (name: string): Change =>
  when(
    (exchange) => isPage(exchange) && has(exchange, 'cursor') && has(exchange, name),
    async (reply, exchange) => {
      const last = JSON.parse(String(reply.body)).data.at(-1)
      if (last === undefined) return
      const before = new Date(Date.parse(last.origin_at) - 3_600_000).toISOString()
      const older = await exchange.ask(`${HISTORY}?limit=1&origin_to=${before}`)
      const [row] = JSON.parse(String(older.body)).data
      edited(reply, (it) => {
        if (row !== undefined) it.data[it.data.length - 1] = row
      })
    },
  )
const trimmed = (name: string) =>
  as(name, /^\s|\s$/, (value) => (value.trim() === '' ? undefined : value.trim()))
const crash = failing(500, 'internal_error')

/** Leaves out rows of one origin. */
const exclusive = (name: string) =>
  history((it, { url }) => {
    const bound = url.searchParams.get(name)
    if (bound === null) return
    it.data = it.data.filter((row: Any) => Date.parse(row.origin_at) !== Date.parse(bound))
  })

/** Finds a model or a run by another comparison with what was asked for. */
const matched = (name: 'model' | 'run_id', fits: (own: string, asked: string) => boolean): Change =>
  when(
    (exchange) => isPage(exchange) && has(exchange, name) && !has(exchange, 'cursor'),
    async (reply, exchange) => {
      const value = exchange.url.searchParams.get(name) ?? ''
      const all = JSON.parse(String((await exchange.ask(`${HISTORY}?limit=100`)).body))
      edited(reply, (it) => {
        const own = (row: Any) => (name === 'model' ? row.model.name : row.run.id)
        const found = all.data.filter((row: Any) => fits(own(row), value))
        it.data = found.slice(0, it.pagination.limit)
        it.pagination.next_cursor = null
      })
    },
  )
const byBeginning = (own: string, asked: string) => own.startsWith(asked)
const inAnyCase = (own: string, asked: string) => own.toLowerCase() === asked.toLowerCase()
const rounded = (value: string) =>
  new Date(Math.round(Date.parse(value) / 1000) * 1000).toISOString()

/** Filters, and what they refuse. */
export const FILTER_MUTANTS: readonly Mutant[] = mutantsOf<Change>({
  'filter-horizon': {
    'horizon ignored': widened('horizon_hours'),
    ...widenedBeside('horizon_hours'),
    'a foreign horizon behind a cursor': foreign('horizon_hours'),
    '500 for a horizon above 2^31': asked(/horizon_hours=(?:2147483648|4294967)/, crash),
    'a horizon of 32 bits': as('horizon_hours', /^\d{10,}$/, (value) =>
      String(Number(BigInt.asIntN(32, BigInt(value)))),
    ),
    'a horizon of 64 bits': as('horizon_hours', /^\d{20,}$/, (value) =>
      String(Number(BigInt.asIntN(64, BigInt(value)))),
    ),
  },
  'filter-model': {
    'model ignored': widened('model'),
    ...widenedBeside('model'),
    'a foreign model behind a cursor': foreign('model'),
    'every model for an empty name': as('model', ''),
    'names of models trimmed': trimmed('model'),
    'a model cut at NUL': as('model', /\0/, (value) => value.split('\0')[0]),
    '500 for NUL in a model': asked(/model=[^&]*%00/, crash),
    ...forEach(["'", '"'], '500 for %s in a model', (quote) =>
      when((it) => isPage(it) && !!it.url.searchParams.get('model')?.includes(quote), crash),
    ),
    'model by its beginning': matched('model', byBeginning),
    'model in any case': matched('model', inAnyCase),
    'the model as a pattern, _': as('model', /_$/, (value) =>
      value === 'alph_' ? 'alpha' : 'alphabet',
    ),
    'the model as a pattern, %': as('model', '%'),
  },
  'filter-run': {
    'run ignored': widened('run_id'),
    ...widenedBeside('run_id'),
    'a foreign run behind a cursor': foreign('run_id'),
    'every run for an empty name': as('run_id', ''),
    'names of runs trimmed': trimmed('run_id'),
    'run by its beginning': matched('run_id', byBeginning),
    'run in any case': matched('run_id', inAnyCase),
    'the run as a pattern, _': as('run_id', /_$/, (value) => value.replace(/_$/, '0')),
    'the run as a pattern, %': as('run_id', '%'),
  },
  'filter-origin': {
    ...forEach(BOUNDS, '%s ignored', (name) => widened(name)),
    ...Object.assign({}, ...BOUNDS.map(widenedBeside)),
    'a row before origin_from behind a cursor': foreign('origin_from'),
    '500 for the year 9999': asked(/=9999-/, crash),
    'the year 9999 refused': asked(/=9999-/, malformed),
    'offsets of 30 and 45 minutes refused': asked(/(?:%2B|-)\d\d%3A(?:30|45)/i, malformed),
    'offsets beyond 14 hours refused': asked(/(?:%2B|-)(?:1[5-9]|2\d)%3A/i, malformed),
    'nanoseconds refused': asked(/\.\d{7,9}/, malformed),
    ...forEach(BOUNDS, '%s exclusive', exclusive),
    'offsets ignored': asked(/[+-]0[1-9]%3A00/i, async (_, exchange) => {
      const search = exchange.url.search.replaceAll(/(?:%2B|-)0[1-9]%3A00/gi, '%2B00%3A00')
      await instead(exchange, HISTORY + search)
    }),
    'offsets refused': asked(/(?:%2B|-)0[1-9]%3A00/i, malformed),
    'fractions cut off': as('origin_from', /\.\d/, (value) => value.replace(/\.\d+/, '')),
    ...forEach(BOUNDS, 'fractions of %s rounded', (name) => as(name, /\.\d/, rounded)),
    'a reversed range refused': when((it) => {
      const [from, to] = BOUNDS.map((name) => Date.parse(`${it.url.searchParams.get(name)}`))
      return isPage(it) && Number(from) > Number(to)
    }, malformed),
    'no 29 February': asked(/2024-02-29/, malformed),
  },
  'filter-nothing': {
    '404 where nothing matches': asked(/no-such-name/, failing(404, 'forecast_not_found')),
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
    'a 29 February of 2026 accepted': as('origin_from', /^2026-02-29/),
    'a 29 February of 2100 accepted': as('origin_to', /^2100-02-29/),
    '24:00 accepted': as('origin_from', /T24:/, (value) => value.replace('T24', 'T23')),
    'an offset of 24 hours accepted': as('origin_to', /\+24:00$/, (value) =>
      value.replace('+24', '+23'),
    ),
    'bounds trimmed': as('origin_to', /^\s|\s$/, (value) => value.trim()),
    'other digits accepted': as('origin_from', /２/, '2026-01-01T00:00:00Z'),
    'a space for a + accepted': as('origin_from', / \d\d:\d\d$/, (value) =>
      value.replace(' ', '+'),
    ),
    ...forEach(['0', '-1', ''], 'horizon "%s" accepted', (given) => as('horizon_hours', given)),
    ...forEach(['02', '+2', '2.0', 'two'], 'horizon %s accepted', (given) =>
      as('horizon_hours', given, '2'),
    ),
  },
})
