import { checkProtocol } from '../../contract/check-protocol.js'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { digestWithout } from '../../document/digest.js'
import { numberSpellings } from '../../document/places.js'
import type { Document } from '../../document/read.js'
import { pythonDigest } from './python.js'

/** The member of a protocol that carries its digest. */
export const PROTOCOL_DIGEST = 'protocol_sha256'

/** Codes whose place is the name of a member rather than its value. */
const AT_THE_NAME = new Set(['unknown-key', 'missing-key'])

/** Findings by pointer alone, as the contract gives them, with file, line and column added. */
export function locateFindings(findings: readonly Finding[], document: Document): Finding[] {
  return findings.map((finding) => {
    const part = AT_THE_NAME.has(finding.code) ? 'name' : 'value'
    const position = document.positionOf(finding.pointer ?? '', part)
    return { ...finding, file: document.file, position }
  })
}

/**
 * Every violation of the protocol format in one document, with file, line and column; none means that
 * its value is a `Protocol`. The digest is not recomputed: see `verifyDocument`.
 */
export function checkProtocolDocument(document: Document): Finding[] {
  return locateFindings(checkProtocol(document.value), document)
}

/**
 * Whether a protocol's digest is that of its content. A digest that is absent or no digest at all
 * is a matter of the schema and not told twice.
 */
export function checkProtocolDigest(document: Document): Finding[] {
  const { value } = document
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const declared = (value as Record<string, unknown>)[PROTOCOL_DIGEST]
  if (typeof declared !== 'string' || !/^[0-9a-f]{64}$/.test(declared)) return []
  const computed = digestWithout(value, PROTOCOL_DIGEST)
  if (computed === declared) return []
  const mismatch = finding(
    'digest-mismatch',
    { declared, computed, python: pythonReason(document, declared) },
    { pointer: `/${PROTOCOL_DIGEST}` },
  )
  return locateFindings([mismatch], document)
}

/** The numbers to blame when the digest is right by Python's spelling of them, else null. */
function pythonReason(document: Document, declared: string): readonly string[] | null {
  const spellings = numberSpellings(document.text)
  const { digest, differing } = pythonDigest(document.value as object, PROTOCOL_DIGEST, spellings)
  return digest === declared ? differing : null
}
