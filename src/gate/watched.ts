import { LEDGER_NAME } from '../protocol/ledger-file.js'
import { short } from './git/repository.js'
import { isRegular, type TreeEntry } from './git/tree.js'
import type { GateInputs } from './inputs.js'

/** Every watched path that any revision, the index or the working tree has, in order. */
export function pathsOf(inputs: GateInputs): string[] {
  const paths = new Set([
    ...inputs.frozen.keys(),
    ...inputs.history.changes.map((change) => change.path),
    ...inputs.index.keys(),
    ...inputs.work.keys(),
  ])
  return [...paths].filter(isWatched).sort()
}

/** Every state of a path that counts as frozen: one, or several after criss-cross merges. */
export function entriesAtBase(inputs: GateInputs, path: string): readonly TreeEntry[] {
  return [inputs.frozen.get(path) ?? [], inputs.rivals.get(path) ?? []].flat()
}

/** The files the gate is about: documents, ledgers, and what beside these proves their time. */
export function isWatched(path: string): boolean {
  return isDocument(path) || isLedger(path) || isStamp(path) || isAnchor(path)
}

export function isDocument(path: string): boolean {
  return path.endsWith('.json')
}

export function isLedger(path: string): boolean {
  return path === LEDGER_NAME || path.endsWith(`/${LEDGER_NAME}`)
}

export function isStamp(path: string): boolean {
  return /(?:^|\/)stamps\/[0-9a-f]{64}\/[^/]+\.tsr$/.test(path)
}

export function isAnchor(path: string): boolean {
  return /(?:^|\/)anchors\/[^/]+\.pem$/.test(path)
}

/** The bytes in the working tree or, where a sparse checkout leaves the file out, in the index. */
export function finalBytes(inputs: GateInputs, path: string): Uint8Array | undefined {
  if (inputs.work.get(path)?.kind === 'file') return inputs.read(path)
  const skipped = inputs.index.get(path)?.find((each) => each.skipped && isRegular(each))
  return skipped && !inputs.work.has(path) ? inputs.blobs.get(skipped.oid) : undefined
}

/** A commit as findings name it. */
export function commitName(commit: string): string {
  return `commit ${short(commit)}`
}
