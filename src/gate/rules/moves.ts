import { type Finding, finding } from '../../contract/findings/finding.js'
import type { GateInputs } from '../inputs.js'
import { commitName } from '../watched.js'
import { WORK_TREE } from './compare.js'
import type { Content } from './content.js'
import type { PathOutcome } from './states.js'

export interface Moves {
  /** What is to say of a path instead of judging it as a new document. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>
  /** Frozen documents that are no longer where they were frozen. */
  readonly gone: ReadonlySet<string>
}

/**
 * Documents that are no longer there: frozen ones were renamed, where a new file has the same
 * content, or deleted; one that came and went since the base was withdrawn before it counted.
 */
export function settleMoves(inputs: GateInputs, outcomes: readonly PathOutcome[]): Moves {
  const findings = new Map<string, readonly Finding[]>()
  const gone = new Set<string>()
  for (const outcome of outcomes) {
    const { path, final, frozen, others } = outcome
    if (final !== undefined || inputs.work.has(path)) continue
    const withdrawn = others.at(-1)
    if (frozen !== undefined) {
      gone.add(path)
      const target = outcomes.find((each) => !each.frozen && each.final?.meaning === frozen.meaning)
      findings.set(path, [departed(inputs, path, target?.path)])
      // Under its new name the document is the same fault, not another.
      if (target !== undefined) findings.set(target.path, [])
    } else if (withdrawn !== undefined && !isFrozenContent(withdrawn.content, outcomes)) {
      const args = { where: withdrawn.place.name, version: withdrawn.content.version ?? '' }
      const found = finding('frozen-withdrawn', args, { file: inputs.nameOf(path), pointer: '' })
      findings.set(path, [found])
    }
  }
  return { findings, gone }
}

/** A passing copy or name of what was frozen is no version of its own. */
function isFrozenContent(content: Content, outcomes: readonly PathOutcome[]): boolean {
  return outcomes.some((outcome) => outcome.frozen?.meaning === content.meaning)
}

function departed(inputs: GateInputs, path: string, target: string | undefined): Finding {
  const file = inputs.nameOf(path)
  if (target !== undefined)
    return finding('frozen-renamed', { to: inputs.nameOf(target) }, { file, pointer: '' })
  const last = inputs.history.changes.findLast((change) => change.path === path)
  const committed = last !== undefined && last.after === undefined
  const where = committed ? commitName(last.commit) : WORK_TREE.name
  return finding('frozen-deleted', { where, undone: false }, { file, pointer: '' })
}
