import { type ArgsOf, type Code, finding } from '../contract/findings/finding.js'
import type { FindingList } from '../contract/findings/finding-list.js'
import { type Instant, MICROS_PER_DAY } from '../contract/instant.js'
import { isValue } from '../contract/limits.js'
import type { SeriesProtocol } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import { endInstant, NamedPeriods } from '../periods/named.js'
import type { PeriodNaming } from '../periods/naming.js'
import { type Zone, zoneNamed } from '../periods/zone.js'
import { isNothing, parseNumberCell } from '../table/cells.js'
import type { SeeRow } from '../table/row-watch.js'
import type { Cell, SourceRow, TableSource } from '../table/table.js'
import type { GatheredReleases } from './gathered.js'
import { ALWAYS } from './releases.js'

/** The columns of a table of outcomes, with their names in the target data of hubs. */
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
  /** The names of columns in the file, if they differ; `''`: the file has no such column. */
  readonly columns?: Readonly<Partial<Record<TruthColumn, string>>> | undefined
  /** How times name periods; without it, only labels and dates name periods. */
  readonly naming?: PeriodNaming | undefined
  /** The present: values that became public later are an error. */
  readonly now: Instant
  /** Numbers in texts have a decimal comma. */
  readonly decimalComma?: boolean | undefined
}

const NAMES = Object.keys(TRUTH_COLUMNS) as TruthColumn[]

/** The positions of the columns in a file. */
export function columnIndices(
  names: readonly string[],
  given: TruthTableOptions['columns'] = {},
): ReadonlyMap<TruthColumn, number> {
  return new Map(
    NAMES.flatMap((column) => {
      const named = given[column]
      const wanted: readonly string[] = named === undefined ? TRUTH_COLUMNS[column] : [named]
      // The index of a data frame has no name, either.
      const name = wanted.find((each) => each !== '' && names.includes(each))
      return name === undefined ? [] : [[column, names.indexOf(name)] as const]
    }),
  )
}

/** Receives the rows. */
interface RowTarget {
  readonly gathered: Pick<GatheredReleases, 'add'>
  /** Reports the columns that are not read. */
  readonly see: SeeRow
  /** The columns in the order of the file. */
  readonly columns: readonly string[]
}

/** Reads the rows of a table of outcomes. */
export class TruthReader {
  readonly #series: ReadonlySet<string>
  readonly #indices: ReadonlyMap<TruthColumn, number>
  /** Whether all columns required by the protocol exist. */
  readonly hasColumns: boolean
  readonly #zone: Zone
  readonly #periods: NamedPeriods
  readonly #instants = new Map<string, Instant | undefined>()

  constructor(
    private readonly source: Pick<TableSource, 'columns' | 'file'>,
    private readonly options: TruthTableOptions,
    private readonly findings: FindingList,
    private readonly target: RowTarget,
  ) {
    const { protocol, periods, naming } = options
    this.#zone = zoneNamed(protocol.zone) as Zone
    this.#periods = new NamedPeriods(periods, protocol.zone, naming ?? {}, 'period')
    this.#series = new Set(protocol.series.map(({ id }) => id))
    this.#indices = columnIndices(source.columns, options.columns)
    const missing = NAMES.filter((column) => !this.#indices.has(column) && this.#isNeeded(column))
    this.hasColumns = missing.length === 0
    const series = source.columns.filter((name) => this.#series.has(name))
    const isWide = missing.includes('value') && series.length > 0
    for (const column of isWide ? (['value'] as const) : missing) {
      const found = (isWide ? series : target.columns).slice(0, 20)
      this.#note('truth-column', { fault: isWide ? 'wide' : 'missing', column, found }, 1)
    }
  }

  /** Whether a column must exist; one that the user named must. */
  #isNeeded(column: TruthColumn): boolean {
    const { protocol, columns = {} } = this.options
    const canMiss =
      (column === 'series' && protocol.series.length === 1) ||
      (column === 'as_of' && protocol.outcome.release.rule === 'unrevised')
    return !canMiss || (columns[column] ?? '') !== ''
  }

  add(row: SourceRow): void {
    const { cells, line, fault } = row
    if (fault !== undefined) {
      this.findings.addBriefly(fault)
      return
    }
    const getCell = (column: TruthColumn): Cell => {
      const cell = cells[this.#indices.get(column) ?? -1] ?? null
      return typeof cell === 'string' ? cell.trim() : cell
    }
    const text = (column: TruthColumn) => String(getCell(column) ?? '')
    const alone = !this.#indices.has('series') ? this.options.protocol.series[0]?.id : undefined
    const series = alone ?? text('series')
    if (!this.#series.has(series)) {
      this.#briefly('truth-unknown', { found: series }, line)
      return
    }
    const asOf = this.#asOf(text('as_of'), line)
    const value = this.#value(getCell('value'), line)
    const period = this.#period(text('period'), `${series},${asOf}`, line)
    if (period === undefined || asOf === undefined || value === 'faulty') return
    const { label = '' } = this.options.periods[period] ?? {}
    const release = asOf === ALWAYS ? undefined : { at: asOf, message: text('as_of') }
    const asked = this.target.see(row, `${series}, ${label}`, release)
    if (asked !== undefined) this.findings.addBriefly(asked)
    else this.target.gathered.add(series, period, { asOf, value, line })
  }

  #asOf(text: string, line: number): Instant | undefined {
    const { protocol, now, naming } = this.options
    if (text === '') {
      if (protocol.outcome.release.rule === 'unrevised') return ALWAYS
      this.#cell('no-as-of', 'as_of', text, line)
      return undefined
    }
    if (!this.#instants.has(text)) {
      this.#instants.set(text, endInstant(text, this.#zone, naming?.utc))
    }
    const instant = this.#instants.get(text)
    if (instant === undefined) this.#cell('as-of', 'as_of', text, line)
    // Tolerates a day, because a file of today may be dated at the end of the day.
    else if (instant > now + MICROS_PER_DAY) this.#cell('future', 'as_of', text, line)
    else return instant
    return undefined
  }

  #value(cell: Cell, line: number): number | undefined | 'faulty' {
    if (isNothing(cell)) return undefined
    const read = parseNumberCell(cell, this.options.decimalComma)
    // Avoids −0, which has another text.
    if (read.ok && isValue(read.value)) return read.value + 0
    const isNumber = !read.ok && read.fault !== 'not-a-number' && read.fault !== 'infinite'
    this.#cell(isNumber ? read.fault : 'value', 'value', String(cell), line)
    return 'faulty'
  }

  #period(text: string, row: string, line: number): number | undefined {
    const period = this.#periods.find(text, row, line)
    if (period.ok) return period.at
    if (period.finding !== undefined) {
      const { file } = this.source
      this.findings.addBriefly({ ...period.finding, file, position: { line, column: 1 } })
    }
    return undefined
  }

  /** How the first row that names a period was interpreted. */
  get first(): string | undefined {
    return this.#periods.first
  }

  /** Reports findings about the whole table, after its last row. */
  finish(): void {
    for (const each of this.#periods.findings(this.source.file)) {
      this.findings.addBriefly(each)
    }
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
