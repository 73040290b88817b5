import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { SUBMODULE_MODE } from '../git/tree.js'
import { type GateInputs, isWatched } from '../inputs.js'

/** Folders and files below the protocol folder that no commit of this repository holds, whatever is committed. */
export function checkOutsideGit(inputs: GateInputs): Finding[] {
  const outside = (fault: ArgsOf<'outside-git'>['fault'], path: string) =>
    finding('outside-git', { fault }, { file: inputs.toName(path), pointer: '' })
  // A submodule at the path of a document or a ledger is reported elsewhere: it is not a regular file.
  const index = [...inputs.index].filter(
    ([path, entries]) => !isWatched(path) && entries.some(({ mode }) => mode === SUBMODULE_MODE),
  )
  const submodules = new Set(index.map(([path]) => path))
  const others = inputs.nested.filter((path) => !submodules.has(path))
  const ignored = [...inputs.work.keys()].filter((path) => inputs.untracked.ignored.has(path))
  return [
    ...[...submodules].map((path) => outside('submodule', path)),
    ...others.map((path) => outside('repository', path)),
    ...inputs.linked.map((path) => outside('link', path)),
    ...ignored.filter(isWatched).map((path) => outside('ignored', path)),
  ]
}
