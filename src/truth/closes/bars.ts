import { type ArgsOf, type Code, finding } from '../../contract/findings/finding.js'
import { FindingList } from '../../contract/findings/finding-list.js'
import { formatUtc, type Instant, isOnTheHour, MICROS_PER_HOUR } from '../../contract/instant.js'
import type { OutcomeRow } from './bar-rows.js'
import { mayMean, parseTime, type TimeUnit } from './bar-time.js'
import { parsePrice } from './close-series.js'
import type { Stamp } from './layout.js'
import { FORMAT_RULES, type OutcomeLayout } from './layout.js'

const UNIT_MICROS = { s: 1_000_000, ms: 1_000, us: 1, ns: 1, text: 1_000_000 } as const

interface BarOptions {
  readonly layout: OutcomeLayout
  readonly stamp: Stamp
  readonly file: string
  /** Bars that close after this instant have not closed yet. */
  readonly now?: Instant | undefined
}

/** Takes rows one by one; keeps the closes of valid rows and a finding for each invalid one. */
export class Bars {
  readonly closes = new Map<Instant, number>()
  readonly findings = new FindingList()
  readonly units = new Set<TimeUnit>()
  duplicates = 0
  errors = 0
  rows = 0
  lastRowCut = false
  private readonly lines = new Map<Instant, number>()
  private readonly rule
  private previous: Instant | undefined
  private direction = 0
  private leastStep = Number.POSITIVE_INFINITY
  private firstDuplicate = 0
  private rewritten: { count: number; readonly line: number; readonly found: string } | undefined

  constructor(private readonly options: BarOptions) {
    this.rule = FORMAT_RULES[options.layout.format]
  }

  add(row: OutcomeRow): void {
    const { cells } = row
    const { layout } = this.options
    this.rows++
    this.lastRowCut = cells.length < layout.width
    if (cells.length !== layout.width) {
      this.fault('outcome-columns', row, { expected: layout.width, found: cells.length })
      return
    }
    const closeAt = this.closeInstant(row)
    const text = cells[layout.close] ?? ''
    const parsed = parsePrice(text)
    if (!parsed.ok)
      this.fault('outcome-price', row, { found: quotedCell(text), fault: parsed.fault })
    this.checkSymbol(row)
    if (closeAt !== undefined && parsed.ok) this.keep(row, closeAt, parsed.price)
  }

  /** Checks that need the whole file. */
  finish(): void {
    if (this.rewritten !== undefined) {
      const { line, count, found } = this.rewritten
      this.note('outcome-date-rewritten', line, { count, found })
    }
    if (this.duplicates > 0) {
      this.note('outcome-duplicate', this.firstDuplicate, { count: this.duplicates })
    }
    if (this.closes.size > 1 && this.leastStep > MICROS_PER_HOUR && this.errors === 0) {
      this.fault('outcome-interval', undefined, { hours: this.leastStep / MICROS_PER_HOUR })
    }
  }

  private closeInstant(row: OutcomeRow): Instant | undefined {
    const { cells } = row
    const { layout, stamp, now } = this.options
    const text = cells[layout.time] ?? ''
    const time = parseTime(text, this.rule.naive)
    if (!time.ok) return this.wrongTime(row, time.fault, text)
    this.units.add(time.unit)
    if (!isOnTheHour(time.instant)) return this.wrongTime(row, 'off-hour', text, time.instant)
    if (!this.checkDate(row, time.instant)) return undefined
    if (!this.checkBarEnd(row, time.instant, time.unit)) return undefined
    const closeAt = stamp === 'open' ? time.instant + MICROS_PER_HOUR : time.instant
    if (now === undefined || closeAt <= now) return closeAt
    const args = { fault: 'not-closed', found: formatUtc(now), at: formatUtc(closeAt) } as const
    return this.fault('outcome-time', row, args)
  }

  private checkDate(row: OutcomeRow, instant: Instant): boolean {
    const { date } = this.options.layout
    if (date === undefined) return true
    const cell = row.cells[date] ?? ''
    const second = parseTime(cell)
    if (second.ok && second.instant === instant) return true
    if (!mayMean(cell, instant)) {
      this.wrongTime(row, 'date', cell, instant)
      return false
    }
    this.rewritten ??= { count: 0, line: row.line, found: quotedCell(cell) }
    this.rewritten.count++
    return true
  }

  private checkBarEnd(row: OutcomeRow, open: Instant, unit: TimeUnit): boolean {
    const { closeTime } = this.options.layout
    if (closeTime === undefined) return true
    const end = parseTime(row.cells[closeTime] ?? '')
    if (end.ok && end.instant + UNIT_MICROS[unit] === open + MICROS_PER_HOUR) return true
    this.wrongTime(row, 'bar-end', row.cells[closeTime] ?? '', open)
    return false
  }

  private checkSymbol(row: OutcomeRow): void {
    const { symbol } = this.options.layout
    if (symbol === undefined) return
    const cell = row.cells[symbol] ?? ''
    if (isBitcoinDollar(cell)) return
    this.fault('outcome-symbol', row, { fault: 'cell', found: quotedCell(cell) })
  }

  private keep(row: OutcomeRow, at: Instant, price: number): void {
    const { line } = row
    const before = this.closes.get(at)
    if (before === undefined) {
      if (!this.inOrder(at)) {
        const fault = this.direction < 0 ? 'newest-first' : 'oldest-first'
        this.fault('outcome-unsorted', row, { fault, at: formatUtc(at) })
      }
      this.closes.set(at, price)
      this.lines.set(at, line)
    } else if (before === price) {
      if (this.duplicates++ === 0) this.firstDuplicate = line
    } else {
      const first = { first: before, firstLine: this.lines.get(at) ?? 0 }
      this.fault('outcome-conflict', row, { at: formatUtc(at), ...first, second: price })
    }
  }

  /** Ascending, or descending throughout if the format may come newest first. */
  private inOrder(at: Instant): boolean {
    const { previous } = this
    this.previous = at
    if (previous === undefined) return true
    const step = Math.sign(at - previous)
    this.leastStep = Math.min(this.leastStep, Math.abs(at - previous))
    if (this.direction === 0) this.direction = this.rule.newestFirst ? step : 1
    return step === this.direction
  }

  private wrongTime(
    row: OutcomeRow,
    fault: ArgsOf<'outcome-time'>['fault'],
    cell: string,
    at?: Instant,
  ): undefined {
    const args = { fault, found: quotedCell(cell), at: at === undefined ? '' : formatUtc(at) }
    return this.fault('outcome-time', row, args)
  }

  private fault<C extends Code>(code: C, row: OutcomeRow | undefined, args: ArgsOf<C>): undefined {
    this.errors++
    // Faults of the same kind are told apart by the time of the bar, even if lines move.
    const identity = row === undefined ? {} : { row: row.cells[this.options.layout.time] ?? '' }
    this.note(code, row?.line, Object.assign(identity, args))
    return undefined
  }

  private note<C extends Code>(code: C, line: number | undefined, args: ArgsOf<C>): void {
    const { file } = this.options
    const position = line === undefined ? undefined : { line, column: 1 }
    this.findings.add(finding(code, args, { file, position }))
  }
}

/** A cell as findings show it. */
export const quotedCell = (cell: string) => (cell === '' ? 'an empty cell' : `"${cell}"`)

/** A pair other than BTC/USD, in the words of a file or an answer. */
export const otherPair = (pair: string) => ({ fault: 'cell', found: quotedCell(pair) }) as const

const BASES = 'XXBT|BTC|XBT|ETH|XETH|BCH|LTC|XRP|SOL|ADA|DOGE|DOT|AVAX|LINK|BNB|TRX|XLM|MATIC'
const QUOTES = 'USDT|USDC|BUSD|FDUSD|TUSD|ZUSD|USD|EUR|GBP|JPY|KRW|AUD|CAD|CHF|TRY|BTC|ETH'
const PAIR = new RegExp(`(?<![A-Z])(?:${BASES})[-_/ ]?(?:${QUOTES})(?![A-Z])`, 'g')

const SOURCES = ['coinbase', 'kraken', 'bitstamp', 'binance', 'bitfinex', 'gemini', 'okx', 'bybit']

const pairsIn = (text: string): readonly string[] => text.toUpperCase().match(PAIR) ?? []

/** The pair stated in a file's name, if it is not BTC/USD. Most exports of exchanges state the pair nowhere else. */
export function otherPairIn(name: string): string | undefined {
  const pairs = pairsIn(name)
  return pairs.some(isBitcoinDollar) ? undefined : pairs[0]
}

/** A pair that is not BTC/USD, outside the bars in an API's answer: it may hold bars of several pairs. */
export const otherPairAround = (around: string): string | undefined =>
  pairsIn(around).find((pair) => !isBitcoinDollar(pair))

/** The exchange a file's name states, in lower case. */
export function sourceIn(name: string): string | undefined {
  return SOURCES.find((source) => name.toLowerCase().includes(source))
}

/** True for the exchanges' spellings of BTC/USD: BTC-USD, XBTUSD, XXBTZUSD. */
const isBitcoinDollar = (symbol: string): boolean =>
  /^(?:BTCUSD|XBTUSD|XXBTZUSD)$/.test(symbol.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''))
