import { row } from './row.js'

/** What a pairing noticed besides its verdicts. */
export const pairingRows = {
  'pairing-model-unknown': row<{ name: string; nearest: string | null }>(
    'warning',
    { name: 'seeer', nearest: 'seer' },
    ({ name }) => `the history has no rows of the model ${name}: all its attempts are missing`,
    ({ nearest }) =>
      nearest === null
        ? 'Check the name: foreproof history stats lists the models of a history.'
        : `Did you mean ${nearest}?`,
  ),
  'pairing-beside': row(
    'note',
    { count: 2 },
    ({ count }) =>
      `${count} ${count === 1 ? 'row is' : 'rows are'} outside the expected grid: they are listed as ineligible and counted separately`,
  ),
}
