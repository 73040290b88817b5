import { dirname, join } from 'node:path/posix'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { LEDGER_NAME } from '../../protocol/ledger-file.js'
import { objectName } from '../git/objects.js'
import { isRegular } from '../git/tree.js'
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

/** First in the working tree, then in the index. */
function examine(inputs: GateInputs, path: string): Finding[] {
  const base = entriesAtBase(inputs, path).filter(isRegular)
  if (base.length === 0) return []
  const kind = evidenceKind(path)!
  const at = { file: inputs.nameOf(path), pointer: '' }
  const reported = (fault: Fault, { name, inWorkTree }: StateLocation): Finding[] => {
    const args = { where: name, undone: !inWorkTree }
    if (fault === 'not-a-file') return [finding(fault, args, at)]
    return [finding('time-evidence-lost', { ...args, kind, change: fault }, at)]
  }
  const isKept = (bytes: Uint8Array) => base.some(({ oid }) => keeps(inputs, kind, bytes, oid))
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
  const isSame =
    base.some(({ oid }) => oid === next.oid) ||
    (kind === 'readings' && isKept(inputs.blobs.get(next.oid)))
  return isSame ? [] : reported('changed', INDEX)
}

function keeps(inputs: GateInputs, kind: EvidenceKind, bytes: Uint8Array, oid: string): boolean {
  if (kind === 'stamp') return objectName('blob', bytes, inputs.repository.hash) === oid
  if (kind === 'readings') return beginsWith(linesOf(bytes), linesOf(inputs.blobs.get(oid)))
  return isBlob(inputs, bytes, oid)
}
