import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileError } from '../contract/error.js'
import { type Finding, finding } from '../contract/findings/finding.js'
import { folderEntries } from '../files/regular.js'
import type { Cell, TableSource } from './table.js'

/** A file of a table, and the columns from its folders, such as `as_of=2026-01-14`. */
export interface TablePart {
  readonly file: string
  readonly columns: ReadonlyMap<string, Cell>
}

const TABLE = /\.(csv|parquet|ndjson|jsonl|json)$/i
/** Names that programs use for their own files and folders. */
const HIDDEN = /^[._]/
const PARTITION = /^([^=]+)=(.*)$/
/** The text for a missing value in a folder name. */
const NOTHING = '__HIVE_DEFAULT_PARTITION__'

/** The files of a table. */
export interface TableFiles {
  readonly isFolder: boolean
  readonly parts: readonly TablePart[]
  /** Findings about a folder. */
  readonly findings: readonly Finding[]
}

/**
 * The files of a table: the file itself, or those in a folder and its subfolders named `COLUMN=VALUE`. Links are not
 * followed.
 * @throws {ForeproofError} `not-found`, `io`.
 */
export function listTableFiles(path: string): TableFiles {
  if (!isFolder(path)) {
    return {
      isFolder: false,
      parts: convertDates([{ file: path, columns: folderColumns(dirname(resolve(path))) }]),
      findings: [],
    }
  }
  const parts: TablePart[] = []
  const names: string[] = []
  gather(path, folderColumns(resolve(path)), parts, names)
  const say = (fault: 'empty' | 'left-out', severity: 'error' | 'note') =>
    finding('table-folder', { fault, names }, { file: path, severity })
  const left = names.length > 0 ? [say('left-out', 'note')] : []
  const findings = parts.length === 0 ? [say('empty', 'error')] : left
  return { isFolder: true, parts: convertDates(parts), findings }
}

const MIDNIGHT = /^(\d{4}-\d\d-\d\d)[T ]00:00(?::00(?:\.0+)?)?$/

/** If a folder column has only midnight times, they are dates: pandas writes dates this way. */
function convertDates(parts: readonly TablePart[]): readonly TablePart[] {
  const dateIn = (cell: Cell | undefined) => MIDNIGHT.exec(String(cell ?? ''))?.[1]
  const isDated = (name: string) =>
    parts.every(
      ({ columns }) => columns.get(name) == null || dateIn(columns.get(name)) !== undefined,
    )
  const names = new Set(parts.flatMap(({ columns }) => [...columns.keys()]))
  const dated = new Set([...names].filter(isDated))
  return parts.map(({ file, columns }) => {
    const cells = [...columns].map(([name, cell]) => {
      return [name, (dated.has(name) && dateIn(cell)) || cell] as const
    })
    return { file, columns: new Map(cells) }
  })
}

/** Adds the columns of the folders; a column of the file itself wins. */
export function addFolderColumns(source: TableSource, { columns }: TablePart): TableSource {
  const added = [...columns].filter(([name]) => !source.columns.includes(name))
  if (added.length === 0) return source
  const cells = added.map(([, cell]) => cell)
  async function* batches() {
    for await (const batch of source.batches) {
      yield batch.map((row) => (row.fault ? row : { ...row, cells: [...row.cells, ...cells] }))
    }
  }
  const names = [...source.columns, ...added.map(([name]) => name)]
  return { ...source, columns: names, batches: batches() }
}

/** Keeps columns as times that this file alone would treat as dates. */
export function convertTimes(source: TableSource, timed: ReadonlySet<string>): TableSource {
  const dated = (source.localTimes?.dated ?? []).filter((name) => timed.has(name))
  if (dated.length === 0) return source
  const indices = new Set(dated.map((name) => source.columns.indexOf(name)))
  const timeIn = (cell: Cell, at: number): Cell =>
    cell === null || !indices.has(at) ? cell : `${cell}T00:00:00`
  async function* batches() {
    for await (const batch of source.batches) {
      yield batch.map((row) => (row.fault ? row : { ...row, cells: row.cells.map(timeIn) }))
    }
  }
  return { ...source, batches: batches() }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (cause) {
    throw fileError(cause, path)
  }
}

function gather(
  folder: string,
  columns: ReadonlyMap<string, Cell>,
  parts: TablePart[],
  leftOut: string[],
): void {
  for (const entry of folderEntries(folder)) {
    const { name } = entry
    const file = join(folder, name)
    const column = parseFolderColumn(name)
    if (HIDDEN.test(name)) continue
    if (entry.isDirectory() && column !== undefined) {
      gather(file, new Map([...columns, column]), parts, leftOut)
    } else if (entry.isFile() && TABLE.test(name)) parts.push({ file, columns })
    else leftOut.push(name)
  }
}

/** The columns of a folder and its parents, outermost first. */
function folderColumns(folder: string): ReadonlyMap<string, Cell> {
  const columns: (readonly [string, Cell])[] = []
  let at = folder
  for (
    let column = parseFolderColumn(basename(at));
    column !== undefined;
    column = parseFolderColumn(basename(at))
  ) {
    columns.unshift(column)
    at = dirname(at)
  }
  return new Map(columns)
}

function parseFolderColumn(folder: string): readonly [name: string, cell: Cell] | undefined {
  const [, name, value] = PARTITION.exec(folder) ?? []
  if (name === undefined || value === undefined) return undefined
  return [name, value === NOTHING ? null : unescaped(value)]
}

/** Folder names use percent-encoding for special characters. */
function unescaped(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
