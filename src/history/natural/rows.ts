import { type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import type { Attempt } from '../../contract/types.js'
import type { Cell, ReadRow, TableSource } from '../../table/types.js'
import type { NaturalColumn } from './columns.js'
import { type Header, readHeader } from './header.js'
import type { NaturalOptions } from './options.js'
import { isNothing } from './parse.js'
import { type ForecastValue, naturalValue, RowReader } from './row.js'

/** A forecast or a recorded attempt of a table, or what is wrong there or to be said of it. */
export type NaturalRow =
  | { readonly line: number; readonly value: ForecastValue | Attempt }
  | { readonly line: number | undefined; readonly findings: readonly Finding[] }

/**
 * The forecasts and recorded attempts in a table, in batches, in order. What the contract says of them
 * is left to whoever takes them; a wrong cell is a finding with its line. Where the columns are wrong,
 * that is all that comes.
 */
export async function* naturalRows(
  source: TableSource,
  options: NaturalOptions = {},
): AsyncGenerator<readonly NaturalRow[]> {
  const { file, columns, batches } = source
  try {
    const header = readHeader(columns, file, options)
    if (header.findings.length > 0) yield [{ line: undefined, findings: header.findings }]
    if (!hasNoErrors(header.findings)) return
    const skipped = { cells: 0 }
    const isTyped = source.format !== 'csv'
    for await (const batch of batches) {
      yield batch.flatMap((row) => rowsIn(row, header, options, file, isTyped, skipped))
    }
    if (skipped.cells > 0) {
      yield [{ line: undefined, findings: [finding('natural-skipped', skipped, { file })] }]
    }
  } finally {
    await source.close()
  }
}

/** The one forecast of a row, or in a wide table those of its models. */
function rowsIn(
  { cells, line, fault }: ReadRow,
  { at, models }: Header,
  options: NaturalOptions,
  file: string,
  isTyped: boolean,
  skipped: { cells: number },
): NaturalRow[] {
  if (fault !== undefined) return [{ line, findings: [fault] }]
  const cellOf = (column: NaturalColumn): Cell => cells[at.get(column) ?? -1] ?? null
  const placed = (findings: readonly Finding[]): NaturalRow => {
    const place = { file, position: { line, column: 1 } }
    return { line, findings: findings.map((found) => ({ ...found, ...place })) }
  }
  const read = (of: (column: NaturalColumn) => Cell): NaturalRow[] => {
    const result = naturalValue(new RowReader(of, options.utc === true, isTyped), options.outcomes)
    if ('findings' in result) return [placed(result.findings)]
    const row: NaturalRow = { line, value: result.value }
    return result.unkept === undefined ? [row] : [row, placed([result.unkept])]
  }
  if (models === undefined) return read(cellOf)
  return models.flatMap(({ name, at: index }) => {
    const price = cells[index] ?? null
    if (isNothing(price)) {
      skipped.cells++
      return []
    }
    return read((column) =>
      column === 'model' ? name : column === 'price_usd' ? price : cellOf(column),
    )
  })
}
