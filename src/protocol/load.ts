import {
  type Document,
  MAX_BYTES,
  readDocument,
  type UnreadableDocument,
} from '../document/read.js'
import { readLimited, readStream, STDIN, STDIN_NAME } from '../files/input.js'

/**
 * Reads one document from a file or, for `-`, from a stream.
 * @param signal - ends the wait for a stream that has no end.
 * @throws {ForeproofError} `not-found` or `io` when there is nothing to read.
 */
export async function loadDocument(
  path: string,
  stdin: NodeJS.ReadableStream,
  signal?: AbortSignal,
): Promise<Document | UnreadableDocument> {
  if (path === STDIN) return readDocument(await readStream(stdin, MAX_BYTES, signal), STDIN_NAME)
  return loadFile(path)
}

/** Reads one document from a file. */
export function loadFile(path: string): Document | UnreadableDocument {
  return readDocument(readLimited(path, MAX_BYTES), path)
}
