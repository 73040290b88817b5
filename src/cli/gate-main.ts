import { GATE, VERIFY } from './gate-commands.js'
import { runProcess } from './process.js'

// What the bundled file of a release runs (.ci/bundle.mjs): these two commands and no others.
void runProcess([VERIFY, GATE])
