import { COMMANDS } from './commands.js'
import { runProcess } from './run.js'

// What bin/foreproof.js runs.
void runProcess(COMMANDS)
