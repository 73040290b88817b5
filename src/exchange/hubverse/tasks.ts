import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { formatUtc } from '../../contract/instant.js'
import type { NaturalColumn } from '../../history/natural/columns.js'
import type { Cell, ReadRow } from '../../table/types.js'
import { LEVEL_COLUMNS } from '../levels.js'
import { cellsInOrder, type NaturalCellsOf } from '../natural-source.js'
import type { OutputFile } from './files.js'
import { originOfRound } from './round-id.js'

/** A row of model output by its columns. */
export interface OutputRow {
  /** The week, where rounds are weeks; otherwise the origin. */
  readonly round: Cell
  readonly origin: Cell
  readonly horizon: Cell
  readonly type: Cell
  readonly level: Cell
  readonly value: Cell
  readonly line: number
}

/** Types of hubverse that a forecast of ours has no place for. */
const ELSEWHERE = ['cdf', 'pmf', 'sample']

type RowFault = ArgsOf<'hub-row'>['fault']
type Values = NaturalCellsOf & { median?: Cell; mean?: Cell }

/** The rows of one file, gathered by origin and horizon into rows of a table of forecasts. */
export class Tasks {
  /** Rows of types and levels that are not imported. */
  leftOut = 0
  readonly #values = new Map<string, { line: number; values: Values }>()
  readonly #faults: ReadRow[] = []

  constructor(
    private readonly file: OutputFile,
    /** At the origins, by their ids. */
    private readonly sourcePrices: ReadonlyMap<string, number>,
  ) {}

  add(row: OutputRow): void {
    const fault = this.#take(row)
    if (fault !== undefined) this.#faults.push(this.#fault(row.line, ...fault))
  }

  #take(row: OutputRow): readonly [fault: RowFault, found: Cell] | undefined {
    const { round, origin, horizon, type, level, value, line } = row
    if (String(round) !== this.file.round) return ['round', round]
    const at = originOfRound(String(origin))
    if (at === undefined) return ['no-round', origin]
    const member = memberOf(type, level)
    if (member === undefined) return ['type', type]
    if (member === 'bad-level') return ['level', level]
    if (member === 'left-out') {
      this.leftOut++
      return undefined
    }
    const key = `${origin} ${horizon}`
    const source_price_usd = this.sourcePrices.get(String(origin)) ?? null
    const values: Values = { origin_at: formatUtc(at), horizon_hours: horizon, source_price_usd }
    const known = this.#values.get(key) ?? { line, values }
    this.#values.set(key, known)
    if (member in known.values) return ['twice', level ?? type]
    known.values[member] = value
    return undefined
  }

  /** In the order of the file. */
  rows(): ReadRow[] {
    return [...this.#faults, ...[...this.#values.values()].map((each) => this.#rowOf(each))]
  }

  #rowOf({ line, values }: { line: number; values: Values }): ReadRow {
    const { median, mean, ...own } = values
    const has = (column: NaturalColumn) => own[column] !== undefined
    const price = median ?? mean ?? own.q50_usd ?? null
    if (price === null) return this.#fault(line, 'no-point', own.horizon_hours ?? null)
    const outer = has('q10_usd') || has('q90_usd')
    if (outer && !(has('q10_usd') && has('q50_usd') && has('q90_usd'))) {
      return this.#fault(line, 'quantiles', own.horizon_hours ?? null)
    }
    if (!outer) delete own.q50_usd
    const cells = cellsInOrder({
      ...own,
      price_usd: price,
      model: this.file.model,
    })
    return { cells, line }
  }

  #fault(line: number, fault: RowFault, found: Cell): ReadRow {
    const at = { file: this.file.path, position: { line, column: 1 } }
    const told: Finding = finding('hub-row', { fault, found: String(found).slice(0, 60) }, at)
    return { cells: [], line, fault: told }
  }
}

function memberOf(type: Cell, level: Cell) {
  if (type === 'median' || type === 'mean') {
    return level === null || level === 'NA' ? type : ('bad-level' as const)
  }
  if (ELSEWHERE.includes(String(type))) return 'left-out' as const
  if (type !== 'quantile') return undefined
  const number = level === null || level === '' ? Number.NaN : Number(level)
  if (!(number >= 0 && number <= 1)) return 'bad-level' as const
  return LEVEL_COLUMNS.get(number) ?? ('left-out' as const)
}
