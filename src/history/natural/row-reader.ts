import { type Finding, finding } from '../../contract/findings/finding.js'
import { instantOrNaN, MICROS_PER_HOUR } from '../../contract/instant.js'
import type { Cell } from '../../table/types.js'
import type { NaturalColumn } from './columns.js'
import { isNothing, numberIn, timestampIn } from './parse.js'

/** Targets are instants: a century from any origin is one. */
const MAX_HOURS = 876_600

const LINE_BREAK = /[\n\r]/

/** What the cells of one row say, read column by column; faults are collected. */
export class RowReader {
  readonly findings: Finding[] = []

  /**
   * @param cellOf - null for a column that the table does not have.
   * @param isTyped - whether a cell without anything is null and no text: then a model may be named `NA`.
   */
  constructor(
    private readonly cellOf: (column: NaturalColumn) => Cell,
    private readonly utc: boolean,
    private readonly isTyped = false,
    private readonly decimalComma = false,
  ) {}

  text(column: NaturalColumn): string | null {
    const cell = this.cellOf(column)
    if (this.isTyped && column === 'model' && typeof cell === 'string' && cell !== '') return cell
    return isNothing(cell) ? null : String(cell)
  }

  /** A text that stands in one line, as `reason` need not. */
  name(column: NaturalColumn): string | null {
    const name = this.text(column)
    if (name !== null && LINE_BREAK.test(name)) {
      this.findings.push(finding('natural-line-break', { column, found: shownCell(name) }))
    }
    return name
  }

  number(column: NaturalColumn): number | null {
    const cell = this.cellOf(column)
    if (isNothing(cell)) return null
    const read = numberIn(cell, this.decimalComma)
    if (read.ok) return read.value
    const args = { column, found: shownCell(cell), fault: read.fault }
    this.findings.push(finding('natural-number', args))
    return null
  }

  hours(column: NaturalColumn): number | null {
    const hours = this.number(column)
    return hours === null ? null : this.#possible(hours, column, shownCell(this.cellOf(column)))
  }

  instant(column: NaturalColumn): string | null {
    return this.#time(this.cellOf(column), column)
  }

  /** The hours from an origin to a target, where a row says that in place of the horizon. */
  hoursTo(target: Cell, origin: string | null): number | null {
    const at = this.#time(target, 'target_at')
    if (at === null || origin === null) return null
    const hours = (instantOrNaN(at) - instantOrNaN(origin)) / MICROS_PER_HOUR
    return this.#possible(hours, 'target_at − origin_at', `${hours} hours`)
  }

  #time(cell: Cell, column: string): string | null {
    if (isNothing(cell)) return null
    const read = timestampIn(cell, this.utc)
    if (read.ok) return read.value
    this.findings.push(
      finding('natural-time', { column, found: shownCell(cell), fault: read.fault }),
    )
    return null
  }

  #possible(hours: number, column: string, found: string): number | null {
    if (Number.isInteger(hours) && hours > 0 && hours <= MAX_HOURS) return hours
    const fault = hours > MAX_HOURS ? 'too-long' : 'not-whole'
    this.findings.push(finding('natural-number', { column, found, fault }))
    return null
  }

  /** Those of these columns that say something in this row. */
  given(columns: readonly NaturalColumn[]): NaturalColumn[] {
    return columns.filter((column) => !isNothing(this.cellOf(column)))
  }

  /** What a cell says that every row needs. */
  needed<T>(column: 'origin_at' | 'horizon_hours' | 'model', value: T | null): T {
    // An empty cell; of one that has a fault something has been said.
    if (value === null && isNothing(this.cellOf(column))) {
      this.findings.push(finding('natural-missing', { column }))
    }
    return value as T
  }
}

const SHOWN = 40

export function shownCell(cell: Cell): string {
  const text = String(cell)
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text
}
