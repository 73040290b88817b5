import { fstatSync, writeFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { ForeproofError, fileError } from '../contract/error.js'

/** The name of standard output in messages. */
const STDOUT_NAME = 'standard output'

/**
 * Writes all data to standard output, or reports an error. For a file, Node's own stream ignores a partial write when
 * the disk fills up.
 */
export function wholeOutput(
  stream: NodeJS.WriteStream & { readonly fd: number },
): NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number } {
  const { fd } = stream
  if (stream.isTTY || !isFile(fd)) return stream
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        writeFileSync(fd, chunk)
      } catch (cause) {
        done(cause as Error)
        return
      }
      done()
    },
  })
}

function isFile(fd: number): boolean {
  try {
    // The bigint form is necessary. After the plain form found a pipe, Node 20 no longer follows links to packages, so
    // packages linked by pnpm were not found.
    const status = fstatSync(fd, { bigint: true })
    return status.isFile() || status.isCharacterDevice()
  } catch {
    return false
  }
}

/**
 * Writes at the pace of the reader.
 * @throws {ForeproofError} `io` if it cannot be written, also because its reader is gone.
 */
export function writeOut(stream: NodeJS.WritableStream, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(data, (cause) => (cause ? reject(outputError(cause)) : resolve()))
  })
}

/** Returns the error of a stream, after all its data is written or lost. */
export function watchOutput(
  stream: NodeJS.WritableStream,
): () => Promise<ForeproofError | undefined> {
  let failure: ForeproofError | undefined
  stream.on('error', (cause: Error) => {
    failure ??= outputError(cause)
  })
  return async () => {
    try {
      await writeOut(stream, '')
    } catch (cause) {
      failure ??= cause as ForeproofError
    }
    return failure
  }
}

/** Whether an error means that the reader of standard output is gone; other pipes and connections do not count. */
export function isClosedOutput(error: unknown): boolean {
  if (!(error instanceof ForeproofError) || error.file !== STDOUT_NAME) return false
  return (error.cause as { code?: unknown } | undefined)?.code === 'EPIPE'
}

function outputError(cause: Error): ForeproofError {
  return fileError(cause, STDOUT_NAME)
}
