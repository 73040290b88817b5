import {
  type Document,
  MAX_LIST_DOCUMENT_BYTES,
  type UnreadableDocument,
} from '../document/read.js'
import { readLimited, readStream } from '../files/input.js'
import { STDIN, STDIN_NAME } from '../files/stdin.js'
import { parseDocument } from './rules/parse.js'

/**
 * Reads one document from a file or, for `-`, from a stream.
 * @param signal - ends the wait for a stream that does not end.
 * @throws {ForeproofError} `not-found` or `io` if it cannot be read.
 */
export async function loadDocument(
  path: string,
  stdin: NodeJS.ReadableStream,
  signal?: AbortSignal,
): Promise<Document | UnreadableDocument> {
  if (path !== STDIN) return loadFile(path)
  return parseDocument(await readStream(stdin, MAX_LIST_DOCUMENT_BYTES, signal), STDIN_NAME)
}

/** Reads one document from a file. */
export function loadFile(path: string): Document | UnreadableDocument {
  return parseDocument(readLimited(path, MAX_LIST_DOCUMENT_BYTES), path)
}
