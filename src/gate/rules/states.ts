import type { ArgsOf, Code, Finding } from '../../contract/findings/finding.js'
import { finding } from '../../contract/findings/finding.js'
import type { FileChange } from '../git/history.js'
import { objectName } from '../git/objects.js'
import { type IndexEntry, isRegular, isSameFile, type TreeEntry } from '../git/tree.js'
import {
  commitName,
  entriesAtBase,
  finalBytes,
  type GateInputs,
  isDocument,
  listPaths,
} from '../inputs.js'
import {
  type Content,
  compareFrozen,
  INDEX,
  parseContent,
  type StateLocation,
  WORK_TREE,
  withoutCarriageReturns,
} from './content.js'

/** One state of one path, in a commit, the index or the working tree. */
export interface DocumentState {
  readonly path: string
  readonly content: Content
  readonly location: StateLocation
}

/** The result of checking one path. */
export interface PathOutcome {
  readonly path: string
  readonly findings: readonly Finding[]
  /** What was frozen at this path; undefined when it is new, or was unsound at the base. */
  readonly frozen: Content | undefined
  /** How the file ends up; undefined when it is gone, or no file. */
  readonly final: Content | undefined
  /** States that mean something else than what was frozen at this path. */
  readonly others: readonly DocumentState[]
  /** True when the file ends up exactly as it was frozen. */
  readonly untouched: boolean
}

const UNTOUCHED = {
  findings: [],
  frozen: undefined,
  final: undefined,
  others: [],
  untouched: true,
} as const

/** Checks every state of one document: working tree, index, and every commit since the base. */
export function checkPath(
  inputs: GateInputs,
  path: string,
  changes: readonly FileChange[],
): PathOutcome {
  const entry = inputs.frozen.get(path)
  const ahead = inputs.ahead?.get(path)
  const entries = entriesAtBase(inputs, path)
  const drifted =
    ahead !== undefined && isRegular(ahead) && !entries.some((each) => isSameFile(each, ahead))
  const work = finalBytes(inputs, path)
  const staged = inputs.index.get(path) ?? []
  const isSame =
    entry !== undefined &&
    work !== undefined &&
    isBlob(inputs, work, entry.oid) &&
    !drifted &&
    entries.length === 1
  if (isSame && changes.length === 0 && isStaged(staged, entry)) {
    return { path, ...UNTOUCHED }
  }
  return new PathChecker(inputs, path, changes, drifted ? ahead : undefined, work).run()
}

export function isBlob(inputs: GateInputs, bytes: Uint8Array, oid: string): boolean {
  const { hash } = inputs.repository
  if (objectName('blob', bytes, hash) === oid) return true
  return bytes.includes(0x0d) && objectName('blob', withoutCarriageReturns(bytes), hash) === oid
}

/** Whether the next commit holds a file as it is: a path that the index lacks is deleted there. */
function isStaged(staged: readonly IndexEntry[], entry: TreeEntry): boolean {
  const [only, ...others] = staged
  return others.length === 0 && only?.stage === 0 && isSameFile(only, entry)
}

class PathChecker {
  readonly #findings: Finding[] = []
  readonly #others: DocumentState[] = []
  readonly #seen = new Set<string>()
  readonly #file: string
  readonly #entry: TreeEntry | undefined
  /** What was frozen here: two contents after criss-cross merges of two freezes. */
  readonly #frozen: readonly Content[]
  #final: Content | undefined

  constructor(
    private readonly inputs: GateInputs,
    private readonly path: string,
    private readonly changes: readonly FileChange[],
    private readonly ahead: TreeEntry | undefined,
    private readonly work: Uint8Array | undefined,
  ) {
    this.#file = inputs.toName(path)
    this.#entry = inputs.frozen.get(path)
    const base = entriesAtBase(inputs, path)
    const contents = base.filter(isRegular).map(({ oid }) => this.#content(oid))
    this.#frozen = contents.filter(({ sound }) => sound)
    if (base.length > 0 && this.#frozen.length === 0) {
      this.#findings.push(finding('base-unsound', {}, { file: this.#file, pointer: '' }))
    }
  }

  run(): PathOutcome {
    const { inputs, path, work } = this
    const final = work && parseContent(work, this.#file)
    this.#final = final
    const kind = inputs.work.get(path)
    if (kind === 'link' || kind === 'other') this.#notAFile(WORK_TREE)
    else if (final !== undefined) this.#readFinal(final)
    this.#staged()
    for (const { commit, after } of this.changes) {
      const location = { name: commitName(commit), inWorkTree: false }
      if (after === undefined) this.#deleted(location)
      else this.#blob(after, location)
    }
    const seenStates = { findings: this.#findings, frozen: this.#frozen[0], others: this.#others }
    return { path, ...seenStates, final, untouched: false }
  }

  #content(oid: string): Content {
    return parseContent(this.inputs.blobs.get(oid), this.#file)
  }

  #readFinal(final: Content): void {
    this.#seen.add(final.meaning ?? 'unreadable')
    this.#compare(final, WORK_TREE)
    // A path that both sides created is a conflict of versions, not a change.
    if (this.ahead !== undefined && this.#entry !== undefined) {
      const theirs = this.#content(this.ahead.oid)
      if (theirs.sound) this.#checkState(theirs, final, WORK_TREE)
    }
  }

  #staged(): void {
    const staged = this.inputs.index.get(this.path) ?? []
    if (staged.some((each) => each.stage > 0)) {
      this.#add('merge-unresolved', {})
      return
    }
    if (staged.length === 0) this.#deleted(INDEX)
    for (const each of staged) this.#blob(each, INDEX)
  }

  #deleted(location: StateLocation): void {
    if (this.#frozen.length === 0 || this.#final === undefined) return
    this.#once('frozen-deleted', { where: location.name, undone: true })
  }

  #notAFile(location: StateLocation): void {
    const undone = !location.inWorkTree && this.#final !== undefined
    this.#once('not-a-file', { where: location.name, undone })
  }

  #blob(entry: TreeEntry, location: StateLocation): void {
    if (!isRegular(entry)) {
      this.#notAFile(location)
      return
    }
    if (this.#seen.has(entry.oid)) return
    this.#seen.add(entry.oid)
    const state = this.#content(entry.oid)
    // Equal contents are reported once, at the latest state, which is checked first.
    const meaning = state.meaning ?? 'unreadable'
    if (this.#seen.has(meaning)) return
    this.#seen.add(meaning)
    this.#compare(state, location)
  }

  #compare(state: Content, location: StateLocation): void {
    const same = this.#frozen.filter(({ meaning }) => meaning === state.meaning)
    // In past commits, either of two frozen contents is accepted; in the end, both would be required.
    const against = same.length > 0 && !location.inWorkTree ? same : this.#frozen
    for (const frozen of against) this.#checkState(frozen, state, location)
    if (state.sound && same.length === 0)
      this.#others.push({ path: this.path, content: state, location })
  }

  #checkState(frozen: Content, state: Content, location: StateLocation): void {
    const undone = !location.inWorkTree && this.#final?.meaning === frozen.meaning
    const at = { ...location, undone }
    const { strictBytes } = this.inputs
    this.#findings.push(...compareFrozen(frozen, state, this.#file, at, strictBytes))
  }

  /** What is reported for its first place alone. */
  #once<C extends Code>(code: C, args: ArgsOf<C>): void {
    if (this.#seen.has(code)) return
    this.#seen.add(code)
    this.#add(code, args)
  }

  #add<C extends Code>(code: C, args: ArgsOf<C>): void {
    this.#findings.push(finding(code, args, { file: this.#file, pointer: '' }))
  }
}

/** Checks every document in any revision, the index or the working tree, in order. */
export function checkDocuments(inputs: GateInputs): PathOutcome[] {
  const changes = new Map<string, FileChange[]>()
  for (const change of inputs.history.changes) {
    if (!isDocument(change.path) || isReturn(inputs, change)) continue
    const earlier = changes.get(change.path)
    if (earlier) earlier.push(change)
    else changes.set(change.path, [change])
  }
  const wanted = [...changes.values()].flat().flatMap(({ after }) => after ?? [])
  inputs.blobs.load(wanted.filter(isRegular).map(({ oid }) => oid))
  return listPaths(inputs)
    .filter(isDocument)
    .map((path) => checkPath(inputs, path, changes.get(path) ?? []))
}

/** A merge that brought in what the base froze, or a commit that put it back. */
function isReturn(inputs: GateInputs, change: FileChange): boolean {
  const { path, after } = change
  return after !== undefined && entriesAtBase(inputs, path).some((each) => isSameFile(each, after))
}

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
      findings.set(path, [departedFinding(inputs, path, target?.path)])
      // Under its new name the document is the same fault, not another.
      if (target !== undefined) findings.set(target.path, [])
    } else if (withdrawn !== undefined) {
      const { version = '', meaning } = withdrawn.content
      // A temporary copy or rename of a frozen document is not a new version.
      if (outcomes.some((each) => each.frozen?.meaning === meaning)) continue
      const args = { where: withdrawn.location.name, version }
      const fault = finding('frozen-withdrawn', args, { file: inputs.toName(path), pointer: '' })
      findings.set(path, [fault])
    }
  }
  return { findings, gone }
}

function departedFinding(inputs: GateInputs, path: string, target: string | undefined): Finding {
  const file = inputs.toName(path)
  if (target !== undefined)
    return finding('frozen-renamed', { to: inputs.toName(target) }, { file, pointer: '' })
  const last = inputs.history.changes.findLast((change) => change.path === path)
  const committed = last !== undefined && last.after === undefined
  const where = committed ? commitName(last.commit) : WORK_TREE.name
  return finding('frozen-deleted', { where, undone: false }, { file, pointer: '' })
}
