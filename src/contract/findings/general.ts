import { error, row } from './row.js'

/** Findings of one kind that were counted and not kept. */
export type RestCount = {
  /** The code of each of them. */
  readonly of: string
  readonly count: number
  /** Of the last of them; null if its location is unknown. */
  readonly file: string | null
  readonly line: number | null
}

const EXAMPLE: RestCount = { of: 'history-value', count: 12, file: 'h.ndjson', line: 32 }

/** `12 more of outcome-price, the last in line 32 of x.csv`: the same wording whether they were kept or not. */
export function restText({ of, count, file, line }: RestCount): string {
  const where = [line === null ? [] : `line ${line}`, file ?? []].flat().join(' of ')
  const last = count === 1 ? '' : ', the last'
  return `${count} more of ${of}${where === '' ? '' : `${last} in ${where}`}`
}

/** The words of an error, as written where it was thrown. */
type Spoken = {
  readonly message: string
  readonly help: string | null
}

/** Errors that are a result, in the words with which they were thrown, and the end of a list that is too long. */
export const generalRows = {
  'invalid-input': error<Spoken>(
    '{message}',
    { message: 'no manifest of a vintage', help: 'Make one with foreproof outcomes import.' },
    ({ help }) => help ?? undefined,
  ),
  refused: error<Spoken>(
    '{message}',
    { message: 'already exists', help: 'Nothing was overwritten.' },
    ({ help }) => help ?? undefined,
  ),
  'more-findings': row('error', 'warning', 'note')<RestCount>(
    restText,
    EXAMPLE,
    'Correct those that are listed, and run again.',
  ),
}
