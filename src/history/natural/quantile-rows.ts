import { type Finding, finding } from '../../contract/findings/finding.js'
import { isNothing, parseNumberCell } from '../../table/cells.js'
import { type Cell, faultyRow, type SourceRow, type TableSource } from '../../table/table.js'
import { LEVEL_COLUMN, QUANTILE_COLUMNS } from './columns.js'
import type { TableHeader } from './header.js'
import { cellFault } from './row-reader.js'

/** Digits that distinguish levels: 0.1 + 0.8 is one of them. */
const LEVEL_DIGITS = 10

/** A forecast with one row per quantile. */
interface Gathered {
  readonly line: number
  readonly cells: Cell[]
  /** The line of each row, by level; '' is the point. */
  readonly lines: Map<string, number>
}

/** The positions of the cells in a row. */
interface ColumnIndices {
  readonly file: string
  readonly level: number
  readonly price: number
  /** The columns that identify a forecast: all others that are read. */
  readonly key: readonly number[]
  /** The column for each level. */
  readonly made: ReadonlyMap<string, number>
}

/**
 * Converts a table with one row per quantile to one row per forecast; returns any other table unchanged. Rows may be in
 * any order, so the whole table is read first. Without a row for the point, the point is the median.
 */
export function gatherQuantileRows(
  source: TableSource,
  header: TableHeader,
): { source: TableSource; header: TableHeader } {
  const { at } = header
  const [level, price] = [at.get(LEVEL_COLUMN), at.get('price_usd')]
  if (level === undefined || price === undefined) return { source, header }
  const { columns, file } = source
  const made = QUANTILE_COLUMNS.map(
    ([name, column], n) => [name, column, columns.length + n] as const,
  )
  const read = [...at.values()]
  const indices: ColumnIndices = {
    ...{ file, level, price, key: read.filter((index) => index !== level && index !== price) },
    made: new Map(made.map(([name, , place]) => [name, place])),
  }
  const all = new Map([...at, ...made.map(([, column, place]) => [column, place] as const)])
  const names = [...columns, ...made.map(([, column]) => column)]
  return {
    source: { ...source, columns: names, batches: gathered(source, indices) },
    header: { ...header, at: all },
  }
}

async function* gathered(
  { batches }: TableSource,
  indices: ColumnIndices,
): AsyncGenerator<readonly SourceRow[]> {
  const rows = new Map<string, Gathered>()
  for await (const batch of batches) {
    yield batch.flatMap((row) => {
      if (row.fault !== undefined) return [row]
      const fault = addQuantileRow(rows, row, indices)
      return fault === undefined ? [] : [faultyRow(indices.file, row.line, fault)]
    })
  }
  yield [...rows.values()].map(({ line, cells }) => ({ line, cells }))
}

/** Adds a row to its forecast. @returns findings about the row. */
function addQuantileRow(
  rows: Map<string, Gathered>,
  { cells, line }: SourceRow,
  { level: at, price, key, made }: ColumnIndices,
): Finding | undefined {
  const level = parseHourlyLevel(cells[at] ?? null)
  if (level === undefined) return cellFault('hourly-level', LEVEL_COLUMN, cells[at] ?? null)
  const value = cells[price] ?? null
  const name = JSON.stringify(key.map((index) => cells[index] ?? null))
  let row = rows.get(name)
  if (row === undefined) {
    const none = [...made].map(() => null)
    row = { line, cells: [...cells, ...none], lines: new Map() }
    row.cells[price] = null
    rows.set(name, row)
  }
  const before = row.lines.get(level)
  const columnAt = made.get(level) ?? price
  if (before !== undefined) {
    const other = `line ${before}`
    if (row.cells[columnAt] === value) return finding('table-repeated', { other })
    const args = { row: level === '' ? 'the point' : `the level ${level}`, differs: [], other }
    return finding('natural-duplicate', args)
  }
  row.lines.set(level, line)
  row.cells[columnAt] = value
  if (level === '0.5' && !row.lines.has('')) row.cells[price] = value
  return undefined
}

/** Empty for a point, undefined if an hourly forecast does not have this level. */
function parseHourlyLevel(cell: Cell): string | undefined {
  if (isNothing(cell)) return ''
  const read = parseNumberCell(cell)
  const level = read.ok ? String(Number(read.value.toFixed(LEVEL_DIGITS))) : ''
  return QUANTILE_COLUMNS.find(([name]) => name === level)?.[0]
}
