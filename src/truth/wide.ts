import { finding } from '../contract/findings/finding.js'
import { type SourceRow, TableFault, type TableSource } from '../table/table.js'
import { TRUTH_COLUMNS, type TruthTableOptions } from './truth-reader.js'

const [SERIES, VALUE] = ['series', 'value'] as const
/** In a long table these columns hold what a wide table says by its columns. */
const OF_LONG: readonly string[] = [...TRUTH_COLUMNS[SERIES], ...TRUTH_COLUMNS[VALUE]]

/**
 * Converts a table with one column per series to one with one row per value. Other columns stay.
 * @param ids - of the series.
 * @param given - the names of the columns in the file.
 * @throws {TableFault} if none of its columns is a series, or its rows already name their series.
 */
export function longTable(
  source: TableSource,
  ids: ReadonlySet<string>,
  given: TruthTableOptions['columns'] = {},
): TableSource {
  const { columns, file } = source
  const isSeries = (name: string) => ids.has(name)
  const named = [SERIES, VALUE].find((name) => given[name] !== undefined)
  const long = named ?? OF_LONG.find((name) => columns.includes(name) && !isSeries(name))
  const fault = long ? 'long' : columns.some(isSeries) ? undefined : 'no-series'
  if (fault !== undefined) {
    const args = { fault, column: long ?? '', found: columns } as const
    throw new TableFault(finding('truth-column', args, { file }))
  }
  const places = [...columns.keys()]
  const isSeriesAt = (at: number) => isSeries(columns[at] ?? '')
  const [melted, kept] = [places.filter(isSeriesAt), places.filter((at) => !isSeriesAt(at))]
  const rowsOf = (row: SourceRow): SourceRow[] => {
    const { cells, line, fault } = row
    if (fault !== undefined) return [row]
    const shared = kept.map((at) => cells[at] ?? null)
    return melted.map((at) => ({ line, cells: [...shared, columns[at] ?? '', cells[at] ?? null] }))
  }
  async function* batches() {
    for await (const batch of source.batches) yield batch.flatMap(rowsOf)
  }
  const names = [...kept.map((at) => columns[at] ?? ''), SERIES, VALUE]
  return { ...source, columns: names, batches: batches() }
}
