import { type Duplex, PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { COMMANDS } from '../../src/cli/commands.js'
import { runCommand } from '../../src/cli/run.js'

/** Runs a command line in this process, which is much quicker than a process of its own. */
export async function inProcess(
  argv: readonly string[],
  env: NodeJS.ProcessEnv = {},
  stdout: Duplex = new PassThrough(),
  stdin: NodeJS.ReadableStream = process.stdin,
) {
  const stderr = new PassThrough()
  // Nothing was said on a stream that breaks.
  const said = [text(stdout).catch(() => ''), text(stderr)] as const
  const code = await runCommand(argv, COMMANDS, {
    stdin,
    stdout,
    stderr,
    env: { NO_COLOR: '1', ...env },
  })
  stdout.end()
  stderr.end()
  return { code, stdout: await said[0], stderr: await said[1] }
}
