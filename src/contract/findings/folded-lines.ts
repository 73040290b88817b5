/** Where in a file findings of one kind are: from the first line to the last, where these are known. */
export interface LinesOfFile {
  /** The file as the user named it; null for findings about no file. */
  readonly file: string | null
  readonly first: number | null
  readonly last: number | null
}

/** So many files are named. */
const FILES_KEPT = 8

/** Where many findings of one kind are. Its size does not grow with their number. */
export class FoldedLines {
  readonly #files = new Map<string | null, LinesOfFile>()
  #filesBeyond = false

  add(file: string | null, first: number | null, last = first): void {
    const known = this.#files.get(file)
    if (known === undefined && this.#files.size >= FILES_KEPT) {
      this.#filesBeyond = true
    } else if (known === undefined || known.first === null || known.last === null) {
      this.#files.set(file, { file, first, last })
    } else if (first !== null && last !== null) {
      const lines = { first: Math.min(known.first, first), last: Math.max(known.last, last) }
      this.#files.set(file, { file, ...lines })
    }
  }

  addAll({ files, filesBeyond }: FoldedLinesSummary): void {
    this.#filesBeyond ||= filesBeyond
    for (const { file, first, last } of files) this.add(file, first, last)
  }

  summary(): FoldedLinesSummary {
    return { files: [...this.#files.values()], filesBeyond: this.#filesBeyond }
  }
}

export interface FoldedLinesSummary {
  readonly files: readonly LinesOfFile[]
  /** True when there are findings in more files than are named. */
  readonly filesBeyond: boolean
}

/** ` in lines 3 to 40 of a.csv`; empty where nothing is known of the places. */
export function placesText({ files, filesBeyond }: FoldedLinesSummary): string {
  const parts = files.map(({ file, first, last }) => {
    const lines = first === last ? `line ${first}` : `lines ${first} to ${last}`
    return [first === null ? '' : lines, file ?? ''].filter((part) => part !== '').join(' of ')
  })
  const named = [...parts, filesBeyond ? 'other files' : ''].filter((part) => part !== '')
  return named.length === 0 ? '' : ` in ${named.join(', ')}`
}
