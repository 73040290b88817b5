import { joined } from './row.js'

/** Lines of one file, folded: `ranges` are first and last lines, both included, in ascending order. */
export interface LinesOfFile {
  /** The file as the user named it; null for findings about no file. */
  readonly file: string | null
  readonly ranges: readonly (readonly [first: number, last: number])[]
  /** The last line of all where the ranges were too many to be kept, else null. */
  readonly upTo: number | null
}

interface Lines {
  readonly ranges: [number, number][]
  upTo: number | null
}

/** So many ranges of a file, and so many files, are named; the rest is counted. */
const RANGES_KEPT = 8
const FILES_KEPT = 8

/** Where many findings of one kind are. Its size does not grow with their number. */
export class FoldedLines {
  readonly #files = new Map<string | null, Lines>()
  #filesBeyond = false

  add(file: string | null, first: number | null, last = first): void {
    const lines = this.#linesOf(file)
    if (lines === undefined || first === null || last === null) return
    const touching = lines.ranges.find(([from, to]) => first <= to + 1 && last >= from - 1)
    if (touching !== undefined) {
      touching[0] = Math.min(touching[0], first)
      touching[1] = Math.max(touching[1], last)
    } else if (lines.ranges.length < RANGES_KEPT) lines.ranges.push([first, last])
    else lines.upTo = Math.max(lines.upTo ?? 0, last)
  }

  addAll({ files, filesBeyond }: FoldedLinesSummary): void {
    this.#filesBeyond ||= filesBeyond
    for (const { file, ranges, upTo } of files) {
      const lines = this.#linesOf(file)
      for (const [first, last] of ranges) this.add(file, first, last)
      if (lines !== undefined && upTo !== null) lines.upTo = Math.max(lines.upTo ?? 0, upTo)
    }
  }

  summary(): FoldedLinesSummary {
    const files = [...this.#files].map(([file, { ranges, upTo }]) => {
      const ordered = ranges.map(([from, to]) => [from, to] as const).sort(([a], [b]) => a - b)
      return { file, ranges: ordered, upTo }
    })
    return { files, filesBeyond: this.#filesBeyond }
  }

  #linesOf(file: string | null): Lines | undefined {
    const known = this.#files.get(file)
    if (known !== undefined) return known
    if (this.#files.size >= FILES_KEPT) {
      this.#filesBeyond = true
      return undefined
    }
    const made: Lines = { ranges: [], upTo: null }
    this.#files.set(file, made)
    return made
  }
}

export interface FoldedLinesSummary {
  readonly files: readonly LinesOfFile[]
  /** True when there are findings in more files than are named. */
  readonly filesBeyond: boolean
}

/** ` in lines 3 and 9 to 40 of a.csv`; empty where nothing is known of the places. */
export function placesText({ files, filesBeyond }: FoldedLinesSummary): string {
  const parts = files.map(({ file, ranges, upTo }) => {
    const lines = linesText(ranges, upTo)
    return [lines, file].filter((part) => part !== '' && part !== null).join(' of ')
  })
  if (filesBeyond) parts.push('other files')
  const named = parts.filter((part) => part !== '')
  return named.length === 0 ? '' : ` in ${named.join(', ')}`
}

function linesText(ranges: LinesOfFile['ranges'], upTo: number | null): string {
  if (ranges.length === 0) return ''
  const texts = ranges.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`))
  if (upTo !== null) texts.push(`others up to ${upTo}`)
  const one = ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1] && upTo === null
  return `${one ? 'line' : 'lines'} ${joined(texts, 'and')}`
}
