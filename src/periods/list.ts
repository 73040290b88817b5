import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import { FindingList } from '../contract/findings/finding-list.js'
import { formatUtc, type Instant, parseTimestamp, TIMESTAMP_FAULTS } from '../contract/instant.js'
import { sha256Hex } from '../document/digest.js'
import { faultyRow, type SourceRow, unequalCells } from '../table/table.js'
import { parseSteps, stepsText } from './steps.js'

/** A span of time with one outcome, or one moment when a market is open: from `start` until just before `end`. */
export interface Period {
  /** 1 to 64 printable ASCII characters, without commas and quotes. */
  readonly label: string
  readonly start: Instant
  readonly end: Instant
  /** Whether forecasts are made at it; if no period sets this, they are made at every period. */
  readonly origin?: boolean
  /** For an origin: the distances of its targets, in periods, ascending; default all horizons of the protocol. */
  readonly steps?: readonly number[] | undefined
  /** For an origin: the deadline for committing a forecast. */
  readonly due?: Instant | undefined
  /** The earliest time at which the final outcome could be public. */
  readonly known?: Instant | undefined
}

/** Periods in order: none starts before the previous one ends. */
export type PeriodList = readonly Period[]

/** What a protocol says of its list. */
export interface PeriodFacts {
  /** SHA-256 of the list in its normal form, in hex. */
  readonly sha256: string
  readonly count: number
  readonly first: string
  readonly last: string
}

export type PeriodsResult =
  | { readonly ok: true; readonly periods: PeriodList }
  | { readonly ok: false; readonly findings: readonly Finding[] }

const NEEDED = ['period', 'start', 'end'] as const
const OPTIONAL = ['origin', 'steps', 'due', 'known'] as const
type PeriodColumn = (typeof NEEDED)[number] | (typeof OPTIONAL)[number]
const COLUMNS: readonly PeriodColumn[] = [...NEEDED, ...OPTIONAL]
const LABEL = /^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/

/** The columns of a list in its normal form; empty columns are left out. */
function usedColumns(periods: PeriodList): readonly PeriodColumn[] {
  return COLUMNS.filter((column) => periods.some((period) => cellText(period, column) !== ''))
}

function cellText(period: Period, column: PeriodColumn): string {
  switch (column) {
    case 'period':
      return period.label
    case 'origin':
      return period.origin ? 'yes' : ''
    case 'steps':
      return quotedIfList(stepsText(period.steps ?? []))
    default: {
      const instant = period[column]
      return instant === undefined ? '' : formatUtc(instant)
    }
  }
}

const quotedIfList = (text: string) => (text.includes(',') ? `"${text}"` : text)

/** The normal form: equal lists have equal text. A protocol contains its digest. */
export function periodsText(periods: PeriodList): string {
  const columns = usedColumns(periods)
  const rows = periods.map((period) => columns.map((column) => cellText(period, column)).join(','))
  return [columns.join(','), ...rows, ''].join('\n')
}

/** @param periods - at least one. */
export function describePeriods(periods: PeriodList): PeriodFacts {
  return {
    sha256: sha256Hex(periodsText(periods)),
    count: periods.length,
    first: periods[0]?.label ?? '',
    last: periods.at(-1)?.label ?? '',
  }
}

/** Columns with a time zone for each period and a due time for each step. */
const OF_ZONES = /^(?:time_?)?zone$|^tz$/i
const OF_STEPS = /^due[ _-]?.*\d/i

/**
 * Parses and checks the rows of a list of periods: labels are unique, periods ascend and do not overlap. Gaps are
 * allowed.
 * @param columns - of the table.
 * @param file - its name in findings.
 */
export async function readPeriods(
  columns: readonly string[],
  batches: AsyncIterable<readonly SourceRow[]>,
  file: string,
): Promise<PeriodsResult> {
  const reader = new PeriodReader(columns, file)
  for await (const batch of batches) for (const row of batch) reader.add(row)
  return reader.finish()
}

/** Largest size of a frozen list, in bytes: every minute of two years, every hour of a century. */
export const MAX_LIST_BYTES = 64 * 1_048_576

/** Parses a frozen list, which is CSV. Line ends and white space may differ, because git and editors change them. */
export function parsePeriods(bytes: Uint8Array, file: string): PeriodsResult {
  const [header = '', ...lines] = new TextDecoder().decode(bytes).split(/\r?\n/)
  const columns = cellsIn(header) ?? []
  const reader = new PeriodReader(columns, file)
  for (const [at, text] of lines.entries()) {
    if (text.trim() === '') continue
    const line = at + 2
    const cells = cellsIn(text)
    if (cells?.length === columns.length) reader.add({ cells, line })
    else reader.add(faultyRow(file, line, cells ? unequalCells(cells, columns) : QUOTES))
  }
  return reader.finish()
}

const QUOTES = finding('table-csv', { says: 'a quote is neither the first nor the last of a cell' })
const CELL = /(?:"([^"]*)"|([^",]*))(?:,|$)/y

/** The cells of a line; undefined if a cell contains quotes. */
function cellsIn(line: string): string[] | undefined {
  const cells: string[] = []
  CELL.lastIndex = 0
  for (let at = 0; ; ) {
    const [all, quoted, plain = ''] = CELL.exec(line) ?? []
    if (all === undefined) return undefined
    cells.push((quoted ?? plain).trim())
    at += all.length
    if (!all.endsWith(',')) return at === line.length ? cells : undefined
  }
}

type CellFault = 'label' | 'instant' | 'origin' | 'steps' | 'steps-alone'

class PeriodReader {
  readonly #periods: Period[] = []
  readonly #lines = new Map<string, number>()
  readonly #hasOrigins: boolean
  readonly #isWhole: boolean
  #latest: { readonly end: Instant; readonly label: string } | undefined

  constructor(
    private readonly columns: readonly string[],
    private readonly file: string,
    private readonly findings = new FindingList(),
  ) {
    this.#hasOrigins = columns.includes('origin')
    const missing = NEEDED.filter((name) => !columns.includes(name))
    this.#isWhole = missing.length === 0
    const unknown = columns.filter(
      (name, at) => !(COLUMNS as readonly string[]).includes(name) || columns.indexOf(name) !== at,
    )
    const at = { file, position: { line: 1, column: 1 } }
    const report = (fault: ArgsOf<'period-column'>['fault'], column: string) =>
      findings.add(finding('period-column', { fault, column }, at))
    for (const column of missing) report('missing', column)
    for (const column of unknown) {
      if (OF_ZONES.test(column)) report('zones', column)
      else report(OF_STEPS.test(column) ? 'due-steps' : 'unknown', column)
    }
  }

  add({ cells, line, fault }: SourceRow): void {
    if (!this.#isWhole) return
    if (fault !== undefined) {
      this.findings.addBriefly(fault)
      return
    }
    const cell = (column: PeriodColumn) => {
      return String(cells[this.columns.indexOf(column)] ?? '')
    }
    const faulty = (fault: CellFault, column: PeriodColumn, message = '') => {
      const args = { fault, column, found: cell(column), says: message } as const
      this.findings.addBriefly(finding('period-cell', args, this.#at(line)))
    }
    const instant = (column: 'start' | 'end' | 'due' | 'known'): Instant | undefined => {
      if (cell(column) === '' && column !== 'start' && column !== 'end') return undefined
      const parsed = parseTimestamp(cell(column))
      if (parsed.ok) return parsed.instant
      faulty('instant', column, TIMESTAMP_FAULTS[parsed.fault])
      return Number.NaN
    }
    const label = cell('period')
    if (!LABEL.test(label) || /[",]/.test(label)) faulty('label', 'period')
    if (!['', 'yes'].includes(cell('origin'))) faulty('origin', 'origin')
    const steps = cell('steps') === '' ? undefined : parseSteps(cell('steps'))
    if (cell('steps') !== '' && steps === undefined) faulty('steps', 'steps')
    const isOrigin = !this.#hasOrigins || cell('origin') === 'yes'
    if (!isOrigin && cell('steps') !== '') faulty('steps-alone', 'steps')
    const [start, end] = [instant('start') ?? Number.NaN, instant('end') ?? Number.NaN]
    const period: Period = {
      label,
      start,
      end,
      ...(this.#hasOrigins && { origin: isOrigin }),
      ...(steps !== undefined && { steps }),
      due: instant('due'),
      known: instant('known'),
    }
    this.#order(period, line)
    this.#periods.push(period)
  }

  finish(): PeriodsResult {
    const { file, findings } = this
    const periods = this.#periods
    if (this.#hasOrigins && periods.length > 0 && !periods.some(({ origin }) => origin)) {
      const args = { fault: 'no-origins', column: 'origin' } as const
      findings.add(finding('period-column', args, { file }))
    }
    const all = findings.all()
    if (all.length === 0 && periods.length === 0) {
      all.push(finding('period-column', { fault: 'no-rows', column: '' }, { file }))
    }
    return all.length === 0 ? { ok: true, periods } : { ok: false, findings: all }
  }

  #order({ label, start, end }: Period, line: number): void {
    const add = (fault: 'empty' | 'overlap' | 'twice', other = '') => {
      const args = { fault, period: label, other }
      this.findings.addBriefly(finding('period-order', args, this.#at(line)))
    }
    if (end <= start) add('empty')
    if (this.#latest !== undefined && start < this.#latest.end) add('overlap', this.#latest.label)
    const first = this.#lines.get(label)
    if (first === undefined) this.#lines.set(label, line)
    else add('twice', String(first))
    if (!(end <= (this.#latest?.end ?? Number.NEGATIVE_INFINITY))) this.#latest = { end, label }
  }

  #at(line: number) {
    return { file: this.file, position: { line, column: 1 } }
  }
}
