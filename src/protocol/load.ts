import {
  type Document,
  MAX_BYTES,
  readDocument,
  type UnreadableDocument,
} from '../document/read.js'
import { readLimited, readStream, STDIN, STDIN_NAME } from '../files/input.js'

/**
 * Reads one document from a file or, for `-`, from a stream.
 * @throws {ForeproofError} `not-found` or `io` when there is nothing to read.
 */
export async function loadDocument(
  path: string,
  stdin: NodeJS.ReadableStream,
): Promise<Document | UnreadableDocument> {
  if (path === STDIN) return readDocument(await readStream(stdin, MAX_BYTES), STDIN_NAME)
  return loadFile(path)
}

/** Reads one document from a file. */
export function loadFile(path: string): Document | UnreadableDocument {
  return readDocument(readLimited(path, MAX_BYTES), path)
}
