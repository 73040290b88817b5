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
    const status = fstatSync(descriptor)
    if (status.isFile() && status.size <= limit) return readFileSync(descriptor)
    return readUpTo(descriptor, limit + 1)
  } catch (cause) {
    throw fileError(cause, path)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/**
 * Reads a file into a buffer that the next call uses again, and hands it to `use`, which must not
 * keep it: for reading thousands of small files without as many buffers.
 * @throws {ForeproofError} as readLimited does.
 */
export function withFileBytes<T>(path: string, limit: number, use: (bytes: Uint8Array) => T): T {
  scratch ??= Buffer.allocUnsafe(SCRATCH_BYTES)
  let bytes: Uint8Array
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'r')
    const filled = fill(descriptor, scratch)
    bytes = scratch.subarray(0, filled)
    if (filled === SCRATCH_BYTES && limit >= filled) {
      bytes = Buffer.concat([bytes, readUpTo(descriptor, limit + 1 - filled)])
    }
  } catch (cause) {
    throw fileError(cause, path)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
  return use(bytes)
}

const SCRATCH_BYTES = 65_536
let scratch: Buffer | undefined

function readUpTo(descriptor: number, size: number): Uint8Array {
  const bytes = Buffer.alloc(size)
  return bytes.subarray(0, fill(descriptor, bytes))
}

/** Reads until the buffer is full or nothing more comes; gives the number of bytes. */
function fill(descriptor: number, bytes: Uint8Array): number {
  let filled = 0
  while (filled < bytes.length) {
    const read = readSync(descriptor, bytes, filled, bytes.length - filled, null)
    if (read === 0) break
    filled += read
  }
  return filled
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
