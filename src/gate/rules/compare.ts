import { type Finding, finding, type Severity } from '../../contract/findings/finding.js'
import { locateFindings } from '../../protocol/rules/check.js'
import { argumentsOf, compareDocuments } from '../../protocol/rules/compare.js'
import { type Content, sameButLineEnds } from './content.js'

/** Where a state of a file was met: the working tree, the index, or a commit. */
export interface StateLocation {
  /** As it stands in a sentence: `the working tree`, `commit 1234abcd`. */
  readonly name: string
  /** Only what lies in the working tree has lines that a reader can open. */
  readonly inWorkTree: boolean
}

export const WORK_TREE: StateLocation = { name: 'the working tree', inWorkTree: true }
export const INDEX: StateLocation = { name: 'the index', inWorkTree: false }

/**
 * How a state of a frozen document departs from what was frozen: by pointer, from and to; or in
 * its formatting alone. Line ends alone are no departure.
 */
export function compareFrozen(
  frozen: Content,
  state: Content,
  file: string,
  place: StateLocation & { readonly undone: boolean },
  strictBytes: boolean,
): Finding[] {
  if (sameButLineEnds(frozen.bytes, state.bytes)) return []
  const { name: where, undone } = place
  if (!state.document.ok) {
    const unreadable = finding('frozen-unreadable', { where, undone }, { file, pointer: '' })
    return place.inWorkTree ? [unreadable, ...state.document.findings] : [unreadable]
  }
  if (frozen.meaning === state.meaning) {
    const severity = mild(strictBytes)
    return [finding('frozen-reformatted', { where }, { file, pointer: '', severity })]
  }
  const before = frozen.document.ok ? frozen.document.value : undefined
  const findings = compareDocuments(before, state.document.value).map((difference) =>
    finding(
      'frozen-changed',
      { where, undone, ...argumentsOf(difference) },
      { file, pointer: difference.pointer },
    ),
  )
  return place.inWorkTree ? locateFindings(findings, { ...state.document, file }) : findings
}

/** What counts only where bytes are to stay as they are. */
export function mild(strictBytes: boolean): Severity {
  return strictBytes ? 'error' : 'warning'
}
