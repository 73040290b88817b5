import { dirname, join } from 'node:path/posix'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { LEDGER_NAME } from '../../protocol/ledger-file.js'
import { objectName } from '../git/objects.js'
import { isRegular, type TreeEntry } from '../git/tree.js'
import {
  type EvidenceKind,
  entriesAtBase,
  evidenceKind,
  finalBytes,
  type GateInputs,
  pathsOf,
} from '../inputs.js'
import { INDEX, type StateLocation, WORK_TREE } from './content.js'
import { beginsWith, linesOf } from './ledgers.js'
import { isBlob } from './states.js'

export interface TimeEvidenceOutcome {
  readonly findings: readonly Finding[]
  /** True when the working tree has exactly what the base has. */
  readonly untouched: boolean
}

/**
 * Whether every stamp and anchor, list of revoked certificates and file of periods that lay beside a ledger at the base
 * still does, byte for byte, and every record of readings begins as it did. New ones are welcome. Commits in between do
 * not count: what is there again in the end proves the same.
 */
export function examineTimeEvidence(inputs: GateInputs): TimeEvidenceOutcome {
  const paths = pathsOf(inputs)
  const all = new Set(paths)
  const watched = paths.filter((path) => {
    const kind = evidenceKind(path)
    if (kind === undefined) return false
    if (kind === 'periods') return true
    const folder = dirname(dirname(kind === 'stamp' ? dirname(path) : path))
    return all.has(join(folder, LEDGER_NAME))
  })
  const findings = watched.flatMap((path) => examine(inputs, path))
  const isNew = (path: string) => inputs.work.has(path) && !inputs.frozen.has(path)
  return { findings, untouched: findings.length === 0 && !watched.some(isNew) }
}

type Fault = 'deleted' | 'changed' | 'not-a-file'

function examine(inputs: GateInputs, path: string): Finding[] {
  const base = entriesAtBase(inputs, path).filter(isRegular)
  if (base.length === 0) return []
  const kind = evidenceKind(path)!
  const now = inWorkTree(inputs, kind, path, base)
  const reported = (fault: Fault, { name, inWorkTree }: StateLocation): Finding => {
    const args = { where: name, undone: !inWorkTree }
    const at = { file: inputs.nameOf(path), pointer: '' }
    return fault === 'not-a-file'
      ? finding(fault, args, at)
      : finding('time-evidence-lost', { ...args, kind, change: fault }, at)
  }
  if (now !== undefined) return [reported(now, WORK_TREE)]
  const staged = inputs.index.get(path) ?? []
  if (staged.some(({ stage }) => stage > 0)) {
    return [finding('merge-unresolved', {}, { file: inputs.nameOf(path), pointer: '' })]
  }
  const next = inIndex(inputs, kind, staged[0], base)
  return next === undefined ? [] : [reported(next, INDEX)]
}

function inWorkTree(
  inputs: GateInputs,
  kind: EvidenceKind,
  path: string,
  base: readonly TreeEntry[],
): Fault | undefined {
  const there = inputs.work.get(path)?.kind
  if (there === 'link' || there === 'other') return 'not-a-file'
  const bytes = finalBytes(inputs, path)
  if (bytes === undefined) return 'deleted'
  return base.some((entry) => isKept(inputs, kind, bytes, entry)) ? undefined : 'changed'
}

function isKept(
  inputs: GateInputs,
  kind: EvidenceKind,
  bytes: Uint8Array,
  { oid }: TreeEntry,
): boolean {
  if (kind === 'stamp') return objectName('blob', bytes, inputs.repository.hash) === oid
  if (kind === 'readings') return beginsWith(linesOf(bytes), linesOf(inputs.blobs.get(oid)))
  return isBlob(inputs, bytes, oid)
}

function inIndex(
  inputs: GateInputs,
  kind: EvidenceKind,
  staged: TreeEntry | undefined,
  base: readonly TreeEntry[],
): Fault | undefined {
  if (staged === undefined) return 'deleted'
  if (!isRegular(staged)) return 'not-a-file'
  const isSame = (entry: TreeEntry) =>
    entry.oid === staged.oid ||
    (kind === 'readings' && isKept(inputs, kind, inputs.blobs.get(staged.oid), entry))
  return base.some(isSame) ? undefined : 'changed'
}
