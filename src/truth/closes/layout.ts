import type { ArgsOf } from '../../contract/findings/finding.js'
import type { OutcomeRow } from './bar-rows.js'

/** The formats `outcomes import` reads; `closes` is the normal form that a vintage itself holds. */
export type OutcomeFormat =
  | 'closes'
  | 'kraken'
  | 'coinbase'
  | 'bitstamp'
  | 'binance'
  | 'cryptodatadownload'
  | 'ccxt'

/** Whether the time of a bar in a file is that of its open or of its close. */
export type Stamp = 'open' | 'close'

/** The columns of the time and the close, and those of further checks. */
export interface OutcomeLayout {
  readonly format: OutcomeFormat
  /** Columns, counted from 0. */
  readonly time: number
  readonly close: number
  /** Number of cells in every row. */
  readonly width: number
  /** The pair's symbol, if rows have one. */
  readonly symbol?: number | undefined
  /** A second spelling of the time, which must agree. */
  readonly date?: number | undefined
  /** The end of the bar, one hour less one unit after its start. */
  readonly closeTime?: number | undefined
}

/** The properties of a format, whatever columns its files have. */
interface FormatRule {
  readonly stamp: Stamp
  /** Files of this format may also come newest bar first. */
  readonly newestFirst: boolean
  /** Times without an offset are UTC. */
  readonly naive: boolean
  /** The source if neither the user nor the file's name states it: undefined if it could be any. */
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
}

const TIME_NAMES = ['timestamp', 'timestamps', 'time', 'datetime', 'date', 'unix', 'open_time']
const UNIX_NAMES = ['unix', 'unix_timestamp', 'timestamp']

/** Matches only Unix seconds; milliseconds have more digits. */
const SECONDS = /^\d{9,11}(?:\.0*)?$/

/**
 * The layout of a header row; undefined for unknown formats. `below` is the next row, which distinguishes two exchanges
 * with the same header.
 */
function layoutOfHeader(
  header: readonly string[],
  below: readonly string[],
): OutcomeLayout | undefined {
  const names = header.map(normalName)
  const at = (name: string) => names.indexOf(name)
  const findFirst = (candidates: readonly string[]) =>
    candidates.map(at).find((index) => index !== -1) ?? -1
  const width = names.length
  if (names.join() === 'close_at,close_usd') return { format: 'closes', time: 0, close: 1, width }
  const close = at('close')
  if (close === -1 || ['open', 'high', 'low'].some((name) => at(name) === -1)) return undefined
  if (at('symbol') !== -1) {
    const unix = findFirst(UNIX_NAMES)
    const date = at('date')
    if (unix === -1 && date === -1) return undefined
    const base = { format: 'cryptodatadownload', close, width, symbol: at('symbol') } as const
    if (unix === -1) return { ...base, time: date }
    return { ...base, time: unix, date: date === -1 ? undefined : date }
  }
  if (at('open_time') !== -1 && at('close_time') !== -1) {
    return { format: 'binance', time: at('open_time'), close, width, closeTime: at('close_time') }
  }
  const time = at('start') === -1 ? findFirst(TIME_NAMES) : at('start')
  if (time === -1) return undefined
  if (at('trades') !== -1 || at('vwap') !== -1) return { format: 'kraken', time, close, width }
  // Coinbase puts the low before the high and the open; its newer API calls the time `start`.
  if (at('start') !== -1 || (at('low') < at('open') && at('low') < at('high'))) {
    return { format: 'coinbase', time, close, width }
  }
  const plain = at('timestamp') !== -1 && at('volume') !== -1 && width === 6
  const format = plain && SECONDS.test(below[time] ?? '') ? 'bitstamp' : 'ccxt'
  return { format, time, close, width }
}

const normalName = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')

/** How many rows are used to recognise a file; enough to distinguish column orders by their prices. */
export const SAMPLE_ROWS = 64

type Detected =
  | { readonly ok: true; readonly layout: OutcomeLayout; readonly rowsBefore: number }
  | ({ readonly ok: false; readonly line: number } & ArgsOf<'outcome-format'>)

const COMMENT = /^https?:\/\/|cryptodatadownload|disclaimer/i
const NUMBER = /^[+-]?\d/

/** Recognises the format of a file by its first rows. */
export function detect(sample: readonly OutcomeRow[]): Detected {
  const commented = isComment(sample[0])
  const rows = commented ? sample.slice(1) : sample
  const first = rows[0]
  const fail = (fault: ArgsOf<'outcome-format'>['fault']): Detected => {
    const text = first?.cells.join(',') ?? ''
    const found = text.length > 80 ? `${text.slice(0, 79)}…` : text
    return { ok: false, fault, line: first?.line ?? 1, found }
  }
  if (first === undefined) return fail('no-rows')
  if (first.cells.length === 1 && /[;\t|]/.test(first.cells[0] ?? '')) return fail('delimiter')
  const hasHeader = !NUMBER.test(first.cells[0] ?? '')
  if (!hasHeader && first.cells.length === 2) return fail('headless')
  const layout = hasHeader
    ? layoutOfHeader(first.cells, rows[1]?.cells ?? [])
    : layoutWithoutHeader(rows)
  if (layout === undefined) return fail('unknown')
  return { ok: true, layout, rowsBefore: Number(commented) + Number(hasHeader) }
}

function isComment(row: OutcomeRow | undefined): boolean {
  // A spreadsheet pads the line with empty columns to the width of the others.
  const alone = row?.cells.slice(2).every((cell) => cell === '') === true
  return alone && COMMENT.test(row?.cells[0] ?? '')
}

/** The layout of a file without a header: the prices show which of two column orders it has. */
function layoutWithoutHeader(rows: readonly OutcomeRow[]): OutcomeLayout | undefined {
  const width = rows[0]?.cells.length ?? 0
  if (width === 12) return { format: 'binance', time: 0, close: 4, width, closeTime: 6 }
  if (width === 7 || width === 8) return { format: 'kraken', time: 0, close: 4, width }
  if (width !== 6) return undefined
  const fullRows = rows.filter((row) => row.cells.length === width)
  /** Whether all four prices of every row lie between its low and high. */
  const isOrdered = (low: number) =>
    fullRows.every(({ cells }) => {
      const prices = cells.slice(1, 5).map(Number)
      return Math.min(...prices) === Number(cells[low]) && Math.max(...prices) === Number(cells[2])
    })
  const isSeconds = SECONDS.test(rows[0]?.cells[0] ?? '')
  // If every row has four equal prices, the order is ambiguous, so no exchange is named as the source.
  if (!isSeconds || isOrdered(3)) return { format: 'ccxt', time: 0, close: 4, width }
  return isOrdered(1) ? { format: 'coinbase', time: 0, close: 4, width } : undefined
}
