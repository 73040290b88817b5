import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { fileError } from '../contract/error.js'

/** How standard input is written on the command line, and how findings name it. */
export const STDIN = '-'
export const STDIN_NAME = '<stdin>'

/**
 * Reads a file, or its first `limit` + 1 bytes when it is larger: enough to tell that it is too
 * large, without taking in what nobody will read. Works on pipes and devices too.
 * @throws {ForeproofError} `not-found` (also for a folder) or `io`, naming the file.
 */
export function readLimited(path: string, limit: number): Uint8Array {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'r')
    // Not the plain form, as for standard output: see `wholeOutput`.
    const status = fstatSync(descriptor, { bigint: true })
    if (status.isFile() && status.size <= limit) return readFileSync(descriptor)
    return readUpTo(descriptor, limit + 1)
  } catch (cause) {
    throw fileError(cause, path)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Reads until there are so many bytes or nothing more comes. */
function readUpTo(descriptor: number, size: number): Uint8Array {
  const bytes = Buffer.alloc(size)
  let filled = 0
  while (filled < size) {
    const read = readSync(descriptor, bytes, filled, size - filled, null)
    if (read === 0) break
    filled += read
  }
  return bytes.subarray(0, filled)
}

/** The same for a stream such as standard input. */
export async function readStream(
  stream: NodeJS.ReadableStream,
  limit: number,
): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes)
      size += bytes.length
      if (size > limit) break
    }
  } catch (cause) {
    throw fileError(cause, STDIN_NAME)
  }
  return Buffer.concat(chunks).subarray(0, limit + 1)
}
