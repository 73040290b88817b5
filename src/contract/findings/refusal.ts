import { row } from './row.js'

/** An error's own words: they were written where it was thrown. */
type Spoken = {
  readonly says: string
  readonly help: string | null
}

/** Errors that are an answer, in the words that they were thrown with. */
export const refusalRows = {
  'invalid-input': row<Spoken>(
    'error',
    { says: 'no manifest of a vintage', help: 'Make one with foreproof outcomes import.' },
    ({ says }) => says,
    ({ help }) => help ?? undefined,
  ),
  refused: row<Spoken>(
    'error',
    { says: 'already exists', help: 'Nothing was overwritten.' },
    ({ says }) => says,
    ({ help }) => help ?? undefined,
  ),
}
