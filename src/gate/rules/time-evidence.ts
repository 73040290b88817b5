import { dirname, join } from 'node:path/posix'
import { type Finding, finding } from '../../contract/findings/finding.js'
import type { Document, UnreadableDocument } from '../../document/read.js'
import { LEDGER_NAME } from '../../protocol/ledger-file.js'
import { parseDocument } from '../../protocol/rules/parse.js'
import { checkSoundness } from '../../protocol/verify.js'
import { objectName } from '../git/objects.js'
import { isRegular, isSameFile, type TreeEntry } from '../git/tree.js'
import {
  classifyEvidence,
  type EvidenceKind,
  entriesAtBase,
  finalBytes,
  type GateInputs,
  listPaths,
} from '../inputs.js'
import { INDEX, isSameText, type StateLocation, WORK_TREE } from './content.js'
import { beginsWith, splitLedger } from './ledgers.js'
import { isBlob } from './states.js'

export interface TimeEvidenceOutcome {
  readonly findings: readonly Finding[]
  /** True when the working tree has exactly what the base has. */
  readonly untouched: boolean
}

/**
 * Checks the evidence beside a ledger: stamps, anchors and revocation lists of the base are unchanged, records of
 * readings only grew, and lists of periods match their protocols. New files are allowed. Only the final state counts,
 * because a restored file proves the same.
 */
export function checkTimeEvidence(inputs: GateInputs): TimeEvidenceOutcome {
  const paths = listPaths(inputs)
  const all = new Set(paths)
  const watched = paths.filter((path) => {
    const kind = classifyEvidence(path)
    if (kind === undefined) return false
    if (kind === 'periods') return true
    const folder = dirname(dirname(kind === 'stamp' ? dirname(path) : path))
    return all.has(join(folder, LEDGER_NAME))
  })
  const findings = watched.flatMap((path) => checkFile(inputs, path))
  const isNew = (path: string) => inputs.work.has(path) && !inputs.frozen.has(path)
  return { findings, untouched: findings.length === 0 && !watched.some(isNew) }
}

type Fault = 'deleted' | 'changed' | 'not-a-file'

/** First in the working tree, then in the index. */
function checkFile(inputs: GateInputs, path: string): readonly Finding[] {
  const base = entriesAtBase(inputs, path).filter(isRegular)
  const kind = classifyEvidence(path)!
  if (isUnchanged(inputs, path, base)) return []
  const [protocol] = kind === 'periods' ? protocolsAtBase(inputs, path) : []
  if (protocol && !base.some(({ oid }) => isList(inputs, path, inputs.blobs.get(oid)))) {
    return hasNeverVerified(inputs, path, base, protocol)
  }
  if (base.length === 0) return []
  const at = { file: inputs.toName(path), pointer: '' }
  const reported = (fault: Fault, { name, inWorkTree }: StateLocation): Finding[] => {
    const args = { where: name, undone: !inWorkTree }
    if (fault === 'not-a-file') return [finding(fault, args, at)]
    return [finding('time-evidence-lost', { ...args, kind, change: fault }, at)]
  }
  const isKept = (bytes: Uint8Array) =>
    base.some(({ oid }) => keeps(inputs, kind, bytes, oid)) ||
    (kind === 'periods' && isList(inputs, path, bytes))
  const there = inputs.work.get(path)
  if (there === 'link' || there === 'other') return reported('not-a-file', WORK_TREE)
  const bytes = finalBytes(inputs, path)
  if (bytes === undefined) return reported('deleted', WORK_TREE)
  if (!isKept(bytes)) return reported('changed', WORK_TREE)
  const staged = inputs.index.get(path) ?? []
  if (staged.some(({ stage }) => stage > 0)) return [finding('merge-unresolved', {}, at)]
  const [next] = staged
  if (next === undefined) return reported('deleted', INDEX)
  if (!isRegular(next)) return reported('not-a-file', INDEX)
  return isKept(inputs.blobs.get(next.oid)) ? [] : reported('changed', INDEX)
}

function isUnchanged(inputs: GateInputs, path: string, base: readonly TreeEntry[]): boolean {
  const [next, ...others] = inputs.index.get(path) ?? []
  const bytes = finalBytes(inputs, path)
  if (bytes === undefined || next === undefined || others.length > 0) return false
  return base.some((each) => isSameFile(each, next) && isBlob(inputs, bytes, each.oid))
}

/** Whether some bytes are the list of periods of a protocol that was frozen at the base. */
function isList(inputs: GateInputs, path: string, bytes: Uint8Array): boolean {
  return protocolsAtBase(inputs, path).some(
    (document) => checkSoundness(document, () => bytes).periods !== undefined,
  )
}

function protocolsAtBase(inputs: GateInputs, path: string) {
  const file = path.replace(/\.periods\.csv$/, '.json')
  const documents = entriesAtBase(inputs, file).filter(isRegular)
  return documents.map(({ oid }) => parseDocument(inputs.blobs.get(oid), inputs.toName(file)))
}

/**
 * A list that never verified was never frozen, so it may be replaced by the list of the protocol. The list of a new
 * protocol is checked with it.
 */
function hasNeverVerified(
  inputs: GateInputs,
  path: string,
  base: readonly TreeEntry[],
  protocol: Document | UnreadableDocument,
): readonly Finding[] {
  const bytes = finalBytes(inputs, path)
  const isLeft =
    bytes === undefined
      ? base.length === 0 && !inputs.work.has(path)
      : base.some(({ oid }) => isBlob(inputs, bytes, oid))
  return isLeft ? [] : checkSoundness(protocol, () => bytes).findings
}

function keeps(inputs: GateInputs, kind: EvidenceKind, bytes: Uint8Array, oid: string): boolean {
  if (kind === 'stamp') return objectName('blob', bytes, inputs.repository.hash) === oid
  if (kind === 'readings') return beginsWith(splitLedger(bytes), splitLedger(inputs.blobs.get(oid)))
  return isSameText(bytes, inputs.blobs.get(oid))
}
