import { type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import { instantOrNaN, isOnTheHour } from '../../contract/instant.js'
import { JUDGED_HORIZONS } from '../../contract/limits.js'
import type { Attempt } from '../../contract/types.js'
import type { Cell, ReadRow, TableSource } from '../../table/types.js'
import type { NaturalColumn } from './columns.js'
import { type Header, readHeader } from './header.js'
import type { NaturalOptions } from './options.js'
import { isNothing } from './parse.js'
import { type ForecastValue, naturalValue } from './row.js'
import { RowReader } from './row-reader.js'

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
    let rows = 0
    const isTyped = source.format !== 'csv'
    for await (const batch of batches) {
      rows += batch.length
      yield batch.flatMap((row) => rowsIn(row, header, options, file, isTyped, skipped))
    }
    if (rows === 0)
      yield [{ line: undefined, findings: [finding('natural-no-rows', {}, { file })] }]
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
  { at, models, target }: Header,
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
    const reader = new RowReader(of, options.utc === true, isTyped, options.decimalComma)
    const result = naturalValue(
      reader,
      options.outcomes,
      target === undefined ? null : (cells[target] ?? null),
    )
    if ('findings' in result) return [placed(result.findings)]
    const row: NaturalRow = { line, value: result.value }
    const told = [...neverJudged(result.value), ...(result.unkept ? [result.unkept] : [])]
    return told.length === 0 ? [row] : [row, placed(told)]
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

/** The genesis block of Bitcoin. */
const GENESIS = Date.UTC(2009, 0, 3) * 1000

/** What keeps a forecast out of every evaluation, whatever is registered (protocol, `horizons_hours`). */
function neverJudged(value: ForecastValue | Attempt): Finding[] {
  const { origin_at, horizon_hours } = value
  const origin = instantOrNaN(origin_at)
  const faults = [
    origin < GENESIS && ('before-bitcoin' as const),
    !isOnTheHour(origin) && ('off-the-hour' as const),
    !JUDGED_HORIZONS.includes(horizon_hours) && ('horizon' as const),
  ]
  return faults
    .filter((fault) => fault !== false)
    .map((fault) =>
      finding('natural-never-judged', { fault, found: `${origin_at}, ${horizon_hours} h` }),
    )
}
