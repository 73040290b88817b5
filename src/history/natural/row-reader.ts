import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { formatStored, instantOrNaN, MICROS_PER_HOUR } from '../../contract/instant.js'
import { normalTimestamp } from '../../forecast/resource.js'
import type { PROVENANCE_COLUMNS, ProvenanceRow } from '../../forecast/row.js'
import { type CellResult, isNothing, parseNumberCell } from '../../table/cells.js'
import type { Cell } from '../../table/table.js'
import { parseCellTime, type TimeFault } from '../../table/time.js'
import type { NaturalColumn } from './columns.js'

/** Targets are instants, so a horizon is limited to a century. */
const MAX_HOURS = 876_600

const LINE_BREAK = /[\n\r]/

/** Parses the cells of one row, column by column, and collects faults. */
export class RowReader<C extends string = NaturalColumn> {
  readonly findings: Finding[] = []

  /**
   * @param getCell - null for a column that the table does not have.
   * @param isTyped - whether an empty cell is null and not text, so that a model may be named `NA`.
   */
  constructor(
    private readonly getCell: (column: C) => Cell,
    private readonly utc: boolean,
    private readonly isTyped = false,
    private readonly decimalComma = false,
  ) {}

  text(column: C): string | null {
    const cell = this.getCell(column)
    if (this.isTyped && column === 'model' && typeof cell === 'string' && cell !== '') return cell
    return isNothing(cell) ? null : String(cell)
  }

  /** A text of one line; `reason` may have several. */
  name(column: C): string | null {
    const name = this.text(column)
    if (name !== null && LINE_BREAK.test(name)) {
      this.findings.push(cellFault('line-break', column, name))
    }
    return name
  }

  number(column: C): number | null {
    return this.toNumberOrNull(this.getCell(column), column)
  }

  toNumberOrNull(cell: Cell, column: string): number | null {
    if (isNothing(cell)) return null
    const read = parseNumberCell(cell, this.decimalComma)
    if (read.ok) return read.value
    this.findings.push(cellFault(read.fault, column, cell))
    return null
  }

  hours(column: C): number | null {
    const hours = this.number(column)
    return hours === null ? null : this.#possible(hours, column, quoteCell(this.getCell(column)))
  }

  instant(column: C): string | null {
    return this.#time(this.getCell(column), column)
  }

  /** The hours from an origin to a target, if the row has a target instead of a horizon. */
  hoursTo(target: Cell, origin: string | null): number | null {
    const at = this.#time(target, 'target_at')
    if (at === null || origin === null) return null
    const hours = (instantOrNaN(at) - instantOrNaN(origin)) / MICROS_PER_HOUR
    return this.#possible(hours, 'target_at − origin_at', `${hours} hours`)
  }

  #time(cell: Cell, column: string): string | null {
    if (isNothing(cell)) return null
    const read = parseTimestampCell(cell, this.utc)
    if (read.ok) return read.value
    this.findings.push(cellFault(read.fault, column, cell))
    return null
  }

  #possible(hours: number, column: string, found: string): number | null {
    if (Number.isInteger(hours) && hours > 0 && hours <= MAX_HOURS) return hours
    const fault = hours > MAX_HOURS ? 'too-long' : 'not-whole'
    this.findings.push(cellFault(fault, column, found))
    return null
  }

  /** Those of these columns that are not empty in this row. */
  given(columns: readonly C[]): C[] {
    return columns.filter((column) => !isNothing(this.getCell(column)))
  }

  /** The value of a required cell. */
  needed<T>(column: C & ArgsOf<'natural-missing'>['fault'], value: T | null): T {
    // Only for an empty cell; a fault in it is already reported.
    if (value === null && isNothing(this.getCell(column))) {
      this.findings.push(finding('natural-missing', { fault: column }))
    }
    return value as T
  }
}

/** The provenance of a row of either version; undefined if it has none. */
export function readProvenanceCells(
  row: Pick<RowReader<keyof typeof PROVENANCE_COLUMNS>, 'instant' | 'text'>,
): ProvenanceRow | undefined {
  const provenance = {
    inputAvailableAt: row.instant('input_available_at'),
    selectionDataThrough: row.instant('selection_data_through'),
    vintageId: row.text('vintage_id'),
    vintageSha256: row.text('vintage_sha256'),
  }
  return Object.values(provenance).every((value) => value === null) ? undefined : provenance
}

/** The fault of a cell that cannot be parsed as the expected type. */
export function cellFault(
  fault: ArgsOf<'natural-cell'>['fault'],
  column: string,
  cell: Cell,
): Finding {
  return finding('natural-cell', { fault, column, found: quoteCell(cell) })
}

/** Columns of a table with values that a history cannot store; they are reported, so nothing is lost silently. */
export class DroppedColumns {
  readonly #columns = { forecast: new Set<string>(), attempt: new Set<string>() }

  add(of: 'forecast' | 'attempt', columns: readonly string[]): void {
    for (const column of columns) this.#columns[of].add(column)
  }

  findings(file: string): Finding[] {
    return (['forecast', 'attempt'] as const).flatMap((of) => {
      const columns = [...this.#columns[of]]
      return columns.length === 0 ? [] : [finding('natural-unkept', { columns, of }, { file })]
    })
  }
}

/** Adds the line of their row to findings. */
export const locateAtLine = (findings: readonly Finding[], file: string, line: number): Finding[] =>
  findings.map((found) => ({ ...found, file, position: { line, column: 1 } }))

const SHOWN = 40

function quoteCell(cell: Cell): string {
  const text = String(cell)
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text
}

/**
 * Parses a time into the form that histories store.
 * @param utc - whether a time without an offset is UTC.
 */
export function parseTimestampCell(cell: Cell, utc: boolean): CellResult<string, TimeFault> {
  const text = String(cell)
  const stored = normalTimestamp(text)
  if (stored !== undefined) return { ok: true, value: stored }
  const time = parseCellTime(text)
  if (time.kind === 'none') return { ok: false, fault: time.fault }
  if (time.kind !== 'instant' && !utc) return { ok: false, fault: 'offset-missing' }
  return { ok: true, value: formatStored(time.kind === 'instant' ? time.instant : time.wall) }
}
