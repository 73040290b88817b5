import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { run } from '../../src/cli/main.js'

/** Runs a command line in this process, which is much quicker than a process of its own. */
export async function inProcess(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const said = [text(stdout), text(stderr)] as const
  const code = await run(argv, {
    stdin: process.stdin,
    stdout,
    stderr,
    env: { NO_COLOR: '1', ...env },
  })
  stdout.end()
  stderr.end()
  return { code, stdout: await said[0], stderr: await said[1] }
}
