import type { Finding } from '../contract/findings/finding.js'
import type { Protocol, Registration } from '../contract/types.js'
import { type Document, readDocument, type UnreadableDocument } from '../document/read.js'
import { readLimited } from '../files/input.js'
import { placed } from '../protocol/rules/check.js'
import { verifyRegistration } from './verify.js'

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

export type LoadedRegistration =
  | { readonly ok: true; readonly registration: Registration; readonly document: Document }
  | {
      readonly ok: false
      readonly findings: readonly Finding[]
      readonly document: Document | UnreadableDocument
    }

/**
 * Reads a registration and verifies it under its protocol, which must be verified already.
 * @throws {ForeproofError} `not-found` or `io`.
 */
export function loadRegistration(path: string, protocol: Protocol): LoadedRegistration {
  const document = readRegistration(path)
  if (!document.ok) return { ok: false, findings: document.findings, document }
  const findings = placed(verifyRegistration(document.value, protocol), document)
  if (findings.length > 0) return { ok: false, findings, document }
  return { ok: true, registration: document.value as Registration, document }
}
