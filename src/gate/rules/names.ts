import { type Finding, finding } from '../../contract/findings/finding.js'
import { indexPaths, readTree } from '../git/tree.js'
import { type GateInputs, isWatched } from '../inputs.js'

/**
 * Reports new files whose names collide on file systems that ignore case and the like: there, a checkout overwrites
 * one with the other.
 */
export function checkNames(inputs: GateInputs): Finding[] {
  const alike = new Map<string, string[]>()
  for (const path of new Set([...inputs.index.keys(), ...inputs.work.keys()])) {
    const name = foldName(path)
    alike.set(name, [...(alike.get(name) ?? []), path])
  }
  const inside = [...alike.values()].flatMap((paths) => {
    if (paths.length < 2 || !paths.some(isWatched)) return []
    const [first = '', ...others] = paths.sort((a, b) => rank(inputs, a) - rank(inputs, b))
    const added = others.filter((path) => !inputs.frozen.has(path))
    return added.map((path) => collisionFinding(inputs, path, first))
  })
  return [...inside, ...checkFolderNames(inputs)]
}

/**
 * New files that are outside of the folder here and in it, or in its place, there: `Protocols/v1.json`
 * beside `protocols`.
 */
function checkFolderNames(inputs: GateInputs): Finding[] {
  const { folder, repository, base } = inputs
  if (folder === '') return []
  const name = foldName(folder)
  const relativeTo = (path: string) =>
    foldName(path).startsWith(`${name}/`) && isWatched(foldName(path))
  const instead = (path: string) => `${name}/`.startsWith(`${foldName(path)}/`)
  return indexPaths(repository.top)
    .filter((path) => path !== folder && !path.startsWith(`${folder}/`))
    .filter((path) => relativeTo(path) || instead(path))
    .filter((path) => !readTree(repository.top, base.commit, path).has(path))
    .map((path) => collisionFinding(inputs, path, folder))
}

function collisionFinding(inputs: GateInputs, path: string, other: string): Finding {
  const args = { other: inputs.toName(other) }
  return finding('name-collides', args, { file: inputs.toName(path), pointer: '' })
}

/**
 * A name as the most forgiving file systems take it: without regard to the case of letters, to their
 * composition, and to dots and spaces at the end.
 */
function foldName(path: string): string {
  const letters = path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
  return letters.replace(/[. ]+(?=\/|$)/g, '')
}

/** The older file keeps the name. */
function rank(inputs: GateInputs, path: string): number {
  return inputs.frozen.has(path) ? 0 : 1
}
