import { type Document, readDocument, type UnreadableDocument } from '../document/read.js'
import { readRegular } from '../files/regular.js'

/** A family is listed by name, and tens of thousands of names go beyond what other documents need. */
const MAX_REGISTRATION_BYTES = 32 * 1_048_576

/**
 * Reads a registration as a document; nothing is verified yet.
 * @throws {ForeproofError} as `readRegular`.
 */
export function readRegistration(path: string): Document | UnreadableDocument {
  const bytes = readRegular(path, MAX_REGISTRATION_BYTES)
  return readDocument(bytes, path, { maxBytes: MAX_REGISTRATION_BYTES })
}
