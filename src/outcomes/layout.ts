import type { ArgsOf } from '../contract/findings/finding.js'
import type { OutcomeRow } from './rows.js'
import type { OutcomeFormat, Stamp } from './types.js'

/** Where in a row the time and the close are, and what else can be checked. */
export interface OutcomeLayout {
  readonly format: OutcomeFormat
  /** Columns, counted from 0. */
  readonly time: number
  readonly close: number
  /** How many cells every row has. */
  readonly width: number
  /** The pair's symbol, where rows carry one. */
  readonly symbol?: number | undefined
  /** A second spelling of the time that must say the same. */
  readonly date?: number | undefined
  /** The end of the bar, one hour less one unit after its start. */
  readonly closeTime?: number | undefined
  /** The day of which a row is a version; of an hour's versions the newest counts. */
  readonly asOf?: number | undefined
  /** Columns that have to say the same in every row. */
  readonly series?: readonly { readonly name: string; readonly at: number }[]
}

/** What is fixed for a format, with any columns of its files. */
interface FormatRule {
  readonly stamp: Stamp
  /** Files of this format may also come newest bar first. */
  readonly newestFirst: boolean
  /** Times without an offset are UTC. */
  readonly naive: boolean
  /** The source when neither the user nor the file's name says: undefined where any could be. */
  readonly source?: string
}

const EXPORTED = { stamp: 'open', newestFirst: false, naive: true } as const

export const FORMAT_RULES: Readonly<Record<OutcomeFormat, FormatRule>> = {
  closes: { stamp: 'close', newestFirst: false, naive: false },
  kraken: { ...EXPORTED, source: 'kraken' },
  coinbase: { ...EXPORTED, newestFirst: true, source: 'coinbase' },
  bitstamp: { ...EXPORTED, newestFirst: true, source: 'bitstamp' },
  binance: { ...EXPORTED, source: 'binance' },
  cryptodatadownload: { ...EXPORTED, newestFirst: true },
  ccxt: EXPORTED,
  hubverse: { stamp: 'close', newestFirst: true, naive: false },
}

const TIME_NAMES = ['timestamp', 'timestamps', 'time', 'datetime', 'date', 'unix', 'open_time']
const UNIX_NAMES = ['unix', 'unix_timestamp', 'timestamp']

/** What only Unix seconds look like; milliseconds are longer. */
const SECONDS = /^\d{9,11}(?:\.0*)?$/

/**
 * The layout that a header row means, or undefined when it is of no known format; `below` is
 * the row under it, which distinguishes two exchanges with one header.
 */
function layoutOfHeader(
  header: readonly string[],
  below: readonly string[],
): OutcomeLayout | undefined {
  const names = header.map(normalName)
  const at = (name: string) => names.indexOf(name)
  const firstOf = (candidates: readonly string[]) =>
    candidates.map(at).find((index) => index !== -1) ?? -1
  const width = names.length
  if (names.join() === 'close_at,close_usd') return { format: 'closes', time: 0, close: 1, width }
  if (names.includes(OBSERVATION)) return hubLayout(names, below)
  const close = at('close')
  if (close === -1 || ['open', 'high', 'low'].some((name) => at(name) === -1)) return undefined
  if (at('symbol') !== -1) {
    const unix = firstOf(UNIX_NAMES)
    const date = at('date')
    if (unix === -1 && date === -1) return undefined
    const base = { format: 'cryptodatadownload', close, width, symbol: at('symbol') } as const
    if (unix === -1) return { ...base, time: date }
    return { ...base, time: unix, date: date === -1 ? undefined : date }
  }
  if (at('open_time') !== -1 && at('close_time') !== -1) {
    return { format: 'binance', time: at('open_time'), close, width, closeTime: at('close_time') }
  }
  const time = at('start') === -1 ? firstOf(TIME_NAMES) : at('start')
  if (time === -1) return undefined
  if (at('trades') !== -1 || at('vwap') !== -1) return { format: 'kraken', time, close, width }
  // Coinbase puts the low before the high and the open; its newer API names the time `start`.
  if (at('start') !== -1 || (at('low') < at('open') && at('low') < at('high'))) {
    return { format: 'coinbase', time, close, width }
  }
  const plain = at('timestamp') !== -1 && at('volume') !== -1 && width === 6
  const format = plain && SECONDS.test(below[time] ?? '') ? 'bitstamp' : 'ccxt'
  return { format, time, close, width }
}

/** The column by which a time series of a hub is known. */
const OBSERVATION = 'observation'

const DAY = /^\d{4}-\d\d-\d\d/

/** A hub's own configuration names its columns: here the cells below show which of them has the time. */
function hubLayout(names: readonly string[], below: readonly string[]): OutcomeLayout | undefined {
  const columns = names.map((name, at) => ({ name, at, cell: below[at] ?? '' }))
  const others = columns.filter(({ name }) => name !== OBSERVATION && name !== 'as_of')
  const [time, ...more] = others.filter(({ cell }) => DAY.test(cell) && cell.length > 10)
  if (time === undefined || more.length > 0) return undefined
  const day = others.find(({ cell }) => DAY.test(cell) && cell.length === 10)
  const asOf = names.indexOf('as_of')
  return {
    format: 'hubverse',
    time: time.at,
    close: names.indexOf(OBSERVATION),
    width: names.length,
    series: others.filter((column) => column !== time && column !== day),
    date: day?.at,
    asOf: asOf === -1 ? undefined : asOf,
  }
}

const normalName = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')

/** The first rows a file is recognised by; enough to distinguish column orders by their prices. */
export const SAMPLE_ROWS = 64

type Detected =
  | { readonly ok: true; readonly layout: OutcomeLayout; readonly rowsBefore: number }
  | ({ readonly ok: false; readonly line: number } & Omit<FormatArgs, 'asked'>)
type FormatArgs = ArgsOf<'outcome-format'>

const COMMENT = /^https?:\/\/|cryptodatadownload|disclaimer/i
const NUMBER = /^[+-]?\d/

/** Recognises the format of a file by its first rows; `asked` leaves one format to consider. */
export function detect(sample: readonly OutcomeRow[], asked?: OutcomeFormat): Detected {
  const commented = isComment(sample[0])
  const rows = commented ? sample.slice(1) : sample
  const first = rows[0]
  const fail = (fault: FormatArgs['fault'], candidates: OutcomeFormat[] = []): Detected => {
    const text = first?.cells.join(',') ?? ''
    const found = text.length > 80 ? `${text.slice(0, 79)}…` : text
    return { ok: false, fault, line: first?.line ?? 1, found, candidates }
  }
  if (first === undefined) return fail('no-rows')
  const wrapped = first.cells.length === 1 && /[;\t|]/.test(first.cells[0] ?? '')
  if (wrapped) return fail('delimiter')
  if (!NUMBER.test(first.cells[0] ?? '')) {
    const layout = layoutOfHeader(first.cells, rows[1]?.cells ?? [])
    if (layout === undefined) {
      return fail(first.cells.includes(OBSERVATION) ? 'hub-days' : 'unknown')
    }
    const [taken] = taking([layout], asked)
    if (taken === undefined) return fail('not-as-asked', [layout.format])
    return { ok: true, layout: taken, rowsBefore: commented ? 2 : 1 }
  }
  if (first.cells.length === 2) return fail('headless', ['closes'])
  const layouts = taking(withoutHeader(rows), asked)
  const [layout, ...others] = layouts
  if (layout === undefined) return fail(asked === undefined ? 'unknown' : 'not-as-asked')
  const formats = layouts.map(({ format }) => format)
  if (others.length > 0) return fail('ambiguous', formats)
  return { ok: true, layout, rowsBefore: commented ? 1 : 0 }
}

/** Headers that exchanges share, with the same columns: the user's word is taken. */
const ALIKE: readonly OutcomeFormat[] = ['bitstamp', 'ccxt', 'kraken']

/** Those of some layouts that may be of the format that is asked for. */
function taking(
  layouts: readonly OutcomeLayout[],
  asked: OutcomeFormat | undefined,
): OutcomeLayout[] {
  const isFit = ({ format }: OutcomeLayout) =>
    asked === undefined || format === asked || (ALIKE.includes(format) && ALIKE.includes(asked))
  return layouts.filter(isFit).map((layout) => (asked ? { ...layout, format: asked } : layout))
}

function isComment(row: OutcomeRow | undefined): boolean {
  // A spreadsheet gives the line as many columns as the others, all empty.
  const alone = row?.cells.slice(2).every((cell) => cell === '') === true
  return alone && COMMENT.test(row?.cells[0] ?? '')
}

/** Every layout that the rows of a file without a header could have. */
function withoutHeader(rows: readonly OutcomeRow[]): OutcomeLayout[] {
  const width = rows[0]?.cells.length ?? 0
  if (width === 12) return [{ format: 'binance', time: 0, close: 4, width, closeTime: 6 }]
  if (width === 7 || width === 8) return [{ format: 'kraken', time: 0, close: 4, width }]
  if (width !== 6) return []
  const ccxt: OutcomeLayout = { format: 'ccxt', time: 0, close: 4, width }
  const coinbase: OutcomeLayout = { format: 'coinbase', time: 0, close: 4, width }
  if (!SECONDS.test(rows[0]?.cells[0] ?? '')) return [ccxt]
  const whole = rows.filter((row) => row.cells.length === width)
  /** Whether no price among the four of a row lies outside its low and high. */
  const isOrdered = (low: number) =>
    whole.every(({ cells }) => {
      const prices = cells.slice(1, 5).map(Number)
      return Math.min(...prices) === Number(cells[low]) && Math.max(...prices) === Number(cells[2])
    })
  return [...(isOrdered(1) ? [coinbase] : []), ...(isOrdered(3) ? [ccxt] : [])]
}
