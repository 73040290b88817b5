import { type Finding, finding } from '../../contract/findings/finding.js'
import type { GateInputs } from '../inputs.js'
import { isWatched } from '../watched.js'

/**
 * New files whose name is that of another but for the case of letters, or their composition: on
 * file systems that do not tell the two apart, a checkout puts one in the place of the other.
 */
export function collidingNames(inputs: GateInputs): Finding[] {
  const alike = new Map<string, string[]>()
  for (const path of new Set([...inputs.index.keys(), ...inputs.work.keys()])) {
    const name = path.normalize('NFC').toLowerCase()
    alike.set(name, [...(alike.get(name) ?? []), path])
  }
  return [...alike.values()].flatMap((paths) => {
    if (paths.length < 2 || !paths.some(isWatched)) return []
    const [first = '', ...others] = paths.sort((a, b) => rank(inputs, a) - rank(inputs, b))
    const added = others.filter((path) => !inputs.frozen.has(path))
    const args = { other: inputs.nameOf(first) }
    return added.map((path) =>
      finding('name-collides', args, { file: inputs.nameOf(path), pointer: '' }),
    )
  })
}

/** What was there first keeps the name. */
function rank(inputs: GateInputs, path: string): number {
  return inputs.frozen.has(path) ? 0 : 1
}
