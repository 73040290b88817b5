import { GATE, VERIFY } from './gate-commands.js'
import { runCommand } from './run.js'

// What the bundled file of a release runs (.ci/bundle.mjs): these two commands and no others.
process.exitCode = await runCommand(process.argv.slice(2), [VERIFY, GATE], process)
