import { runProcess } from './run.js'

// What the bundled file of a release runs (.ci/bundle.mjs): these two commands and no others.
void runProcess([
  {
    group: 'Protocols',
    name: 'verify',
    describe: 'Check frozen protocols: form, digest, and the ledger beside them',
    load: () => import('./commands/verify.js'),
  },
  {
    group: 'Protocols',
    name: 'gate',
    describe: 'Refuse changes to frozen protocols in a git history',
    load: () => import('./commands/gate.js'),
  },
])
