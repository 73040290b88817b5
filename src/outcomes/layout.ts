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
  readonly symbol?: number
  /** A second spelling of the time that must say the same. */
  readonly date?: number
  /** The end of the bar, one hour less one unit after its start. */
  readonly closeTime?: number
  /** The day of which a row is a version; of an hour's versions the newest counts. */
  readonly asOf?: number
  /** Columns that have to say the same in every row. */
  readonly series?: readonly { readonly name: string; readonly at: number }[]
}

/** What is fixed for a format, whatever columns a file of it has. */
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

const SECONDS = /^\d{9,11}(?:\.0*)?$/

/** True for what only Unix seconds look like; milliseconds are longer. */
export function looksLikeSeconds(cell: string | undefined): boolean {
  return SECONDS.test(cell ?? '')
}

/**
 * The layout that a header row stands for, or undefined when it is of no known format; `below` is
 * the row under it, which tells two exchanges with one header apart.
 */
export function layoutOfHeader(
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
    return date === -1 ? { ...base, time: unix } : { ...base, time: unix, date }
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
  return {
    format: plain && looksLikeSeconds(below[time]) ? 'bitstamp' : 'ccxt',
    time,
    close,
    width,
  }
}

/** The column by which a time series of a hub is known. */
export const OBSERVATION = 'observation'

const DAY = /^\d{4}-\d\d-\d\d/

/** A hub's own configuration names its columns: here the cells below tell which of them has the time. */
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
    ...(day === undefined ? {} : { date: day.at }),
    ...(asOf === -1 ? {} : { asOf }),
  }
}

function normalName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
}
