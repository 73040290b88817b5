import { type Finding, finding } from '../../contract/findings/finding.js'
import type { NaturalRow } from '../../history/natural/rows.js'
import {
  type SeriesTableOptions,
  type SeriesTask,
  seriesTableRows,
} from '../../history/natural/series-rows.js'
import { openTable } from '../../table/read.js'
import { type Cell, faultyRow, type ReadRow, type TableSource } from '../../table/types.js'
import { rowFault } from '../forecasts.js'
import { WEEK_COLUMN } from './columns.js'
import type { OutputFile } from './files.js'

/** How rows of any series are read of a hub. */
export interface SeriesHubReading extends SeriesTableOptions {
  /** The target that is imported, where a hub has several. */
  readonly target?: string | undefined
}

/** Columns of a hub by what they are here; `--columns` may say otherwise. */
const COLUMNS = {
  series: 'location',
  origin: WEEK_COLUMN,
  target: 'target_end_date',
  level: 'output_type_id',
}
const DROPPED = ['target', 'output_type']

/**
 * The rows of a file of model output, of which each quantile has a row.
 * @param leftOut - called for each row of another target, or of a type that is neither quantile nor median.
 * @throws {TableFault} where it is no table; {ForeproofError} where it cannot be read.
 */
export async function* seriesOutputRows(
  file: OutputFile,
  task: SeriesTask,
  reading: SeriesHubReading,
  leftOut: () => void,
): AsyncGenerator<readonly NaturalRow[]> {
  const source = await openTable(file.path)
  const given = { ...COLUMNS, ...reading.columns }
  const isThere = ([, name]: [string, string]) => source.columns.includes(name)
  const optional = Object.entries(given).filter(([name]) => name === 'target' || name === 'level')
  const absent = optional.filter((each) => !isThere(each)).map(([name]) => [name, ''])
  const columns = { ...given, ...Object.fromEntries(absent) }
  yield* seriesTableRows(modelOutput(source, file, reading, leftOut), task, { ...reading, columns })
}

/** The table without what hubs alone have, with the model that the file is of. */
function modelOutput(
  source: TableSource,
  { model, round }: OutputFile,
  { target, columns }: SeriesHubReading,
  leftOut: () => void,
): TableSource {
  const place = (name: string) => source.columns.indexOf(name)
  const kept = [...source.columns.keys()].filter(
    (at) => !DROPPED.includes(source.columns[at] ?? '') && source.columns[at] !== 'model',
  )
  const [of, type, level] = [place('target'), place('output_type'), place('output_type_id')]
  const reference = place(columns?.origin ?? COLUMNS.origin)
  const targets = new Set<Cell>()
  const rowOf = (row: ReadRow): ReadRow[] => {
    const { cells, line, fault } = row
    if (fault !== undefined) return [row]
    const [own = null, kind = null, id = null] = [cells[of], cells[type], cells[level]]
    if (
      (target !== undefined && own !== target) ||
      !['quantile', 'median'].includes(String(kind))
    ) {
      leftOut()
      return []
    }
    targets.add(own)
    const faulty = (found: Finding) => [faultyRow(source.file, line, found)]
    if (targets.size > 1)
      return faulty(finding('hub-targets', { targets: [...targets].map(String) }))
    if (String(cells[reference]) !== round)
      return faulty(rowFault('round', cells[reference] ?? null))
    const isLevel = id !== null && id !== 'NA' && id !== ''
    if (isLevel !== (kind === 'quantile')) return faulty(rowFault('type_id', id))
    return [{ line, cells: [...kept.map((at) => cells[at] ?? null), model] }]
  }
  async function* batches() {
    for await (const batch of source.batches) yield batch.flatMap(rowOf)
  }
  const names = [...kept.map((at) => source.columns[at] ?? ''), 'model']
  return { ...source, columns: names, batches: batches() }
}
