import { basename } from 'node:path'
import { FindingList } from '../contract/findings/finding-list.js'
import type { Instant } from '../contract/instant.js'
import { digestOfFile, statRegular } from '../files/regular.js'
import { RowChoice, type RowChoiceOptions } from '../table/choice.js'
import { openTable } from '../table/read.js'
import type { TableSource } from '../table/types.js'
import { GatheredReleases, type GatherTask } from './gathered.js'
import { columnPlaces, TruthReader, type TruthTableOptions } from './rows.js'
import type { ReleaseTable, TruthInput } from './vintage.js'

/** Every release of thousands of series. */
const MAX_BYTES = 16 * 1_073_741_824

export interface ReadTableOptions extends TruthTableOptions, RowChoiceOptions {
  /** Separator of the cells of CSV; a comma if absent. */
  readonly separator?: string | undefined
  /** Ends the reading, also while it waits for more of the input. */
  readonly signal?: AbortSignal | undefined
}

/** A table of outcomes that was read; with an error among the findings it is not whole. */
export interface TruthTable {
  readonly table: ReleaseTable
  /** The latest instant at which a row became public, until now; undefined where no row says it. */
  readonly latest: Instant | undefined
  /** How the first row was read that names a period. */
  readonly firstRow: string
  readonly findings: FindingList
  readonly input: TruthInput
}

/**
 * Reads a table of outcomes.
 * @throws {TableFault} where a file cannot be read on; {ForeproofError} where it cannot be read.
 */
export async function readTruthTable(
  path: string,
  options: ReadTableOptions,
  task: GatherTask,
): Promise<TruthTable> {
  const findings = new FindingList()
  const gathered = new GatheredReleases(task, findings)
  const choice = new RowChoice(options)
  const { signal, separator } = options
  const { size: bytes } = statRegular(path)
  const sha256 = await digestOfFile(path, MAX_BYTES, async () => signal?.throwIfAborted(), {})
  const source = await openTable(path, { signal, separator })
  gathered.begin(path)
  let reader: TruthReader | undefined
  try {
    reader = await readRows(source, options, { gathered, choice, findings })
  } finally {
    await source.close()
  }
  for (const each of choice.rest(path)) findings.add(each)
  const input = { file: basename(path), bytes, sha256, format: source.format }
  const { latest } = gathered
  return { table: gathered.finish(), latest, firstRow: reader?.first ?? '', findings, input }
}

/** What the files of a table have in common. */
interface WholeTable {
  readonly gathered: GatheredReleases
  readonly choice: RowChoice
  readonly findings: FindingList
}

/** Reads the rows of a file; undefined where its columns do not do. */
async function readRows(
  whole: TableSource,
  options: ReadTableOptions,
  { gathered, choice, findings }: WholeTable,
): Promise<TruthReader | undefined> {
  const { columns } = options
  const lacking = choice.faults(whole)
  for (const each of lacking) findings.add(each)
  if (lacking.length > 0) return undefined
  const read = new Set(columnPlaces(whole.columns, columns).values())
  const unread = whole.columns.filter((_, at) => !read.has(at))
  const source = choice.taken(whole, unread)
  const see = choice.watch(source, unread)
  const reader = new TruthReader(source, options, findings, { gathered, see })
  if (!reader.hasColumns) return undefined
  for await (const batch of source.batches) for (const row of batch) reader.add(row)
  reader.finish()
  return reader
}
