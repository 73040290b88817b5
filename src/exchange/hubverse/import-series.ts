import { finding } from '../../contract/findings/finding.js'
import type { HubRows } from '../../history/natural/hub-rows.js'
import type { NaturalRow } from '../../history/natural/rows.js'
import {
  type RowsContext,
  type SeriesTableOptions,
  type SeriesTask,
  seriesTableRows,
} from '../../history/natural/series-rows.js'
import { openTable } from '../../table/read.js'
import { faultyRow, type ReadRow, TableFault, type TableSource } from '../../table/types.js'
import { rowFault } from '../forecasts.js'
import { WEEK_COLUMN } from './columns.js'
import type { OutputFile } from './files.js'

/** Columns of a hub by what they are here; `--columns` may say otherwise. */
const COLUMNS = {
  series: 'location',
  origin: WEEK_COLUMN,
  target: 'target_end_date',
  level: 'output_type_id',
}
/** Columns without which no row of a hub can be read. */
const NEEDED = ['output_type', 'output_type_id', 'value']

/**
 * The rows of a file of model output, of which each quantile has a row.
 * @param onFirst - called with how the first row was read.
 * @throws {TableFault} where it is no table; {ForeproofError} where it cannot be read.
 */
export async function* seriesOutputRows(
  file: OutputFile,
  task: SeriesTask,
  reading: SeriesTableOptions,
  context: RowsContext & { readonly hub: HubRows },
): AsyncGenerator<readonly NaturalRow[]> {
  const source = await openTable(file.path)
  const { columns: names } = source
  const missing = NEEDED.filter((name) => !names.includes(name))
  if (missing.length > 0) {
    await source.close()
    const known = [...Object.values(COLUMNS), 'target', 'horizon', 'output_type', 'value']
    throw new TableFault(
      finding('exchange-columns', { missing, more: [], known }, { file: file.path }),
    )
  }
  // A column that is not there is asked about in the words of any table.
  const here = Object.entries(COLUMNS).filter(([, name]) => names.includes(name))
  const columns: Readonly<Record<string, string>> = {
    target: '',
    ...Object.fromEntries(here),
    ...reading.columns,
  }
  const rows = context.hub.taken(ofModel(source, file, columns.origin ?? WEEK_COLUMN))
  yield* seriesTableRows(rows, task, { ...reading, columns }, context)
}

/** The table with the model that the file is of; rows of another round than the file are faulty. */
function ofModel(source: TableSource, { model, round }: OutputFile, origin: string): TableSource {
  const { columns, file } = source
  const kept = [...columns.keys()].filter((at) => columns[at] !== 'model')
  const reference = columns.indexOf(origin)
  const rowOf = (row: ReadRow): ReadRow => {
    const { cells, line, fault } = row
    if (fault !== undefined) return row
    const found = cells[reference] ?? null
    if (reference >= 0 && String(found) !== round) {
      return faultyRow(file, line, rowFault('round', found))
    }
    return { line, cells: [...kept.map((at) => cells[at] ?? null), model] }
  }
  async function* batches() {
    for await (const batch of source.batches) yield batch.map(rowOf)
  }
  return {
    ...source,
    columns: [...kept.map((at) => columns[at] ?? ''), 'model'],
    batches: batches(),
  }
}
