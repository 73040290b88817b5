import { COMMANDS } from './commands.js'
import { runProcess } from './process.js'

// What bin/foreproof.js runs.
void runProcess(COMMANDS)
