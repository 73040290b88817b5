import type { RuleName } from '../../contract/conformance-rules.js'
import {
  formatStored,
  type Instant,
  instantOrNaN,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
  parseInstant,
} from '../../contract/instant.js'
import { LIMITS } from '../../contract/limits.js'
import type { ForecastResource } from '../../contract/types.js'
import { historyPath, isInvalid, NO_SUCH_NAME, type Query } from './client.js'
import type { HistoryPages, Known } from './pages.js'

const LIMIT = LIMITS.pageMaximum

/** The values of a forecast that filters compare. */
interface Seen {
  readonly origin: Instant
  readonly horizon: number
  readonly model: string
  readonly run: string | null
}

function seen({ origin_at, horizon_hours, model, run }: ForecastResource): Seen {
  return { origin: instantOrNaN(origin_at), horizon: horizon_hours, model: model.name, run: run.id }
}

/** The instant of a bound; a year that no history has lies before or after all forecasts. */
function boundAt(value: string | number): number {
  const text = String(value)
  return parseInstant(text) ?? (text < '2000' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)
}

interface Filter {
  readonly rule: RuleName
  /** A value that matches the forecast; undefined if it has none. */
  readonly valueIn: (row: Seen) => string | number | undefined
  /** A value that does not match it. */
  readonly other: (row: Seen) => string | number
  /** Which forecasts match a value: a bound is parsed once and compared with every forecast. */
  readonly fitting: (value: string | number) => (row: Seen) => boolean
}

const FILTERS = {
  origin_from: {
    rule: 'filter-origin',
    valueIn: ({ origin }) => formatStored(origin),
    other: ({ origin }) => formatStored(origin + MICROS_PER_HOUR),
    fitting: (value) => {
      const bound = boundAt(value)
      return ({ origin }) => origin >= bound
    },
  },
  origin_to: {
    rule: 'filter-origin',
    valueIn: ({ origin }) => formatStored(origin),
    other: ({ origin }) => formatStored(origin - MICROS_PER_HOUR),
    fitting: (value) => {
      const bound = boundAt(value)
      return ({ origin }) => origin <= bound
    },
  },
  horizon_hours: {
    rule: 'filter-horizon',
    valueIn: ({ horizon }) => horizon,
    other: ({ horizon }) => horizon + 1,
    fitting: (value) => (row) => row.horizon === value,
  },
  model: {
    rule: 'filter-model',
    valueIn: ({ model }) => model,
    other: () => NO_SUCH_NAME,
    fitting: (value) => (row) => row.model === value,
  },
  run_id: {
    rule: 'filter-run',
    valueIn: ({ run }) => run ?? undefined,
    other: () => NO_SUCH_NAME,
    fitting: (value) => (row) => row.run === value,
  },
} as const satisfies Readonly<Record<string, Filter>>

type FilterName = keyof typeof FILTERS
const NAMES = Object.keys(FILTERS) as FilterName[]

/** Values of some filters. */
type Filters = Readonly<Partial<Record<FilterName, string | number>>>

const filterNames = (filters: Filters) => NAMES.filter((name) => filters[name] !== undefined)
const filterRules = (filters: Filters) => filterNames(filters).map((name) => FILTERS[name].rule)
const fitting = (name: FilterName, filters: Filters): ((row: Seen) => boolean) =>
  FILTERS[name].fitting(filters[name] ?? '')

function fittingAll(filters: Filters): (row: Seen) => boolean {
  const each = filterNames(filters).map((name) => fitting(name, filters))
  return (row) => each.every((fits) => fits(row))
}

/** The values of some filters for one forecast; undefined if it lacks one. */
function valueOfFilter(row: Seen, names: readonly FilterName[]): Filters | undefined {
  const values = names.map((name) => [name, FILTERS[name].valueIn(row)] as const)
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values)
}

/**
 * A forecast in the middle, with others on both sides. Prefers one nearby that has a run, and differs from the newest
 * in model and horizon, because it shows whether a filter is ignored.
 */
export function chooseSample({ rows }: Known): ForecastResource | undefined {
  const [newest] = rows
  const later = rows.slice(rows.length >> 1)
  const inRun = later.filter(({ run }) => run.id !== null)
  const isOther = ({ model, horizon_hours }: ForecastResource) =>
    model.name !== newest?.model.name && horizon_hours !== newest?.horizon_hours
  return inRun.find(isOther) ?? inRun[0] ?? later[0]
}

/** Filters by values of known forecasts, and checks that all matching forecasts come, and no others. */
export async function checkFilters(
  pages: HistoryPages,
  walked: Known,
  sample: ForecastResource,
): Promise<void> {
  const look = new FilterLook(pages, walked)
  const row = seen(sample)
  if (row.run === null) pages.judge.skip(['filter-run'], 'no forecast near the middle has a run id')
  const alone = NAMES.map((name) => valueOfFilter(row, [name]))
  const pairs = NAMES.flatMap((a, at) => NAMES.slice(at + 1).map((b) => findPair(walked, a, b)))
  for (const filters of [...alone, ...pairs, combineFilters(walked, row)]) {
    if (filters !== undefined) await look.both(filters)
  }
  // All filters match except one, so only that one excludes the sample.
  const all = valueOfFilter(row, NAMES) ?? valueOfFilter(row, NAMES.slice(0, -1))
  for (const name of all === undefined ? [] : filterNames(all)) {
    await look.count({ ...all, [name]: FILTERS[name].other(row) })
  }
  for (const filters of [...spellings(row), ...namedLike(row), ...distantWindow(row)]) {
    await look.count(filters)
  }
  for (const filters of meaningless(row)) await look.refusedOr(filters)
  await checkEmptyResults(pages)
}

/** Checks the results of filters. */
class FilterLook {
  constructor(
    private readonly pages: HistoryPages,
    private readonly walked: Known,
  ) {}

  /** In one page, and again in two: filters must also hold after a cursor. */
  async both(filters: Filters): Promise<void> {
    const count = await this.count(filters)
    if (count < 2) return
    await this.#checkPages(filters, { limit: Math.ceil(count / 2) }, 2)
  }

  /** The same for a value that the service may also reject. */
  async refusedOr(filters: Filters): Promise<void> {
    const [rule = 'filter-nothing'] = filterRules(filters)
    const answer = await this.pages.service.call({
      path: historyPath({ ...filters, limit: LIMIT }),
    })
    if (isInvalid(answer)) this.pages.judge.countChecks(rule)
    else await this.count(filters)
  }

  /** @returns the number of forecasts received. */
  async count(filters: Filters): Promise<number> {
    return await this.#checkPages(filters, { limit: LIMIT }, 1)
  }

  async #checkPages(filters: Filters, page: Query, max: number): Promise<number> {
    const [rule = 'filter-nothing'] = filterRules(filters)
    const traversal = await this.pages.follow({ ...filters, ...page }, max, { rule })
    const { rows, last } = traversal
    if (last === undefined) return 0
    for (const name of filterNames(filters)) {
      const fits = fitting(name, filters)
      const odd = rows.find((row) => !fits(seen(row)))
      const detail = `${odd?.forecast_id} does not fit ${name}`
      last.expect(FILTERS[name].rule, odd === undefined, '/data', detail)
    }
    const fits = fittingAll(filters)
    this.walked.judgeTraversal(rule, traversal, (row) => fits(seen(row)))
    return rows.length
  }
}

/**
 * The number of forecasts that are tried for a pair of filters. The golden ratio spreads them, so that no regular
 * pattern is missed.
 */
const TRIED = 16

function spread(walked: Known): Seen[] {
  const { length } = walked.rows
  const shares = Array.from({ length: Math.min(TRIED, length) }, (_, n) => (n * 0.618034) % 1)
  return shares.map((part) => seen(walked.rows[Math.floor(part * length)]!))
}

/**
 * Values for two filters that show whether one of them is ignored: some forecasts match the first and not the second.
 * Pairs that some forecasts match are preferred.
 */
function findPair(walked: Known, a: FilterName, b: FilterName): Filters | undefined {
  const rows = walked.rows.map(seen)
  const tried = spread(walked)
  let best: Filters | undefined
  let largest = -1
  for (const one of tried) {
    for (const another of tried) {
      const [ofOne, others] = [valueOfFilter(one, [a]), valueOfFilter(another, [b])]
      if (ofOne === undefined || others === undefined) continue
      const filters = { ...ofOne, ...others }
      const [fitsA, fitsB] = [fitting(a, filters), fitting(b, filters)]
      const some = (first: boolean, second: boolean) =>
        rows.some((row) => fitsA(row) === first && fitsB(row) === second)
      const shown = [some(true, false), some(false, true), some(true, true)]
      const count = shown.filter(Boolean).length
      if (count === shown.length) return filters
      if (count > largest) [best, largest] = [filters, count]
    }
  }
  return best
}

/** All filters at once, with a window of all that match the others. */
function combineFilters(walked: Known, row: Seen): Filters | undefined {
  const named = valueOfFilter(row, ['horizon_hours', 'model', 'run_id'])
  if (named === undefined) return undefined
  const origins = walked.rows.map(seen).filter(fittingAll(named))
  const [newest, oldest] = [origins[0], origins.at(-1)]
  return {
    ...named,
    origin_from: formatStored(oldest?.origin ?? row.origin),
    origin_to: formatStored(newest?.origin ?? row.origin),
  }
}

/** Offsets from UTC, in minutes: common ones, and the extremes. */
const OFFSETS = [120, -300, 330, -225, 765, 1439, -1439]

/** Bounds at an origin and near it, in several notations. */
function spellings({ origin }: Seen): Filters[] {
  const at = (seconds: number) => formatStored(origin + seconds * MICROS_PER_SECOND)
  // Digits beyond the sixth do not change what lies inside.
  const fine = (seconds: number) => at(seconds).replace('+', '123+')
  return [
    ...OFFSETS.map((minutes) => inOffset(origin, minutes)).map((both) => ({
      origin_from: both,
      origin_to: both,
    })),
    // The origin is outside by a fraction of a second.
    { origin_from: at(0.25), origin_to: at(0.75) },
    { origin_from: fine(-0.75), origin_to: fine(-0.25) },
    { origin_from: at(0), origin_to: at(-3600) },
    { origin_from: '2024-02-29T00:00:00Z' },
  ]
}

/** Writes an instant with an offset from UTC, in minutes. */
function inOffset(at: Instant, minutes: number): string {
  const of = (count: number) => String(Math.trunc(Math.abs(count))).padStart(2, '0')
  const offset = `${minutes < 0 ? '-' : '+'}${of(minutes / 60)}:${of(minutes % 60)}`
  return formatStored(at + minutes * MICROS_PER_MINUTE).slice(0, -6) + offset
}

/** Names that are almost those of the sample, and patterns that match it: filters must be exact. */
function namedLike({ model, run }: Seen): Filters[] {
  return [
    ...like(model).map((name) => ({ model: name })),
    ...(run === null ? [] : like(run)).map((name) => ({ run_id: name })),
  ]
}

function like(name: string): string[] {
  const swapped = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase()
  const start = [...name].slice(0, -1).join('')
  const others = [start, swapped, `${start}_`, '%', ` ${name}`, `${name} `, `${name}'`, `"${name}`]
  return [...new Set(others)].filter((other) => other !== '' && other !== name)
}

/** Values at the limits of what can be requested. */
function distantWindow({ horizon }: Seen): Filters[] {
  return [
    // 32-bit numbers overflow here.
    ...[2 ** 31, 2 ** 32 + horizon].map((horizon_hours) => ({ horizon_hours })),
    ...['0001-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00'].flatMap((bound) => [
      { origin_from: bound },
      { origin_to: bound },
    ]),
  ]
}

/** Values that no forecast has in any history. */
function meaningless({ horizon, model, run }: Seen): Filters[] {
  return [
    ...['', `${model}\0`].map((name) => ({ model: name })),
    ...['', `${run ?? ''}\0`].map((name) => ({ run_id: name })),
    { horizon_hours: `${2n ** 64n + BigInt(horizon)}` },
  ]
}

/** Filters without a match are not an error. */
export async function checkEmptyResults(pages: HistoryPages): Promise<void> {
  const queries = [
    { model: NO_SUCH_NAME },
    { run_id: NO_SUCH_NAME },
    { origin_from: '2200-01-01T00:00:00Z' },
  ]
  for (const query of queries) {
    const page = await pages.page('filter-nothing', query)
    if (page === undefined) continue
    const empty = page.rows.length === 0 && page.next === null
    const detail = `holds ${page.rows.length} forecasts`
    page.expect('filter-nothing', empty, '/data', detail)
  }
}

/** Cursors must work only unchanged, and only with their own filters. */
export async function checkCursors(pages: HistoryPages, sample: ForecastResource): Promise<void> {
  const cursor = await pages.firstCursor({})
  if (cursor === undefined) {
    pages.judge.skip(['cursor-filters'], 'the history is too short to have a cursor')
    return
  }
  const refuses = (rule: RuleName, query: Query) =>
    pages.service.checkRefused(rule, 400, 'invalid_request', {
      path: historyPath({ ...query, limit: 1 }),
    })
  for (const made of edited(cursor)) await refuses('cursor-invalid', { cursor: made })
  const row = seen(sample)
  for (const name of NAMES) {
    const [value, other] = [FILTERS[name].valueIn(row), FILTERS[name].other(row)]
    if (value === undefined) continue
    // A filter may not be added to a cursor, removed from it, or changed.
    await refuses('cursor-filters', { [name]: value, cursor })
    const bound = await pages.firstCursor({ [name]: value })
    if (bound === undefined) continue
    await refuses('cursor-filters', { cursor: bound })
    await refuses('cursor-filters', { [name]: other, cursor: bound })
  }
}

function edited(cursor: string): string[] {
  const middle = cursor.length >> 1
  const swapped = cursor[middle] === 'A' ? 'B' : 'A'
  const inside = cursor.slice(0, middle) + swapped + cursor.slice(middle + 1)
  return [inside, `${cursor}A`, `${cursor}=`, `${cursor}!`, cursor.slice(0, -1)]
}
