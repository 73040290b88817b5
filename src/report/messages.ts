import type { Finding } from '../contract/finding.js'
import { conformanceMessages } from './messages/conformance.js'
import { contractMessages } from './messages/contract.js'
import { documentMessages } from './messages/document.js'
import { evidenceMessages } from './messages/evidence.js'
import { gateMessages } from './messages/gate.js'
import { historyMessages } from './messages/history.js'
import { lintMessages } from './messages/lint.js'
import { outcomesMessages } from './messages/outcomes.js'
import { pairingMessages } from './messages/pairing.js'
import { protocolMessages } from './messages/protocol.js'
import { refusalMessages } from './messages/refusal.js'
import { registrationMessages } from './messages/registration.js'
import { siteMessages } from './messages/site.js'

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
