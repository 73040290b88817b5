import { type Finding, finding } from '../contract/findings/finding.js'
import { formatCell, isIndex, RowWatch, type SeeRow } from './row-watch.js'
import { type Cell, faultyRow, type SourceRow, type TableSource } from './table.js'

/** Which rows of a table to read, if unread columns distinguish rows with the same key. */
export interface RowChoiceOptions {
  /** Only the rows of this target. */
  readonly target?: string | undefined
  /** Only the rows with these texts, by column. */
  readonly only?: Readonly<Record<string, string>> | undefined
  /** Columns to ignore. */
  readonly ignore?: readonly string[] | undefined
}

/** The column that names the target of a row; rows of two targets are not one series. */
const TARGET = 'target'
/** Maximum number of texts kept of skipped rows. */
const MAX_TEXTS = 50

/** The chosen text of one column, and the skipped ones. */
interface Picked {
  readonly column: string
  readonly isAsked: boolean
  /** The first text found, if none was requested. */
  wanted: string | undefined
  hasTaken: boolean
  readonly left: Set<string>
  count: number
}

/**
 * Selects the requested rows of tables, and reports ambiguous ones. One object is used for all files of an import,
 * because two targets in two files are still two targets.
 */
export class RowChoice {
  readonly #target: Picked
  readonly #only: readonly Picked[]
  readonly #ignore: readonly string[]
  /** Columns named by the user that no file has had so far. */
  readonly #unseen: Set<string>
  readonly #watch: RowWatch
  #columns: readonly string[] = []
  /** The first row of another target than those before. */
  #asked: SourceRow | undefined
  /** Whether there was any row. */
  hasRows = false

  constructor({ target, only = {}, ignore = [] }: RowChoiceOptions = {}) {
    this.#target = pickColumn(TARGET, target)
    this.#only = Object.entries(only).map(([column, text]) => pickColumn(column, text))
    this.#ignore = ignore
    const asked = [this.#target, ...this.#only].filter(({ isAsked }) => isAsked)
    this.#unseen = new Set([...ignore, ...asked.map(({ column }) => column)])
    this.#watch = new RowWatch(ignore)
  }

  /** The table with only the requested rows. */
  chosen(source: TableSource, unread: readonly string[]): TableSource {
    const chosen = this.chooser(source, unread)
    async function* batches() {
      for await (const batch of source.batches) yield batch.flatMap(chosen)
    }
    return { ...source, batches: batches() }
  }

  /**
   * Selects rows of a file. A missing column counts as missing values.
   * @param unread - names of the columns that nothing reads.
   * @param isChosen - its rows are of the target already.
   * @returns the row if requested, with a fault if that is unknown; otherwise nothing.
   */
  chooser({ columns, file }: TableColumns, unread: readonly string[], isChosen = false) {
    this.#columns = columns
    for (const name of columns) this.#unseen.delete(name)
    if (isChosen) this.#unseen.delete(TARGET)
    const only = this.#only.map((pick) => [pick, columns.indexOf(pick.column)] as const)
    const target = columns.indexOf(TARGET)
    const isNamed = this.#target.isAsked || target === -1 || unread.includes(TARGET)
    const hasTarget = isNamed && !isChosen
    return (row: SourceRow): readonly SourceRow[] => {
      const { cells, fault } = row
      if (fault !== undefined) return [row]
      this.hasRows = true
      // Each column counts the rows it skips.
      const isMeant = only.map(([pick, at]) => takes(pick, cells[at])).every(Boolean)
      if (!isMeant) return []
      return hasTarget ? this.ofTarget(row, cells[target], file) : [row]
    }
  }

  /** The row, if it is of the target. If no target was requested, a second target is a fault. */
  ofTarget(row: SourceRow, target: Cell | undefined, file: string): SourceRow[] {
    const pick = this.#target
    if (takes(pick, target)) return [row]
    if (pick.isAsked) return []
    const targets = [pick.wanted ?? '', formatCell(target)]
    const args = { fault: 'several', targets, target: '' } as const
    // Ask once for all files.
    this.#asked ??= faultyRow(file, row.line, finding('hub-targets', args))
    return [this.#asked]
  }

  /** The unread columns that the choice does not mention. */
  others(unread: readonly string[]): readonly string[] {
    const named = [TARGET, ...this.#only.map(({ column }) => column), ...this.#ignore]
    return unread.filter((name) => !isIndex(name) && !named.includes(name))
  }

  /** Watches the columns of a file that nothing reads, as `RowWatch` says. */
  watch(source: TableColumns, unread: readonly string[]): SeeRow {
    return this.#watch.of(source, unread)
  }

  /** Findings after all rows are read. @param file - that was read, or the folder. */
  rest(file?: string): Finding[] {
    const unseen = [...this.#unseen].map((column) => missing(column, this.#columns, file))
    const isCounted = ({ column, isAsked }: Picked) => isAsked && !this.#unseen.has(column)
    const picks = this.hasRows ? [this.#target, ...this.#only].filter(isCounted) : []
    return [...unseen, ...picks.flatMap((pick) => leftOut(pick, file))]
  }
}

type TableColumns = Pick<TableSource, 'columns' | 'file'>

const NO_ARGS = { columns: [], key: '', where: '', found: [], count: 0 } as const

const pickColumn = (column: string, wanted: string | undefined): Picked => {
  const isAsked = wanted !== undefined
  return { column, isAsked, wanted, hasTaken: false, left: new Set(), count: 0 }
}

function takes(pick: Picked, cell: Cell | undefined): boolean {
  const text = formatCell(cell)
  pick.wanted ??= text
  if (text === pick.wanted) {
    pick.hasTaken = true
    return true
  }
  pick.count++
  if (pick.left.size < MAX_TEXTS) pick.left.add(text)
  return false
}

/** The finding about rows skipped because of a column. */
function leftOut(
  { column, wanted = '', hasTaken, left, count }: Picked,
  file: string | undefined,
): Finding[] {
  const at = { file }
  const found = [...left]
  if (hasTaken && count === 0) return []
  if (hasTaken) {
    const args = { ...NO_ARGS, fault: 'others', column, found, count } as const
    return [finding('table-choice', args, { ...at, severity: 'note' })]
  }
  if (column === TARGET) {
    return [finding('hub-targets', { fault: 'none', targets: found, target: wanted }, at)]
  }
  const args = { ...NO_ARGS, fault: 'none', column, found: [wanted, ...found] } as const
  return [finding('table-choice', args, at)]
}

const missing = (column: string, columns: readonly string[], file?: string): Finding =>
  finding('table-choice', { ...NO_ARGS, fault: 'column', column, found: columns }, { file })
