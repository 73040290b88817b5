import { row } from './row.js'

/** What a pairing noticed besides its verdicts. */
export const pairingRows = {
  'pairing-model-unknown': row<{ name: string; nearest: string | null }>(
    'warning',
    { name: 'seeer', nearest: 'seer' },
    ({ name }) => `the history holds nothing of the model ${name}: every attempt of it is missing`,
    ({ nearest }) =>
      nearest === null
        ? 'Check the name: foreproof history stats lists the models of a history.'
        : `Did you mean ${nearest}?`,
  ),
  'pairing-beside': row(
    'note',
    { count: 2 },
    ({ count }) =>
      `${count} ${count === 1 ? 'row is' : 'rows are'} not of the expected grid: listed beside it as ineligible, and counted apart`,
  ),
}
