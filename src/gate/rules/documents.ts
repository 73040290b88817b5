import type { Change } from '../git/history.js'
import { isRegular, type TreeEntry } from '../git/tree.js'
import type { GateInputs } from '../inputs.js'
import { entriesAtBase, isDocument, pathsOf } from '../watched.js'
import { examinePath, type PathOutcome } from './states.js'

/** Looks at every document that any revision, the index or the working tree has, in order. */
export function examineDocuments(inputs: GateInputs): PathOutcome[] {
  const changes = new Map<string, Change[]>()
  for (const change of inputs.history.changes) {
    if (!isDocument(change.path) || isReturn(inputs, change)) continue
    const known = changes.get(change.path)
    if (known) known.push(change)
    else changes.set(change.path, [change])
  }
  const wanted = [...changes.values()].flat().flatMap(({ after }) => after ?? [])
  inputs.blobs.load(wanted.filter(isRegular).map(({ oid }) => oid))
  return pathsOf(inputs)
    .filter(isDocument)
    .map((path) => examinePath(inputs, path, changes.get(path) ?? []))
}

/** A merge that brought in what the base froze, or a commit that put it back. */
function isReturn(inputs: GateInputs, change: Change): boolean {
  const { path, after } = change
  const isAfter = ({ oid, mode }: TreeEntry) => oid === after?.oid && mode === after.mode
  return entriesAtBase(inputs, path).some(isAfter)
}
