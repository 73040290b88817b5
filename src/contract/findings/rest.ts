import { type FoldedLinesSummary, placesText } from './folded-lines.js'
import { type FindingRow, row, type Severity } from './row.js'

/** Findings of one kind that were counted and not kept. */
export type Rest = {
  /** The code of each of them. */
  readonly of: string
  readonly count: number
  readonly places: FoldedLinesSummary
}

const EXAMPLE: Rest = {
  of: 'history-number',
  count: 12,
  places: { files: [{ file: 'h.ndjson', ranges: [[21, 32]], upTo: null }], filesBeyond: false },
}

/** `12 more of outcome-price in lines 21 to 32 of x.csv`: the one wording, kept or not. */
export function restText({ of, count, places }: Rest): string {
  return `${count} more of ${of}${placesText(places)}`
}

const SEVERITIES: readonly [Severity, ...Severity[]] = ['error', 'warning', 'note']

/** The row of a code that stands for findings which are not listed. */
export function restRow(help: string): FindingRow<Rest> {
  return row<Rest>(SEVERITIES, EXAMPLE, restText, help)
}
