import type { MessageTable } from './messages.js'

const spoken = (args: Readonly<Record<string, unknown>>) => ({
  text: String(args.says),
  ...(typeof args.help === 'string' ? { help: args.help } : {}),
})

/** Errors that are an answer, in the words that they were thrown with. */
export const refusalMessages: MessageTable = {
  'invalid-input': spoken,
  refused: spoken,
}
