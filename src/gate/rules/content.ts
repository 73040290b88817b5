import { canonicalize } from '../../document/canonical.js'
import { sha256Hex } from '../../document/digest.js'
import {
  type Document,
  MAX_BYTES,
  readDocument,
  type UnreadableDocument,
} from '../../document/read.js'
import { PROTOCOL_DIGEST } from '../../protocol/rules/check.js'
import { verifyDocument } from '../../protocol/verify.js'

/** One state of a document: its text as some revision or the working tree has it. */
export interface Content {
  readonly bytes: Uint8Array
  readonly document: Document | UnreadableDocument
  /** Whether it verifies by itself, so that it counts as frozen. */
  readonly sound: boolean
  /** Set when it is sound. */
  readonly version: string | undefined
  /** The digest of the whole canonical form; equal exactly for equal meaning. */
  readonly meaning: string | undefined
  readonly digest: string | undefined
}

export function contentOf(bytes: Uint8Array, file: string): Content {
  const document = readDocument(bytes, file, { maxBytes: MAX_BYTES })
  if (!document.ok) {
    const nothing = { version: undefined, meaning: undefined, digest: undefined }
    return { bytes, document, sound: false, ...nothing }
  }
  const sound = verifyDocument(document).length === 0
  const members = sound ? (document.value as Record<string, string>) : {}
  return {
    bytes,
    document,
    sound,
    version: members.protocol_version,
    digest: members[PROTOCOL_DIGEST],
    meaning: sha256Hex(canonicalize(document.value)),
  }
}

/** The same bytes with every CR LF as LF: what a checkout does to line ends is no change. */
export function withoutCarriageReturns(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0x0d)) return bytes
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1')
}

export function sameButLineEnds(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(withoutCarriageReturns(a), withoutCarriageReturns(b)) === 0
}
