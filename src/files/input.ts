import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { fileError } from '../contract/error.js'
import { openRegular, readInto, statRegular } from './regular.js'
import { STDIN, STDIN_NAME } from './stdin.js'
import { stoppedError } from './waiting.js'

/** Names by which a shell hands over an open stream: `/dev/stdin`, and what `<(…)` becomes. */
const STREAM = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/

/** True for standard input and other open streams, which can be read only once. */
export function isStream(path: string): boolean {
  return path === STDIN || STREAM.test(path)
}

/**
 * Checks that a file has an end. A pipe or device in a folder may block its reader forever; a stream from the shell
 * is allowed.
 * @throws {ForeproofError} `invalid-input` for a pipe, socket or device; `not-found` or `io`.
 */
export function assertEndingInput(path: string): void {
  if (!STREAM.test(path)) statRegular(path)
}

/**
 * Reads a file, or its first `limit` + 1 bytes if it is larger, which is enough to see that it is too large.
 * @throws {ForeproofError} as `assertEndingInput`, naming the file.
 */
export function readLimited(path: string, limit: number): Uint8Array {
  let descriptor: number | undefined
  try {
    descriptor = STREAM.test(path) ? openSync(path, 'r') : openRegular(path)
    // Not the plain form, as for standard output: see `wholeOutput`.
    const status = fstatSync(descriptor, { bigint: true })
    if (status.isFile() && status.size <= limit) return readFileSync(descriptor)
    const bytes = Buffer.alloc(limit + 1)
    return bytes.subarray(0, readInto(descriptor, bytes))
  } catch (cause) {
    throw fileError(cause, path)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/**
 * The same for a stream such as standard input.
 * @param signal - ends the wait for an endless stream.
 */
export async function readStream(
  stream: NodeJS.ReadableStream,
  limit: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stoppable(stream, STDIN_NAME, signal)) {
    chunks.push(chunk)
    size += chunk.length
    if (size > limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit + 1)
}

/** The chunks of a stream. It can be aborted even while waiting. */
export async function* stoppable(
  stream: NodeJS.ReadableStream,
  name: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  if (signal !== undefined) addAbortSignal(signal, stream as Readable)
  try {
    for await (const chunk of stream) {
      yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    }
  } catch (cause) {
    if (signal?.aborted) throw stoppedError()
    throw fileError(cause, name)
  }
}
