import { type FoldedLinesSummary, placesText } from './folded-lines.js'
import { error, row } from './row.js'

/** Findings of one kind that were counted and not kept. */
export type Rest = {
  /** The code of each of them. */
  readonly of: string
  readonly count: number
  readonly places: FoldedLinesSummary
}

const EXAMPLE: Rest = {
  of: 'history-value',
  count: 12,
  places: { files: [{ file: 'h.ndjson', ranges: [[21, 32]], upTo: null }], filesBeyond: false },
}

/** `12 more of outcome-price in lines 21 to 32 of x.csv`: the one wording, kept or not. */
export function restText({ of, count, places }: Rest): string {
  return `${count} more of ${of}${placesText(places)}`
}

/** An error's own words: they were written where it was thrown. */
type Spoken = {
  readonly says: string
  readonly help: string | null
}

/** Errors that are an answer, in the words that they were thrown with, and the end of a list that is too long. */
export const generalRows = {
  'invalid-input': error<Spoken>(
    '{says}',
    { says: 'no manifest of a vintage', help: 'Make one with foreproof outcomes import.' },
    ({ help }) => help ?? undefined,
  ),
  refused: error<Spoken>(
    '{says}',
    { says: 'already exists', help: 'Nothing was overwritten.' },
    ({ help }) => help ?? undefined,
  ),
  'more-findings': row('error', 'warning', 'note')<Rest>(
    restText,
    EXAMPLE,
    'Correct those that are listed, and run again.',
  ),
}
