import { note, warning } from './row.js'

/** What a pairing noticed besides its verdicts. */
export const pairingRows = {
  'pairing-model-unknown': warning<{ name: string; nearest: string | null }>(
    'the history has no rows of the model {name}: all its attempts are missing',
    { name: 'seeer', nearest: 'seer' },
    ({ nearest }) =>
      nearest === null
        ? 'Check the name: foreproof history stats lists the models of a history.'
        : `Did you mean ${nearest}?`,
  ),
  'pairing-beside': note(
    '{count row is|rows are} outside the expected grid: they are listed as ineligible and counted separately',
    { count: 2 },
  ),
}
