import { type Document, readDocument, type UnreadableDocument } from '../document/read.js'
import { readLimited } from '../files/input.js'

/** A family is listed by name, and tens of thousands of names go beyond what other documents need. */
const MAX_REGISTRATION_BYTES = 32 * 1_048_576

/**
 * Reads a registration as a document; nothing is verified yet.
 * @throws {ForeproofError} `not-found` or `io`.
 */
export function readRegistration(path: string): Document | UnreadableDocument {
  const bytes = readLimited(path, MAX_REGISTRATION_BYTES)
  return readDocument(bytes, path, { maxBytes: MAX_REGISTRATION_BYTES })
}
