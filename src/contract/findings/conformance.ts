import { RULES } from '../conformance-rules.js'
import type { MessageTable } from './messages.js'

/** One message per rule: what must hold, with its section, and what was seen instead. */
export const conformanceMessages: MessageTable = Object.fromEntries(
  Object.entries(RULES).map(([name, { section, title }]) => [
    `conformance-${name}`,
    ({ detail }) => ({ text: `§${section}: ${title}; here: ${detail}` }),
  ]),
)
