import { type Finding, finding } from '../../contract/findings/finding.js'
import { canonicalize } from '../../document/canonical.js'
import { sha256Hex } from '../../document/digest.js'
import type { Document, UnreadableDocument } from '../../document/read.js'
import { checkFrozenDocument, locateFindings, PROTOCOL_DIGEST } from '../../protocol/rules/check.js'
import { compareDocuments, differenceArguments } from '../../protocol/rules/compare.js'
import { parseDocument } from '../../protocol/rules/parse.js'

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

export function parseContent(bytes: Uint8Array, file: string): Content {
  const document = parseDocument(bytes, file)
  if (!document.ok) {
    const nothing = { version: undefined, meaning: undefined, digest: undefined }
    return { bytes, document, sound: false, ...nothing }
  }
  const sound = checkFrozenDocument(document).length === 0
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

export function isSameText(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(withoutCarriageReturns(a), withoutCarriageReturns(b)) === 0
}

/** Where a state of a file was met: the working tree, the index, or a commit. */
export interface StateLocation {
  /** As a sentence names it: `the working tree`, `commit 1234abcd`. */
  readonly name: string
  /** Only what lies in the working tree has lines that a reader can open. */
  readonly inWorkTree: boolean
}

export const WORK_TREE: StateLocation = { name: 'the working tree', inWorkTree: true }
export const INDEX: StateLocation = { name: 'the index', inWorkTree: false }

/**
 * How a state of a frozen document departs from what was frozen: by pointer, from and to; or in
 * its formatting alone. Line ends alone are no departure.
 */
export function compareFrozen(
  frozen: Content,
  state: Content,
  file: string,
  location: StateLocation & { readonly undone: boolean },
  strictBytes: boolean,
): Finding[] {
  if (isSameText(frozen.bytes, state.bytes)) return []
  const { name: where, undone } = location
  if (!state.document.ok) {
    const unreadable = finding('frozen-unreadable', { where, undone }, { file, pointer: '' })
    return location.inWorkTree ? [unreadable, ...state.document.findings] : [unreadable]
  }
  if (frozen.meaning === state.meaning) {
    const severity = strictBytes ? 'error' : 'warning'
    return [finding('frozen-reformatted', { where }, { file, pointer: '', severity })]
  }
  const before = frozen.document.ok ? frozen.document.value : undefined
  const findings = compareDocuments(before, state.document.value).map((difference) => {
    const args = { where, undone, ...differenceArguments(difference) }
    return finding('frozen-changed', args, { file, pointer: difference.pointer })
  })
  return location.inWorkTree ? locateFindings(findings, { ...state.document, file }) : findings
}
