import { finding } from '../../contract/findings/finding.js'
import { isObject } from '../../contract/is-object.js'
import {
  type Document,
  MAX_BYTES,
  MAX_LIST_DOCUMENT_BYTES,
  readDocument,
  type UnreadableDocument,
} from '../../document/read.js'
import { isSeriesProtocol } from './check.js'

/** Parses one document, within the size limit of its kind: see `largestSize`. */
export function parseDocument(bytes: Uint8Array, file: string): Document | UnreadableDocument {
  const document = readDocument(bytes, file, { maxBytes: MAX_LIST_DOCUMENT_BYTES })
  if (!document.ok) return document
  const limit = largestSize(document.value)
  if (bytes.length <= limit) return document
  const findings = [finding('document-too-large', { limit }, { file, pointer: '' })]
  return { ok: false, file, findings, text: '' }
}

/** The size limit of a document in bytes, for writing and reading. */
export function largestSize(value: unknown): number {
  const listsSeries =
    isSeriesProtocol(value) || (isObject(value) && 'registration_version' in value)
  return listsSeries ? MAX_LIST_DOCUMENT_BYTES : MAX_BYTES
}
