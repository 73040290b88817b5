import { fstatSync, writeFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { ForeproofError, fileError } from '../contract/error.js'

/** How messages name standard output. */
const STDOUT_NAME = 'standard output'

/**
 * Standard output of this process, of which nothing is lost without a word: where it is a file, Node's
 * own stream takes a part for the whole when the disk fills up in between.
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
    // Not the plain form: Node 20 looks at what that found last when it follows links to packages, and
    // follows none after a pipe. Packages that are linked, as pnpm links them, were not found.
    const status = fstatSync(fd, { bigint: true })
    return status.isFile() || status.isCharacterDevice()
  } catch {
    return false
  }
}

/**
 * Writes as fast as the reader takes it.
 * @throws {ForeproofError} `io` when it cannot be written, also because its reader has gone.
 */
export function writeOut(stream: NodeJS.WritableStream, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(data, (cause) => (cause ? reject(outputError(cause)) : resolve()))
  })
}

/** What went wrong with a stream, once all that was given to it is written or lost. */
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

/** Whether an error says that the reader of standard output has gone; other pipes and connections are not meant. */
export function isClosedOutput(error: unknown): boolean {
  if (!(error instanceof ForeproofError) || error.file !== STDOUT_NAME) return false
  return (error.cause as { code?: unknown } | undefined)?.code === 'EPIPE'
}

function outputError(cause: Error): ForeproofError {
  return fileError(cause, STDOUT_NAME)
}
