import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import type { SeriesForecast, SeriesProtocol } from '../../contract/types.js'
import { canonicalize } from '../../document/canonical.js'
import { levelReader, type ReadLevel } from '../../forecast/levels.js'
import { NOT_RECORDED, toProvenance } from '../../forecast/resource.js'
import { isSeriesAttempt, nameOfSeriesRow, type SeriesRow } from '../../forecast/series-row.js'
import type { PeriodList } from '../../periods/list.js'
import { NamedPeriods } from '../../periods/named.js'
import type { PeriodColumn, TableNaming } from '../../periods/naming.js'
import { isNothing } from '../../table/cells.js'
import type { RowChoice, RowChoiceOptions } from '../../table/choice.js'
import type { SeeRow } from '../../table/row-watch.js'
import type { Cell, SourceRow, TableSource } from '../../table/table.js'
import type { HubReading, HubRows } from './hub-rows.js'
import { type NaturalRow, readRowsOfTable } from './natural-rows.js'
import {
  cellFault,
  DroppedColumns,
  locateAtLine,
  RowReader,
  readProvenanceCells,
} from './row-reader.js'
import { parseSeriesHeader, type SeriesColumn, type SeriesTableHeader } from './series-header.js'
import { checkRowScorable } from './unscorable.js'

/** A protocol of version 2 with its list. */
export interface SeriesContext {
  readonly protocol: SeriesProtocol
  readonly periods: PeriodList
}

/** How to read tables of forecasts of any series. */
export interface SeriesTableOptions extends TableNaming, HubReading, RowChoiceOptions {
  readonly separator?: string | undefined
  readonly decimalComma?: boolean | undefined
}

/** The context of a table's rows. */
export interface RowsContext {
  /** Which rows to import, over all tables. */
  readonly choice: RowChoice
  /** For a hub, which has its own rules for medians and dates of origins. */
  readonly hub?: HubRows | undefined
  /** Called with how the first row was read that names its periods. */
  readonly onFirst?: ((message: string) => void) | undefined
}

/** A parsed row; in a table with one row per quantile, a part of a forecast. */
type Part = SeriesRow | Omit<SeriesForecast, 'value'>

/**
 * Reads the forecasts and recorded attempts in a table, in batches. If each quantile has its own row, the whole table
 * is read first, because such rows may be in any order.
 */
export async function* seriesTableRows(
  table: TableSource,
  task: SeriesContext,
  options: SeriesTableOptions,
  context: RowsContext,
): AsyncGenerator<readonly NaturalRow[]> {
  const { rows: first, source } = await peekRows(table)
  const { file, columns } = source
  const { forecast, series } = task.protocol
  const readLevel = levelReader(forecast.levels)
  const header = parseSeriesHeader(columns, file, {
    ...{ mapped: options.columns, decimalComma: options.decimalComma },
    ...{ oneSeries: series.length === 1, readLevel, rows: first },
  })
  const { choice, hub } = context
  const see = choice.watch(source, header.unread)
  const parts = new SeriesTable(source, header, task, options, { ...context, readLevel, see })
  const chosen = choice.chooser(source, header.unread, hub !== undefined)
  const rest = () => parts.rest()
  const hasRows = () => hub?.hasRows === true
  if (!header.at.has('level')) {
    const read = (row: SourceRow) => chosen(row).map((each) => parts.toRow(parts.read(each)))
    yield* readRowsOfTable(source, header.findings, { read, hasRows, rest })
    return
  }
  const gathered = new Gathered()
  yield* readRowsOfTable(source, header.findings, {
    read: (row) => chosen(row).flatMap((each) => gathered.add(parts.read(each), parts)),
    waiting: () => gathered.rows.map((each) => parts.toRow(each)),
    hasRows,
    rest,
  })
}

/** The first rows of a table, and the table with all of them. */
async function peekRows(source: TableSource) {
  const batches = source.batches[Symbol.asyncIterator]()
  try {
    const first = await batches.next()
    async function* all() {
      for (let next = first; !next.done; next = await batches.next()) yield next.value
    }
    return { rows: first.done ? [] : first.value, source: { ...source, batches: all() } }
  } catch (cause) {
    await source.close()
    throw cause
  }
}

/** A parsed row of a table. */
type ReadPart = { readonly line: number } & (
  | { readonly part: Part; readonly findings?: never }
  | { readonly findings: readonly Finding[]; readonly part?: never }
)

/** What is known about a table before its rows. */
interface TableReading {
  readonly readLevel: (text: string) => ReadLevel
  readonly see: SeeRow
}

class SeriesTable {
  readonly #periods: Readonly<Record<PeriodColumn, NamedPeriods>>
  readonly #isTyped: boolean
  readonly #unkept = new DroppedColumns()
  readonly #ids: ReadonlySet<string>
  #near: ArgsOf<'natural-levels-near'> | undefined
  /** Rows left out because their periods are not in the list. */
  #leftOut = 0
  #read = 0
  #isSaid = false

  constructor(
    readonly source: TableSource,
    private readonly header: SeriesTableHeader,
    private readonly task: SeriesContext,
    private readonly options: SeriesTableOptions,
    private readonly context: RowsContext & TableReading,
  ) {
    const { periods, protocol } = task
    const { label, ...rest } = options
    const named = (column: PeriodColumn) =>
      new NamedPeriods(periods, protocol.zone, { ...rest, label: label?.[column] }, column)
    this.#periods = { origin: named('origin'), target: named('target') }
    for (const level of header.near) this.#addNear(level, context.readLevel(level))
    this.#isTyped = source.format !== 'csv'
    this.#ids = new Set(task.protocol.series.map(({ id }) => id))
  }

  read(row: SourceRow): ReadPart {
    const { cells, line, fault } = row
    if (fault !== undefined) return { line, findings: [fault] }
    const getCell = (column: SeriesColumn): Cell => cells[this.header.at.get(column) ?? -1] ?? null
    const { utc = false, decimalComma = false } = this.options
    const reader = new RowReader(getCell, utc, this.#isTyped, decimalComma)
    const part = this.#part({ line, cells, row: reader, getCell })
    this.#read++
    if (part === 'left-out') {
      this.#leftOut++
      return { line, findings: [] }
    }
    if (reader.findings.length > 0 || part === undefined) return this.faulty(line, reader.findings)
    const asked = this.context.see(row, this.#toKey(part))
    if (asked !== undefined) return { line, findings: [asked] }
    this.#reportFirst()
    return { line, part }
  }

  /** The key that no two rows of the table may share. */
  #toKey(part: Part): string {
    const name = nameOfSeriesRow(part)
    if ('status' in part || !this.header.at.has('level')) return name
    const [level] = Object.keys(part.quantiles)
    return level === undefined ? name : `${name}, level ${level}`
  }

  #reportFirst(): void {
    if (this.#isSaid) return
    this.#isSaid = true
    const { origin, target } = this.#periods
    const parts = [origin.first, target.first && `target ${target.first}`]
    this.context.onFirst?.(`origin ${parts.filter((each) => each !== undefined).join('; ')}`)
  }

  /** Findings about the whole table, after all of its rows are read. */
  rest(): Finding[] {
    const { file } = this.source
    const severity = this.#leftOut > 0 && this.#leftOut === this.#read ? 'error' : 'warning'
    const ofPeriods = Object.values(this.#periods).flatMap((each) => each.findings(file, severity))
    return [
      ...this.#unkept.findings(file),
      ...(this.#near ? [finding('natural-levels-near', this.#near, { file })] : []),
      ...ofPeriods,
    ]
  }

  faulty(line: number, findings: readonly Finding[]) {
    return { line, findings: locateAtLine(findings, this.source.file, line) }
  }

  /** The row of a part, when it is complete. */
  toRow({ line, part, findings }: ReadPart): NaturalRow {
    if (part === undefined) return { line, findings }
    if ('status' in part) return { line, row: part }
    const row = completeMedian(this.#ofHub(part), this.task)
    return Array.isArray(row) ? this.faulty(line, row) : { line, row: row as SeriesForecast }
  }

  /** Hubs may have a median besides the quantile of level 0.5; the quantile counts. */
  #ofHub(part: Exclude<Part, { status: unknown }>): typeof part {
    const { hub } = this.context
    const median = part.quantiles['0.5']
    if (hub === undefined || !('value' in part) || median === undefined) return part
    if (median !== part.value) hub.addMedian()
    return { ...part, value: median }
  }

  #part(given: RowParts): Part | 'left-out' | undefined {
    const { row, cells, getCell } = given
    const { periods } = this.task
    const series = this.#series(row, getCell('series'))
    const model = row.needed('model', row.name('model'))
    const others = (['horizon', 'target', 'level'] as const).map(getCell)
    const named = JSON.stringify([series, model, ...others])
    const { origin, target } = this.#places(given, named)
    row.needed('origin', isNothing(getCell('origin')) ? null : '')
    if (origin === 'left-out' || target === 'left-out') return 'left-out'
    const horizon = this.#horizon(given, origin, target)
    const status = row.text('status')
    const inputs = readProvenanceCells(row)
    const provenance = inputs && { provenance: toProvenance(inputs) }
    const at = row.instant('generated_at')
    const key = { series, origin: periods[origin ?? -1]?.label ?? '', horizon, model }
    if (status !== null) {
      if (status !== 'failed' && status !== 'abstained') {
        row.findings.push(cellFault('status', 'status', status))
        return undefined
      }
      const values = [getCell('value'), ...this.header.quantiles.map(({ at }) => cells[at] ?? null)]
      if (!values.every(isNothing)) row.findings.push(cellFault('status-value', 'status', status))
      this.#unkept.add('attempt', row.given(['salt']))
      const reason = row.text('reason') ?? NOT_RECORDED
      return { ...key, status, reason, ...(at && { recorded_at: at }), ...provenance }
    }
    this.#unkept.add('forecast', row.given(['reason']))
    const salt = row.text('salt')
    const value = row.number('value')
    const extra = { ...(at && { generated_at: at }), ...provenance, ...(salt !== null && { salt }) }
    const level = this.#level(row, getCell('level'))
    if (level !== undefined) {
      if (value === null && row.findings.length === 0) row.findings.push(NO_VALUE)
      return { ...key, quantiles: { [level]: value as number }, ...extra }
    }
    const quantiles: Record<string, number> = {}
    for (const { level, at } of this.header.quantiles) {
      const quantile = row.toNumberOrNull(cells[at] ?? null, `q${level}`)
      if (quantile !== null) quantiles[level] = quantile
    }
    return { ...key, ...(value !== null && { value }), quantiles, ...extra }
  }

  /** The id in a cell. A common marker for an empty cell, such as NA, is an id if the protocol has such a series. */
  #series(row: RowReader<SeriesColumn>, cell: Cell): string {
    const text = String(cell ?? '')
    if (this.#ids.has(text)) return text
    const [only, another] = this.#ids
    const alone = another === undefined ? (only ?? null) : null
    return row.needed('series', row.name('series') ?? alone)
  }

  /** Undefined if a row has no level of its own. */
  #level(row: RowReader<SeriesColumn>, cell: Cell): string | undefined {
    if (isNothing(cell)) return undefined
    const text = String(cell)
    const read = this.context.readLevel(text)
    this.#addNear(text, read)
    if (read.ok) return read.level
    row.findings.push(cellFault(read.fault, 'level', cell))
    return undefined
  }

  #addNear(found: string, read: ReadLevel): void {
    if (!read.ok || !read.isNear) return
    const { count, ...first } = this.#near ?? { count: 0, found, level: read.level }
    this.#near = { count: count + 1, ...first }
  }

  /** The positions of the periods that a row names. */
  #places(given: RowParts, named: string): Readonly<Record<PeriodColumn, RowPosition>> {
    const isDated = this.#isDated(given.getCell('origin'))
    const origin = isDated ? undefined : this.#period(given, 'origin', named)
    const target = this.#period(given, 'target', `${named}${origin}`)
    return { target, origin: isDated ? this.#datedOrigin(given, target) : origin }
  }

  /** Whether a row of a hub has the day of submission as its origin, which ends no period. */
  #isDated(origin: Cell): boolean {
    const { hub } = this.context
    if (hub === undefined || isNothing(origin)) return false
    const misses = this.#periods.origin.misses(String(origin))
    return misses === 'within' || (misses === 'outside' && hub.hasDatedOrigins)
  }

  /** The origin of such a row: the target minus the horizon, in steps. */
  #datedOrigin({ row, getCell, line }: RowParts, target: RowPosition): RowPosition {
    const { hub } = this.context
    const [date, horizon] = [getCell('origin'), getCell('horizon')]
    if (hub === undefined) return undefined
    if (!hub.hasDatedOrigins || isNothing(getCell('target')) || isNothing(horizon)) {
      row.findings.push(hub.notAPeriod(date))
      return undefined
    }
    if (typeof target !== 'number') return target
    const at = target - (row.number('horizon') ?? Number.NaN)
    if (Number.isNaN(at)) return undefined
    const { label } = this.task.periods[at] ?? {}
    if (label === undefined) row.findings.push(cellFault('not-a-period', 'origin', date))
    const { file } = this.source
    const other = label && hub.leadsTo(String(date), label, `${file}:${line}`)
    if (other) row.findings.push(other)
    return at
  }

  /** The position of a period; undefined if the cell names none. */
  #period({ row, getCell, line }: RowParts, column: PeriodColumn, named: string): RowPosition {
    const cell = getCell(column)
    if (isNothing(cell)) return undefined
    const isBesideTwice =
      column === 'target' && this.#periods.origin.isTwice(String(getCell('origin') ?? ''))
    const period = this.#periods[column].find(String(cell), named, line, isBesideTwice)
    if (period.ok) return period.at
    if (period.finding === undefined) return 'left-out'
    row.findings.push(period.finding)
    return undefined
  }

  #horizon(
    { row, getCell }: RowParts,
    origin: number | undefined,
    target: number | undefined,
  ): number {
    const stated = row.number('horizon')
    if (stated !== null && !Number.isSafeInteger(stated)) {
      row.findings.push(cellFault('not-steps', 'horizon', getCell('horizon')))
    }
    if (isNothing(getCell('target'))) return row.needed('horizon', stated)
    if (origin === undefined || target === undefined) return Number.NaN
    const steps = target - origin
    if (stated !== null && stated !== steps) {
      row.findings.push(cellFault('other-target', 'target', getCell('target')))
    }
    return steps
  }
}

/** The position of a period, if the row names one; rows of periods outside the list are left out. */
type RowPosition = number | 'left-out' | undefined

/** A row that is being parsed. */
interface RowParts {
  readonly line: number
  readonly row: RowReader<SeriesColumn>
  readonly cells: readonly Cell[]
  readonly getCell: (column: SeriesColumn) => Cell
}

const MISSING = finding('natural-missing', { fault: 'value' })
const NO_VALUE = finding('natural-missing', { fault: 'level' })

/** A forecast with one row per quantile, and the line of each; '' is its value. */
interface GatheredRow {
  readonly line: number
  readonly part: Part
  readonly lines: Record<string, number>
}

/** Combines the rows of a table with one row per quantile. */
class Gathered {
  readonly rows: GatheredRow[] = []
  readonly #byKey = new Map<string, GatheredRow>()

  /** @returns findings about the row. */
  add(read: ReadPart, parts: SeriesTable): NaturalRow[] {
    const { line, part, findings } = read
    if (part === undefined) return [{ line, findings }]
    if ('status' in part) {
      this.rows.push({ line, part, lines: {} })
      return []
    }
    const { quantiles, value, ...rest } = part as SeriesForecast
    const [level] = Object.keys(quantiles)
    if (level === undefined && value === undefined) return [parts.faulty(line, [MISSING])]
    const name = level ?? ''
    const key = canonicalize(rest)
    const entry = this.#byKey.get(key)
    if (entry === undefined) {
      const row = { line, part, lines: { [name]: line } }
      this.#byKey.set(key, row)
      this.rows.push(row)
      return []
    }
    const before = entry.lines[name]
    if (before !== undefined)
      return [parts.faulty(line, [duplicateLevelFinding(entry, part, name)])]
    entry.lines[name] = line
    const gathered = entry.part as Mutable<SeriesForecast>
    if (level === undefined) gathered.value = value
    else gathered.quantiles[level] = quantiles[level] as number
    return []
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Reports a row whose forecast already has a row of this level. */
function duplicateLevelFinding({ part, lines }: GatheredRow, row: Part, level: string): Finding {
  const valueAt = (of: Part) => {
    const { quantiles, value } = of as SeriesForecast
    return level === '' ? value : quantiles[level]
  }
  const other = `line ${lines[level]}`
  if (valueAt(part) === valueAt(row)) return finding('table-repeated', { other })
  const differs = [level === '' ? '/value' : `/quantiles/${level}`]
  return finding('natural-duplicate', { row: nameOfSeriesRow(row), differs, other })
}

/**
 * Completes a forecast whose value is its median, if only one of the two is given.
 * @returns a finding if neither is given, or they differ.
 */
export function completeMedian(
  row: Omit<SeriesForecast, 'value'> & { readonly value?: number },
  { protocol }: SeriesContext,
): SeriesForecast | Finding[] {
  const median = row.quantiles['0.5']
  const value = row.value ?? median
  if (value === undefined) return [MISSING]
  if (median !== undefined && median !== value) {
    return [cellFault('median', 'value', value)]
  }
  const isAsked = protocol.forecast.levels.includes('0.5')
  return { ...row, value, quantiles: isAsked ? { ...row.quantiles, '0.5': value } : row.quantiles }
}

/**
 * Reports why no evaluation under the protocol can use a row. A key that the protocol does not ask for is a warning;
 * values that can only fail are an error. An origin that is not in the list is an error.
 * @param asIs - values that can only fail are a warning.
 */
export function seriesTaskFindings(
  task: SeriesContext,
  asIs: boolean,
): (row: SeriesRow) => readonly Finding[] {
  const { protocol, periods } = task
  const series = new Set(protocol.series.map(({ id }) => id))
  const positions = new Map(periods.map(({ label }, at) => [label, at]))
  const unscorable = checkRowScorable(protocol, asIs ? 'warning' : 'error')
  return (row) => {
    const at = positions.get(row.origin)
    const period = at === undefined ? undefined : periods[at]
    if (at === undefined || period === undefined) {
      return [{ ...cellFault('not-a-period', 'origin', row.origin), pointer: '/origin' }]
    }
    const { origin = true, steps = protocol.horizons } = period
    const faults = [
      !series.has(row.series) && ('series' as const),
      !origin && ('origin' as const),
      origin && !steps.includes(row.horizon) && ('step' as const),
      periods[at + row.horizon] === undefined && ('target' as const),
    ]
    const unasked = faults
      .filter((fault) => fault !== false)
      .map((fault) => finding('never-judged', { fault, row: nameOfSeriesRow(row) }))
    return unasked.length > 0 || isSeriesAttempt(row) ? unasked : unscorable(row)
  }
}
