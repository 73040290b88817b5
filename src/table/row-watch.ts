import { type Finding, finding } from '../contract/findings/finding.js'
import { isNothing } from './cells.js'
import type { Cell, SourceRow, TableSource } from './table.js'

/** Row numbers, as pandas and R write them. */
const INDEX = /^(|Unnamed: 0(\.\d+)?|__index_level_\d+__)$/
/** Maximum number of keys kept at a time. */
const MAX_KEYS = 200_000
/** No cell of a table has it. */
const BETWEEN = '\u0000'

/** Whether a column is the index of a data frame. */
export const isIndex = (name: string): boolean => INDEX.test(name)

/** A cell as a text to compare. */
export const formatCell = (cell: Cell | undefined): string => String(cell ?? '').trim()

/** A release of a value: the instant of its row, and how it is spelled there. */
export interface SeenRelease {
  readonly at: number
  readonly message: string
}

/**
 * Finds the difference to another row with the same key; undefined if it is the first, or equal.
 */
export type SeeRow = (row: SourceRow, key: string, release?: SeenRelease) => Finding | undefined

/** A file and its watched columns, each with its position. */
interface Sheet {
  readonly file: string
  readonly indices: ReadonlyMap<string, number>
}

/** The first row of a key, with which others are compared. */
interface SeenRow {
  readonly sheet: Sheet
  readonly line: number
  /**
   * The texts of these columns joined into one; slices of the input would keep all of it in memory.
   */
  readonly told: string
  readonly draw: number
}

/**
 * Watches unread columns for differences between rows with the same key. With very many keys, only a sample is
 * watched, chosen by digest, because a distinguishing column differs at many keys.
 */
export class RowWatch {
  readonly #first = new Map<string, SeenRow>()
  /** By column, to ask once for all files. */
  readonly #asked = new Map<string, Finding>()
  /** Keys are watched whose digest has none of these bits. */
  #mask = 0

  /** @param ignore - columns that are not watched. */
  constructor(private readonly ignore: readonly string[] = []) {}

  /**
   * Watches a file. Two releases of a value may differ in measured numbers or times, which change with the value.
   * Whole numbers may be categories, such as ages or stores. So may a column that only one of two files has.
   * @param unread - names of the columns that nothing reads.
   */
  of({ columns, file }: Pick<TableSource, 'columns' | 'file'>, unread: readonly string[]): SeeRow {
    const names = unread.filter((name) => !isIndex(name) && !this.ignore.includes(name))
    const sheet = { file, indices: new Map(names.map((name, at) => [name, at])) }
    const cellsAt = names.map((name) => columns.indexOf(name))
    return ({ cells, line }, key, release) => {
      const draw = rowDigest(key)
      if ((draw & this.#mask) !== 0) return undefined
      const told = cellsAt.map((at) => formatCell(cells[at])).join(BETWEEN)
      const row = { sheet, line, told, draw }
      if (release === undefined) return this.#differing(key, key, row)
      return (
        this.#differing(`${key}${BETWEEN}${release.at}`, `${key}, as of ${release.message}`, row) ??
        this.#differing(key, key, row, ofKinds)
      )
    }
  }

  #differing(
    id: string,
    key: string,
    row: SeenRow,
    counts: (difference: Difference) => boolean = ({ isInBoth, texts }) =>
      isInBoth || ofKinds({ texts }),
  ): Finding | undefined {
    const first = this.#first.get(id)
    if (first === undefined) {
      this.#first.set(id, row)
      if (this.#first.size > MAX_KEYS) this.#thin()
      return undefined
    }
    const differences = findCellDifferences(first, row).filter(counts)
    // A name tells more than a number.
    const lead = differences.find(({ texts }) => texts.every(isWord)) ?? differences[0]
    if (lead === undefined) return undefined
    const { column, texts } = lead
    const { file } = row.sheet
    const columns = differences.map((each) => each.column).filter((name) => name !== column)
    const where = `line ${first.line}${first.sheet.file === file ? '' : ` of ${first.sheet.file}`}`
    const args = { fault: 'values', column, columns, key, where, found: texts, count: 1 } as const
    const at = { file, position: { line: row.line, column: 1 } }
    const asked = this.#asked.get(column) ?? finding('table-choice', args, at)
    this.#asked.set(column, asked)
    return asked
  }

  /** Continues with half of the keys. */
  #thin(): void {
    this.#mask = this.#mask * 2 + 1
    for (const [key, { draw }] of this.#first) {
      if ((draw & this.#mask) !== 0) this.#first.delete(key)
    }
  }
}

/** A column in which two rows differ, with the text of each. */
interface Difference {
  readonly column: string
  readonly texts: readonly [first: string, second: string]
  /** Whether both files have the column; otherwise one row has a missing value. */
  readonly isInBoth: boolean
}

function findCellDifferences(first: SeenRow, second: SeenRow): Difference[] {
  if (first.sheet === second.sheet && first.told === second.told) return []
  const [before, now] = [first, second].map(({ told }) => told.split(BETWEEN)) as [
    string[],
    string[],
  ]
  const columns = new Set([...first.sheet.indices.keys(), ...second.sheet.indices.keys()])
  return [...columns].flatMap((column) => {
    const other = before[first.sheet.indices.get(column) ?? -1]
    const text = now[second.sheet.indices.get(column) ?? -1]
    const texts = [other ?? '', text ?? ''] as const
    const isInBoth = other !== undefined && text !== undefined
    return texts[0] === texts[1] ? [] : [{ column, texts, isInBoth }]
  })
}

/** Numbers, percentages and times, as programs write them. */
const MEASURED =
  /^(?:[+-]?(?:\d[\d.,' \u00a0\u202f]*(?:e[+-]?\d+)? ?%?|\.\d+|inf(?:inity)?)|\d{4}[-/]\d\d?(?:[-/ T].*)?)$/i

/** Whether a text is a word, and neither number nor time. */
const isWord = (text: string): boolean => !isNothing(text) && !MEASURED.test(text)

const WHOLE = /^\d+$/
const isKind = (text: string): boolean => isWord(text) || WHOLE.test(text)
/**
 * Whether a difference may be one of categories: a total often has a missing value where other rows have an age.
 */
const ofKinds = ({ texts }: Pick<Difference, 'texts'>): boolean =>
  texts.some(isKind) && texts.every((text) => isKind(text) || isNothing(text))

/** FNV-1a. It only samples keys. */
function rowDigest(key: string): number {
  let digest = 0x811c9dc5
  for (let at = 0; at < key.length; at++) {
    digest = Math.imul(digest ^ key.charCodeAt(at), 0x01000193)
  }
  // The last bits of near texts are near.
  return digest ^ (digest >>> 15)
}
