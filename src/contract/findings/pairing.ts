import type { MessageTable } from './messages.js'

/** What a pairing noticed besides its verdicts. */
export const pairingMessages: MessageTable = {
  'pairing-model-unknown': (args) => ({
    text: `the history holds nothing of the model ${args.name}: every attempt of it is missing`,
    help: args.nearest
      ? `Did you mean ${args.nearest}?`
      : 'Check the name: foreproof history stats lists the models of a history.',
  }),
  'pairing-beside': (args) => ({
    text: `${args.count} ${args.count === 1 ? 'row is' : 'rows are'} not of the expected grid: listed beside it as ineligible, and counted apart`,
  }),
}
