import { basename, relative, resolve } from 'node:path'
import { finding } from '../contract/findings/finding.js'
import { FindingList } from '../contract/findings/finding-list.js'
import type { Instant } from '../contract/instant.js'
import { sha256Hex } from '../document/digest.js'
import { digestFile, statRegular } from '../files/regular.js'
import { RowChoice, type RowChoiceOptions } from '../table/choice.js'
import { addFolderColumns, convertTimes, listTableFiles } from '../table/parts.js'
import { openTable } from '../table/read.js'
import { type SourceRow, TableFault, type TableFormat, type TableSource } from '../table/table.js'
import { GatheredReleases, type GatherTask } from './gathered.js'
import type { ReleaseTable } from './release-columns.js'
import type { TruthInput } from './releases-vintage.js'
import {
  columnIndices,
  TRUTH_COLUMNS,
  TruthReader,
  type TruthTableOptions,
} from './truth-reader.js'

/** Enough for every release of thousands of series. */
const MAX_BYTES = 16 * 1_073_741_824

export interface ReadTableOptions extends TruthTableOptions, RowChoiceOptions {
  /** Whether each series has its own column. */
  readonly melt?: boolean | undefined
  /** Separator of CSV cells; default: a comma. */
  readonly separator?: string | undefined
  /** Ends the reading, even while it waits for more input. */
  readonly signal?: AbortSignal | undefined
}

/** A table of outcomes that was read; incomplete if there is an error among the findings. */
export interface TruthTable {
  readonly table: ReleaseTable
  /** The latest instant until now at which a row became public; undefined if no row states it. */
  readonly latest: Instant | undefined
  /** How the first row that names a period was interpreted. */
  readonly firstRow: string
  readonly findings: FindingList
  readonly input: TruthInput
}

/** A file of a table, as the manifest records it. */
interface ReadFile {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  readonly format: TableFormat
}

/**
 * Reads a table of outcomes: a file, or the files in a folder, one after another.
 * @param timed - columns of Parquet whose midnights are times, because another file of the folder has other times in
 * them.
 * @throws {TableFault} if a file becomes unreadable midway; {ForeproofError} if it cannot be read.
 */
export async function readTruthTable(
  path: string,
  options: ReadTableOptions,
  task: GatherTask,
  timed: ReadonlySet<string> = new Set(),
): Promise<TruthTable> {
  const { isFolder, parts, findings: ofFolder } = listTableFiles(path)
  const findings = new FindingList()
  for (const each of ofFolder) findings.add(each)
  const gathered = new GatheredReleases(task, findings)
  const choice = new RowChoice(options)
  const files: ReadFile[] = []
  const local = { dated: new Set<string>(), timed: new Set<string>() }
  let firstRow: string | undefined
  for (const part of parts) {
    const { file } = part
    const { signal, separator } = options
    const { size: bytes } = statRegular(file)
    const sha256 = await digestFile(file, MAX_BYTES, async () => signal?.throwIfAborted(), {})
    const source = await openTable(file, { signal, separator })
    files.push({ file, bytes, sha256, format: source.format })
    gathered.begin(file)
    try {
      for (const name of source.localTimes?.dated ?? []) local.dated.add(name)
      for (const name of source.localTimes?.timed ?? []) local.timed.add(name)
      const converted = addFolderColumns(convertTimes(source, timed), part)
      const reader = await readRows(converted, options, { gathered, choice, findings })
      if (reader === undefined) break
      firstRow ??= reader.first
    } finally {
      await source.close()
    }
  }
  // A folder is one table: a column contains dates in all files or in none.
  const mixed = [...local.dated].filter((name) => local.timed.has(name))
  if (mixed.length > 0 && timed.size === 0) {
    return await readTruthTable(path, options, task, new Set(mixed))
  }
  for (const each of choice.rest(path)) findings.add(each)
  const input = toInput(path, isFolder, files)
  const { latest } = gathered
  return { table: gathered.finish(), latest, firstRow: firstRow ?? '', findings, input }
}

/** What all files of a table share. */
interface WholeTable {
  readonly gathered: GatheredReleases
  readonly choice: RowChoice
  readonly findings: FindingList
}

/** Reads the rows of a file; undefined if required columns are missing. */
async function readRows(
  input: TableSource,
  options: ReadTableOptions,
  { gathered, choice, findings }: WholeTable,
): Promise<TruthReader | undefined> {
  const { columns, melt } = options
  const ids = new Set(melt ? options.protocol.series.map(({ id }) => id) : [])
  const read = new Set(columnIndices(input.columns, columns).values())
  const unread = input.columns.filter((name, at) => !read.has(at) && !ids.has(name))
  const chosen = choice.chosen(input, unread)
  const source = melt ? longTable(chosen, ids, columns) : chosen
  const see = choice.watch(source, unread)
  const reader = new TruthReader(source, options, findings, {
    ...{ gathered, see, columns: input.columns },
  })
  if (!reader.hasColumns) return undefined
  // In a wide table, columns whose name is not a series are reported.
  for (const found of melt ? choice.others(unread) : []) {
    const at = { file: input.file, position: { line: 1, column: 1 } }
    findings.addBriefly(finding('truth-unknown', { found }, at))
  }
  for await (const batch of source.batches) for (const row of batch) reader.add(row)
  reader.finish()
  return reader
}

/** The input of the vintage; a folder is identified by the digests of its files. */
function toInput(path: string, isFolder: boolean, files: readonly ReadFile[]): TruthInput {
  const [first] = files
  if (!isFolder && first !== undefined) return { ...first, file: basename(path) }
  const formats = new Set(files.map(({ format }) => format))
  const lines = files.map(({ file, sha256 }) => `${sha256}  ${nameIn(path, file)}\n`)
  return {
    file: basename(resolve(path)),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    sha256: sha256Hex(lines.join('')),
    format: formats.size === 1 ? (first as ReadFile).format : 'mixed',
  }
}

const nameIn = (folder: string, file: string) => relative(folder, file).replaceAll('\\', '/')

const [SERIES, VALUE] = ['series', 'value'] as const
/** In a long table these columns hold what a wide table says by its columns. */
const OF_LONG: readonly string[] = [...TRUTH_COLUMNS[SERIES], ...TRUTH_COLUMNS[VALUE]]

/**
 * Converts a table with one column per series to one with one row per value. Other columns stay.
 * @param ids - of the series.
 * @param given - the names of the columns in the file.
 * @throws {TableFault} if none of its columns is a series, or its rows already name their series.
 */
function longTable(
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
  const indices = [...columns.keys()]
  const isSeriesAt = (at: number) => isSeries(columns[at] ?? '')
  const [melted, kept] = [indices.filter(isSeriesAt), indices.filter((at) => !isSeriesAt(at))]
  const toRows = (row: SourceRow): SourceRow[] => {
    const { cells, line, fault } = row
    if (fault !== undefined) return [row]
    const shared = kept.map((at) => cells[at] ?? null)
    return melted.map((at) => ({ line, cells: [...shared, columns[at] ?? '', cells[at] ?? null] }))
  }
  async function* batches() {
    for await (const batch of source.batches) yield batch.flatMap(toRows)
  }
  const names = [...kept.map((at) => columns[at] ?? ''), SERIES, VALUE]
  return { ...source, columns: names, batches: batches() }
}
