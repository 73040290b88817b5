import { dirname, join } from 'node:path/posix'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { LEDGER_NAME } from '../../protocol/ledger-file.js'
import { objectName } from '../git/objects.js'
import { isRegular, type TreeEntry } from '../git/tree.js'
import {
  entriesAtBase,
  finalBytes,
  type GateInputs,
  isAnchor,
  isStamp,
  pathsOf,
} from '../inputs.js'
import { INDEX, type StateLocation, WORK_TREE } from './content.js'
import { isBlob } from './states.js'

export interface TimeEvidenceOutcome {
  readonly findings: readonly Finding[]
  /** True when the working tree has exactly the stamps and anchors of the base. */
  readonly untouched: boolean
}

/**
 * Whether every stamp and anchor that lay beside a ledger at the base still does, byte for byte. New
 * ones are welcome. Commits in between do not count: what is there again in the end proves the same.
 */
export function examineTimeEvidence(inputs: GateInputs): TimeEvidenceOutcome {
  const paths = pathsOf(inputs)
  const all = new Set(paths)
  const watched = paths.filter((path) => {
    if (!isStamp(path) && !isAnchor(path)) return false
    const folder = dirname(dirname(isStamp(path) ? dirname(path) : path))
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
  const kind = isStamp(path) ? 'stamp' : 'anchor'
  const now = inWorkTree(inputs, path, base)
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
  const next = inIndex(staged[0], base)
  return next === undefined ? [] : [reported(next, INDEX)]
}

function inWorkTree(
  inputs: GateInputs,
  path: string,
  base: readonly TreeEntry[],
): Fault | undefined {
  const kind = inputs.work.get(path)?.kind
  if (kind === 'link' || kind === 'other') return 'not-a-file'
  const bytes = finalBytes(inputs, path)
  if (bytes === undefined) return 'deleted'
  const isSame = ({ oid }: TreeEntry) =>
    isStamp(path)
      ? objectName('blob', bytes, inputs.repository.hash) === oid
      : isBlob(inputs, bytes, oid)
  return base.some(isSame) ? undefined : 'changed'
}

function inIndex(staged: TreeEntry | undefined, base: readonly TreeEntry[]): Fault | undefined {
  if (staged === undefined) return 'deleted'
  if (!isRegular(staged)) return 'not-a-file'
  return base.some(({ oid }) => oid === staged.oid) ? undefined : 'changed'
}
