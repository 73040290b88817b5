import { type Duplex, PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { runCommand } from '../../src/cli/run.js'
import type { Instant } from '../../src/contract/instant.js'
import { wordsOf } from './run.js'

/** Runs a command line in this process, which is much quicker than a process of its own. */
export async function inProcess(
  line: string | readonly string[],
  env: NodeJS.ProcessEnv = {},
  stdout: Duplex = new PassThrough(),
  stdin: NodeJS.ReadableStream = process.stdin,
  now?: () => Instant,
) {
  const stderr = new PassThrough()
  // Nothing was said on a stream that breaks.
  const said = [text(stdout).catch(() => ''), text(stderr)] as const
  const code = await runCommand(wordsOf(line), COMMANDS, {
    stdin,
    stdout,
    stderr,
    env: { NO_COLOR: '1', ...env },
    ...(now && { now }),
  })
  stdout.end()
  stderr.end()
  return { code, stdout: await said[0], stderr: await said[1] }
}

/** Runs a command line that reads a text from standard input. */
export const withInput = (line: string | readonly string[], input: string | Uint8Array) =>
  inProcess(line, {}, new PassThrough(), Readable.from([Buffer.from(input)]))

/** Runs a command line that has to end well. @returns what it says on standard output */
export async function doneInProcess(...given: Parameters<typeof inProcess>): Promise<string> {
  const { code, stdout, stderr } = await inProcess(...given)
  expect(code, stdout + stderr).toBe(0)
  return stdout
}
