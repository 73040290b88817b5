import { type Finding, finding } from '../../contract/findings/finding.js'
import { TableFault } from '../../table/fault.js'
import type { ReadRow } from '../../table/types.js'
import { LEVEL_COLUMNS } from '../levels.js'
import { cellsInOrder, type NaturalCellsOf } from '../natural-source.js'
import { fault, named, type QuantileRow } from './row.js'

/** So many forecasts may wait for a row: it bounds the memory, and is enough for a table in any near order. */
const MOST = 50_000

interface Open {
  readonly first: QuantileRow
  readonly line: number
  readonly values: NaturalCellsOf
}

/** Gathers the rows of forecasts, wherever they lie in a table, as long as few wait at a time. */
export class Gather {
  /** In the order of their first rows. */
  readonly #open = new Map<string, Open>()
  /** Once a row is wrong, a level that no row has may be its own: nothing is said of it. */
  #faulty = false

  /** @param most - forecasts that may wait for a row. */
  constructor(
    private readonly file: string,
    private readonly most = MOST,
  ) {}

  /**
   * @returns what is whole, or wrong, once there is too much of it to be kept.
   * @throws {TableFault} where too many forecasts wait for a row.
   */
  add(row: QuantileRow, line: number): ReadRow[] {
    const key = JSON.stringify([row.origin, row.hours, row.model])
    const known = this.#open.get(key)
    if (known !== undefined) return this.#join(known, row, line)
    this.#open.set(key, { first: row, line, values: { [row.column]: row.usd } })
    return this.#open.size >= 2 * this.most ? this.#takeWhole() : []
  }

  /** A row that is wrong. */
  refuse(line: number, found: Finding): ReadRow {
    this.#faulty = true
    return this.#wrong(line, found)
  }

  /** All that is left. */
  rest(): ReadRow[] {
    const rows = [...this.#open.values()].flatMap((open) => this.#rowOf(open))
    this.#open.clear()
    return rows
  }

  #join({ first, values }: Open, row: QuantileRow, line: number): ReadRow[] {
    if (first.sourcePrice !== row.sourcePrice)
      return [this.refuse(line, fault('source', named(row)))]
    const before = values[row.column]
    if (before !== undefined && before !== row.usd) {
      return [this.refuse(line, fault('twice', `${row.level} (${named(row)})`))]
    }
    values[row.column] = row.usd
    return []
  }

  #takeWhole(): ReadRow[] {
    const rows: ReadRow[] = []
    for (const [key, open] of this.#open) {
      if (missingOf(open).length > 0) continue
      rows.push(...this.#rowOf(open))
      this.#open.delete(key)
    }
    if (this.#open.size > this.most) {
      throw new TableFault(finding('quantiles-apart', { most: this.most }, { file: this.file }))
    }
    return rows
  }

  #rowOf(open: Open): ReadRow[] {
    const { first, line, values } = open
    const missing = missingOf(open)
    if (missing.length > 0) {
      if (this.#faulty) return []
      return [this.#wrong(line, fault('levels', `${missing.join(' and ')} (${named(first)})`))]
    }
    const { origin, hours, model, sourcePrice } = first
    const unit = { origin_at: origin, horizon_hours: hours, model, source_price_usd: sourcePrice }
    const cells = cellsInOrder({ ...unit, ...values, price_usd: values.q50_usd ?? null })
    return [{ cells, line }]
  }

  #wrong(line: number, found: Finding): ReadRow {
    const place = { file: this.file, position: { line, column: 1 } }
    return { cells: [], line, fault: { ...place, ...found } }
  }
}

const missingOf = ({ values }: Open): number[] =>
  [...LEVEL_COLUMNS].flatMap(([level, column]) => (values[column] === undefined ? [level] : []))
