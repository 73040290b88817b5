import type { Change } from './git/history.js'
import { isDocument, pathsOf, type Scene } from './scene.js'
import { examinePath, type PathOutcome } from './states.js'

/** Looks at every document that any revision, the index or the working tree has, in order. */
export function examineDocuments(scene: Scene): PathOutcome[] {
  const changes = new Map<string, Change[]>()
  for (const change of scene.history.changes) {
    if (!isDocument(change.path) || isReturn(scene, change)) continue
    const known = changes.get(change.path)
    if (known) known.push(change)
    else changes.set(change.path, [change])
  }
  const wanted = [...changes.values()].flat().flatMap(({ after }) => after ?? [])
  scene.blobs.load(wanted.filter((entry) => entry.mode.startsWith('100')).map(({ oid }) => oid))
  return pathsOf(scene)
    .filter(isDocument)
    .map((path) => examinePath(scene, path, changes.get(path) ?? []))
}

/** A merge that brought in what the base froze, or a commit that put it back. */
function isReturn(scene: Scene, change: Change): boolean {
  return change.after !== undefined && change.after.oid === scene.frozen.get(change.path)?.oid
}
