import type { CommandEntry } from './command.js'

export const VERIFY: CommandEntry = {
  name: 'verify',
  describe: 'Check form, digest and ledger of frozen protocols',
  load: () => import('./commands/verify.js'),
}

export const GATE: CommandEntry = {
  name: 'gate',
  describe: 'Refuse changes to frozen protocols in a git history',
  load: () => import('./commands/gate.js'),
}
