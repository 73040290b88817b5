import { type ArgsOf, type Code, finding } from '../contract/findings/finding.js'
import type { FindingList } from '../contract/findings/finding-list.js'
import { type Instant, MICROS_PER_DAY } from '../contract/instant.js'
import { isValue } from '../contract/limits.js'
import type { SeriesProtocol } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import { clockFindings, endInstant, NamedPeriods, type PeriodNaming } from '../periods/named.js'
import { type Zone, zoneNamed } from '../periods/zone.js'
import { isNothing, numberIn } from '../table/cells.js'
import { type Cell, type ReadRow, TableFault, type TableSource } from '../table/types.js'
import { ALWAYS, type Release, type Releases } from './releases.js'
import type { ReleaseTable } from './vintage.js'

/** The columns of a table of outcomes, with the names that the target data of hubs have for them. */
export const TRUTH_COLUMNS = {
  series: ['series', 'location'],
  period: ['period', 'target_end_date'],
  value: ['value', 'observation'],
  as_of: ['as_of'],
} as const
export type TruthColumn = keyof typeof TRUTH_COLUMNS

export interface TruthTableOptions {
  readonly protocol: SeriesProtocol
  readonly periods: PeriodList
  /** The names that columns have in the file, where they are others; `''`: the file has no such column. */
  readonly columns?: Readonly<Partial<Record<TruthColumn, string>>> | undefined
  /** How times name periods; without it those by the local clock are refused. */
  readonly naming?: PeriodNaming | undefined
  /** The present: what became public later is an error. */
  readonly now: Instant
  /** Numbers in texts have a comma where others have a point. */
  readonly decimalComma?: boolean | undefined
}

const NAMES = Object.keys(TRUTH_COLUMNS) as TruthColumn[]
/** More do not fit into the memory of a process. */
const MOST_ROWS = 4_000_000

interface Entry {
  readonly asOf: Instant
  readonly value: number | undefined
  readonly line: number
}

/** Gathers the rows of a table of outcomes. */
export class TruthReader {
  /** By id of the series, then by position of the period. */
  readonly #entries = new Map<string, Map<number, Entry[]>>()
  readonly #places: Readonly<Record<TruthColumn, number>>
  readonly #zone: Zone
  #rows = 0
  readonly #periods: NamedPeriods
  readonly #instants = new Map<string, Instant | undefined>()

  constructor(
    private readonly source: Pick<TableSource, 'columns' | 'file'>,
    private readonly options: TruthTableOptions,
    private readonly findings: FindingList,
  ) {
    const { protocol, periods, naming } = options
    this.#zone = zoneNamed(protocol.zone) as Zone
    this.#periods = new NamedPeriods(periods, protocol.zone, naming)
    for (const { id } of protocol.series) this.#entries.set(id, new Map())
    const places = NAMES.map((column) => [column, this.#placeOf(column)])
    this.#places = Object.fromEntries(places)
  }

  /** −1 where there is none; whether it has to be there depends on the protocol. */
  #placeOf(column: TruthColumn): number {
    const { protocol, columns = {} } = this.options
    const { columns: names } = this.source
    const given = columns[column]
    const wanted: readonly string[] = given === undefined ? TRUTH_COLUMNS[column] : [given]
    const name = wanted.find((each) => names.includes(each))
    if (name !== undefined) return names.indexOf(name)
    const canMiss =
      (column === 'series' && protocol.series.length === 1) ||
      (column === 'as_of' && protocol.outcome.release.rule === 'unrevised')
    if (!canMiss || (given ?? '') !== '') {
      this.#note('truth-column', { fault: 'missing', column, found: names.slice(0, 20) }, 1)
    }
    return -1
  }

  add({ cells, line, fault }: ReadRow): void {
    if (fault !== undefined) {
      this.findings.addBriefly(fault)
      return
    }
    const cellOf = (column: TruthColumn): Cell => {
      const cell = cells[this.#places[column]] ?? null
      return typeof cell === 'string' ? cell.trim() : cell
    }
    const text = (column: TruthColumn) => String(cellOf(column) ?? '')
    const alone = this.#places.series < 0 ? this.options.protocol.series[0]?.id : undefined
    const series = alone ?? text('series')
    const own = this.#entries.get(series)
    if (own === undefined) {
      this.#briefly('truth-unknown', { fault: 'series', found: series }, line)
      return
    }
    const asOf = this.#asOf(text('as_of'), line)
    const value = this.#value(cellOf('value'), line)
    const period = this.#period(text('period'), `${series},${asOf}`, line)
    if (period === undefined || asOf === undefined || value === 'faulty') return
    if (++this.#rows > MOST_ROWS) {
      const args = { fault: 'many', column: '', found: [String(MOST_ROWS)] } as const
      throw new TableFault(finding('truth-column', args, { file: this.source.file }))
    }
    const entry = { asOf, value, line }
    const entries = own.get(period)
    // An array that is made empty and filled takes ten times the room.
    if (entries === undefined) own.set(period, [entry])
    else entries.push(entry)
  }

  #asOf(text: string, line: number): Instant | undefined {
    const { protocol, now } = this.options
    if (text === '') {
      if (protocol.outcome.release.rule === 'unrevised') return ALWAYS
      this.#cell('no-as-of', 'as_of', text, line)
      return undefined
    }
    if (!this.#instants.has(text)) this.#instants.set(text, endInstant(text, this.#zone))
    const instant = this.#instants.get(text)
    if (instant === undefined) this.#cell('as-of', 'as_of', text, line)
    // The file of today has its end for an instant.
    else if (instant > now + MICROS_PER_DAY) this.#cell('future', 'as_of', text, line)
    else return instant
    return undefined
  }

  #value(cell: Cell, line: number): number | undefined | 'faulty' {
    if (isNothing(cell)) return undefined
    const read = numberIn(cell, this.options.decimalComma)
    // Not −0, which has another text.
    if (read.ok && isValue(read.value)) return read.value + 0
    const isMark = !read.ok && (read.fault === 'comma' || read.fault === 'thousands')
    this.#cell(isMark ? read.fault : 'value', 'value', String(cell), line)
    return 'faulty'
  }

  #period(text: string, row: string, line: number): number | undefined {
    const found = this.#periods.find(text, row)
    if (found.ok) return found.at
    const { fault } = found
    const isLocal = fault === 'zone-missing' || fault === 'repeated'
    if (isLocal) this.#briefly('truth-local', { fault, found: text }, line)
    else this.#briefly('truth-unknown', { fault: 'period', found: text }, line)
    return undefined
  }

  /** All that was read, in normal form; what is wrong with it as a whole is among the findings. */
  finish(): ReleaseTable {
    for (const each of clockFindings(this.#periods, this.source.file))
      this.findings.addBriefly(each)
    const table = new Map<string, Map<string, Releases>>()
    for (const [series, periods] of this.#entries) {
      const own = new Map<string, Releases>()
      for (const [at, entries] of periods) {
        const { label = '' } = this.options.periods[at] ?? {}
        const releases = this.#inOrder(entries, series, label)
        if (releases.length > 0) own.set(label, releases)
      }
      if (own.size > 0) table.set(series, own)
    }
    return table
  }

  /** The releases of one period: those that change what is in force. */
  #inOrder(entries: readonly Entry[], series: string, period: string): Releases {
    const isRevised = this.options.protocol.outcome.release.rule !== 'unrevised'
    const releases: Release[] = []
    let before: Entry | undefined
    for (const entry of [...entries].sort((a, b) => a.asOf - b.asOf)) {
      const { asOf, value, line } = entry
      const isOther = before !== undefined && value !== before.value
      const isFaulty = asOf === before?.asOf || (!isRevised && releases.length > 0)
      if (before !== undefined && isOther && isFaulty) {
        const [first, second] = [before.value, value].map((each) => String(each ?? 'no value'))
        const fault = isRevised ? 'same' : 'unrevised'
        const args = { fault, series, period, first, second, line: before.line } as const
        this.#note('truth-twice', args as ArgsOf<'truth-twice'>, line)
      }
      if (value !== before?.value) releases.push({ asOf, value })
      before = entry
    }
    // A copy is as long as it has to be.
    return releases.slice()
  }

  #cell(fault: ArgsOf<'truth-cell'>['fault'], column: TruthColumn, found: string, line: number) {
    this.#briefly('truth-cell', { fault, column, found }, line)
  }

  #briefly<C extends Code>(code: C, args: ArgsOf<C>, line: number): void {
    const { file } = this.source
    this.findings.addBriefly(finding(code, args, { file, position: { line, column: 1 } }))
  }

  #note<C extends Code>(code: C, args: ArgsOf<C>, line: number): void {
    const { file } = this.source
    this.findings.add(finding(code, args, { file, position: { line, column: 1 } }))
  }
}
