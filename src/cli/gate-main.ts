import { runProcess } from './run.js'

// Entry point of the bundled file of a release (.ci/bundle.mjs), with these two commands only.
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
