import { conformanceMessages } from './conformance.js'
import { contractMessages } from './contract.js'
import { documentMessages } from './document.js'
import { evidenceMessages } from './evidence.js'
import type { Finding } from './finding.js'
import { gateMessages } from './gate.js'
import { historyMessages } from './history.js'
import { lintMessages } from './lint.js'
import { outcomesMessages } from './outcomes.js'
import { pairingMessages } from './pairing.js'
import { protocolMessages } from './protocol.js'
import { refusalMessages } from './refusal.js'
import { registrationMessages } from './registration.js'
import { siteMessages } from './site.js'

/** A sentence for a finding and, where there is one, what to do next. */
export interface Message {
  readonly text: string
  readonly help?: string
}

export type MessageTable = Readonly<Record<string, (args: Finding['args']) => Message>>

// One table per room, each in src/report/messages/ROOM.ts; codes are unique across them.
export const MESSAGE_TABLES: readonly MessageTable[] = [
  contractMessages,
  documentMessages,
  lintMessages,
  historyMessages,
  evidenceMessages,
  gateMessages,
  outcomesMessages,
  pairingMessages,
  protocolMessages,
  refusalMessages,
  registrationMessages,
  siteMessages,
  conformanceMessages,
]

/** The words of a finding: the only place where they are made. */
export function messageOf(finding: Finding): Message {
  for (const table of MESSAGE_TABLES) {
    const make = table[finding.code]
    if (make) return make(finding.args)
  }
  return { text: finding.code }
}
