import type { CommandEntry } from './command.js'

export const VERIFY: CommandEntry = {
  group: 'Protocols',
  name: 'verify',
  describe: 'Check form, digest and ledger of frozen protocols',
  load: () => import('./commands/verify.js'),
}

export const GATE: CommandEntry = {
  group: 'Protocols',
  name: 'gate',
  describe: 'Refuse changes to frozen protocols in a git history',
  load: () => import('./commands/gate.js'),
}
